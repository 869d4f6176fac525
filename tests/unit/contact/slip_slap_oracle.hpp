// Motions for the slip/slap tests, and the law written down naively: sample by sample, nothing located, no derivatives.
#pragma once

#include "masing/contact/slip_slap.hpp"
#include "unit/contact/histories.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace masing::support {

/// mean + Σ a_k cos k(τ + shift) + b_k sin k(τ + shift)
class Harmonics final : public PeriodicSignal {
 public:
  double mean = 0.0;
  double shift = 0.0;
  std::vector<double> a = {}, b = {};

  Jet at(double tau) const override {
    Jet jet{.value = mean};
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double k = static_cast<double>(i + 1);
      const double c = std::cos(k * (tau + shift));
      const double s = std::sin(k * (tau + shift));
      jet.value += a[i] * c + b[i] * s;
      jet.slope += k * (b[i] * c - a[i] * s);
      jet.curvature -= k * k * (a[i] * c + b[i] * s);
      jet.third -= k * k * k * (b[i] * c - a[i] * s);
    }
    return jet;
  }
};

/// u and w between samples.
struct SlipSlapMotion {
  Harmonics u, w;

  Samples sampled(Index count) const {
    Samples s{Matrix(count, 2), Matrix::Zero(count, 2)};
    for (Index i = 0; i < count; ++i) {
      const double tau = 2.0 * pi * static_cast<double>(i) / static_cast<double>(count);
      s.displacement.row(i) << u.at(tau).value, w.at(tau).value;
    }
    return s;
  }
};

inline Harmonics random_harmonics(std::mt19937_64& random, double mean, double size, int highest) {
  std::normal_distribution<double> normal;
  Harmonics h;
  h.mean = mean;
  for (int k = 1; k <= highest; ++k) {
    h.a.push_back(size * normal(random) / (k * k));
    h.b.push_back(size * normal(random) / (k * k));
  }
  return h;
}

/// Some of them separate, some slide, some do neither.
inline SlipSlapMotion random_slip_slap_motion(std::mt19937_64& random, int trial) {
  const double tangential = 0.1 * std::pow(30.0, (trial % 7) / 6.0);
  return {random_harmonics(random, 0.3, tangential, 3), random_harmonics(random, 0.5 + 0.5 * (trial % 5), 0.8, 3)};
}

/// Forces with all events located between `count` samples, or on the polygon through them.
inline Matrix located_forces(const ContactElement& element, const SlipSlapMotion& motion, Index count) {
  const Samples s = motion.sampled(count);
  const std::array<const PeriodicSignal*, 2> signals = {&motion.u, &motion.w};
  CycleResult result;
  element.steady_cycle({.displacement = s.displacement, .velocity = s.velocity, .signals = signals}, {}, result);
  return result.force;
}
inline Matrix sampled_forces(const ContactElement& element, const Samples& s) {
  CycleResult result;
  element.steady_cycle(s.view(), {}, result);
  return result.force;
}

/// The law as printed, with sgn(u̇) for sgn(u).
class NaiveSlipSlap {
 public:
  explicit NaiveSlipSlap(const SlipSlap::Parameters& p) : p_(p) {}

  std::array<double, 2> step(double u, double w) {
    const double direction = u > u_ ? 1.0 : u < u_ ? -1.0 : s_;
    if (w <= 0.0) {
      w_max_ = 0.0;
      contact_ = false;
      slip_ = 0.0;
    } else {
      if (!contact_)
        u0_ = u, start_ = 0.0, w_max_ = 0.0;
      else if (direction != s_)
        u0_ = u_, start_ = slip_;
      contact_ = true;
      const double k = p_.normal_exponent * p_.stiffness_ratio *
                       std::pow(p_.normal_coefficient, 1.0 - p_.friction_exponent) / p_.friction_coefficient /
                       std::pow(w, 1.0 - p_.normal_exponent * (1.0 - p_.friction_exponent));
      slip_ = direction - (direction - start_) * std::exp(-k * std::abs(u - u0_));
      w_max_ = p_.smooth_refresh ? renewed(w) : std::abs(slip_) >= 0.99 ? w : std::max(w_max_, w);
    }
    s_ = direction;
    u_ = u;
    return contact_ ? forces(w) : std::array<double, 2>{0.0, 0.0};
  }

 private:
  std::array<double, 2> forces(double w) const {
    const double elastic = std::exp(-p_.unloading_rate * (w_max_ - w));
    const double share = elastic + (1.0 - elastic) * std::abs(slip_);
    const double normal = p_.normal_coefficient * std::pow(w, p_.normal_exponent) * share;
    return {p_.friction_coefficient * std::pow(normal, p_.friction_exponent) * slip_, normal};
  }

  // The smooth variant: b <= Δ_N <= 1.
  double renewed(double w) const {
    const double x = std::max(0.0, (std::abs(slip_) - 0.97) / 0.03);
    const double b = x * x * (3.0 - 2.0 * x);
    const double elastic = std::clamp(std::exp(-p_.unloading_rate * (w_max_ - w)), b, 1.0);
    return w - std::log(elastic) / p_.unloading_rate;
  }

  SlipSlap::Parameters p_;
  bool contact_ = false;
  double s_ = 1.0, u_ = 0.0, u0_ = 0.0, start_ = 0.0, w_max_ = 0.0, slip_ = 0.0;
};

/// Forces of the naive law at `count` samples of the last of `periods`, marched with `fine` steps from sample to sample.
inline Matrix naive_forces(const SlipSlap::Parameters& p, const SlipSlapMotion& motion, Index count, int periods,
                           int fine) {
  NaiveSlipSlap law(p);
  Matrix forces(count, 2);
  const double step = 2.0 * pi / static_cast<double>(count * fine);
  const Index all = count * fine;
  std::vector<std::array<double, 2>> path;
  for (Index i = 0; i < all; ++i) {
    const double tau = step * static_cast<double>(i);
    path.push_back({motion.u.at(tau).value, motion.w.at(tau).value});
  }
  for (int period = 0; period < periods; ++period) {
    for (Index i = 0; i < all; ++i) {
      const auto [u, w] = path[static_cast<std::size_t>(i)];
      const auto force = law.step(u, w);
      if (i % fine == 0) forces.row(i / fine) << force[0], force[1];
    }
  }
  return forces;
}

/// The example of the specification.
inline SlipSlap::Parameters example(double unloading_rate = 0.0) {
  return {.normal_coefficient = 4.0,
          .friction_coefficient = 0.26,
          .unloading_rate = unloading_rate,
          .stiffness_ratio = 0.7};
}
/// Exponents as identified in the published experiment.
inline SlipSlap::Parameters rough() {
  return {.normal_exponent = 1.3,
          .friction_exponent = 1.16,
          .normal_coefficient = 4.0,
          .friction_coefficient = 0.26,
          .unloading_rate = 0.5,
          .stiffness_ratio = 0.42};
}
inline SlipSlapMotion example_motion() {
  const double phase = 5.0 * pi / 8.0;
  SlipSlapMotion motion;
  motion.u.a = {2.0 * std::sin(phase)};
  motion.u.b = {2.0 * std::cos(phase)};
  motion.w.mean = 3.0;
  motion.w.a = {0.0};
  motion.w.b = {2.5};
  return motion;
}

}  // namespace masing::support
