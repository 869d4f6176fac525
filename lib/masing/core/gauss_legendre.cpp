#include "masing/core/gauss_legendre.hpp"

#include "masing/core/types.hpp"

#include <cmath>

namespace masing {
namespace {

struct LegendreValue {
  double value;
  double derivative;
};

/// P_n and P_n' by the three-term recurrence.
LegendreValue legendre(int n, double x) {
  double previous = 1.0;
  double value = x;
  for (int k = 2; k <= n; ++k) {
    const double next = ((2 * k - 1) * x * value - (k - 1) * previous) / k;
    previous = value;
    value = next;
  }
  return {value, n * (x * value - previous) / (x * x - 1.0)};
}

GaussLegendre computed_rule() {
  const std::vector<GaussNode> nodes = gauss_nodes(static_cast<int>(GaussLegendre::points));
  GaussLegendre rule;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    rule.nodes[i] = nodes[i].at;
    rule.weights[i] = nodes[i].weight;
  }
  return rule;
}

}  // namespace

std::vector<GaussNode> gauss_nodes(int count) {
  constexpr int newton_steps = 8;  // the start is good to 3 digits: four steps reach rounding
  std::vector<GaussNode> nodes;
  for (int i = 0; i < count; ++i) {
    double x = std::cos(pi * (i + 0.75) / (count + 0.5));
    for (int step = 0; step < newton_steps; ++step) {
      const LegendreValue p = legendre(count, x);
      x -= p.value / p.derivative;
    }
    const double slope = legendre(count, x).derivative;
    nodes.push_back({x, 2.0 / ((1.0 - x * x) * slope * slope)});
  }
  return nodes;
}

const GaussLegendre& gauss_legendre() {
  static const GaussLegendre rule = computed_rule();
  return rule;
}

}  // namespace masing
