#include "masing/joint/detail/gauss_legendre.hpp"

#include "masing/core/types.hpp"

#include <cmath>

namespace masing::detail {
namespace {

struct LegendreValue {
  double value;
  double derivative;
};

/// P_n and P_n' for n = GaussLegendre::points, by the three-term recurrence.
LegendreValue legendre(double x) {
  double previous = 1.0;
  double value = x;
  constexpr int n = GaussLegendre::points;
  for (int k = 2; k <= n; ++k) {
    const double next = ((2 * k - 1) * x * value - (k - 1) * previous) / k;
    previous = value;
    value = next;
  }
  return {value, n * (x * value - previous) / (x * x - 1.0)};
}

GaussLegendre computed_rule() {
  constexpr int n = GaussLegendre::points;
  constexpr int newton_steps = 8;  // the start is good to 3 digits: four steps reach rounding
  GaussLegendre rule;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(pi * (i + 0.75) / (n + 0.5));
    for (int step = 0; step < newton_steps; ++step) {
      const LegendreValue p = legendre(x);
      x -= p.value / p.derivative;
    }
    const double slope = legendre(x).derivative;
    rule.nodes[static_cast<std::size_t>(i)] = x;
    rule.weights[static_cast<std::size_t>(i)] = 2.0 / ((1.0 - x * x) * slope * slope);
  }
  return rule;
}

}  // namespace

const GaussLegendre& gauss_legendre() {
  static const GaussLegendre rule = computed_rule();
  return rule;
}

}  // namespace masing::detail
