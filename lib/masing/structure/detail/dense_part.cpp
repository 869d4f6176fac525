#include "masing/structure/detail/eliminated_part.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace masing::detail {
namespace {

class DensePart final : public EliminatedPart {
 public:
  explicit DensePart(const Pencil& pencil)
      : mass_(pencil.mass),
        damping_(pencil.damping),
        stiffness_(pencil.stiffness),
        hysteretic_(pencil.hysteretic),
        scaling_(pencil.scaling),
        dynamic_(pencil.size(), pencil.size()),
        derivative_(pencil.size(), pencil.size()),
        factors_(pencil.size()) {}

  bool factorise(double omega, double mass_damping) override {
    dynamic_.real() = stiffness_ - (omega * omega) * mass_;
    dynamic_.imag() = hysteretic_ + omega * damping_;
    derivative_.real() = (-2.0 * omega) * mass_;
    derivative_.imag() = damping_;
    if (mass_damping != 0.0) {
      dynamic_.imag() += (omega * mass_damping) * mass_;
      derivative_.imag() += mass_damping * mass_;
    }
    factors_.compute(dynamic_);
    return (factors_.matrixLU().diagonal().array() != 0.0).all();
  }

  void solve(const Input& right, Output solution) const override { solution = factors_.solve(right); }

  void apply_derivative(const Input& x, Output product) const override { product.noalias() = derivative_ * x; }

  void apply_mass(const Input& x, Output product) const override { product.noalias() = mass_ * x; }

  bool factorise_static() override {
    static_factors_.compute(scaling_.asDiagonal() * stiffness_ * scaling_.asDiagonal());
    return static_factors_.info() == Eigen::Success && !pivots_vanish(static_factors_.vectorD());
  }

  void solve_static(const Input& right, Output solution) const override {
    const Matrix real = scaling_.asDiagonal() * static_factors_.solve(Matrix(scaling_.asDiagonal() * right.real()));
    const Matrix imaginary =
        scaling_.asDiagonal() * static_factors_.solve(Matrix(scaling_.asDiagonal() * right.imag()));
    solution.real() = real;
    solution.imag() = imaginary;
  }

 private:
  Matrix mass_;
  Matrix damping_;
  Matrix stiffness_;
  Matrix hysteretic_;
  Vector scaling_;
  ComplexMatrix dynamic_;
  ComplexMatrix derivative_;
  Eigen::PartialPivLU<ComplexMatrix> factors_;
  Eigen::LDLT<Matrix> static_factors_;
};

}  // namespace

std::unique_ptr<EliminatedPart> make_dense_part(const Pencil& pencil) { return std::make_unique<DensePart>(pencil); }

}  // namespace masing::detail
