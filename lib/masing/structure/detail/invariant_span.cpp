#include "masing/structure/detail/invariant_span.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace masing::detail {
namespace {

std::vector<Index> by_size(const Vector& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return values[a] < values[b]; });
  return order;
}

}  // namespace

SortedModes sorted_modes(const Matrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(0.5 * (symmetric + symmetric.transpose()));
  const std::vector<Index> order = by_size(solver.eigenvalues().cwiseAbs());
  return {.lambda = solver.eigenvalues()(order), .shapes = solver.eigenvectors()(Eigen::all, order)};
}

bool invariant_span(const ComplexMatrix& a, const ComplexMatrix& derivative, const Matrix& reference,
                    InvariantSpan& result) {
  const Index wanted = reference.cols();
  const Index rest = reference.rows() - wanted;
  const Eigen::ComplexEigenSolver<ComplexMatrix> solver(a);
  if (solver.info() != Eigen::Success) return false;
  const std::vector<Index> order = by_size(solver.eigenvalues().cwiseAbs());
  const ComplexMatrix psi = solver.eigenvectors()(Eigen::all, order);
  const ComplexVector lambda = solver.eigenvalues()(order);
  const ComplexMatrix rate = psi.partialPivLu().solve(ComplexMatrix(derivative * psi.leftCols(wanted)));
  ComplexMatrix turned(rest, wanted);
  for (Index j = 0; j < wanted; ++j) {
    turned.col(j) = rate.col(j).tail(rest).array() / (lambda[j] - lambda.tail(rest).array());
  }
  const Eigen::PartialPivLU<ComplexMatrix> share(psi.leftCols(wanted).transpose() * reference);
  // (…) (Φ₀ᵀ Ψ₁)⁻¹, from the right.
  const auto scaled = [&](const ComplexMatrix& columns) -> ComplexMatrix {
    return share.solve(ComplexMatrix(columns.transpose())).transpose();
  };
  result.value = scaled(psi.leftCols(wanted));
  const ComplexMatrix moved = scaled(psi.rightCols(rest) * turned);
  result.derivative = moved - result.value * (reference.transpose() * moved);
  return result.value.allFinite() && result.derivative.allFinite();
}

}  // namespace masing::detail
