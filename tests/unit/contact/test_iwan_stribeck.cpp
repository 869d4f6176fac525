// Iwan-Stribeck in both forms: limits in sliding, reductions, refusals.
#include "masing/contact/iwan_stribeck.hpp"

#include "masing/contact/catalogue.hpp"
#include "masing/contact/ripp.hpp"
#include "unit/contact/histories.hpp"
#include "unit/contact/iwan_support.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using namespace masing::test;

namespace {

constexpr double rounding = 1e-12;

// Table 1 of the paper with the Stribeck parameters of its example.
constexpr FiveParameters table{.stiffness = 1.5e7, .slip_force = 4e3, .chi = -0.5, .beta = 0.005, .theta = 0.75};

IwanStribeckParameters example(StribeckForm form) {
  return {.iwan = table, .stribeck_velocity = 1e-4, .exponent = 2.0, .viscous = 1e-3, .form = form};
}

double first_loading(const IwanStribeckParameters& parameters, double x, double v) {
  return make_iwan_stribeck(parameters)->at_rest()->advance(motion_at(x, v)).force[0];
}

}  // namespace

TEST_CASE("macroslip at vanishing speed: F_S in the consistent form, 1.49 F_S as printed", "[contact][stribeck]") {
  const double gross = 5e-3;
  CHECK(first_loading(example(StribeckForm::consistent), gross, 1e-12) == Approx(4e3).epsilon(rounding));
  CHECK(first_loading(example(StribeckForm::printed), gross, 1e-12) / 4e3 == Approx(1.49).margin(0.005));
  const double c = 0.005 + 1.0 / 3.0;
  const double printed = 4e3 * (0.005 + 0.75 / 3.0 + 0.25) / c;
  CHECK(stribeck_slip_force(example(StribeckForm::printed)) == Approx(printed).epsilon(rounding));
  CHECK(stribeck_slip_force(example(StribeckForm::consistent)) == Approx(4e3).epsilon(rounding));
}

TEST_CASE("fast first loading is the five-parameter law plus viscous friction", "[contact][stribeck]") {
  const BackbonePointer five = five_parameter_backbone(table);
  const double v = 0.5;  // 5000 v_S
  const double phi_max = four_parameter_constants({1.5e7, 4e3, -0.5, 0.005}).phi_max;
  for (const double z : {0.1, 0.5, 0.999, 3.0}) {
    const double share = std::min(std::sqrt(z), 1.0);
    const double force = five->at(z * phi_max).force;
    CHECK(first_loading(example(StribeckForm::consistent), z * phi_max, v) ==
          Approx(force + 1e-3 * v * share).epsilon(rounding));
    CHECK(first_loading(example(StribeckForm::printed), z * phi_max, v) ==
          Approx(force + 1e-3 * v * share / (0.005 + 1.0 / 3.0)).epsilon(rounding));
  }
}

TEST_CASE("slow first loading of the consistent form is the four-parameter law; θ = 1 is RIPP", "[contact][stribeck]") {
  const BackbonePointer four = four_parameter_backbone({1.5e7, 4e3, -0.5, 0.005});
  for (const double x : {1e-5, 3e-4, 7e-4, 2e-3}) {
    CHECK(first_loading(example(StribeckForm::consistent), x, 1e-12) == Approx(four->at(x).force).epsilon(rounding));
  }
  IwanStribeckParameters same = example(StribeckForm::consistent);
  same.iwan.theta = 1.0;
  same.viscous = 0.0;
  const auto stribeck = make_iwan_stribeck(same);
  const auto ripp = make_ripp(four);
  std::mt19937_64 random(131);
  for (int trial = 0; trial < 50; ++trial) {
    const support::Samples s = support::random_history(random, 64, 1, 2e-5 * (trial + 1));
    CycleResult a;
    CycleResult b;
    stribeck->steady_cycle(s.view(), {}, a);
    ripp->steady_cycle(s.view(), {}, b);
    REQUIRE((a.force - b.force).cwiseAbs().maxCoeff() < 1e-9 * 4e3);  // F₀ solved twice, powers rounded differently
  }
}

TEST_CASE("the force at reversals does not depend on the speed between them", "[contact][stribeck]") {
  for (const StribeckForm form : {StribeckForm::printed, StribeckForm::consistent}) {
    const auto element = make_iwan_stribeck(example(form));
    support::Samples slow = support::cosine(64, 6e-4);
    slow.velocity *= 1e-3;
    support::Samples fast = support::cosine(64, 6e-4);
    CycleResult a;
    CycleResult b;
    element->steady_cycle(slow.view(), {}, a);
    element->steady_cycle(fast.view(), {}, b);
    CHECK(a.force(0, 0) == Approx(b.force(0, 0)).epsilon(rounding));
    CHECK(a.force(16, 0) != Approx(b.force(16, 0)).epsilon(1e-3));
    CHECK(a.force(0, 0) < stribeck_slip_force(example(form)));
  }
}

TEST_CASE("branches are scaled as the description says: by what is left of the slip force at no speed",
          "[contact][stribeck]") {
  for (const StribeckForm form : {StribeckForm::consistent, StribeckForm::printed}) {
    const IwanStribeckParameters p = example(form);
    const double c = p.iwan.beta + (p.iwan.chi + 1.0) / (p.iwan.chi + 2.0);
    const double f_lim = p.iwan.slip_force * (p.iwan.beta + p.iwan.theta * (p.iwan.chi + 1.0) / (p.iwan.chi + 2.0)) / c;
    const double c_lim =
        form == StribeckForm::consistent ? p.iwan.slip_force : f_lim + p.iwan.slip_force * (1.0 - p.iwan.theta) / c;
    CHECK(stribeck_slip_force(p) == Approx(c_lim).epsilon(rounding));
    const double phi_max = p.iwan.slip_force * (1.0 + p.iwan.beta) / (p.iwan.stiffness * c);
    for (const double top : {0.3 * phi_max, 2.0 * phi_max}) {
      const auto point = make_iwan_stribeck(p)->at_rest();
      const double f0 = advance(*point, top);
      const double g = (c_lim + f0) / c_lim;  // downwards: d = −1
      const double way = 0.4 * phi_max;
      const double first_loading = advance(*make_iwan_stribeck(p)->at_rest(), way / g);
      CHECK(advance(*point, top - way) == Approx(f0 - g * first_loading).epsilon(rounding));
    }
  }
}

TEST_CASE("the catalogue makes both forms and refuses what has no derivative", "[contact][stribeck]") {
  const LawEntry* entry = find_law("iwan-stribeck");
  REQUIRE(entry != nullptr);
  const auto make = [&](std::string form, double exponent) {
    return entry->make(OptionValues::from(entry->parameters,
                                          {{"stiffness", 1.5e7},
                                           {"slip_force", 4e3},
                                           {"chi", -0.5},
                                           {"beta", 0.005},
                                           {"theta", 0.75},
                                           {"stribeck_velocity", 1e-4},
                                           {"exponent", exponent},
                                           {"form", std::move(form)}},
                                          "joint 'a'"));
  };
  CHECK(make("printed", 2.0)->uses_velocity());
  CHECK(advance(*make("printed", 2.0)->at_rest(), 5e-3) / 4e3 == Approx(1.49).margin(0.005));
  CHECK(advance(*make("consistent", 2.0)->at_rest(), 5e-3) == Approx(4e3).epsilon(rounding));
  CHECK_THROWS_WITH(make("printed", 0.5), Catch::Contains("exponent = 0.5 must be in [1, 10]"));
  CHECK_THROWS_WITH(make("wrong", 2.0), Catch::Contains("form"));
  IwanStribeckParameters wrong = example(StribeckForm::printed);
  wrong.stribeck_velocity = 0.0;
  CHECK_THROWS_WITH(make_iwan_stribeck(wrong), Catch::Contains("stribeck_velocity = 0 m/s must be > 0"));
  wrong = example(StribeckForm::printed);
  wrong.viscous = -1.0;
  CHECK_THROWS_WITH(make_iwan_stribeck(wrong), Catch::Contains("viscous = -1 N s/m must be >= 0"));
  wrong = example(StribeckForm::printed);
  wrong.exponent = 0.5;
  CHECK_THROWS_WITH(make_iwan_stribeck(wrong), Catch::Contains("infinitely fast at every reversal"));
}
