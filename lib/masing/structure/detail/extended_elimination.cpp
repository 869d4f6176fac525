#include "masing/structure/detail/extended_elimination.hpp"

namespace masing::detail {

ExtendedElimination::ExtendedElimination(KeptBlocks mass, KeptBlocks damping, KeptBlocks stiffness,
                                         KeptBlocks hysteretic, Pencil rest)
    : mass_(std::move(mass)),
      damping_(std::move(damping)),
      stiffness_(std::move(stiffness)),
      hysteretic_(std::move(hysteretic)),
      rest_(std::move(rest)) {}

// K − ω²M + i (H + ωC + ωcM) of one block.
void ExtendedElimination::sum(Matrix KeptBlocks::*part, LongComplex& result) const {
  const Long mass = (mass_.*part).cast<long double>();
  result.real = (stiffness_.*part).cast<long double>() - omega_ * omega_ * mass;
  result.imaginary = (hysteretic_.*part).cast<long double>() + omega_ * (damping_.*part).cast<long double>() +
                     omega_ * mass_damping_ * mass;
}

void ExtendedElimination::go_to(double omega, double mass_damping) {
  omega_ = omega;
  mass_damping_ = mass_damping;
  sum(&KeptBlocks::nn, kept_);
  sum(&KeptBlocks::ln, coupling_);
}

void ExtendedElimination::subtract(const SparseMatrix& matrix, long double real_factor, long double imaginary_factor,
                                   const EliminatedPart::Input& x, LongComplex& from) {
  for (Index column = 0; column < x.cols(); ++column) {
    for (Index j = 0; j < matrix.outerSize(); ++j) {
      const long double a = x(j, column).real(), b = x(j, column).imag();
      const long double moved_real = real_factor * a - imaginary_factor * b;
      const long double moved_imaginary = real_factor * b + imaginary_factor * a;
      for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry) {
        from.real(entry.row(), column) -= entry.value() * moved_real;
        from.imaginary(entry.row(), column) -= entry.value() * moved_imaginary;
      }
    }
  }
}

void ExtendedElimination::subtract_rest(const EliminatedPart::Input& x, LongComplex& from) const {
  subtract(rest_.stiffness, 1.0L, 0.0L, x, from);
  subtract(rest_.mass, -omega_ * omega_, omega_ * mass_damping_, x, from);
  subtract(rest_.damping, 0.0L, omega_, x, from);
  subtract(rest_.hysteretic, 0.0L, 1.0L, x, from);
}

void ExtendedElimination::evaluate(const ComplexVector& load, const ComplexVector& kept, const ComplexVector& rest,
                                   ComplexVector& residual) {
  rest_residual_.real = load.real().cast<long double>();
  rest_residual_.imaginary = load.imag().cast<long double>();
  for (Index j = 0; j < kept.size(); ++j) {
    const long double a = kept[j].real(), b = kept[j].imag();
    rest_residual_.real -= a * coupling_.real.col(j) - b * coupling_.imaginary.col(j);
    rest_residual_.imaginary -= a * coupling_.imaginary.col(j) + b * coupling_.real.col(j);
  }
  subtract_rest(rest, rest_residual_);
  residual.real() = rest_residual_.real.cast<double>();
  residual.imag() = rest_residual_.imaginary.cast<double>();
}

void ExtendedElimination::evaluate(const ComplexMatrix& x, ComplexMatrix& s, ComplexMatrix& residual) {
  residual_ = coupling_;
  subtract_rest(x, residual_);
  residual.real() = residual_.real.cast<double>();
  residual.imag() = residual_.imaginary.cast<double>();
  // R is small: its product with X needs no more digits.
  for (Index column = 0; column < x.cols(); ++column) {
    for (Index row = 0; row < x.cols(); ++row) {
      long double real = kept_.real(row, column), imaginary = kept_.imaginary(row, column);
      for (Index i = 0; i < x.rows(); ++i) {
        const long double a = coupling_.real(i, row), b = coupling_.imaginary(i, row);
        const long double c = x(i, column).real(), d = x(i, column).imag();
        real -= a * c - b * d;
        imaginary -= a * d + b * c;
      }
      s(row, column) = Complex(static_cast<double>(real), static_cast<double>(imaginary));
    }
  }
  s.noalias() -= x.transpose() * residual;
}

}  // namespace masing::detail
