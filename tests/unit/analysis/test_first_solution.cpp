// The search for a first solution: it ends, says what it tried, hears the user, and comes back from elsewhere.
#include "masing/analysis/detail/first_solution.hpp"

#include "masing/analysis/frequency_response.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace masing;
using Catch::Matchers::Contains;
using test::joint;
using test::load;

namespace {

/// ±1 N: a static load of half of that has no equilibrium.
struct Jumping {
  static constexpr int dimension = 1;
  static constexpr int memory = 0;
  static constexpr bool uses_velocity = false;
  struct State {};
  int inputs() const { return 1; }
  State virgin() const { return {}; }
  SmallVector<0> memory_of(const State&) const { return {}; }
  Response<1, 0> advance(const Motion<1>& motion, State&) const {
    Response<1, 0> r;
    r.force[0] = motion.displacement[0] > 0.0 ? 1.0 : -1.0;
    return r;
  }
};

Model unsolvable() {
  return {.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.1}),
          .joints = {joint("jump", make_element(Jumping{}), 1, {{{0, 1.0}}})},
          .loads = {load(1, 0, 0.53, 0), load(1, 0, 1e-6)}};
}

/// A mass on a friction contact that opens in every period: both directions are driven.
Model opening() {
  const NormalContact normal({.stiffness = 5.0e5, .preload = 30.0});
  return {.structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {4.0e4, 2.0e5}, .dampings = {20.0, 30.0}}),
          .joints = {joint("contact", make_element(Friction2d({.stiffness = 2e5, .friction = 0.4, .normal = normal})),
                           2, {{{0, 1.0}}, {{1, 1.0}}})},
          .loads = {load(2, 0, 20.0), load(2, 1, 60.0)}};
}

}  // namespace

TEST_CASE("a first solution that does not exist: the search ends and says what it tried", "[start]") {
  const Model model = unsolvable();
  HarmonicBalance balance(*model.structure, model.joints, model.loads, {.harmonics = {0, 1}, .samples = 16});
  std::set<std::string> tried;
  long asked = 0;
  const auto first = detail::first_solution(balance, 0.1, {}, {.towards = 0.2, .go_on = [&](const std::string& trying) {
                                                                 tried.insert(trying);
                                                                 ++asked;
                                                                 return true;
                                                               }});
  CHECK_FALSE(first.found);
  CHECK_FALSE(first.stopped);
  CHECK_THAT(first.message, Contains("No solution was found at the first frequency, 0.1 Hz. Directly: ") &&
                                Contains("By raising the load: ") && Contains("Begin where the response is small"));
  CHECK(tried.contains("a damped descent"));
  CHECK(tried.contains("from 0.2 Hz"));
  // Six frequencies, each with one descent of at most 200 steps and one curve of at most 400 points, and ten announcements.
  CHECK(asked <= 6 * (200 + 2 * 400) + 10);
  CHECK(balance.level() == 1.0);
}

TEST_CASE("the search for a first solution stops when the user says so", "[start]") {
  const Model model = unsolvable();
  HarmonicBalance balance(*model.structure, model.joints, model.loads, {.harmonics = {0, 1}, .samples = 16});
  for (const int patience : {0, 3}) {
    int asked = 0;
    const auto first = detail::first_solution(
        balance, 0.1, {}, {.towards = 0.2, .go_on = [&](const std::string&) { return asked++ < patience; }});
    CHECK(first.stopped);
    CHECK_FALSE(first.found);
    CHECK(asked == patience + 1);
    CHECK_THAT(first.message, Contains("Stopped by the user before a solution was found at 0.1 Hz"));
  }
  FrequencyResponseRequest request;
  request.from = 0.1;
  request.to = 0.2;
  request.levels = {1.0};
  request.balance = {.harmonics = {0, 1}, .samples = 16};
  request.observables = {{.name = "x", .coordinate = 0}};
  const auto response = frequency_response(model, request, nullptr, [](const Progress&) { return false; });
  CHECK(response.branches[0].end.stop == "stopped by the user");
}

TEST_CASE("a first solution below the resonance of a contact that opens in every period", "[start]") {
  const Model model = opening();
  std::vector<int> harmonics = {0};
  for (int k = 1; k <= 9; ++k) harmonics.push_back(k);
  HarmonicBalance balance(*model.structure, model.joints, model.loads, {.harmonics = harmonics, .samples = 256});
  long asked = 0;
  const auto first = detail::first_solution(balance, 18.0, {}, {.towards = 60.0, .go_on = [&](const std::string&) {
                                                                  ++asked;
                                                                  return true;
                                                                }});
  INFO(first.message);
  REQUIRE(first.found);
  WARN("first solution of a contact that opens: found after " << asked << " questions");
  Vector r;
  balance.residual(first.x, 2.0 * pi * 18.0, r);
  CHECK(r.norm() < 1e-6 * 60.0);  // 1e-9 of each harmonic's forces
}
