// The population of sliders against closed forms, against single Jenkins elements, and its sensitivities.
#include "masing/contact/backbones.hpp"
#include "masing/contact/binning.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/loop.hpp"
#include "masing/contact/slider_population.hpp"
#include "masing/core/error.hpp"
#include "unit/contact/sensitivity.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using support::Samples;

namespace {

// Sums over some dozens of elements of order one.
constexpr double rounding = 1e-12;
// Central differences with a step of 1e-6: rounding 1e-16 / 1e-6 of forces of order ten.
constexpr double difference_tolerance = 1e-8;
// Histories are random: a switch lies within the step with a probability of about elements · step / increment.
constexpr double most_kinks = 5e-3;

const FourParameters segalman{.stiffness = 1.5e7, .slip_force = 4e3, .chi = -0.5, .beta = 0.005};

std::vector<SlipElement> random_elements(std::mt19937_64& random, int count) {
  std::uniform_real_distribution<double> uniform(0.05, 1.5);
  std::vector<SlipElement> elements;
  for (int j = 0; j < count; ++j) elements.push_back({uniform(random), uniform(random)});
  return elements;
}

/// x = A cos(τ + shift) known between samples too.
class Cosine final : public PeriodicSignal {
 public:
  Cosine(double amplitude, double shift) : amplitude_(amplitude), shift_(shift) {}
  Jet at(double tau) const override {
    const double c = amplitude_ * std::cos(tau + shift_);
    const double s = amplitude_ * std::sin(tau + shift_);
    return {c, -s, -c, s};
  }

 private:
  double amplitude_, shift_;
};

}  // namespace

TEST_CASE("a population is the sum of its Jenkins elements, sensitivities included", "[contact]") {
  std::mt19937_64 random(301);
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<SlipElement> elements = random_elements(random, 7);
    const Samples s = support::random_history(random, 40, 1, 0.01 * (trial + 1));
    CycleResult population, single;
    make_element(SliderPopulation(elements))->steady_cycle(s.view(), {}, population);
    REQUIRE(population.report.closed);
    REQUIRE(population.report.closure_error < rounding);
    Matrix force = Matrix::Zero(40, 1);
    Matrix jacobian = Matrix::Zero(40, 40);
    for (const SlipElement& e : elements) {
      steady_cycle(Jenkins({.stiffness = e.stiffness, .slip_force = e.slip_force}), s.view(), {}, single);
      force += single.force;
      jacobian += support::dense_jacobian(single).by_displacement;
    }
    REQUIRE((population.force - force).isZero(rounding));
    REQUIRE((support::dense_jacobian(population).by_displacement - jacobian).isZero(rounding));
  }
}

TEST_CASE("sensitivities of the population on a thousand random histories", "[contact]") {
  std::mt19937_64 random(302);
  std::vector<SlipElement> elements = random_elements(random, 12);
  elements.push_back({-0.4, -0.5});  // as in a five-parameter backbone
  const auto element = make_element(SliderPopulation(elements));
  const auto findings = support::study_sensitivities(
      *element, {}, random, [&](int h) { return support::random_history(random, 48, 1, 2e-3 * (h + 1)); });
  WARN("iwan-population: " << findings);
  CHECK(findings.worst < difference_tolerance);
  CHECK(findings.kink_share() < most_kinks);
}

TEST_CASE("loops of a binned population converge to Masing's loop with the square of the number", "[contact]") {
  const BackbonePointer backbone = four_parameter_backbone(segalman);
  const double amplitude = 0.4 * backbone->macroslip();
  const Samples s = support::cosine(512, amplitude, 0.3);
  const auto error = [&](int count) {
    CycleResult cycle;
    make_element(SliderPopulation(bin_backbone(*backbone, count)))->steady_cycle(s.view(), {}, cycle);
    const double peak = s.displacement.col(0).cwiseAbs().maxCoeff();  // the extreme sample is the turning point here
    double worst = 0.0;
    for (Index i = 0; i < 512; ++i) {
      const double x = s.displacement(i, 0);
      const bool rising = s.velocity(i, 0) > 0.0;
      const double travelled = rising ? x + peak : peak - x;
      const double masing = 2.0 * backbone->at(0.5 * travelled).force - backbone->at(peak).force;
      // Next to a turning point the sampled branch begins one sample late on one of the two sides.
      if (peak - std::abs(x) < 1e-3 * peak) continue;
      worst = std::max(worst, std::abs(cycle.force(i, 0) - (rising ? masing : -masing)));
    }
    return worst / backbone->slip_force();
  };
  const double coarse = error(50);
  const double fine = error(200);
  WARN("population of 50 and 200 elements against Masing's rules: " << coarse << ", " << fine << " of the slip force");
  // 4² = 16 for an error of second order; the samples' own error, 1/N², is far below.
  CHECK(fine < coarse / 10.0);
  CHECK(fine < 1e-4);
}

TEST_CASE("energy of a binned population", "[contact]") {
  const BackbonePointer backbone = four_parameter_backbone(segalman);
  const double amplitude = 0.7 * backbone->macroslip();
  const Samples s = support::cosine(4096, amplitude);
  CycleResult cycle;
  make_element(SliderPopulation(bin_backbone(*backbone, 1000)))->steady_cycle(s.view(), {}, cycle);
  // Second order: (1/1000)² of the elements and (π/4096)² of the samples, with factors of order ten.
  CHECK(loop_area(s.displacement, cycle.force) == Approx(backbone->loop_energy(amplitude)).epsilon(1e-5));
}

TEST_CASE("turning points between samples are visited", "[contact]") {
  const auto element = make_element(SliderPopulation({{2.0, 0.8}, {1.0, 0.9}}));
  const double amplitude = 1.5;
  const double shift = 0.1;  // no sample at the turning points
  const Samples s = support::cosine(16, amplitude, shift);
  const Cosine signal(amplitude, shift);
  const PeriodicSignal* const signals[] = {&signal};
  PeriodicMotion motion = s.view();
  motion.signals = signals;
  CycleResult cycle;
  element->steady_cycle(motion, {}, cycle);
  for (Index i = 0; i < 16; ++i) {
    const double x = s.displacement(i, 0);
    const double travelled = s.velocity(i, 0) > 0.0 ? x + amplitude : amplitude - x;
    const double masing = std::min(2.0 * travelled - 0.8, 0.8) + std::min(travelled - 0.9, 0.9);
    CHECK(cycle.force(i, 0) == Approx(s.velocity(i, 0) > 0.0 ? masing : -masing).margin(rounding));
  }
  REQUIRE(cycle.sources.size() == 2);
  for (const MemorySource& source : cycle.sources) CHECK(source.sample == MemorySource::between_samples);
  const auto [first, second] = std::minmax(cycle.sources[0].time, cycle.sources[1].time);
  CHECK(first == Approx(pi - shift));
  CHECK(second == Approx(2.0 * pi - shift));
}

TEST_CASE("uses are few, whatever the number of elements", "[contact]") {
  const BackbonePointer backbone = uniform_backbone({.stiffness = 1.0, .slip_force = 1.0});
  CycleResult cycle;
  make_element(SliderPopulation(bin_backbone(*backbone, 1000)))
      ->steady_cycle(support::cosine(256, 1.0, 0.1).view(), {}, cycle);
  CHECK(cycle.sources.size() == 2);
  CHECK(cycle.uses.size() <= 2 * 256);
}

TEST_CASE("a population marches along a history as its elements do", "[contact]") {
  std::mt19937_64 random(303);
  const std::vector<SlipElement> elements = random_elements(random, 9);
  const Samples s = support::random_history(random, 200, 1, 1.0);
  const auto element = make_element(SliderPopulation(elements));
  Matrix force = Matrix::Zero(200, 1);
  for (const SlipElement& e : elements) {
    force += march_history(*make_element(Jenkins({.stiffness = e.stiffness, .slip_force = e.slip_force})),
                           s.displacement, s.velocity)
                 .force;
  }
  CHECK((march_history(*element, s.displacement, s.velocity).force - force).isZero(rounding));

  const auto point = element->at_rest();
  for (Index i = 0; i < 200; ++i) {
    const Motion<Eigen::Dynamic> motion{s.displacement.row(i).transpose(), s.velocity.row(i).transpose()};
    const double asked = point->force_in_phase(motion)[0];
    REQUIRE(point->advance(motion).force[0] == asked);
  }
  CHECK_FALSE(point->switches());
  CHECK(point->memory().size() == 8);
}

TEST_CASE("impossible elements are refused", "[contact]") {
  CHECK_THROWS_WITH(SliderPopulation({}), "iwan-population: there are no elements; give at least one.");
  CHECK_THROWS_WITH(SliderPopulation({{1.0, 1.0}, {1.0, -2.0}}),
                    "iwan-population: an element has stiffness = 1 N/m and slip_force = -2 N; they must be finite, not "
                    "zero, and of the same sign.");
}
