// A spectral beam whose joints lie along a stretch, with a few shapes of that stretch in place of its motions at all Gauss
// points (Galerkin):
//
//   y = T c,    S_c(ω) = Tᵀ S(ω) T,    S exact at every ω: the rest of the beam is condensed as ever
//
// y: the motions that the joints feel, c: the new unknowns. The shapes T are real and constant, in this order:
//
//   rigid     the section moves and turns as a body
//   mode      S(ω_ref) φ = λ G φ, undamped and orthogonal to the rigid ones, smallest |λ| first
//   residual  what the modes left out would add, at ω_ref, under a uniform and a linear load and under the loads of the
//             study, wherever they act
//
// S(ω_ref) contains the stiffness of the free part at the end of the stretch. G holds the lengths that the Gauss
// points stand for, so that λ [N/m²] is the stiffness per metre of an elastic foundation that matches that of the shape: contacts
// much softer than the first λ left out do not miss it.
//
// Error indicator at ω: of the flexibility beside the rigid shapes (index r), the part that is missing,
//
//   ‖S⁻¹ − T S_c⁻¹ Tᵀ‖ / ‖S⁻¹ − (S⁻¹)_r‖,   Frobenius norms, weighted with G.
//
// Reference: H. Ahmadian, M. Mohammadali, Mech. Syst. Signal Process. 80 (2016), equations (23) to (30), where the shapes
// are complex and made anew for every harmonic and frequency: eigenfunction_beam.hpp. Constant ones converge to the same, need
// no derivatives, and may contain the answer to the loads.
#pragma once

#include "masing/structure/spectral_beam.hpp"

namespace masing {

struct GalerkinOptions {
  SparseMatrix directions = {};    ///< motions that the distributed joints feel, a column each
  Vector lengths = {};             ///< [m] what each column stands for, > 0
  Matrix loads = {};               ///< that get residual shapes, a column each
  Index modes = 6;                 ///< beside the rigid shapes; more than there are: all
  double frequency = 0.0;          ///< [Hz] of reference, > 0
  double highest_frequency = 0.0;  ///< [Hz] at which the indicator is evaluated too; 0: it is not
  bool residual = true;
  bool per_harmonic = false;  ///< for the reader of a study: eigenfunction_beam.hpp is meant

  std::vector<double> indicated_frequencies() const;  ///< [Hz] where the indicator is evaluated
};

struct GalerkinSummary {
  Index motions = 0, rigid = 0, modes = 0, residuals = 0;
  bool per_harmonic = false;                           ///< modes and residuals are those of eigenfunction_beam.hpp
  double first_left_out = 0.0;                         ///< λ [N/m²]; 0: none
  std::vector<std::pair<double, double>> errors = {};  ///< frequency [Hz], indicator

  std::vector<std::string> lines() const;  ///< for people
};

/// Coordinates: rigid1, …, mode1, …, residual1, …, then what is left of the places of the joints (other1, …), then all other
/// coordinates of the beam under their names.
class GalerkinBeam final : public Structure {
 public:
  /// Throws ModelError for options that do not fit, NumericalError at a resonance.
  GalerkinBeam(std::shared_ptr<const SpectralBeam> full, const GalerkinOptions& options);

  const std::vector<std::string>& coordinates() const override { return coordinates_; }
  /// Also everything that the full beam has a name for.
  Vector motion(std::string_view name) const override;
  std::vector<std::string> motion_names() const override;
  std::unique_ptr<CondensedStructure> condense(const InterfaceBasis& basis) const override;
  /// Always throws, as that of a spectral beam.
  Vector base_acceleration_load(const Vector& direction) const override;

  const SpectralBeam& full() const { return *full_; }
  const SparseMatrix& shapes() const { return shapes_; }  ///< L: coordinates of the full beam × of this one
  const GalerkinSummary& summary() const { return summary_; }

  /// Lᵀ of a load or a direction.
  Vector reduced_load(const Vector& load) const { return shapes_.transpose() * load; }
  std::shared_ptr<const FrequencyLoad> reduced_load(std::shared_ptr<const FrequencyLoad> load) const;

 private:
  std::shared_ptr<const SpectralBeam> full_;
  std::vector<std::string> coordinates_;
  SparseMatrix shapes_;
  GalerkinSummary summary_;
};

}  // namespace masing
