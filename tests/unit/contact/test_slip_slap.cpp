// The slip/slap law: published numbers, defining properties, sampled histories, phases, parameters.
#include "masing/contact/catalogue.hpp"
#include "masing/contact/loop.hpp"
#include "unit/contact/phases.hpp"
#include "unit/contact/slip_slap_oracle.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace masing;
using namespace masing::support;

namespace {

// Located events and closed forms: rounding, amplified by the root finding.
constexpr double rounding = 1e-11;

/// Force and rates at one instant of the steady cycle: everything is located, so any instant can be made sample 0.
struct Power {
  double tangential, normal;
};
Power power_at(const ContactElement& element, SlipSlapMotion motion, double tau) {
  motion.u.shift = motion.w.shift = tau;
  const Matrix force = located_forces(element, motion, 32);
  return {force(0, 0) * motion.u.at(0.0).slope, force(0, 1) * motion.w.at(0.0).slope};
}

struct Panel {
  double begin, end;
  Power left, middle, right;

  Power simpson() const {
    const double h = (end - begin) / 6.0;
    return {h * (left.tangential + 4.0 * middle.tangential + right.tangential),
            h * (left.normal + 4.0 * middle.normal + right.normal)};
  }
};

/// Adaptive Simpson rule; at a jump it halves down to rounding.
Power integrate(const ContactElement& element, const SlipSlapMotion& motion, const Panel& panel, double tolerance) {
  const double centre = 0.5 * (panel.begin + panel.end);
  const auto at = [&](double tau) { return power_at(element, motion, tau); };
  const Panel left{panel.begin, centre, panel.left, at(0.5 * (panel.begin + centre)), panel.middle};
  const Panel right{centre, panel.end, panel.middle, at(0.5 * (centre + panel.end)), panel.right};
  const Power coarse = panel.simpson();
  const Power a = left.simpson();
  const Power b = right.simpson();
  const Power fine{a.tangential + b.tangential, a.normal + b.normal};
  const double error = std::max(std::abs(fine.tangential - coarse.tangential), std::abs(fine.normal - coarse.normal));
  if (error < 15.0 * tolerance || panel.end - panel.begin < 1e-12) return fine;
  const Power first = integrate(element, motion, left, 0.5 * tolerance);
  const Power second = integrate(element, motion, right, 0.5 * tolerance);
  return {first.tangential + second.tangential, first.normal + second.normal};
}

Power energies(const ContactElement& element, const SlipSlapMotion& motion) {
  const double period = 2.0 * pi;
  const auto at = [&](double tau) { return power_at(element, motion, tau); };
  return integrate(element, motion, {0.0, period, at(0.0), at(0.5 * period), at(period)}, 1e-10);
}

using Any = SmallVector<Eigen::Dynamic>;
Motion<Eigen::Dynamic> state(double u, double w, double du = 0.0, double dw = 0.0) {
  return {Any{{u, w}}, Any{{du, dw}}};
}

}  // namespace

TEST_CASE("slip/slap: published example at four instants and its energies", "[contact][slip-slap]") {
  const auto element = make_slip_slap(example());
  const Matrix force = located_forces(*element, example_motion(), 256);
  const std::array<double, 4> expected = {2.296975732, -2.779369916, -1.966914258, 0.5199996683};
  const double printed = 6e-10;  // half of the last digit
  for (Index i = 0; i < 4; ++i)
    CHECK(force(64 * i, 0) == Approx(expected[static_cast<std::size_t>(i)]).margin(printed));

  const Power plain = energies(*element, example_motion());
  CHECK(plain.tangential == Approx(7.036761753).margin(printed));
  CHECK(plain.normal == Approx(0.0).margin(printed));
  const Power hysteretic = energies(*make_slip_slap(example(0.5)), example_motion());
  CHECK(hysteretic.tangential == Approx(6.867437418).margin(printed));
  CHECK(hysteretic.normal == Approx(10.78342605).margin(6e-9));
}

TEST_CASE("slip/slap with n = m = 1 and constant penetration is exponential friction", "[contact][slip-slap]") {
  // Branches s − (s + s tanh kA) e^{−k|u ± A|} of a Masing-like loop with k = C_k/(C_Q w), whose area is 4 μP (A − tanh(kA)/k).
  const double w = 0.8;
  const double load = 4.0 * w;
  const double k = 0.7 / (0.26 * w);
  for (const double amplitude : {1e-6, 0.01, 0.3, 5.0}) {
    CAPTURE(amplitude);
    SlipSlapMotion motion;
    motion.u.a = {amplitude};
    motion.u.b = {0.0};
    motion.w.mean = w;
    const Matrix force = located_forces(*make_slip_slap(example()), motion, 64);
    const double reached = std::tanh(k * amplitude);
    for (Index i = 0; i < 64; ++i) {
      const double u = amplitude * std::cos(2.0 * pi * static_cast<double>(i) / 64.0);
      const double s = i < 32 ? -1.0 : 1.0;
      const double slip = s * (1.0 - (1.0 + reached) * std::exp(-k * std::abs(u + s * amplitude)));
      CHECK(force(i, 0) == Approx(0.26 * load * slip).margin(rounding * 0.26 * load * reached));
      CHECK(force(i, 1) == Approx(load).epsilon(rounding));
    }
    const double area = 4.0 * 0.26 * load * (amplitude - reached / k);
    // Simpson's tolerance, see energies().
    CHECK(energies(*make_slip_slap(example()), motion).tangential == Approx(area).margin(1e-9));
  }
}

TEST_CASE("slip/slap never pulls, respects the friction limit, and dissipates in plain cycles",
          "[contact][slip-slap]") {
  std::mt19937_64 random(51);
  for (int trial = 0; trial < 300; ++trial) {
    CAPTURE(trial);
    const SlipSlap::Parameters p = trial % 2 == 0 ? rough() : example(0.7);
    const auto element = make_slip_slap(p);
    SlipSlapMotion motion = random_slip_slap_motion(random, trial);
    const Index count = 512;
    const Samples s = motion.sampled(count);
    const Matrix force = located_forces(*element, motion, count);
    REQUIRE(force.col(1).minCoeff() >= 0.0);
    for (Index i = 0; i < count; ++i) {
      const double limit = p.friction_coefficient * std::pow(force(i, 1), p.friction_exponent);
      REQUIRE(std::abs(force(i, 0)) <= limit * (1.0 + rounding));
      const double w = s.displacement(i, 1);
      if (w <= 0.0) REQUIRE(force(i, 1) == 0.0);
      if (w > 0.0) REQUIRE(force(i, 1) <= p.normal_coefficient * std::pow(w, p.normal_exponent) * (1.0 + rounding));
    }
    // One motion at a time: the loop area cannot be negative. The trapezoidal rule errs by about 1e-4 of the forces here.
    const double size = force.cwiseAbs().maxCoeff() * s.displacement.cwiseAbs().maxCoeff();
    SlipSlapMotion tangential = motion;
    tangential.w = {};
    tangential.w.mean = 1.0;
    CHECK(loop_area(tangential.sampled(count).displacement, located_forces(*element, tangential, count)) >
          -1e-4 * size);
    SlipSlapMotion normal = motion;
    normal.u = {};
    CHECK(loop_area(normal.sampled(count).displacement, located_forces(*element, normal, count)) > -1e-4 * size);
  }
}

TEST_CASE("slip/slap is not thermodynamically closed: u and w together may give energy back", "[contact][slip-slap]") {
  // A limit of the published model, which the naive law in fine steps shares: friction follows P(w) at a given Δ_T.
  SlipSlapMotion motion;
  motion.u.a = {0.05};
  motion.u.b = {0.0};
  motion.w.mean = 2.0;
  motion.w.a = {0.7};
  motion.w.b = {-1.0};
  const Index count = 512;
  const Matrix x = motion.sampled(count).displacement;
  const double located = loop_area(x, located_forces(*make_slip_slap(example()), motion, count));
  const double naive = loop_area(x, naive_forces(example(), motion, count, 40, 20));
  CHECK(located == Approx(naive).epsilon(0.02));  // first order of the naive steps
  motion.w.b = {1.0};
  const double other_way =
      loop_area(motion.sampled(count).displacement, located_forces(*make_slip_slap(example()), motion, count));
  INFO("energy of a cycle " << located << " J, of the cycle run the other way " << other_way << " J");
  CHECK(std::min(located, other_way) < -1e-3);
}

TEST_CASE("slip/slap forgets everything at separation", "[contact][slip-slap]") {
  const auto element = make_slip_slap(rough());
  const auto used = element->at_rest();
  const auto fresh = element->at_rest();
  for (const auto& [u, w] : {std::pair(0.0, 1.0), {0.4, 2.0}, {-0.3, 0.5}, {0.1, 0.7}}) used->advance(state(u, w));
  for (const auto& point : {used.get(), fresh.get()}) {
    const auto open = point->advance(state(0.2, -0.5));
    CHECK(open.force.isZero(0.0));
    CHECK(open.by_displacement.isZero(0.0));
  }
  CHECK(used->memory()[0] == 0.0);
  for (const auto& [u, w] : {std::pair(0.3, 0.5), {0.5, 1.0}, {0.4, 0.8}, {0.6, 0.3}}) {
    CHECK((used->advance(state(u, w)).force - fresh->advance(state(u, w)).force).isZero(rounding));
  }
  // Re-contact half way from w = −0.5 to 0.5: u₀ = 0.25.
  CHECK(fresh->memory().size() == 4);
  const auto again = element->at_rest();
  again->advance(state(0.2, -0.5));
  again->advance(state(0.3, 0.5));
  CHECK(again->memory()[1] == Approx(0.25).epsilon(rounding));
}

TEST_CASE("slip/slap: approach shifts the penetration", "[contact][slip-slap]") {
  SlipSlap::Parameters p = rough();
  p.approach = 1.5;
  const auto shifted = make_slip_slap(p)->at_rest();
  const auto plain = make_slip_slap(rough())->at_rest();
  for (const auto& [u, w] : {std::pair(0.0, 1.0), {0.4, 2.0}, {-0.3, -0.5}, {0.1, 0.7}}) {
    CHECK((shifted->advance(state(u, w - 1.5)).force - plain->advance(state(u, w)).force).isZero(rounding));
  }
}

namespace {

Motion<Eigen::Dynamic> wild(double t) {
  const double u = 0.5 * std::sin(t) + 0.3 * std::sin(2.7 * t + 0.4);
  const double du = 0.5 * std::cos(t) + 0.3 * 2.7 * std::cos(2.7 * t + 0.4);
  const double w = 0.8 + std::sin(1.7 * t) + 0.3 * std::cos(0.6 * t);
  const double dw = 1.7 * std::cos(1.7 * t) - 0.18 * std::sin(0.6 * t);
  return state(u, w, du, dw);
}

/// Largest difference of forces between phases and sampling, leaving out the worst hundredth: samples within a step of a
/// jump of the published model.
double compare_forms(const ContactElement& element, int steps, std::vector<std::string>& phases) {
  const double dt = 25.0 / steps;
  const auto sampled = element.at_rest();
  const auto phased = element.at_rest();
  sampled->advance(wild(0.0));
  phased->advance(wild(0.0));
  std::vector<double> differences;
  for (int i = 0; i < steps; ++i) {
    support::follow(*phased, wild, i * dt, (i + 1) * dt, phases);
    const auto motion = wild((i + 1) * dt);
    differences.push_back((phased->force_in_phase(motion) - sampled->advance(motion).force).cwiseAbs().maxCoeff());
  }
  const auto worst = differences.end() - steps / 100;
  std::nth_element(differences.begin(), worst, differences.end());
  return *worst;
}

}  // namespace

TEST_CASE("slip/slap: phases agree with fine sampling", "[contact][slip-slap]") {
  SlipSlap::Parameters smooth = rough();
  smooth.smooth_refresh = true;
  for (const SlipSlap::Parameters& p : {rough(), example(), smooth}) {
    std::vector<std::string> phases;
    std::vector<std::string> coarse_phases;
    const auto element = make_slip_slap(p);
    const double coarse = compare_forms(*element, 5000, coarse_phases);
    const double fine = compare_forms(*element, 50000, phases);
    INFO("differences " << coarse << " and " << fine << ", " << phases.size() << " changes of phase");
    // Sampling takes a reversal up to half a step away from where it is, where w is another: first order.
    CHECK(fine < 1e-3);
    CHECK(fine < coarse / 4.0);
    CHECK(phases.size() > 20);
    CHECK(std::count(phases.begin(), phases.end(), "open") > 3);
    const bool slides = std::any_of(phases.begin(), phases.end(), [](const auto& x) { return x.starts_with("slide"); });
    CHECK(slides == (p.unloading_rate > 0.0 && !p.smooth_refresh));
  }
}

TEST_CASE("slip/slap at rest: no friction force, unloading stiffness, and a wall that recedes",
          "[contact][slip-slap]") {
  SlipSlapMotion motion;
  motion.u.mean = 0.7;
  motion.w.mean = 2.0;
  const Matrix force = located_forces(*make_slip_slap(example(0.5)), motion, 16);
  CHECK(force.col(0).isZero(rounding));
  CHECK(force.col(1).isConstant(8.0, rounding));
  motion.w.mean = -0.1;
  CHECK(located_forces(*make_slip_slap(example(0.5)), motion, 16).isZero(0.0));
}

TEST_CASE("slip/slap in the catalogue", "[contact][slip-slap]") {
  using Catch::Contains;
  const LawEntry* entry = find_law("slip-slap");
  REQUIRE(entry != nullptr);
  CHECK(entry->inputs == 2);
  std::map<std::string, OptionValue> good = {
      {"normal_exponent", 2.0}, {"friction_exponent", 1.0}, {"normal_coefficient", 4.0}, {"friction_coefficient", 0.26},
      {"unloading_rate", 0.5},  {"stiffness_ratio", 0.7},   {"approach", 0.25},          {"continuity_depth", 0.0}};
  const auto values = [&](const std::string& key, double value) {
    OptionValues v;
    for (const auto& [name, number] : good) v.set(name, name == key ? OptionValue(value) : number);
    v.set("smooth_refresh", false);
    return v;
  };
  const OptionValues usual = values("", 0.0);
  CHECK(entry->make(usual)->inputs() == 2);
  CHECK_FALSE(entry->make(usual)->uses_velocity());
  CHECK(entry->approach_for_load(usual, 16.0) == Approx(1.75).epsilon(rounding));
  for (const std::string key :
       {"normal_exponent", "friction_exponent", "normal_coefficient", "friction_coefficient", "stiffness_ratio"}) {
    CHECK_THROWS_WITH(entry->make(values(key, 0.0)),
                      Contains("slip-slap: " + key + " = 0") && Contains("must be > 0."));
  }
  CHECK_THROWS_WITH(entry->make(values("unloading_rate", -1.0)), "slip-slap: unloading_rate = -1 1/m must be >= 0.");
  CHECK(entry->make(values("continuity_depth", 0.01))->jumps().empty());
  CHECK_FALSE(entry->make(usual)->jumps().empty());
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(entry->make(values("approach", infinity)), "slip-slap: approach = inf m must be finite.");
}
