// The Iwan law under a varying normal load: published numbers, reductions, lift-off, sensitivities.
#include "masing/contact/backbones.hpp"
#include "masing/contact/binning.hpp"
#include "masing/contact/catalogue.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/loop.hpp"
#include "masing/contact/slider_population.hpp"
#include "masing/contact/variable_load_closed.hpp"
#include "masing/contact/variable_load_iwan.hpp"
#include "masing/core/error.hpp"
#include "unit/contact/sensitivity.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using support::Samples;

namespace {

constexpr double rounding = 1e-12;
// As the numbers are printed.
constexpr double half_digit = 0.5e-5;
constexpr double area_digit = 0.5e-4;
// Central differences with a step of 1e-6; forces of order ten.
constexpr double difference_tolerance = 1e-7;
// A switch within the step: elements · step / increment.
constexpr double most_kinks = 5e-3;

/// φ = 0.2 on [0, 5], k = 1.
BackbonePointer example_backbone() { return uniform_backbone({.stiffness = 1.0, .slip_force = 2.5}); }

/// N = 1 + w: approach and load differ by one.
NormalContact example_contact() { return NormalContact({.stiffness = 1.0, .preload = 1.0}); }

VariableLoadIwan example_population(LoadScaling scaling, int elements = 2000) {
  return VariableLoadIwan(bin_backbone(*example_backbone(), elements), std::move(scaling), example_contact());
}

VariableLoadClosed example_closed(LoadScaling scaling) {
  return VariableLoadClosed({.backbone = example_backbone(),
                             .scaling = std::move(scaling),
                             .normal = example_contact(),
                             .accept_approximation = true});
}

/// x = 3 sin 2πt with N = 1 + share · sin or cos 2πt, one period from t = 0.
enum class Load { constant, sine, cosine };
Samples example_motion(Load load, Index samples) {
  Samples s{Matrix(samples, 2), Matrix::Zero(samples, 2)};
  for (Index i = 0; i < samples; ++i) {
    const double tau = 2.0 * pi * static_cast<double>(i) / static_cast<double>(samples);
    s.displacement(i, 0) = 3.0 * std::sin(tau);
    s.displacement(i, 1) = load == Load::constant ? 0.0 : 0.5 * (load == Load::sine ? std::sin(tau) : std::cos(tau));
  }
  return s;
}

double tangential_area(const Samples& s, const Matrix& force) {
  return loop_area(s.displacement.leftCols(1), force.leftCols(1));
}

double steady_area(const ContactElement& element, Load load) {
  const Samples s = example_motion(load, 2000);
  CycleResult cycle;
  element.steady_cycle(s.view(), {}, cycle);
  REQUIRE(cycle.report.closed);
  return tangential_area(s, cycle.force);
}

Vector first_cycle(const ContactElement& element, Load load) {
  const Index samples = 1000;
  const Samples period = example_motion(load, samples);
  Matrix motion(samples + 1, 2);
  motion << period.displacement, period.displacement.row(0);
  const Matrix force = march_history(element, motion, Matrix()).force;
  Vector picked(5);
  const Index at[] = {100, 250, 500, 750, 1000};
  for (Index i = 0; i < 5; ++i) picked[i] = force(at[i], 0);
  return picked;
}

}  // namespace

TEST_CASE("variable-load Iwan: loop area 18/5 whenever stiffness and load go together", "[contact]") {
  const auto population = make_element(example_population(LoadScaling::proportional(1.0)));
  const auto closed = make_element(example_closed(LoadScaling::proportional(1.0)));
  // 2000 samples and elements of second order: 3e-6.
  const double discretisation = 1e-5;
  for (const Load load : {Load::constant, Load::sine, Load::cosine}) {
    CHECK(steady_area(*population, load) == Approx(3.6).epsilon(discretisation));
    CHECK(steady_area(*closed, load) == Approx(3.6).epsilon(discretisation));
  }
}

TEST_CASE("variable-load Iwan: forces in the first cycle", "[contact]") {
  const Vector sine{{1.87927, 3.15, -0.45, -1.05, 0.45}};
  const Vector cosine{{2.03993, 2.1, -0.225, -2.1, 0.675}};
  const auto population = make_element(example_population(LoadScaling::proportional(1.0)));
  const auto closed = make_element(example_closed(LoadScaling::proportional(1.0)));
  for (const auto& element : {population, closed}) {
    CHECK((first_cycle(*element, Load::sine) - sine).cwiseAbs().maxCoeff() < half_digit);
    CHECK((first_cycle(*element, Load::cosine) - cosine).cwiseAbs().maxCoeff() < half_digit);
  }
}

TEST_CASE("variable-load Iwan: constant stiffness under a varying load, population and branch formula", "[contact]") {
  const double population = steady_area(*make_element(example_population(LoadScaling::constant(1.0))), Load::cosine);
  const double closed = steady_area(*make_element(example_closed(LoadScaling::constant(1.0))), Load::cosine);
  WARN("loop area of the population " << population << ", of the branch formula " << closed);
  CHECK(population == Approx(4.0779).margin(area_digit));
  CHECK(closed == Approx(3.3164).margin(area_digit));
}

TEST_CASE("variable-load Iwan: the memory is the elongation, not the force", "[contact]") {
  // The other reading, f <- clamp(f + k dx, -+ alpha f*), on the same elements and motion.
  const Samples s = example_motion(Load::cosine, 2000);
  const auto elements = bin_backbone(*example_backbone(), 500);
  std::vector<double> force(elements.size(), 0.0);
  Matrix sum(2000, 1);
  for (int period = 0; period < 3; ++period) {
    for (Index i = 0; i < 2000; ++i) {
      const double load = 1.0 + s.displacement(i, 1);
      const double step = s.displacement(i, 0) - s.displacement(i > 0 ? i - 1 : 1999, 0);
      sum(i, 0) = 0.0;
      for (std::size_t j = 0; j < elements.size(); ++j) {
        const double most = load * elements[j].slip_force;
        force[j] = std::clamp(force[j] + load * elements[j].stiffness * step, -most, most);
        sum(i, 0) += force[j];
      }
    }
  }
  const double printed = 0.5e-3;
  CHECK(loop_area(s.displacement.leftCols(1), sum) == Approx(9.154).margin(printed));
  CHECK(steady_area(*make_element(example_population(LoadScaling::proportional(1.0), 500)), Load::cosine) ==
        Approx(3.6).margin(printed));
}

TEST_CASE("variable-load Iwan: under constant load it is the population", "[contact]") {
  std::mt19937_64 random(321);
  const auto elements = bin_backbone(*example_backbone(), 20);
  const auto constant = make_element(SliderPopulation(elements));
  const auto variable = make_element(VariableLoadIwan(elements, LoadScaling::constant(1.0), example_contact()));
  for (int trial = 0; trial < 100; ++trial) {
    Samples s = support::random_history(random, 64, 2, 0.05 * (trial + 1));
    s.displacement.col(1).setZero();
    const Samples tangential{s.displacement.leftCols(1), s.velocity.leftCols(1)};
    CycleResult one, two;
    constant->steady_cycle(tangential.view(), {}, one);
    variable->steady_cycle(s.view(), {}, two);
    REQUIRE(two.report.closed);
    REQUIRE(two.report.cycles == 2);
    REQUIRE(two.force.col(1).isZero(0.0));
    REQUIRE((one.force - two.force.col(0)).isZero(rounding));
    const Matrix difference = support::dense_jacobian(one).by_displacement -
                              support::dense_jacobian(two).by_displacement.topLeftCorner(64, 64);
    REQUIRE(difference.isZero(rounding));
  }
}

TEST_CASE("variable-load Iwan: the marched cycle repeats itself", "[contact]") {
  std::mt19937_64 random(322);
  const auto element = make_element(example_population(LoadScaling::polynomial(1.0, {0.5, 0.5}), 15));
  for (int trial = 0; trial < 50; ++trial) {
    const Samples s = support::random_history(random, 48, 2, 1.0);
    CycleResult cycle;
    element->steady_cycle(s.view(), {}, cycle);
    const Matrix motion = s.displacement.replicate(3, 1);
    const Matrix marched = march_history(*element, motion, Matrix()).force;
    REQUIRE((marched.bottomRows(48) - cycle.force).isZero(rounding));
    REQUIRE((marched.middleRows(48, 48) - cycle.force).isZero(rounding));
    REQUIRE(cycle.report.closure_error == 0.0);
  }
}

TEST_CASE("variable-load Iwan: lift-off forgets everything", "[contact]") {
  const auto element = make_element(example_population(LoadScaling::constant(1.0), 50));
  Matrix motion(6, 2);
  motion << 2.0, 0.5, 7.0, -1.0, 7.0, -3.0, 7.3, 0.0, 9.0, -2.0, 9.6, 1.0;
  const Matrix force = march_history(*element, motion, Matrix()).force;
  CHECK(force(0, 0) > 0.0);
  CHECK(force(0, 1) == 0.5);
  CHECK(force(1, 0) == 0.0);
  CHECK(force(1, 1) == -1.0);
  CHECK(force(2, 1) == -1.0);
  // It touches at 7.2, two thirds of the way, and then is like a virgin contact displaced by 0.1; the next time at 9.2, under
  // twice the load and slip forces.
  CHECK(force(3, 0) == Approx(example_backbone()->at(0.1).force).epsilon(1e-3));
  CHECK(force(5, 0) == Approx(2.0 * example_backbone()->at(0.4 / 2.0).force).epsilon(1e-3));
}

TEST_CASE("variable-load Iwan: no tension, and no energy gained in a closed cycle under proportional stiffness",
          "[contact]") {
  std::mt19937_64 random(323);
  const auto element = make_element(example_population(LoadScaling::constant(1.0), 15));
  for (int trial = 0; trial < 200; ++trial) {
    const Samples s = support::random_history(random, 256, 2, 1.0);
    CycleResult cycle;
    element->steady_cycle(s.view(), {}, cycle);
    for (Index i = 0; i < 256; ++i) {
      REQUIRE(cycle.force(i, 1) >= -1.0);
      if (cycle.force(i, 1) == -1.0) REQUIRE(cycle.force(i, 0) == 0.0);
    }
    // With a stiffness that does not depend on the load the springs cannot be charged by it.
    REQUIRE(tangential_area(s, cycle.force) > 0.0);
  }
}

TEST_CASE("sensitivities of the variable-load population on a thousand random histories", "[contact]") {
  const LoadScaling scalings[] = {LoadScaling::constant(1.0), LoadScaling::proportional(1.0),
                                  LoadScaling::polynomial(1.0, {0.3, 0.6, 0.1}),
                                  LoadScaling::tabulated(1.0, {{0.5, 1.0}, {1.5, 2.0}, {4.0, 2.5}})};
  const NormalContact contacts[] = {example_contact(),
                                    NormalContact({.stiffness = 2.0, .exponent = 1.5, .preload = 1.0}),
                                    NormalContact({.stiffness = 1.5, .gap = 0.2})};
  std::mt19937_64 random(324);
  for (const LoadScaling& scaling : scalings) {
    for (const NormalContact& contact : contacts) {
      const auto element = make_element(VariableLoadIwan(bin_backbone(*example_backbone(), 8), scaling, contact));
      const auto findings = support::study_sensitivities(*element, {.histories = 100}, random, [&](int h) {
        return support::random_history(random, 40, 2, 0.02 * (h + 1));
      });
      WARN("variable-load-iwan: " << findings);
      CHECK(findings.worst < 1e-6);
      CHECK(findings.kink_share() < most_kinks);
      CHECK(findings.cycles == 2);
    }
  }
}

TEST_CASE("sensitivities of the branch formula on a thousand random histories", "[contact]") {
  std::mt19937_64 random(325);
  for (const LoadScaling& scaling : {LoadScaling::proportional(1.0), LoadScaling::constant(1.0)}) {
    const auto element = make_element(example_closed(scaling));
    const auto findings = support::study_sensitivities(*element, {.histories = 500}, random, [&](int h) {
      return support::random_history(random, 40, 2, 0.004 * (h + 1));
    });
    WARN("variable-load-iwan-closed: " << findings);
    CHECK(findings.worst < difference_tolerance);
    CHECK(findings.kink_share() < most_kinks);
    CHECK(findings.cycles <= 3);
  }
}

TEST_CASE("the branch formula is refused where it does not hold", "[contact]") {
  const VariableLoadClosed::Parameters constant{
      .backbone = example_backbone(), .scaling = LoadScaling::constant(1.0), .normal = example_contact()};
  CHECK_THROWS_WITH(VariableLoadClosed(constant), Catch::Contains("exact only where the stiffness is proportional") &&
                                                      Catch::Contains("accept_approximation = true"));
  const Vector approach{{0.0, 0.5, -0.5, -2.0}};
  CHECK(example_closed(LoadScaling::constant(1.0)).reach_variation(approach) == Approx(1.0 - 0.5 / 1.5));
  CHECK(example_closed(LoadScaling::proportional(1.0)).reach_variation(approach) == 0.0);
}

TEST_CASE("variable-load laws are made from a study", "[contact]") {
  const auto table = [](std::initializer_list<std::pair<std::string, OptionValue>> values) {
    OptionValues result;
    for (const auto& [name, value] : values) result.set(name, value);
    return std::vector<OptionValues>{result};
  };
  const auto normal = table({{"kind", std::string("linear")}, {"stiffness", 1.0}, {"preload", 1.0}});
  const LawEntry* entry = find_law("variable-load-iwan");
  REQUIRE(entry != nullptr);
  REQUIRE(entry->needs_backbone());
  const auto make = [&](std::vector<OptionValues> stiffness) {
    return entry->make_from_backbone(
        OptionValues::from(entry->parameters, {{"reference_load", 1.0},
                                               {"normal", normal},
                                               {"elements", 500L},
                                               {"stiffness_under_load", std::move(stiffness)}}),
        example_backbone());
  };
  CHECK(steady_area(*make(table({{"kind", std::string("proportional")}})), Load::cosine) == Approx(3.6).epsilon(1e-4));
  CHECK(steady_area(*make(table({{"kind", std::string("constant")}})), Load::cosine) == Approx(4.0779).epsilon(1e-4));
  const std::vector<double> proportional{0.0, 2.0};
  CHECK(steady_area(*make(table({{"kind", std::string("polynomial")}, {"coefficients", proportional}})), Load::sine) ==
        Approx(3.6).epsilon(1e-4));
  Matrix rows(2, 2);
  rows << 0.1, 0.2, 3.0, 6.0;
  CHECK(steady_area(*make(table({{"kind", std::string("table")}, {"table", rows}})), Load::sine) ==
        Approx(3.6).epsilon(1e-4));

  const LawEntry* closed = find_law("variable-load-iwan-closed");
  REQUIRE(closed != nullptr);
  const auto values = OptionValues::from(closed->parameters, {{"reference_load", 1.0}, {"normal", normal}});
  CHECK_THROWS_WITH(closed->make_from_backbone(values, example_backbone()), Catch::Contains("Use variable-load-iwan"));
  CHECK(closed->approach_for_load(values, 1.5) == Approx(0.5));
}
