// Composite Gauss-Legendre quadrature with 20 points a panel: for analytic integrands exact to rounding once a panel
// is not longer than about the distance to the nearest singularity.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace masing {

struct GaussNode {
  double at = 0.0;      ///< in [−1, 1]
  double weight = 0.0;  ///< their sum is 2
};

/// The rule with `count` >= 1 points, by Newton's method on the Legendre polynomial; from 1 down to −1.
std::vector<GaussNode> gauss_nodes(int count);

struct GaussLegendre {
  static constexpr std::size_t points = 20;
  std::array<double, points> nodes;    ///< in [−1, 1]
  std::array<double, points> weights;  ///< their sum is 2
};

/// Nodes and weights, computed once.
const GaussLegendre& gauss_legendre();

/// ∫ f over [from, to], divided into equal panels.
template <class Function>
double integrate(const Function& f, double from, double to, int panels = 1) {
  const GaussLegendre& rule = gauss_legendre();
  const double half = 0.5 * (to - from) / panels;
  double sum = 0.0;
  for (int panel = 0; panel < panels; ++panel) {
    const double middle = from + (2 * panel + 1) * half;
    for (std::size_t i = 0; i < GaussLegendre::points; ++i) {
      sum += rule.weights[i] * f(middle + half * rule.nodes[i]);
    }
  }
  return half * sum;
}

}  // namespace masing
