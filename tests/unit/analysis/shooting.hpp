// Periodic motions and their monodromy by shooting: an independent computation for tests, in the time domain with tight
// tolerances.
//
//   q̈ + C q̇ + f(q) = p cos Ωt
#pragma once

#include "masing/core/types.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <boost/numeric/odeint.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace masing::test {

class Shooting {
 public:
  /// Mass one each: other masses divide damping, force and load. `force` gives f(q) and its slope.
  using Force = std::function<void(const Vector& q, Vector& f, Matrix& slope)>;
  Shooting(Matrix damping, Force force, Vector load)
      : damping_(std::move(damping)), force_(std::move(force)), load_(std::move(load)) {}
  virtual ~Shooting() = default;

  struct Map {
    Vector end;         ///< (q, q̇)
    Matrix derivative;  ///< by the beginning
  };
  /// Over `length` from t = `begin`.
  virtual Map map(const Vector& start, double omega, double length, double begin = 0.0) const {
    const Index size = start.size();
    std::vector<double> state(static_cast<std::size_t>(size + size * size), 0.0);
    Eigen::Map<Vector>(state.data(), size) = start;
    Eigen::Map<Matrix>(state.data() + size, size, size).setIdentity();
    const auto rate = [&](const std::vector<double>& x, std::vector<double>& dx, double t) {
      derive(x, dx, omega, t, size);
    };
    namespace odeint = boost::numeric::odeint;
    using Stepper = odeint::runge_kutta_fehlberg78<std::vector<double>>;
    odeint::integrate_adaptive(odeint::make_controlled<Stepper>(1e-12, 1e-12), rate, state, begin, begin + length,
                               length / 200);
    return {Eigen::Map<Vector>(state.data(), size), Eigen::Map<Matrix>(state.data() + size, size, size)};
  }

  /// The motion with end = sign · start near `start`, by Newton's method; `periods` of Ω, which may be a half.
  Map close(Vector& start, double omega, double periods, double sign = 1.0) const {
    const Index size = start.size();
    Map found = map(start, omega, periods * 2.0 * pi / omega);
    for (int i = 0; i < 8; ++i) {
      const Vector change =
          (found.derivative - sign * Matrix::Identity(size, size)).partialPivLu().solve(sign * start - found.end);
      start += change;
      found = map(start, omega, periods * 2.0 * pi / omega);
      if (change.norm() < 1e-10 * start.norm()) break;
    }
    return found;
  }

  /// Samples of q over one period of the closed motion from `start` (coordinates × samples).
  Matrix samples(Vector start, double omega, int count) const {
    const double step = 2.0 * pi / omega / count;
    Matrix q(start.size() / 2, count);
    for (int i = 0; i < count; ++i) {
      q.col(i) = start.head(q.rows());
      start = map(start, omega, step, i * step).end;
    }
    return q;
  }

  /// Ω near `omega` where the closed motion near `start` folds over Ω: Newton's method for start, Ω and the vector v that the map
  /// leaves as it is, |v| = 1, with differences of the map for second derivatives.
  double locate_fold(Vector start, double omega) const {
    const Index n = start.size();
    Vector z(2 * n + 1);
    const Matrix change = map(start, omega, 2.0 * pi / omega).derivative - Matrix::Identity(n, n);
    z << start, omega, change.jacobiSvd(Eigen::ComputeFullV).matrixV().col(n - 1);
    const auto equations = [&](const Vector& at) {
      const Map found = map(at.head(n), at[n], 2.0 * pi / at[n]);
      const Vector v = at.tail(n);
      Vector r(2 * n + 1);
      r << found.end - at.head(n), found.derivative * v - v, v.squaredNorm() - 1.0;
      return r;
    };
    constexpr double step = 1e-5;
    for (int iteration = 0; iteration < 8; ++iteration) {
      Matrix jacobian(2 * n + 1, 2 * n + 1);
      for (Index i = 0; i < z.size(); ++i) {
        const Vector shift = step * Vector::Unit(z.size(), i);
        jacobian.col(i) = (equations(z + shift) - equations(z - shift)) / (2.0 * step);
      }
      const Vector correction = jacobian.partialPivLu().solve(equations(z));
      z -= correction;
      if (correction.norm() < 1e-11) break;
    }
    return z[n];
  }

  /// Ω near `omega` where `test` of the closed map's derivative vanishes, by the secant method.
  template <class Test>
  double locate(Vector start, double omega, double periods, double sign, const Test& test) const {
    double before = omega * (1.0 + 1e-4), here = omega;
    double test_before = test(close(start, before, periods, sign).derivative);
    for (int i = 0; i < 12; ++i) {
      const double value = test(close(start, here, periods, sign).derivative);
      if (value == test_before) break;
      const double next = here - value * (here - before) / (value - test_before);
      before = std::exchange(here, next);
      test_before = value;
      if (std::abs(here - before) < 1e-11 * omega) break;
    }
    return here;
  }

 private:
  void derive(const std::vector<double>& x, std::vector<double>& dx, double omega, double t, Index size) const {
    const Index n = size / 2;
    const Eigen::Map<const Vector> state(x.data(), size);
    const Eigen::Map<const Matrix> disturbed(x.data() + size, size, size);
    Eigen::Map<Vector> rate(dx.data(), size);
    Eigen::Map<Matrix> disturbed_rate(dx.data() + size, size, size);
    Vector f(n);
    Matrix slope(n, n);
    force_(state.head(n), f, slope);
    rate << state.tail(n), load_ * std::cos(omega * t) - f - damping_ * state.tail(n);
    disturbed_rate << disturbed.bottomRows(n), -slope * disturbed.topRows(n) - damping_ * disturbed.bottomRows(n);
  }

  Matrix damping_;
  Force force_;
  Vector load_;
};

/// A mass on a spring f(x) and a joint that slides all the way before each reversal, mass one. Then nothing but the last
/// reversal r counts: with the backbone F̂ and the direction d,
///
///   friction = d [ 2 F̂(u) − F̂(∞) ],    u = d (x − r) / 2,
///
/// for a Jenkins slider, several of them, an Iwan joint and the reduced one alike. State (x, v, r). Steps of
/// Runge-Kutta-Fehlberg 7(8) end at reversals and where the backbone has a corner; in between its present piece is used alone.
class GrossSlipShooting final : public Shooting {
 public:
  struct Value {
    double force = 0.0;
    double slope = 0.0;
  };
  /// Pieces of F̂ as functions that are smooth beyond their ends too; piece i ends at corners[i], the last one is constant.
  struct Backbone {
    std::vector<std::function<Value(double)>> pieces;
    std::vector<double> corners;
  };
  using Spring = std::function<Value(double)>;
  GrossSlipShooting(double damping, Spring spring, Backbone backbone, double load)
      : Shooting(Matrix(), nullptr, Vector()),
        damping_(damping),
        spring_(std::move(spring)),
        backbone_(std::move(backbone)),
        load_(load) {}

  Map map(const Vector& start, double omega, double length, double begin = 0.0) const override {
    constexpr int steps = 500;
    State state{};
    for (Index i = 0; i < 3; ++i) state[static_cast<std::size_t>(i)] = start[i];
    for (std::size_t i = 0; i < 3; ++i) state[3 + 4 * i] = 1.0;  // derivatives, row after row
    Phase phase{.direction = state[1] > 0.0 ? 1.0 : -1.0};
    while (margin(state, phase) > 0.0) ++phase.piece;
    double time = begin;
    const double end = begin + length, step = length / steps;
    while (time < end) {
      const double wanted = std::min(step, end - time);
      const State next = after(state, omega, time, wanted, phase);
      const bool ends = turns(next, phase) || margin(next, phase) > 0.0;
      const double taken = ends ? instant(state, omega, time, wanted, phase) : wanted;
      state = ends ? after(state, omega, time, taken, phase) : next;
      time += taken;
      if (!ends) continue;
      turns(state, phase) ? reverse(state, phase) : static_cast<void>(++phase.piece);
    }
    Map result{Vector(3), Matrix(3, 3)};
    for (Index i = 0; i < 3; ++i) {
      result.end[i] = state[static_cast<std::size_t>(i)];
      for (Index j = 0; j < 3; ++j) result.derivative(i, j) = state[static_cast<std::size_t>(3 + 3 * i + j)];
    }
    return result;
  }

 private:
  using State = std::array<double, 12>;
  struct Phase {
    double direction = 1.0;
    std::size_t piece = 0;
  };

  State after(State state, double omega, double time, double step, const Phase& phase) const {
    const double limit = backbone_.pieces.back()(0.0).force, d = phase.direction;
    const auto rate = [&](const State& s, State& ds, double t) {
      const auto [spring, slope] = spring_(s[0]);
      const Value friction = backbone_.pieces[phase.piece](std::max(0.5 * d * (s[0] - s[2]), 0.0));
      ds[0] = s[1];
      ds[1] = load_ * std::cos(omega * t) - damping_ * s[1] - spring - d * (2.0 * friction.force - limit);
      ds[2] = 0.0;
      for (std::size_t j = 3; j < 6; ++j) {
        ds[j] = s[j + 3];
        ds[j + 3] = -damping_ * s[j + 3] - slope * s[j] - friction.slope * (s[j] - s[j + 6]);
        ds[j + 6] = 0.0;
      }
    };
    boost::numeric::odeint::runge_kutta_fehlberg78<State>().do_step(rate, state, time, step);
    return state;
  }

  /// By how much the present piece has been left.
  double margin(const State& s, const Phase& phase) const {
    if (phase.piece >= backbone_.corners.size()) return -1.0;
    return 0.5 * phase.direction * (s[0] - s[2]) - backbone_.corners[phase.piece];
  }
  static bool turns(const State& s, const Phase& phase) { return phase.direction * s[1] < 0.0; }

  /// Length of the step that ends with the phase, by bisection.
  double instant(const State& state, double omega, double time, double step, const Phase& phase) const {
    double low = 0.0, high = step;
    for (int i = 0; i < 50; ++i) {
      const double middle = 0.5 * (low + high);
      const State there = after(state, omega, time, middle, phase);
      (turns(there, phase) || margin(there, phase) > 0.0 ? high : low) = middle;
    }
    return high;
  }

  void reverse(State& state, Phase& phase) const {
    if (phase.piece < backbone_.corners.size()) throw std::runtime_error("a reversal before gross slip");
    state[2] = state[0];
    for (std::size_t j = 3; j < 6; ++j) state[j + 6] = state[j];
    phase = {.direction = -phase.direction};
  }

  double damping_;
  Spring spring_;
  Backbone backbone_;
  double load_;
};

/// A mass on a spring f(x) and a slider whose limit follows the motion, r(x) = r₀ + r₁ x > 0 with |r₁| < k, mass one:
///
///   friction = clamp(k (x − z), −r, r)
///
/// It slides until the mass turns round. State (x, v, z); steps end where slip begins and where it ends.
class LimitedSliderShooting final : public Shooting {
 public:
  struct Slider {
    double stiffness = 0.0;                 ///< k
    double limit = 0.0, limit_slope = 0.0;  ///< r₀, r₁
  };
  using Spring = GrossSlipShooting::Spring;
  LimitedSliderShooting(double damping, Spring spring, Slider slider, double load)
      : Shooting(Matrix(), nullptr, Vector()),
        damping_(damping),
        spring_(std::move(spring)),
        slider_(slider),
        load_(load) {}

  Map map(const Vector& start, double omega, double length, double begin = 0.0) const override {
    constexpr int steps = 500;
    State state{};
    for (Index i = 0; i < 3; ++i) state[static_cast<std::size_t>(i)] = start[i];
    for (std::size_t i = 0; i < 3; ++i) state[3 + 4 * i] = 1.0;  // derivatives, row after row
    double side = 0.0;                                           // of the slip
    double time = begin;
    const double end = begin + length, step = length / steps;
    while (time < end) {
      const double wanted = std::min(step, end - time);
      const State next = after(state, omega, time, wanted, side);
      const bool ends = has_ended(next, side);
      const double taken = ends ? instant(state, omega, time, wanted, side) : wanted;
      state = ends ? after(state, omega, time, taken, side) : next;
      time += taken;
      if (ends) change(state, side);
    }
    if (side != 0.0) rest(state, side);
    Map result{Vector(3), Matrix(3, 3)};
    for (Index i = 0; i < 3; ++i) {
      result.end[i] = state[static_cast<std::size_t>(i)];
      for (Index j = 0; j < 3; ++j) result.derivative(i, j) = state[static_cast<std::size_t>(3 + 3 * i + j)];
    }
    return result;
  }

 private:
  using State = std::array<double, 12>;

  double limit(double x) const { return slider_.limit + slider_.limit_slope * x; }

  State after(State state, double omega, double time, double step, double side) const {
    const auto rate = [&](const State& s, State& ds, double t) {
      const auto [spring, slope] = spring_(s[0]);
      const double k = slider_.stiffness;
      const double friction = side == 0.0 ? k * (s[0] - s[2]) : side * limit(s[0]);
      ds[0] = s[1];
      ds[1] = load_ * std::cos(omega * t) - damping_ * s[1] - spring - friction;
      ds[2] = 0.0;
      for (std::size_t j = 3; j < 6; ++j) {
        const double change = side == 0.0 ? k * (s[j] - s[j + 6]) : side * slider_.limit_slope * s[j];
        ds[j] = s[j + 3];
        ds[j + 3] = -damping_ * s[j + 3] - slope * s[j] - change;
        ds[j + 6] = 0.0;
      }
    };
    boost::numeric::odeint::runge_kutta_fehlberg78<State>().do_step(rate, state, time, step);
    return state;
  }

  bool has_ended(const State& s, double side) const {
    return side == 0.0 ? slider_.stiffness * std::abs(s[0] - s[2]) > limit(s[0]) : side * s[1] < 0.0;
  }

  double instant(const State& state, double omega, double time, double step, double side) const {
    double low = 0.0, high = step;
    for (int i = 0; i < 50; ++i) {
      const double middle = 0.5 * (low + high);
      (has_ended(after(state, omega, time, middle, side), side) ? high : low) = middle;
    }
    return high;
  }

  void change(State& state, double& side) const {
    if (side == 0.0) {
      side = state[0] > state[2] ? 1.0 : -1.0;
      return;
    }
    rest(state, side);
    side = 0.0;
  }

  /// The slider is where the limit has dragged it.
  void rest(State& state, double side) const {
    state[2] = state[0] - side * limit(state[0]) / slider_.stiffness;
    for (std::size_t j = 3; j < 6; ++j) {
      state[j + 6] = (1.0 - side * slider_.limit_slope / slider_.stiffness) * state[j];
    }
  }

  double damping_;
  Spring spring_;
  Slider slider_;
  double load_;
};

/// Complex amplitude of harmonic k of one period of samples: exact for what the samples resolve.
inline Complex harmonic(const Vector& samples, int k) {
  Complex sum = 0.0;
  for (Index i = 0; i < samples.size(); ++i) {
    sum += samples[i] * std::polar(1.0, -2.0 * pi * k * static_cast<double>(i) / static_cast<double>(samples.size()));
  }
  return 2.0 / static_cast<double>(samples.size()) * sum;
}

/// (q, q̇) at t = 0 of observed coordinates: amplitude and phase in each harmonic, `observations` one a coordinate.
template <class Observations>
Vector state_at_zero(const Observations& observations, const std::vector<int>& harmonics, double omega) {
  const auto n = static_cast<Index>(observations.size());
  Vector state = Vector::Zero(2 * n);
  for (Index x = 0; x < n; ++x) {
    const auto& seen = observations[static_cast<std::size_t>(x)];
    for (std::size_t i = 0; i < harmonics.size(); ++i) {
      const auto at = static_cast<Index>(i);
      state[x] += seen.amplitude[at] * std::cos(seen.phase[at]);
      state[n + x] -= harmonics[i] * omega * seen.amplitude[at] * std::sin(seen.phase[at]);
    }
  }
  return state;
}

/// (q, q̇) at t = 0 of coefficients (coordinates × positions 0 … H) at the base frequency Ω.
inline Vector state_at_zero(const Matrix& all, double omega) {
  Vector state = Vector::Zero(2 * all.rows());
  state.head(all.rows()) = all.col(0);
  for (Index p = 1; p + 1 < all.cols(); p += 2) {
    state.head(all.rows()) += all.col(p);
    state.tail(all.rows()) += static_cast<double>((p + 1) / 2) * omega * all.col(p + 1);
  }
  return state;
}

}  // namespace masing::test
