// Oracles and histories for the Iwan family.
#pragma once

#include "masing/contact/backbones.hpp"
#include "masing/contact/element.hpp"
#include "masing/contact/loop.hpp"

#include <cmath>
#include <random>
#include <vector>

namespace masing::test {

/// Plain Jenkins elements in parallel, each with its own slider: knows nothing of backbones or Masing.
class SliderPopulation {
 public:
  struct Slider {
    double stiffness, limit, position = 0.0;
  };

  /// The four-parameter density R ϕ^χ + S δ, cut into `count` bins that hold their stiffness and slip force exactly. Edges
  /// ϕ_max (j/count)² are dense where the density is singular.
  SliderPopulation(const FourParameters& p, int count) {
    const double power = (p.chi + 1.0) / (p.chi + 2.0);
    const double phi_max = p.slip_force * (1.0 + p.beta) / (p.stiffness * (p.beta + power));
    const double share = p.stiffness / (1.0 + p.beta);
    const auto edge = [&](int j) { return std::pow(static_cast<double>(j) / count, 2); };
    for (int j = 0; j < count; ++j) {
      const double a = edge(j);
      const double b = edge(j + 1);
      const double stiffness = share * (std::pow(b, p.chi + 1.0) - std::pow(a, p.chi + 1.0));
      const double force = share * power * phi_max * (std::pow(b, p.chi + 2.0) - std::pow(a, p.chi + 2.0));
      sliders_.push_back({stiffness, force / stiffness});
    }
    if (p.beta > 0.0) sliders_.push_back({share * p.beta, phi_max});
  }

  double advance(double x) {
    double force = 0.0;
    for (Slider& s : sliders_) {
      if (x - s.position > s.limit) s.position = x - s.limit;
      if (x - s.position < -s.limit) s.position = x + s.limit;
      force += s.stiffness * (x - s.position);
    }
    return force;
  }

 private:
  std::vector<Slider> sliders_;
};

/// Straight ways between random turning points, some of them near the last ones so that minor loops nest.
inline std::vector<double> nested_history(std::mt19937_64& random, int turns, int samples_a_way, double largest) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> history;
  double x = 0.0;
  double reach = largest;
  for (int turn = 0; turn < turns; ++turn) {
    reach = uniform(random) > 0.6 ? largest : 0.8 * reach;
    const double next = turn % 12 == 0 ? largest * uniform(random) : x + reach * uniform(random);
    const double target = std::abs(next) > largest ? -0.5 * next : next;
    for (int i = 1; i <= samples_a_way; ++i) history.push_back(x + (target - x) * i / samples_a_way);
    x = target;
  }
  return history;
}

inline Motion<Eigen::Dynamic> motion_at(double x, double v = 0.0) {
  using Any = SmallVector<Eigen::Dynamic>;
  return {Any::Constant(1, x), Any::Constant(1, v)};
}

inline double advance(ContactPoint& point, double x) { return point.advance(motion_at(x)).force[0]; }

inline double march(ContactPoint& point, const std::vector<double>& history) {
  double force = 0.0;
  for (const double x : history) force = advance(point, x);
  return force;
}

}  // namespace masing::test
