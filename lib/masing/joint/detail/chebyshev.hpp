// A smooth function on [0, length] as a sum of Chebyshev polynomials: found once from samples, evaluated with its
// derivative by one pass of Clenshaw's recurrence.
#pragma once

#include <functional>
#include <vector>

namespace masing::detail {

class ChebyshevSeries {
 public:
  /// Doubles the number of terms until the last ones have fallen to rounding, then drops those that are rounding only.
  /// Throws NumericalError when `function` is too rough for that.
  ChebyshevSeries(const std::function<double(double)>& function, double length);

  struct Value {
    double value;
    double derivative;
  };
  Value at(double x) const;

 private:
  double to_unit_;  // derivative of the argument in [−1, 1] to x
  std::vector<double> coefficients_;
};

}  // namespace masing::detail
