#include "masing/structure/detail/load_answers.hpp"

#include <Eigen/LU>

namespace masing::detail {

bool load_answers(const ComplexMatrix& a, const ComplexMatrix& a_derivative, const InvariantSpan& span,
                  const ComplexMatrix& loads, const ComplexMatrix& loads_derivative, LoadAnswers& result) {
  const Eigen::PartialPivLU<ComplexMatrix> factors(a);
  const ComplexMatrix z = factors.solve(loads);
  const ComplexMatrix z_rate = factors.solve(ComplexMatrix(loads_derivative - a_derivative * z));
  // w = (TᵀT)⁻¹ Tᵀ z are the shares of the answers in the span.
  const ComplexMatrix& t = span.value;
  const ComplexMatrix& t_rate = span.derivative;
  const Eigen::PartialPivLU<ComplexMatrix> square(t.transpose() * t);
  const ComplexMatrix w = square.solve(ComplexMatrix(t.transpose() * z));
  const ComplexMatrix turned = t_rate.transpose() * t;
  const ComplexMatrix w_rate =
      square.solve(ComplexMatrix(t_rate.transpose() * z + t.transpose() * z_rate - (turned + turned.transpose()) * w));
  result.value = z - t * w;
  result.derivative = z_rate - t_rate * w - t * w_rate;
  for (Index j = 0; j < loads.cols(); ++j) {
    const double length = result.value.col(j).norm();
    const double stretched = result.value.col(j).dot(result.derivative.col(j)).real() / length;
    result.value.col(j) /= length;
    result.derivative.col(j) = (result.derivative.col(j) - stretched * result.value.col(j)) / length;
  }
  return result.value.allFinite() && result.derivative.allFinite();
}

}  // namespace masing::detail
