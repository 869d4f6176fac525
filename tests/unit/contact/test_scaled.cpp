// A law times a factor: forces, tangents, sensitivities to memory and pieces are the law's, times the factor.
#include "masing/contact/friction.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/scaled.hpp"
#include "masing/contact/slip_slap.hpp"
#include "masing/core/error.hpp"
#include "support/cycle_jacobian.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;
using Catch::Matchers::Contains;

namespace {

constexpr double factor = 2.5;
// One multiplication by a factor that is a binary fraction rounds nothing: results are the same to the last bit but one.
constexpr double rounding = 1e-15;

std::vector<std::shared_ptr<const ContactElement>> laws() {
  return {make_element(Jenkins({.stiffness = 2.0, .slip_force = 1.0})), make_element(Dashpot(0.3)),
          make_element(Friction2d(
              {.stiffness = 2.0, .friction = 0.4, .normal = NormalContact({.stiffness = 1.0, .preload = 1.5})})),
          make_slip_slap({.normal_coefficient = 4.0,
                          .friction_coefficient = 0.26,
                          .unloading_rate = 0.5,
                          .stiffness_ratio = 0.7,
                          .approach = 1.0})};
}

struct History {
  Matrix displacement, velocity;
};

History history(Index samples, int inputs) {
  History h{Matrix(samples, inputs), Matrix(samples, inputs)};
  for (Index i = 0; i < samples; ++i) {
    const double t = 2.0 * pi * static_cast<double>(i) / static_cast<double>(samples);
    for (Index d = 0; d < inputs; ++d) {
      const double phase = 0.7 * static_cast<double>(d);
      h.displacement(i, d) = 1.3 * std::sin(t + phase) + 0.2 * std::cos(3.0 * t);
      h.velocity(i, d) = 1.3 * std::cos(t + phase) - 0.6 * std::sin(3.0 * t);
    }
  }
  return h;
}

}  // namespace

TEST_CASE("the steady cycle of a scaled law", "[scaled]") {
  for (const auto& law : laws()) {
    const auto scaled = make_scaled(law, factor);
    REQUIRE(scaled->inputs() == law->inputs());
    REQUIRE(scaled->uses_velocity() == law->uses_velocity());
    const History h = history(64, law->inputs());
    const PeriodicMotion motion{h.displacement, h.velocity};
    CycleResult plain, times;
    law->steady_cycle(motion, {}, plain);
    // Twice: what the first call leaves behind must not matter.
    scaled->steady_cycle(motion, {}, times);
    scaled->steady_cycle(motion, {}, times);
    REQUIRE(times.report.closed);
    const double largest = plain.force.cwiseAbs().maxCoeff();
    CHECK((times.force - factor * plain.force).cwiseAbs().maxCoeff() <= rounding * factor * largest);
    CHECK((times.by_displacement - factor * plain.by_displacement).cwiseAbs().maxCoeff() <= rounding * factor * 10.0);
    REQUIRE(times.uses.size() == plain.uses.size());
    for (std::size_t i = 0; i < plain.uses.size(); ++i) {
      CHECK((times.uses[i].weight - factor * plain.uses[i].weight).norm() <= rounding * factor * 10.0);
    }
    REQUIRE(times.sources.size() == plain.sources.size());
  }
}

TEST_CASE("the sensitivities of a scaled law agree with differences", "[scaled]") {
  const auto scaled = make_scaled(make_element(Jenkins({.stiffness = 2.0, .slip_force = 1.0})), factor);
  History h = history(32, 1);
  CycleResult result;
  scaled->steady_cycle({h.displacement, h.velocity}, {}, result);
  const Matrix exact = support::dense_jacobian(result).by_displacement;
  // Piecewise linear: differences are exact up to rounding, eps / step, unless a sample changes its phase.
  constexpr double step = 1e-6;
  CycleResult moved;
  for (Index j = 0; j < 32; ++j) {
    History k = h;
    k.displacement(j, 0) += step;
    scaled->steady_cycle({k.displacement, k.velocity}, {}, moved);
    const Vector difference = (moved.force - result.force) / step;
    CHECK((exact.col(j) - difference).cwiseAbs().maxCoeff() < 1e-8);
  }
}

TEST_CASE("a scaled law at a point of time integration", "[scaled]") {
  for (const auto& law : laws()) {
    const auto plain = law->at_rest();
    const auto times = make_scaled(law, factor)->at_rest();
    const History h = history(16, law->inputs());
    for (Index i = 0; i < 16; ++i) {
      const Motion<Eigen::Dynamic> motion{h.displacement.row(i).transpose(), h.velocity.row(i).transpose()};
      CHECK(times->distance_to_switch(motion) == plain->distance_to_switch(motion));
      CHECK((times->force_in_phase(motion) - factor * plain->force_in_phase(motion)).norm() <= rounding * 10.0);
      const PointResponse a = plain->advance(motion);
      const PointResponse b = times->clone()->advance(motion);
      times->advance(motion);
      CHECK((b.force - factor * a.force).norm() <= rounding * 10.0);
      CHECK((b.by_displacement - factor * a.by_displacement).norm() <= rounding * 20.0);
      CHECK(times->memory() == plain->memory());
      CHECK(times->phase_name() == plain->phase_name());
    }
  }
}

TEST_CASE("a factor must be positive", "[scaled]") {
  const auto law = make_element(LinearSpring(1.0));
  CHECK_THROWS_WITH(make_scaled(law, 0.0), Contains("needs a factor > 0; this one is 0"));
}
