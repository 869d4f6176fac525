// Stability where a slider sticks all through a period, but at its limit: a static load has dragged it to one side, and a larger
// motion drags it farther. It is not held: what it does next period hangs on this period's extreme.
#include "masing/analysis/frequency_response.hpp"
#include "masing/balance/harmonic_balance.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/structure/lumped.hpp"
#include "masing/transient/integrator.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;
using test::joint;
using test::load;

namespace {

constexpr double stick = 0.6, limit = 0.3;

Model dragged(const std::shared_ptr<const ContactElement>& slider) {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 1.0, .damping = 0.04}),
              .loads = {load(1, 0, 0.05), load(1, 0, 0.7, 0)}};
  std::vector<std::map<Index, double>> directions = {{{0, 1.0}}};
  if (slider->inputs() == 2) directions.push_back({{0, 1e-9}});  // a normal load that stays
  model.joints = {joint("slider", slider, 1, directions),
                  joint("spring", make_element(CubicSpring({.cubic_stiffness = 0.4})), 1, {{{0, 1.0}}})};
  return model;
}

/// How far a motion that begins `shift` away from a balanced one is from it after so many periods.
double apart_after(const Model& model, const ResponsePoint& point, double shift, int periods) {
  const double omega = 2.0 * pi * point.frequency;
  const Eigen::Map<const Matrix> all(point.coefficients.data(), 1, point.coefficients.size());
  Vector q = Vector::Constant(1, all(0, 0)), v = Vector::Zero(1);
  for (Index p = 1; p + 1 < all.cols(); p += 2) {
    q[0] += all(0, p);
    v[0] += static_cast<double>((p + 1) / 2) * omega * all(0, p + 1);
  }
  TimeIntegrator integrator(dynamic_cast<const SecondOrderStructure&>(*model.structure), model.joints, model.loads,
                            {.level = 1.0, .omega = omega}, {.relative_tolerance = 1e-9});
  integrator.set_state(q + Vector::Constant(1, shift), v, 0.0);
  integrator.advance_to(periods * 2.0 * pi / omega);
  return std::abs(integrator.displacement()[0] - q[0]) + std::abs(integrator.velocity()[0] - v[0]) / omega;
}

}  // namespace

TEST_CASE("a slider that the motion drags to one side does not hold a branch between folds") {
  const NormalContact normal({.stiffness = 1.0, .preload = 1.0});
  const std::shared_ptr<const ContactElement> laws[] = {
      make_element(Jenkins({.stiffness = stick, .slip_force = limit})),
      make_element(Friction2d({.stiffness = stick, .friction = limit, .normal = normal}))};
  for (const auto& law : laws) {
    const Model model = dragged(law);
    FrequencyResponseRequest ask;
    ask.from = 0.2;
    ask.to = 0.26;
    ask.balance = {.harmonics = HarmonicSet::up_to(9).harmonics(), .samples = 256};
    ask.observables = {{.name = "x", .coordinate = 0}};
    ask.stability = {.method = StabilityMethod::automatic};
    const FrequencyResponse response = frequency_response(model, ask);
    const ResponseBranch& branch = response.branches[0];
    INFO(law->inputs() << " inputs: " << branch.end.message);
    std::vector<Index> folds;
    for (const SpecialPoint& special : branch.special_points) {
      if (special.kind == "fold") folds.push_back(special.after_point);
    }
    REQUIRE(folds.size() == 2);
    const Index stable = branch.header.find_quantity("stable");
    for (Index i = 0; i < static_cast<Index>(branch.points.size()); ++i) {
      const bool between = i > folds[0] && i <= folds[1];
      CHECK(branch.points[static_cast<std::size_t>(i)].quantities[stable] == (between ? 0.0 : 1.0));
    }
    // In time. A slider that has been dragged stays a little farther than it was, so that the motion settles within a few of the
    // disturbance; between the folds it leaves, in the sense in which it drags.
    constexpr double shift = 1e-4;
    const auto at = [&](Index i) { return branch.points[static_cast<std::size_t>(i)]; };
    CHECK(apart_after(model, at(folds[0] / 2), shift, 300) < 5.0 * shift);
    CHECK(apart_after(model, at((folds[0] + folds[1] + 1) / 2), shift, 300) > 50.0 * shift);
  }
}
