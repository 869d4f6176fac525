// Condensation of a spectral beam on the kept motions: the equations of condensation.hpp with Z summed from pieces anew
// at every frequency. The eliminated motions stand in their order along the beam, so that Z_ll is a band matrix.
// The static case is a stiffness matrix like any other and is left to the condensation of a MatrixStructure.
//
// The coordinates q of the structure may be fewer than those of the beam, q_beam = L q with constant shapes L (Galerkin):
// Z is then LᵀZL, summed in one go.
#pragma once

#include "masing/structure/detail/band_matrix.hpp"
#include "masing/structure/detail/partition.hpp"
#include "masing/structure/detail/spectral_model.hpp"

#include <memory>

namespace masing::detail {

class SpectralCondensation final : public CondensedStructure {
 public:
  /// `shapes`: L, the identity for the beam as it is. `at_rest`: the static stiffness condensed on the same basis.
  SpectralCondensation(std::shared_ptr<const SpectralModel> model, const SparseMatrix& shapes,
                       const InterfaceBasis& basis, std::unique_ptr<CondensedStructure> at_rest);

  Index size() const override { return kept_; }
  void set_frequency(double omega) override;
  const ComplexMatrix& stiffness() const override { return static_ ? at_rest_->stiffness() : s_; }
  const ComplexMatrix& stiffness_derivative() const override {
    return static_ ? at_rest_->stiffness_derivative() : ds_;
  }
  double cancelling_terms() const override { return static_ ? at_rest_->cancelling_terms() : largest_; }
  void condense_load(const ComplexVector& load, ComplexVector& kept, ComplexVector& derivative) override;
  void recover(const ComplexVector& kept, const ComplexVector& load, ComplexVector& all) override;
  void recover_rate(const ComplexVector& all, const ComplexVector& kept_rate, double omega_rate,
                    ComplexVector& all_rate) override;

 private:
  /// A coordinate of the beam as a sum of motions of the partition: kept 0 … n − 1, eliminated n … in the order of the band.
  struct Share {
    Index motion;
    double factor;
  };

  void order_motions(const SparseMatrix& shapes);
  void sum_pieces(double omega);
  void eliminate(double omega);
  double eliminated_terms() const;

  std::shared_ptr<const SpectralModel> model_;
  std::unique_ptr<CondensedStructure> at_rest_;
  Partition partition_;  // of the coordinates
  Index kept_, rest_;
  std::vector<std::vector<Share>> shares_;  // a list a coordinate
  bool static_ = false;
  double omega_ = -1.0;  // none yet
  double largest_ = 0.0;
  ComplexMatrix s_, ds_;
  ComplexMatrix coupling_, coupling_derivative_;  // Z_ln, dZ_ln/dω
  BandMatrix block_, block_derivative_;           // Z_ll, dZ_ll/dω
  BandFactors factors_;
  ComplexMatrix x_, y_;
  ComplexVector parts_, rest_motion_;
};

/// The condensation of a beam with the shapes L whose coordinates have these names.
std::unique_ptr<CondensedStructure> condense_spectral(std::shared_ptr<const SpectralModel> model,
                                                      const SparseMatrix& shapes, const std::vector<std::string>& names,
                                                      const InterfaceBasis& basis);

}  // namespace masing::detail
