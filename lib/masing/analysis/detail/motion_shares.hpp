// Who takes part in a periodic motion: harmonics, and linear modes in each of them.
//
//   harmonic share   √(k² Q_kᴴ M Q_k / Σ_j j² Q_jᴴ M Q_j): how much of the velocity a harmonic holds, mass-weighted. The mean
//                    has none. M is −(dZ/dω)/2ω where there are no matrices (energy_balance.hpp)
//   modal share      |φ_mᵀ M Q_k|² / (Q_kᴴ M Q_k): how much of harmonic k moves in mode m. φ_m of unit modal mass, joints stuck:
//                    the same shapes along a whole branch, so that shares can be compared. Spectral beams: modal_projection.hpp
//   mode frequency   of these modes with every joint at its secant stiffness, the linear spring that comes nearest to its
//                    force in the mean square: <f u>/<u²> of the oscillating parts, for each input by itself. Inputs that do
//                    not move, and joints that feel a shortening, are taken as stuck
//
// The frequencies are found in the space of the stuck modes (Rayleigh-Ritz): exactly for as many coordinates with mass as there
// are modes in it, slightly too high for larger structures and for spectral beams. A mode is known again by its shape: it is the one with the largest
// part of the stuck mode.
//
// Structures with more than 1000 coordinates, and models without a linear form, have only harmonic shares.
#pragma once

#include "masing/analysis/detail/energy_balance.hpp"
#include "masing/analysis/detail/modal_projection.hpp"
#include "masing/analysis/results.hpp"

namespace masing::detail {

class MotionShares {
 public:
  explicit MotionShares(const Model& model);

  /// Of the modes with the joints stuck [Hz].
  const std::vector<double>& modes() const { return frequencies_; }
  struct Motion {
    const HarmonicSet& set;     ///< it was balanced in
    const HarmonicSet& stored;  ///< results are stored in, larger or the same
    const Matrix& all;          ///< coordinates × positions
    double omega;               ///< of harmonic 1 [rad/s]
  };
  /// Fills the shares and mode frequencies of a point, for a motion whose energy was just evaluated.
  void describe(const Motion& motion, const EnergyTerms& energy, const EnergyBalance& evaluated, ResponsePoint& point);

 private:
  struct StuckJoint {
    Matrix stiffness;   // inputs × inputs; empty: not differentiated
    Matrix directions;  // inputs × modes of the space: Bᵀ V
  };
  void find_modes(const Model& model);
  void fill_modal_shares(const Motion& motion, const Vector& harmonic_share, Vector& shares);
  void fill_frequencies(const EnergyBalance& evaluated, Vector& frequencies);
  Matrix secant_stiffness(const EnergyBalance& evaluated, std::size_t joint, double negligible) const;

  std::vector<double> frequencies_;
  std::vector<Index> told_;                      // places in the space of the modes told
  Vector squares_;                               // ω² of the space
  std::unique_ptr<ModalProjection> projection_;  // on the modes told
  std::vector<StuckJoint> joints_;
  Matrix stiffness_;
  ComplexVector amplitude_;
};

}  // namespace masing::detail
