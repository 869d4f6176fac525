// Exact condensation of a structure with matrices on the kept motions, one frequency at a time.
//
//   X = Z_ll⁻¹ Z_ln,   Y = dZ_ln/dω − (dZ_ll/dω) X
//   S = Z_nn − Z_nl X (extended_elimination.hpp),   dS/dω = dZ_nn/dω − (dZ_nl/dω) X − Xᵀ Y        (Z is symmetric, so Z_nl Z_ll⁻¹ = Xᵀ)
//   load: p_n − Xᵀ p_l,   its derivative −Yᵀ Z_ll⁻¹ p_l
//   rate of the rest along a path: q̇_l = −X q̇_n − ω̇ Z_ll⁻¹ (dZ_ln/dω q_n + dZ_ll/dω q_l)
//   artificial damping: C + cM stands for C; dS/dc = iω (M_nn − M_nl X − Xᵀ (M_ln − M_ll X))
//   recovery: q_l = Z_ll⁻¹ p_l − X y,   its rate −X y' − ω' Z_ll⁻¹ (dZ_ln/dω y + dZ_ll/dω q_l)
//
// The static case ω = 0 is real, has no derivative (its frequency never moves), and is computed once.
#pragma once

#include "masing/structure/detail/eliminated_part.hpp"
#include "masing/structure/detail/extended_elimination.hpp"
#include "masing/structure/detail/partition.hpp"

namespace masing::detail {

class Condensation final : public CondensedStructure, public MassDamped {
 public:
  Condensation(const MatrixStructure& structure, const InterfaceBasis& basis, Evaluation evaluation);

  Index size() const override { return partition_.kept; }
  void set_frequency(double omega) override;
  const ComplexMatrix& stiffness() const override { return current_->s; }
  const ComplexMatrix& stiffness_derivative() const override { return current_->ds; }
  double cancelling_terms() const override;
  void condense_load(const ComplexVector& load, ComplexVector& kept, ComplexVector& derivative) override;
  void recover(const ComplexVector& kept, const ComplexVector& load, ComplexVector& all) override;
  void recover_rate(const ComplexVector& all, const ComplexVector& kept_rate, double omega_rate,
                    ComplexVector& all_rate) override;

  void set_mass_damping(double c) override;
  void stiffness_by_mass_damping(ComplexMatrix& result) override;
  void recover_rate_by_mass_damping(const ComplexVector& all, ComplexVector& all_rate) override;

 private:
  struct State {
    double omega = -1.0;  // none yet
    ComplexMatrix s, ds;
    ComplexMatrix x, y;
  };
  using KeptBlocks = ExtendedElimination::KeptBlocks;

  void evaluate_dynamic(double omega);
  void eliminate_dynamic(double omega);
  void evaluate_static();
  void solve_rest(const EliminatedPart::Input& right, EliminatedPart::Output solution) const;
  void improve_rest(const ComplexVector& kept);
  [[noreturn]] void reject_floating() const;

  Partition partition_;
  KeptBlocks mass_, damping_, stiffness_, hysteretic_;
  SparseMatrix rest_stiffness_;
  Vector rest_scaling_;
  double mass_damping_ = 0.0;                            // c: C + cM stands for C
  double largest_mass_ = 0.0, largest_stiffness_ = 0.0;  // in the kept blocks
  Vector mass_diagonal_, stiffness_diagonal_;            // of the rest, absolute
  std::vector<std::string> coordinates_;
  std::unique_ptr<EliminatedPart> rest_;           // null when everything is kept
  std::unique_ptr<ExtendedElimination> extended_;  // null when nothing or too much is to be eliminated
  State dynamic_, static_;
  State* current_;
  ComplexMatrix coupling_;  // l × n workspace
  ComplexVector parts_, rest_motion_, rest_force_, rest_load_;
};

}  // namespace masing::detail
