#include "masing/analysis/frequency_response.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/slip_slap.hpp"
#include "masing/contact/unilateral.hpp"
#include "masing/core/error.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;
using test::joint;
using test::load;

namespace {

constexpr double hertz = 1.0 / (2.0 * pi);

Model linear_oscillator(double ratio) {
  return {.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping_ratio = ratio}), .loads = {load(1, 0, 1.0)}};
}

Model duffing() {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.04}), .loads = {load(1, 0, 1.0)}};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = 0.5})), 1, {{{0, 1.0}}})};
  return model;
}

Model jenkins_chain() {
  Model model{
      .structure = chain({.masses = {1.0, 1.0, 1.0}, .stiffnesses = {1.0, 1.0, 1.0}, .dampings = {0.02, 0.02, 0.02}}),
      .loads = {load(3, 2, 1.0)}};
  model.joints = {joint("damper", make_element(Jenkins({.stiffness = 0.5, .slip_force = 0.1})), 3, {{{0, 1.0}}})};
  return model;
}

FrequencyResponseRequest request(double from, double to, std::vector<double> levels, std::vector<int> harmonics) {
  FrequencyResponseRequest r;
  r.from = from;
  r.to = to;
  r.levels = std::move(levels);
  r.balance = {.harmonics = std::move(harmonics), .samples = 64};
  r.observables = {{.name = "x", .coordinate = 0}};
  return r;
}

Index count(const ResponseBranch& branch, const std::string& kind) {
  return std::count_if(branch.special_points.begin(), branch.special_points.end(),
                       [&](const SpecialPoint& special) { return special.kind == kind; });
}

bool same(const ResponsePoint& a, const ResponsePoint& b) {
  return a.frequency == b.frequency && a.coefficients == b.coefficients && a.tangent == b.tangent && a.step == b.step &&
         a.iterations == b.iterations && a.residual == b.residual;
}

void check_same(const ResponseBranch& a, const ResponseBranch& b) {
  REQUIRE(a.points.size() == b.points.size());
  for (std::size_t i = 0; i < a.points.size(); ++i) REQUIRE(same(a.points[i], b.points[i]));
  REQUIRE(a.special_points.size() == b.special_points.size());
  for (std::size_t i = 0; i < a.special_points.size(); ++i) {
    CHECK(a.special_points[i].kind == b.special_points[i].kind);
    CHECK(same(a.special_points[i].point, b.special_points[i].point));
  }
  CHECK(a.end.message == b.end.message);
}

}  // namespace

TEST_CASE("peaks and half-power damping of a linear oscillator are those of the closed form") {
  const double ratio = 0.05;
  auto ask = request(0.5 * hertz, 1.5 * hertz, {2.0}, {1});
  ask.observables = {{.name = "displacement", .quantity = Quantity::displacement},
                     {.name = "velocity", .quantity = Quantity::velocity},
                     {.name = "acceleration", .quantity = Quantity::acceleration}};
  const FrequencyResponse response = frequency_response(linear_oscillator(ratio), ask);
  REQUIRE(response.complete());
  const std::vector<Resonance>& peaks = response.branches[0].end.resonances;
  REQUIRE(peaks.size() == 3);
  // Peaks are solved for to 1e-10 of the range.
  constexpr double solved = 1e-8;
  const double below = std::sqrt(1.0 - 2.0 * ratio * ratio);
  CHECK(peaks[0].frequency == Approx(below * hertz).epsilon(solved));
  CHECK(peaks[0].amplitude == Approx(2.0 / (2.0 * ratio * std::sqrt(1.0 - ratio * ratio))).epsilon(solved));
  CHECK(peaks[1].frequency == Approx(hertz).epsilon(solved));
  CHECK(peaks[1].amplitude == Approx(2.0 / (2.0 * ratio)).epsilon(solved));
  CHECK(peaks[2].frequency == Approx(hertz / below).epsilon(solved));
  // The velocity's half-power points lie at sqrt(1 + ζ²) ± ζ exactly.
  CHECK(peaks[1].damping_ratio == Approx(ratio).epsilon(solved));
  CHECK(count(response.branches[0], "half-power") == 6);
  CHECK(response.branches[0].points.front().frequency == ask.from);
  CHECK(response.branches[0].points.back().frequency == ask.to);
}

TEST_CASE("every point of a linear response lies on the closed form, mean, rms and peak included") {
  Model model = linear_oscillator(0.02);
  model.loads.push_back(load(1, 0, 0.5, 0));
  auto ask = request(0.3 * hertz, 2.0 * hertz, {1.0}, {0, 1});
  const FrequencyResponse response = frequency_response(model, ask);
  REQUIRE(response.complete());
  constexpr double newton = 1e-8;  // residual tolerance 1e-9 of the load
  for (const ResponsePoint& point : response.branches[0].points) {
    const double w = 2.0 * pi * point.frequency;
    const double amplitude = 1.0 / std::abs(Complex(1.0 - w * w, 0.04 * w));
    const Observation& x = point.observations[0];
    CHECK(x.amplitude[0] == Approx(0.5).epsilon(newton));
    CHECK(x.amplitude[1] == Approx(amplitude).epsilon(newton));
    CHECK(x.phase[1] == Approx(std::arg(1.0 / Complex(1.0 - w * w, 0.04 * w))).margin(newton));
    CHECK(x.rms == Approx(std::sqrt(0.25 + 0.5 * amplitude * amplitude)).epsilon(newton));
    CHECK(x.peak == Approx(0.5 + amplitude).epsilon(newton));
  }
}

TEST_CASE("a Duffing response goes round both folds, upwards and downwards over the same curve") {
  const FrequencyResponse up = frequency_response(duffing(), request(0.5 * hertz, 2.5 * hertz, {0.3}, {1, 3}));
  const FrequencyResponse down = frequency_response(duffing(), request(2.5 * hertz, 0.5 * hertz, {0.3}, {1, 3}));
  REQUIRE(up.complete());
  REQUIRE(down.complete());
  REQUIRE(count(up.branches[0], "fold") == 2);
  REQUIRE(count(down.branches[0], "fold") == 2);
  const auto folds = [](const ResponseBranch& branch) {
    std::vector<double> f;
    for (const SpecialPoint& special : branch.special_points) {
      if (special.kind == "fold") f.push_back(special.point.frequency);
    }
    std::sort(f.begin(), f.end());
    return f;
  };
  constexpr double located = 1e-8;  // to 1e-10 of the range, from both sides
  CHECK(folds(up.branches[0])[0] == Approx(folds(down.branches[0])[0]).epsilon(located));
  CHECK(folds(up.branches[0])[1] == Approx(folds(down.branches[0])[1]).epsilon(located));
  CHECK(up.branches[0].end.resonances[0].amplitude ==
        Approx(down.branches[0].end.resonances[0].amplitude).epsilon(located));
  CHECK(up.branches[0].end.resonances[0].note ==
        "the peak is bent over a fold: half-power damping is not a modal damping ratio here");
}

TEST_CASE("results do not depend on the number of threads") {
  auto ask = request(0.02, 0.35, {0.02, 0.1, 0.3, 1.0}, {0, 1, 2, 3});
  ask.threads = 1;
  const FrequencyResponse one = frequency_response(jenkins_chain(), ask);
  ask.threads = 3;
  const FrequencyResponse many = frequency_response(jenkins_chain(), ask);
  REQUIRE(one.branches.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) check_same(one.branches[i], many.branches[i]);
}

TEST_CASE("a response that was stopped goes on as if it had not been") {
  const auto ask = request(0.5 * hertz, 2.5 * hertz, {0.3}, {1, 3});
  const FrequencyResponse whole = frequency_response(duffing(), ask);
  const auto stop_at_30 = [](const Progress& progress) { return progress.points < 30; };
  const FrequencyResponse part = frequency_response(duffing(), ask, nullptr, stop_at_30);
  REQUIRE(part.branches[0].points.size() == 30);
  CHECK_FALSE(part.complete());
  CHECK(part.branches[0].end.stop == "stopped by the user");

  const BranchRestart restart{.points = part.branches[0].points, .special_points = part.branches[0].special_points};
  const FrequencyResponse resumed = frequency_response(duffing(), ask, nullptr, {}, {restart});
  check_same(whole.branches[0], resumed.branches[0]);

  SECTION("a finished branch is not computed again") {
    BranchRestart finished{
        .points = whole.branches[0].points, .special_points = {}, .ended = true, .end = whole.branches[0].end};
    int calls = 0;
    const auto count_calls = [&](const Progress&) { return ++calls, true; };
    const FrequencyResponse again = frequency_response(duffing(), ask, nullptr, count_calls, {finished});
    CHECK(calls == 0);
    CHECK(again.branches[0].points.size() == whole.branches[0].points.size());
  }
}

TEST_CASE("a response stopped behind its peak and taken up again has its half-power points once") {
  const auto ask = request(0.8 * hertz, 1.4 * hertz, {0.02}, {1, 3});
  const FrequencyResponse whole = frequency_response(duffing(), ask);
  const double peak = whole.branches[0].end.resonances[0].frequency;
  // Stopped far enough behind the peak for both half-power points to be on the part that is there.
  const auto stop = [&](const Progress& now) { return now.finished || now.frequency < 1.1 * peak; };
  const ResponseBranch part = frequency_response(duffing(), ask, nullptr, stop).branches[0];
  REQUIRE(part.end.stop == "stopped by the user");
  REQUIRE(part.points.size() < whole.branches[0].points.size());
  CHECK(part.end.resonances[0].frequency == peak);
  CHECK(count(part, "half-power") == 0);
  BranchRestart restart{.points = part.points, .special_points = part.special_points, .ended = true, .end = part.end};
  const FrequencyResponse resumed = frequency_response(duffing(), ask, nullptr, {}, {restart});
  CHECK(count(resumed.branches[0], "half-power") == 2);
  check_same(whole.branches[0], resumed.branches[0]);
}

TEST_CASE("a peak of an eliminated coordinate is solved for as well") {
  auto ask = request(0.02, 0.12, {1.0}, {0, 1, 2, 3});
  ask.observables = {{.name = "end", .coordinate = 2, .quantity = Quantity::acceleration}};
  const FrequencyResponse response = frequency_response(jenkins_chain(), ask);
  REQUIRE(response.complete());
  const ResponseBranch& branch = response.branches[0];
  REQUIRE(count(branch, "peak") >= 1);
  double largest = 0.0;
  for (const ResponsePoint& point : branch.points) largest = std::max(largest, point.observations[0].amplitude[1]);
  CHECK(branch.end.resonances[0].amplitude >= largest);
  CHECK(branch.end.resonances[0].amplitude < 1.05 * largest);  // the steps resolve a peak to a few per cent at worst
}

TEST_CASE("a resonance that is small beside a static deflection is not stepped over") {
  // The static load stretches the spring to 2 m; the resonance about it has a Q of 15000 and begins at 1e-4 m.
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 2e-4}),
              .loads = {load(1, 0, 1.0), load(1, 0, 10.0, 0)}};
  model.joints = {joint("cubic", make_element(CubicSpring({.cubic_stiffness = 0.5})), 1, {{{0, 1.0}}})};
  auto ask = request(0.3, 0.6, {1e-3}, {0, 1, 2, 3, 4, 5});
  const FrequencyResponse coarse = frequency_response(model, ask);
  ask.continuation.step = {.initial = 1e-3, .maximum = 5e-3};
  const FrequencyResponse fine = frequency_response(model, ask);
  REQUIRE(coarse.complete());
  CHECK(count(coarse.branches[0], "fold") == 2);
  CHECK(count(fine.branches[0], "fold") == 2);
  constexpr double located = 1e-8;  // to 1e-10 of the range
  const Resonance& peak = coarse.branches[0].end.resonances[0];
  CHECK(peak.frequency == Approx(fine.branches[0].end.resonances[0].frequency).epsilon(located));
  CHECK(peak.amplitude > 1.0);
}

TEST_CASE("a contact that only its preload closes is found at the first frequency") {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 0.0, .damping = 5.0}),
              .loads = {load(1, 0, 1.0), load(1, 0, 10.0, 0)}};
  model.joints = {joint("stop", make_element(Unilateral({.stiffness = 1e4})), 1, {{{0, 1.0}}})};
  const FrequencyResponse response = frequency_response(model, request(5.0, 25.0, {0.2}, {0, 1, 2, 3}));
  REQUIRE(response.complete());
  // It never lifts off: a linear oscillator about its static deflection.
  constexpr double newton = 1e-7;
  CHECK(response.branches[0].points[0].observations[0].amplitude[0] == Approx(1e-3).epsilon(newton));
  const double w = std::sqrt(1e4);
  const double ratio = 5.0 / (2.0 * w);
  CHECK(response.branches[0].end.resonances[0].frequency ==
        Approx(w * std::sqrt(1.0 - 2.0 * ratio * ratio) * hertz).epsilon(newton));
}

TEST_CASE("half-power points of a peak narrower than the steps are found, and overlapping peaks are called so") {
  const FrequencyResponse narrow =
      frequency_response(linear_oscillator(1e-4), request(0.5 * hertz, 1.5 * hertz, {1.0}, {1}));
  constexpr double second_order = 1e-4;  // half-power bandwidth of a displacement: 2ζ(1 + O(ζ²)); solved to 1e-10/1e-4
  CHECK(narrow.branches[0].end.resonances[0].damping_ratio == Approx(1e-4).epsilon(second_order));

  const Model twins{.structure = chain({.masses = {1.0, 1.0},
                                        .stiffnesses = {1.0, 0.03, 1.0},
                                        .dampings = {0.04, 0.0, 0.04},
                                        .ground = ChainGround::both}),
                    .loads = {load(2, 0, 1.0)}};
  const FrequencyResponse close = frequency_response(twins, request(0.5 * hertz, 1.6 * hertz, {1.0}, {1}));
  const std::string overlap =
      "another peak stands within the half-power band: this is not the damping ratio of one mode";
  CHECK(close.branches[0].end.resonances[0].note == overlap);
}

TEST_CASE("the Jacobian check of an analysis finds exact derivatives") {
  const auto ask = request(0.5 * hertz, 2.5 * hertz, {0.3, 0.6}, {0, 1, 3});
  const FrequencyResponse response = frequency_response(duffing(), ask);
  for (const ResponseBranch& branch : response.branches) {
    const BranchJacobianCheck worst = check_jacobian(duffing(), ask, branch, 4);
    constexpr double differences = 1e-7;  // central differences of a polynomial law
    CHECK(worst.check.worst_error < differences);
    REQUIRE(worst.frequencies.size() == 4);
    CHECK(worst.frequencies.front() == branch.points.front().frequency);
    CHECK(worst.frequencies.back() == branch.points.back().frequency);
  }
  CHECK(check_jacobian(duffing(), ask, ResponseBranch{}).frequencies.empty());
}

TEST_CASE("where a curve gets stuck, a law that jumps is named, with what helps") {
  SlipSlap::Parameters law{.normal_coefficient = 4.0,
                           .friction_coefficient = 0.26,
                           .unloading_rate = 0.5,
                           .stiffness_ratio = 0.7,
                           .approach = 1.0};
  const auto message = [](const SlipSlap::Parameters& parameters) {
    Model model{.structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {1.0, 1.0}, .dampings = {0.1, 0.1}}),
                .joints = {joint("lap", make_slip_slap(parameters), 2, {{{0, 1.0}}, {{1, 1.0}}})},
                .loads = {load(2, 1, 4.0, 0), load(2, 0, 1.0)}};
    auto ask = request(0.5 * hertz, 2.5 * hertz, {0.01}, {0, 1, 2});
    ask.continuation.max_points = 3;
    return frequency_response(model, ask).branches[0].end.message;
  };
  CHECK_THAT(message(law), Catch::Contains("Joint 'lap': slip-slap as published jumps") &&
                               Catch::Contains("Try smooth_refresh = true"));
  law.smooth_refresh = true;
  CHECK_THAT(message(law), Catch::Contains("Joint 'lap': slip-slap jumps") && !Catch::Contains("smooth_refresh"));
  auto ask = request(0.5 * hertz, 2.5 * hertz, {0.01}, {0, 1, 2});
  ask.continuation.max_points = 3;
  CHECK_THAT(frequency_response(duffing(), ask).branches[0].end.message, !Catch::Contains("Joint"));
}

TEST_CASE("a response without a maximum, a sensor, or a range says so") {
  const FrequencyResponse low =
      frequency_response(linear_oscillator(0.05), request(0.2 * hertz, 0.5 * hertz, {1.0}, {1}));
  CHECK(low.branches[0].end.resonances[0].note == "no maximum inside the range");
  CHECK(low.branches[0].end.resonances[0].damping_ratio < 0.0);

  auto ask = request(1.0, 1.0, {1.0}, {1});
  CHECK_THROWS_WITH(frequency_response(duffing(), ask),
                    "Frequency response 'response': from and to are both 1 Hz; give a range.");
  ask = request(-1.0, 1.0, {1.0}, {1});
  CHECK_THROWS_WITH(frequency_response(duffing(), ask),
                    "Frequency response 'response': from = -1 Hz and to = 1 Hz must both be > 0.");
  ask = request(1.0, 2.0, {}, {1});
  CHECK_THROWS_WITH(frequency_response(duffing(), ask), "Frequency response 'response': the list of levels is empty.");
  ask = request(1.0, 2.0, {1.0}, {1});
  ask.peak_harmonics = {1, 3};
  CHECK_THROWS_WITH(frequency_response(duffing(), ask),
                    "Peaks of harmonic 3 are asked for, but it is not among the balanced harmonics.");
}

TEST_CASE("a superharmonic whose loop nearly closes is left again, and the main resonance is reached") {
  // Harmonic 3 goes round a loop whose two ends differ by 2 % of the frequency: a long step from one of them falls onto the other.
  for (const double level : {0.1, 0.3}) {
    Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1e4, .damping = 0.1}), .loads = {load(1, 0, 1.0)}};
    model.joints = {
        joint("joint", make_iwan(uniform_backbone({.stiffness = 9000.0, .slip_force = 8.0})), 1, {{{0, 1.0}}})};
    auto ask = request(5.0, 40.0, {level}, {0, 1, 2, 3, 4, 5, 6, 7});
    const FrequencyResponse response = frequency_response(model, ask);
    INFO(response.branches[0].end.message);
    CHECK(response.branches[0].end.stop == "reached the end");
    REQUIRE(response.branches[0].end.resonances.size() == 1);
    // Stuck: √19000 rad/s = 21.94 Hz; micro-slip lowers it.
    CHECK(response.branches[0].end.resonances[0].frequency > 20.0);
    CHECK(response.branches[0].end.resonances[0].frequency < 21.94);
  }
}
