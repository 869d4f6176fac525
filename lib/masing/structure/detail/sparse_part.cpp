#include "masing/structure/detail/eliminated_part.hpp"
#include "masing/structure/detail/matrix_checks.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

namespace masing::detail {
namespace {

using ComplexSparse = Eigen::SparseMatrix<Complex>;

// The same entries, zeros included, as `pattern`, so that matrices can be combined value by value.
SparseMatrix on_pattern(const SparseMatrix& matrix, const SparseMatrix& pattern) {
  SparseMatrix result = 0.0 * pattern + matrix;
  result.makeCompressed();
  return result;
}

SparseMatrix common_pattern(const Pencil& pencil) {
  const auto ones = [](const SparseMatrix& matrix) {
    SparseMatrix result = matrix;
    result.coeffs().setOnes();
    return result;
  };
  const SparseMatrix dissipative = ones(pencil.damping) + ones(pencil.hysteretic);
  return SparseMatrix(ones(pencil.mass) + ones(pencil.stiffness)) + dissipative;
}

class SparsePart final : public EliminatedPart {
 public:
  explicit SparsePart(Pencil pencil) : scaling_(std::move(pencil.scaling)) {
    pencil.mass.makeCompressed();
    pencil.damping.makeCompressed();
    pencil.stiffness.makeCompressed();
    pencil.hysteretic.makeCompressed();
    const SparseMatrix pattern = common_pattern(pencil);
    mass_ = on_pattern(pencil.mass, pattern);
    damping_ = on_pattern(pencil.damping, pattern);
    stiffness_ = on_pattern(pencil.stiffness, pattern);
    hysteretic_ = on_pattern(pencil.hysteretic, pattern);
    dynamic_ = pattern.cast<Complex>();
    derivative_ = dynamic_;
    factors_.analyzePattern(dynamic_);
  }

  bool factorise(double omega, double mass_damping) override {
    const auto m = mass_.coeffs();
    const auto c = damping_.coeffs();
    const auto k = stiffness_.coeffs();
    dynamic_.coeffs().real() = k - (omega * omega) * m;
    dynamic_.coeffs().imag() = hysteretic_.coeffs() + omega * c + (omega * mass_damping) * m;
    derivative_.coeffs().real() = (-2.0 * omega) * m;
    derivative_.coeffs().imag() = c + mass_damping * m;
    factors_.factorize(dynamic_);
    return factors_.info() == Eigen::Success;
  }

  void solve(const Input& right, Output solution) const override { solution = factors_.solve(ComplexMatrix(right)); }

  void apply_derivative(const Input& x, Output product) const override { product = derivative_ * x; }

  void apply_mass(const Input& x, Output product) const override { product = mass_.cast<Complex>() * x; }

  bool factorise_static() override {
    static_factors_.compute(scaled(stiffness_, scaling_));
    return static_factors_.info() == Eigen::Success && !pivots_vanish(static_factors_.vectorD());
  }

  void solve_static(const Input& right, Output solution) const override {
    const Matrix real = static_factors_.solve(Matrix(scaling_.asDiagonal() * right.real()));
    const Matrix imaginary = static_factors_.solve(Matrix(scaling_.asDiagonal() * right.imag()));
    solution.real() = scaling_.asDiagonal() * real;
    solution.imag() = scaling_.asDiagonal() * imaginary;
  }

 private:
  SparseMatrix mass_;
  SparseMatrix damping_;
  SparseMatrix stiffness_;
  SparseMatrix hysteretic_;
  Vector scaling_;
  ComplexSparse dynamic_;
  ComplexSparse derivative_;
  Eigen::SparseLU<ComplexSparse, Eigen::COLAMDOrdering<int>> factors_;
  Eigen::SimplicialLDLT<SparseMatrix> static_factors_;
};

}  // namespace

std::unique_ptr<EliminatedPart> make_sparse_part(Pencil pencil) {
  return std::make_unique<SparsePart>(std::move(pencil));
}

}  // namespace masing::detail
