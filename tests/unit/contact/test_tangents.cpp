// Every law's derivatives for one sample against central differences.
#include "masing/contact/coulomb.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/unilateral.hpp"
#include "unit/contact/test_laws.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace masing;
using support::CoupledMemory;
using support::FadingMemory;
using support::ShiftRegister;

namespace {

constexpr double step = 1e-6;
// Central differences: step² times third derivatives (about 1e-12 · 10²) plus rounding 1e-16 · 10 / step.
constexpr double tolerance = 2e-8;
constexpr int trials = 200;

template <class L>
Motion<L::dimension> random_motion(const L& law, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  Motion<L::dimension> m;
  m.displacement.resize(law.inputs());
  m.velocity.resize(law.inputs());
  for (int a = 0; a < law.inputs(); ++a) {
    m.displacement[a] = uniform(random);
    m.velocity[a] = uniform(random);
  }
  return m;
}

/// Largest difference between the law's derivatives by displacement and velocity and central differences.
template <class L>
double motion_error(const L& law, const Motion<L::dimension>& motion, const typename L::State& state) {
  typename L::State after = state;
  const auto response = law.advance(motion, after);
  double worst = 0.0;
  const auto compare = [&](SmallVector<L::dimension> Motion<L::dimension>::*part, const auto& force_by,
                           const auto& memory_by) {
    for (int b = 0; b < law.inputs(); ++b) {
      Motion<L::dimension> up = motion;
      Motion<L::dimension> down = motion;
      (up.*part)[b] += step;
      (down.*part)[b] -= step;
      typename L::State after_up = state;
      typename L::State after_down = state;
      const auto force_up = law.advance(up, after_up).force;
      const auto force_down = law.advance(down, after_down).force;
      worst = std::max(worst, ((force_up - force_down) / (2 * step) - force_by.col(b)).cwiseAbs().maxCoeff());
      if constexpr (L::memory > 0) {
        const auto change = ((law.memory_of(after_up) - law.memory_of(after_down)) / (2 * step)).eval();
        worst = std::max(worst, (change - memory_by.col(b)).cwiseAbs().maxCoeff());
      }
    }
  };
  compare(&Motion<L::dimension>::displacement, response.by_displacement, response.memory_by_displacement);
  compare(&Motion<L::dimension>::velocity, response.by_velocity, response.memory_by_velocity);
  return worst;
}

/// The same by memory; `shift(state, m, h)` adds h to remembered scalar m.
template <class L, class Shift>
double memory_error(const L& law, const Motion<L::dimension>& motion, const typename L::State& state, Shift shift) {
  typename L::State after = state;
  const auto response = law.advance(motion, after);
  const SmallMatrix<L::memory, L::memory> held = SmallMatrix<L::memory, L::memory>::Identity();
  double worst = 0.0;
  for (int m = 0; m < L::memory; ++m) {
    typename L::State up = state;
    typename L::State down = state;
    shift(up, m, step);
    shift(down, m, -step);
    const auto force_up = law.advance(motion, up).force;
    const auto force_down = law.advance(motion, down).force;
    const auto force_by = ((force_up - force_down) / (2 * step)).eval();
    const auto memory_by = ((law.memory_of(up) - law.memory_of(down)) / (2 * step)).eval();
    const auto expected = response.memory_set ? response.memory_by_memory.col(m).eval() : held.col(m).eval();
    worst = std::max(worst, (force_by - response.by_memory.col(m)).cwiseAbs().maxCoeff());
    worst = std::max(worst, (memory_by - expected).cwiseAbs().maxCoeff());
  }
  return worst;
}

template <class L>
void check_memoryless(const L& law, std::mt19937_64& random) {
  double worst = 0.0;
  for (int i = 0; i < trials; ++i) worst = std::max(worst, motion_error(law, random_motion(law, random), law.virgin()));
  INFO(law_name<L>() << ": worst difference " << worst);
  CHECK(worst < tolerance);
}

template <class L>
void check_with_memory(const L& law, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  double worst = 0.0;
  for (int i = 0; i < trials; ++i) {
    const auto motion = random_motion(law, random);
    typename L::State state;
    const auto shift = [](typename L::State& s, int m, double h) {
      if constexpr (requires { s.slider; }) {
        s.slider += h;
      } else if constexpr (requires { s.q; }) {
        s.q += h;
      } else {
        s[m] += h;
      }
      (void)m;
    };
    for (int m = 0; m < L::memory; ++m) {
      if constexpr (requires { state[0]; }) state[m] = 0.0;
      shift(state, m, uniform(random));
    }
    worst = std::max({worst, motion_error(law, motion, state), memory_error(law, motion, state, shift)});
  }
  INFO(law_name<L>() << ": worst difference " << worst);
  CHECK(worst < tolerance);
}

}  // namespace

TEST_CASE("tangents of memoryless laws agree with central differences", "[contact]") {
  std::mt19937_64 random(11);
  check_memoryless(LinearSpring(3.0), random);
  check_memoryless(Dashpot(-0.7), random);
  check_memoryless(CubicSpring({.cubic_stiffness = -1.5, .stiffness = 2.0}), random);
  check_memoryless(Unilateral({.stiffness = 4.0, .gap = 0.3}), random);
  check_memoryless(RegularisedCoulomb({.slip_force = 2.0, .reference_velocity = 0.8}), random);
  check_memoryless(Polynomial(1, {{0, 2.0, {0}}, {0, -1.0, {1}}, {0, 0.5, {4}}}), random);
  check_memoryless(Polynomial(3, {{0, 2.0, {1, 2, 0}}, {1, -1.5, {0, 1, 1}}, {2, 0.7, {3, 0, 1}}, {2, 1.1, {0, 0, 0}}}),
                   random);
}

TEST_CASE("tangents of laws with memory agree with central differences", "[contact]") {
  std::mt19937_64 random(12);
  check_with_memory(Jenkins({.stiffness = 3.0, .slip_force = 2.5}), random);
  check_with_memory(FadingMemory(0.7), random);
  check_with_memory(CoupledMemory{}, random);
  check_with_memory(ShiftRegister{}, random);
}

TEST_CASE("a coupled polynomial evaluates its terms", "[contact]") {
  const Polynomial law(2, {{0, 2.0, {1, 2}}, {0, 5.0, {0, 0}}, {1, -3.0, {0, 3}}});
  Polynomial::State state;
  const auto r =
      law.advance({SmallVector<Eigen::Dynamic>{{3.0, -2.0}}, SmallVector<Eigen::Dynamic>{{0.0, 0.0}}}, state);
  CHECK(r.force[0] == 2.0 * 3.0 * 4.0 + 5.0);
  CHECK(r.force[1] == -3.0 * -8.0);
  CHECK(r.by_displacement(0, 0) == 8.0);
  CHECK(r.by_displacement(0, 1) == 2.0 * 3.0 * 2.0 * -2.0);
  CHECK(r.by_displacement(1, 0) == 0.0);
  CHECK(r.by_displacement(1, 1) == -9.0 * 4.0);
}
