// Every density of the Iwan family against sliders one by one, on histories with nested minor loops: the difference is
// the sliders' own error, and falls with the square of their number.
#include "masing/contact/binning.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/ripp.hpp"
#include "masing/contact/variable_load_closed.hpp"
#include "masing/contact/variable_load_iwan.hpp"
#include "support/sliders.hpp"
#include "unit/contact/backbone_support.hpp"
#include "unit/contact/iwan_support.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using namespace masing::test;
using support::Slider;
using support::Sliders;

namespace {

constexpr int few = 500;
constexpr int many = 4000;
// Second order, 2. Where the density jumps (a flat contact with edges), it matters where in its bin the jump falls.
constexpr double lowest_order = 1.99;
constexpr double lowest_order_of_jumps = 1.8;
// Of root mean squares over the samples of a history, which do not fall into the bins alike for both numbers.
constexpr double lowest_order_of_samples = 1.8;
// Where a finite number of sliders is the law itself. Thousands of forces are added, each step a rounding.
constexpr double rounding = 1e-11;
// Of the slip force, with 4000 sliders, loaded for the first time: bins err by (∫ √ρ dϕ)² / (2 · 4000²) (support/sliders.hpp),
// and (∫ √ρ dϕ)² is at most 4 F_S for these densities.
constexpr double most_error = 1.25e-7;

using Population = std::function<std::vector<Slider>(int)>;

/// Difference of the forces over several histories, as a share of the slip force.
support::Deviation deviation(const ContactElement& element, const std::vector<Slider>& sliders,
                             const std::vector<std::vector<double>>& histories, double slip_force) {
  support::Deviation result;
  for (const std::vector<double>& history : histories) {
    Sliders population(sliders);
    const auto point = element.at_rest();
    for (const double x : history) result.add((population.advance(x) - advance(*point, x)) / slip_force);
  }
  return result;
}

void check_limit(const std::string& name, const ContactElement& element, const Backbone& backbone,
                 const Population& population, const std::vector<std::vector<double>>& histories) {
  const double slip_force = backbone.slip_force();
  const double coarse = support::loading_error(population(few), backbone) / slip_force;
  const double fine = support::loading_error(population(many), backbone) / slip_force;
  const double nested = deviation(element, population(many), histories, slip_force).largest();
  const double allowed = support::nested_error(fine, histories);
  const double order = std::log(coarse / fine) / std::log(static_cast<double>(many) / few);
  WARN(name << ": with " << many << " sliders " << fine << " of the slip force in loading, order " << order << "; "
            << nested << " in nested loops, where " << allowed << " is allowed");
  CHECK(fine < most_error);
  CHECK(nested <= allowed + rounding);
  const bool jumps = name.find("edges") != std::string::npos;
  if (fine > rounding) CHECK(order > (jumps ? lowest_order_of_jumps : lowest_order));
}

/// From small loops to far into macroslip.
std::vector<std::vector<double>> nested_histories(std::mt19937_64& random, double macroslip) {
  std::vector<std::vector<double>> histories;
  for (const double largest : {0.3, 0.9, 1.6}) histories.push_back(nested_history(random, 100, 3, largest * macroslip));
  return histories;
}

/// Every reversal comes from macroslip, sampled on the way.
std::vector<double> macroslip_history(std::mt19937_64& random, double macroslip) {
  std::uniform_real_distribution<double> beyond(1.0, 2.0);
  std::vector<double> history;
  double x = 0.0;
  for (int turn = 0; turn < 10; ++turn) {
    const double target = (turn % 2 == 0 ? 1.0 : -1.0) * beyond(random) * macroslip;
    for (int i = 1; i <= 25; ++i) history.push_back(x + (target - x) * i / 25);
    x = target;
  }
  return history;
}

}  // namespace

TEST_CASE("every backbone with Masing's rules is the limit of sliders", "[contact][iwan][population]") {
  std::mt19937_64 random(401);
  for (const auto& [name, backbone] : all_backbones()) {
    const auto binned = [&](int count) { return support::binned_sliders(*backbone, count); };
    check_limit(name, *make_iwan(backbone), *backbone, binned, nested_histories(random, backbone->macroslip()));
  }
}

TEST_CASE("sliders drawn from the density itself have the Iwan law as their limit", "[contact][iwan][population]") {
  std::mt19937_64 random(402);
  constexpr double k = 2.0;
  constexpr double f = 1.0;
  const auto check_drawn = [&](const std::string& name, const BackbonePointer& backbone, const Population& population) {
    check_limit(name, *make_iwan(backbone), *backbone, population, nested_histories(random, backbone->macroslip()));
  };
  check_drawn("uniform, drawn", uniform_backbone({k, f}),
              [](int count) { return support::equal_sliders(k, count, [](double p) { return 2.0 * f / k * p; }); });
  // 1/√(3f(3f − 2kϕ)) integrates to p = 1 − √(1 − 2kϕ/3f).
  check_drawn("Hertz, drawn", hertz_backbone({k, f}), [](int count) {
    return support::equal_sliders(k, count, [](double p) { return 1.5 * f / k * (1.0 - (1.0 - p) * (1.0 - p)); });
  });
  // ϕ^χ integrates to p = (ϕ/ϕ_max)^(χ+1); the share β/(1+β) lets go at ϕ_max.
  constexpr double chi = -0.5;
  constexpr double beta = 0.3;
  check_drawn("four-parameter, drawn", four_parameter_backbone({k, f, chi, beta}), [](int count) {
    constexpr double phi_max = f * (1.0 + beta) / (k * (beta + (chi + 1.0) / (chi + 2.0)));
    std::vector<Slider> sliders = support::equal_sliders(
        k / (1.0 + beta), count, [](double p) { return phi_max * std::pow(p, 1.0 / (chi + 1.0)); });
    sliders.push_back({k * beta / (1.0 + beta), phi_max});
    return sliders;
  });
}

TEST_CASE("RIPP is the limit of sliders where every reversal comes from macroslip", "[contact][ripp][population]") {
  std::mt19937_64 random(403);
  for (const auto& [name, backbone] : all_backbones()) {
    const auto binned = [&](int count) { return support::binned_sliders(*backbone, count); };
    check_limit("ripp, " + name, *make_ripp(backbone), *backbone, binned,
                {macroslip_history(random, backbone->macroslip())});
  }
}

namespace {

/// Random ways in u under a load 1 + w that lifts off now and then.
Matrix random_walk(std::mt19937_64& random, int turns) {
  constexpr Index samples = 5;
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const std::vector<double> u = nested_history(random, turns, samples, 4.0);
  Matrix motion(static_cast<Index>(u.size()), 2);
  double from = 0.0;
  for (Index i = 0; i < motion.rows(); i += samples) {
    const double to = 1.6 * uniform(random);
    for (Index part = 0; part < samples; ++part) {
      motion.row(i + part) << u[static_cast<std::size_t>(i + part)],
          from + (to - from) * static_cast<double>(part + 1) / samples;
    }
    from = to;
  }
  return motion;
}

using Stiffening = std::function<double(double load)>;

/// Reference load 1; the sliders follow e ← clamp(e + Δu, ± α f*/k). They also get the instant at which a straight way from an
/// open sample to a closed one touches.
support::Deviation load_deviation(const ContactElement& element, const std::vector<Slider>& sliders,
                                  const Matrix& motion, const Stiffening& stiffening) {
  Sliders population(sliders);
  const auto point = element.at_rest();
  support::Deviation result;
  for (Index i = 0; i < motion.rows(); ++i) {
    const double load = 1.0 + motion(i, 1);
    const double before = i > 0 ? 1.0 + motion(i - 1, 1) : 1.0;
    const SmallVector<Eigen::Dynamic> x = motion.row(i).transpose();
    if (before < 0.0 && load > 0.0) {
      const double share = before / (before - load);
      population.advance(motion(i - 1, 0) + share * (motion(i, 0) - motion(i - 1, 0)), 0.0);
    }
    const double force = point->advance({x, SmallVector<Eigen::Dynamic>::Zero(2)}).force[0];
    const double expected = population.advance(motion(i, 0), load, load > 0.0 ? stiffening(load) : 1.0);
    result.add(force - expected);
  }
  return result;
}

}  // namespace

TEST_CASE("variable-load Iwan converges to sliders that clamp their elongation, through lift-offs",
          "[contact][population]") {
  std::mt19937_64 random(404);
  // φ = 0.2 on [0, 5], k = 1.
  const BackbonePointer backbone = uniform_backbone({.stiffness = 1.0, .slip_force = 2.5});
  const std::vector<Slider> sliders = support::equal_sliders(1.0, many, [](double p) { return 5.0 * p; });
  const std::vector<std::pair<LoadScaling, Stiffening>> scalings = {
      {LoadScaling::constant(1.0), [](double) { return 1.0; }},
      {LoadScaling::proportional(1.0), [](double load) { return load; }},
      {LoadScaling::polynomial(1.0, {0.5, 0.25, 0.25}), [](double load) { return 0.5 + 0.25 * load * (1.0 + load); }}};
  for (const auto& [scaling, stiffening] : scalings) {
    const Matrix motion = random_walk(random, 120);
    const auto with = [&, &factors = scaling, &stiffer = stiffening](int elements) {
      const NormalContact normal({.stiffness = 1.0, .preload = 1.0});
      const auto element = make_element(VariableLoadIwan(bin_backbone(*backbone, elements), factors, normal));
      return load_deviation(*element, sliders, motion, stiffer);
    };
    const double order = with(400).order_from(with(50), 8.0);
    const double fine = with(many).largest();
    const Index open = (motion.col(1).array() <= -1.0).count();
    WARN("variable-load-iwan: " << fine << " N of 2.5 N with " << many << " elements, order from 50 to 400 " << order
                                << ", open in " << open << " of " << motion.rows() << " samples");
    CHECK(open > 30);
    // ρ h²/8 with h = 5/4000: 4e-8 N, under up to 2.8 times the load and at most four branches of either population.
    CHECK(fine < 1e-6);
    CHECK(order > lowest_order_of_samples);
  }
}

TEST_CASE("the branch formula under a varying load is the limit of sliders where it is exact",
          "[contact][population]") {
  // Stiffness proportional to the load, reversals that come closer and closer: one remembered reversal is enough.
  const BackbonePointer backbone = uniform_backbone({.stiffness = 1.0, .slip_force = 2.5});
  const auto element = make_element(VariableLoadClosed({.backbone = backbone,
                                                        .scaling = LoadScaling::proportional(1.0),
                                                        .normal = NormalContact({.stiffness = 1.0, .preload = 1.0})}));
  std::mt19937_64 random(405);
  std::uniform_real_distribution<double> uniform(-0.8, 0.8);
  Matrix motion(200, 2);
  double from = 0.0;
  double to = 6.0;
  for (Index i = 0; i < 200; ++i) {
    motion.row(i) << from + (to - from) * static_cast<double>(i % 10 + 1) / 10.0, uniform(random);
    if (i % 10 == 9) from = std::exchange(to, -0.9 * to);
  }
  const auto against = [&](int count) {
    const auto sliders = support::equal_sliders(1.0, count, [](double p) { return 5.0 * p; });
    return load_deviation(*element, sliders, motion, [](double load) { return load; });
  };
  const support::Deviation fine = against(many);
  const double order = fine.order_from(against(few), static_cast<double>(many) / few);
  WARN("variable-load-iwan-closed: " << fine.largest() << " N of 2.5 N with " << many << " sliders, order " << order);
  CHECK(fine.largest() < 1e-6);  // as above
  CHECK(order > lowest_order_of_samples);
}
