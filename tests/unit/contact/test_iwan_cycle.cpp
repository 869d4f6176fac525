// Steady cycles of the Iwan family: periodic state, conventions and sensitivities.
#include "masing/contact/iwan.hpp"
#include "masing/contact/iwan_stribeck.hpp"
#include "masing/contact/ripp.hpp"
#include "support/cycle_jacobian.hpp"
#include "unit/contact/histories.hpp"
#include "unit/contact/iwan_support.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using namespace masing::test;
using support::Samples;

namespace {

constexpr FourParameters joint{.stiffness = 2.0, .slip_force = 1.0, .chi = -0.5, .beta = 0.3};
constexpr double rounding = 1e-13;

Matrix force_of(const ContactElement& element, const Samples& s) {
  CycleResult cycle;
  element.steady_cycle(s.view(), {}, cycle);
  return cycle.force;
}

struct Comparison {
  double worst = 0.0;
  long columns = 0;
  long kinks = 0;
};

/// Each column of the dense Jacobian against central differences of whole cycles.
void compare(const ContactElement& element, const Samples& s, Matrix Samples::*part, const Matrix& expected,
             Comparison& comparison) {
  constexpr double step = 1e-7;
  // One-sided differences that disagree by more betray a switch within the step; curvature alone gives step · ρ.
  constexpr double kink = 2e-5;
  const Matrix base = force_of(element, s);
  for (Index column = 0; column < base.size(); ++column) {
    Samples moved = s;
    (moved.*part).data()[column] += step;
    const Matrix up = force_of(element, moved);
    (moved.*part).data()[column] -= 2.0 * step;
    const Matrix down = force_of(element, moved);
    ++comparison.columns;
    if (((up - base) - (base - down)).cwiseAbs().maxCoeff() / step > kink) {
      ++comparison.kinks;
      continue;
    }
    const Matrix difference = (up - down) / (2.0 * step);
    comparison.worst = std::max(comparison.worst, (difference - expected.col(column)).cwiseAbs().maxCoeff());
  }
}

void check_sensitivities(const ContactElement& element, int histories, double largest, unsigned seed) {
  // Entries are of the order of the stiffness, 2: relative 1e-6 or better.
  constexpr double tolerance = 1e-6;
  // A sample lies within a step of a closing loop or of macroslip with a probability of about step / increment; steep
  // curvature right behind a turn is counted with them.
  constexpr double most_kinks = 1e-2;
  std::mt19937_64 random(seed);
  Comparison comparison;
  for (int h = 0; h < histories; ++h) {
    const Samples s = support::random_history(random, 24, 1, largest * (h + 1) / histories);
    CycleResult cycle;
    element.steady_cycle(s.view(), {}, cycle);
    REQUIRE(cycle.report.closed);
    const auto jacobian = support::dense_jacobian(cycle);
    compare(element, s, &Samples::displacement, jacobian.by_displacement, comparison);
    if (element.uses_velocity()) compare(element, s, &Samples::velocity, jacobian.by_velocity, comparison);
  }
  WARN(comparison.columns << " columns, " << comparison.kinks << " at a kink, worst difference " << comparison.worst);
  CHECK(comparison.worst < tolerance);
  CHECK(static_cast<double>(comparison.kinks) < most_kinks * static_cast<double>(comparison.columns));
}

}  // namespace

TEST_CASE("the periodic Iwan state is that of a joint loaded once to its farthest reversal", "[contact][iwan]") {
  std::mt19937_64 random(111);
  const auto element = make_iwan(four_parameter_backbone(joint));
  for (int trial = 0; trial < 500; ++trial) {
    const Samples s = support::random_history(random, 48, 1, 0.003 * (trial + 1));
    Index farthest = 0;
    s.displacement.col(0).cwiseAbs().maxCoeff(&farthest);
    const auto point = element->at_rest();
    const Matrix force = force_of(*element, s);
    for (Index i = 0; i < 96; ++i) {
      const Index at = (farthest + i) % 48;
      REQUIRE(advance(*point, s.displacement(at, 0)) == Approx(force(at, 0)).margin(rounding));
    }
  }
}

TEST_CASE("constant motions hang on the backbone", "[contact][iwan]") {
  const BackbonePointer backbone = four_parameter_backbone(joint);
  const auto stribeck =
      make_iwan_stribeck({.iwan = {2.0, 1.0, -0.5, 0.3, 1.0}, .stribeck_velocity = 1.0, .viscous = 0.1});
  for (const auto& element : {make_iwan(backbone), make_ripp(backbone), stribeck}) {
    for (const double x : {0.0, 0.4, -0.7}) {
      const Samples s{Matrix::Constant(8, 1, x), Matrix::Zero(8, 1)};
      CycleResult cycle;
      element->steady_cycle(s.view(), {}, cycle);
      CHECK(cycle.report.closed);
      CHECK(cycle.uses.empty());
      const BackboneValue value = backbone->at(std::abs(x));
      const double force = std::copysign(value.force, x);
      CHECK((cycle.force.array() - force).abs().maxCoeff() < rounding);
      CHECK((cycle.by_displacement.array() - value.stiffness).abs().maxCoeff() < rounding);
    }
  }
}

TEST_CASE("a one-sided vibration hangs on the backbone by its far end", "[contact][iwan]") {
  const BackbonePointer backbone = four_parameter_backbone(joint);
  for (const double sign : {1.0, -1.0}) {
    const Samples s = support::cosine(64, 0.1, 0.0, sign * 0.5);
    const Matrix force = force_of(*make_iwan(backbone), s);
    CHECK(force(sign > 0.0 ? 0 : 32, 0) == Approx(sign * backbone->at(0.6).force).epsilon(rounding));
    const double other = backbone->at(0.6).force - 2.0 * backbone->at(0.1).force;
    CHECK(force(sign > 0.0 ? 32 : 0, 0) == Approx(sign * other).epsilon(rounding));
  }
}

TEST_CASE("force and derivatives are continuous where maximum and minimum are equally far", "[contact][iwan]") {
  const auto element = make_iwan(four_parameter_backbone(joint));
  const double shift = 1e-9;
  // Changes by the shift times stiffness, or times the largest curvature met (ρ at ξ of the first sample, about 30).
  const double tolerance = 100.0 * shift;
  for (const double amplitude : {0.3, 2.0}) {
    CycleResult above;
    CycleResult below;
    element->steady_cycle(support::cosine(64, amplitude, 0.03, shift).view(), {}, above);
    element->steady_cycle(support::cosine(64, amplitude, 0.03, -shift).view(), {}, below);
    CHECK((above.force - below.force).cwiseAbs().maxCoeff() < tolerance);
    // In sampled form the two extremes are samples: the motion differs by which of them is the farther.
    const Matrix difference =
        support::dense_jacobian(above).by_displacement - support::dense_jacobian(below).by_displacement;
    CHECK(difference.cwiseAbs().maxCoeff() < tolerance);
  }
}

TEST_CASE("repeated equal extremes neither pile up nor break the cycle", "[contact][iwan]") {
  const auto element = make_iwan(four_parameter_backbone(joint));
  Samples s{Matrix(96, 1), Matrix::Zero(96, 1)};
  for (Index i = 0; i < 96; ++i) s.displacement(i, 0) = 0.7 * std::cos(2.0 * pi * 3.0 * static_cast<double>(i) / 96.0);
  CycleResult cycle;
  element->steady_cycle(s.view(), {}, cycle);
  CHECK(cycle.report.closure_error < rounding);
  const Matrix once = force_of(*element, support::cosine(32, 0.7));
  for (Index i = 0; i < 96; ++i) REQUIRE(cycle.force(i, 0) == Approx(once(i % 32, 0)).margin(rounding));
}

TEST_CASE("each sample refers to its last reversal only", "[contact][iwan]") {
  CycleResult cycle;
  make_iwan(four_parameter_backbone(joint))->steady_cycle(support::cosine(1024, 0.6, 0.3).view(), {}, cycle);
  CHECK(cycle.sources.size() == 3);
  CHECK(cycle.uses.size() <= 2 * 1024);
  for (std::size_t s = 0; s < cycle.sources.size(); ++s) {
    for (Index p = cycle.sources[s].first_parent; p < cycle.sources[s].end_parent; ++p) {
      CHECK(cycle.parents[p].source < static_cast<Index>(s));
    }
  }
}

TEST_CASE("a cycle is closed when its measured closure error keeps the tolerance", "[contact][iwan]") {
  const BackbonePointer backbone = four_parameter_backbone(joint);
  std::mt19937_64 random(120);
  int open = 0;
  for (const auto& element : {make_iwan(backbone), make_ripp(backbone)}) {
    for (int trial = 0; trial < 50; ++trial) {
      const Samples s = support::random_history(random, 48, 1, 0.5);
      CycleResult cycle;
      element->steady_cycle(s.view(), {}, cycle);
      REQUIRE(cycle.report.closed);
      REQUIRE(cycle.report.closure_error < rounding);
      const double error = cycle.report.closure_error;
      element->steady_cycle(s.view(), {.closure_tolerance = 0.0}, cycle);
      REQUIRE(cycle.report.closed == (error == 0.0));
      open += error > 0.0;
    }
  }
  CHECK(open > 0);
}

TEST_CASE("sensitivities of Iwan cycles on a thousand random histories", "[contact][iwan]") {
  check_sensitivities(*make_iwan(four_parameter_backbone(joint)), 1000, 1.5, 112);
}

TEST_CASE("sensitivities of Iwan cycles with other backbones", "[contact][iwan]") {
  check_sensitivities(*make_iwan(uniform_backbone({.stiffness = 2.0, .slip_force = 1.0})), 100, 1.5, 113);
  check_sensitivities(*make_iwan(hertz_backbone({.stiffness = 2.0, .slip_force = 1.0})), 100, 1.5, 114);
}

TEST_CASE("sensitivities of RIPP cycles on a thousand random histories", "[contact][ripp]") {
  check_sensitivities(*make_ripp(four_parameter_backbone(joint)), 1000, 1.5, 115);
}

TEST_CASE("sensitivities of RIPP cycles with other backbones", "[contact][ripp]") {
  check_sensitivities(*make_ripp(uniform_backbone({.stiffness = 2.0, .slip_force = 1.0})), 100, 1.5, 116);
  const BackbonePointer five =
      five_parameter_backbone({.stiffness = 2.0, .slip_force = 1.0, .chi = -0.3, .beta = 0.3, .theta = 0.8});
  check_sensitivities(*make_ripp(five), 100, 1.5, 117);
  const BackbonePointer weakest =
      five_parameter_backbone({.stiffness = 2.0, .slip_force = 1.0, .chi = -0.5, .beta = 0.005, .theta = 0.6});
  check_sensitivities(*make_ripp(weakest), 100, 1.5, 119);
}

TEST_CASE("sensitivities of Iwan-Stribeck cycles on a thousand random histories", "[contact][stribeck]") {
  for (const StribeckForm form : {StribeckForm::consistent, StribeckForm::printed}) {
    check_sensitivities(*make_iwan_stribeck({.iwan = {2.0, 1.0, -0.3, 0.3, 0.7},
                                             .stribeck_velocity = 0.5,
                                             .exponent = 2.0,
                                             .viscous = 0.05,
                                             .form = form}),
                        500, 1.5, 118);
  }
}
