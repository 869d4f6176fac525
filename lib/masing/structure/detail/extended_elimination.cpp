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
void ExtendedElimination::sum(long double omega, long double mass_damping, Matrix KeptBlocks::*part,
                              LongComplex& result) const {
  const Long mass = (mass_.*part).cast<long double>();
  result.real = (stiffness_.*part).cast<long double>() - omega * omega * mass;
  result.imaginary = (hysteretic_.*part).cast<long double>() + omega * (damping_.*part).cast<long double>() +
                     omega * mass_damping * mass;
}

void ExtendedElimination::subtract(const SparseMatrix& matrix, long double real_factor, long double imaginary_factor,
                                   const ComplexMatrix& x, Index column) {
  for (Index j = 0; j < matrix.outerSize(); ++j) {
    const long double a = x(j, column).real(), b = x(j, column).imag();
    const long double moved_real = real_factor * a - imaginary_factor * b;
    const long double moved_imaginary = real_factor * b + imaginary_factor * a;
    for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry) {
      residual_.real(entry.row(), column) -= entry.value() * moved_real;
      residual_.imaginary(entry.row(), column) -= entry.value() * moved_imaginary;
    }
  }
}

void ExtendedElimination::evaluate(double omega, double mass_damping, const ComplexMatrix& x, ComplexMatrix& s,
                                   ComplexMatrix& residual) {
  const long double frequency = omega;
  sum(frequency, mass_damping, &KeptBlocks::nn, kept_);
  sum(frequency, mass_damping, &KeptBlocks::ln, coupling_);
  residual_ = coupling_;
  for (Index column = 0; column < x.cols(); ++column) {
    subtract(rest_.stiffness, 1.0L, 0.0L, x, column);
    subtract(rest_.mass, -frequency * frequency, frequency * mass_damping, x, column);
    subtract(rest_.damping, 0.0L, frequency, x, column);
    subtract(rest_.hysteretic, 0.0L, 1.0L, x, column);
  }
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
