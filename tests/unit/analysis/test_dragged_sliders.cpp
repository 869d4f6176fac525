// Stability where a slider sticks all through a period, but at its limit: a static load has dragged it to one side, and a larger
// motion drags it farther. It is not held: what it does next period hangs on this period's extreme.
#include "masing/analysis/frequency_response.hpp"
#include "masing/balance/harmonic_balance.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/variable_load_iwan.hpp"
#include "masing/structure/lumped.hpp"
#include "masing/transient/integrator.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
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

/// How far a motion whose first coordinate begins `shift` away from a balanced one is from it after so many periods.
double apart_after(const Model& model, const ResponsePoint& point, double shift, int periods) {
  const double omega = 2.0 * pi * point.frequency;
  const Index n = model.structure->size();
  const Eigen::Map<const Matrix> all(point.coefficients.data(), n, point.coefficients.size() / n);
  Vector q = all.col(0), v = Vector::Zero(n);
  for (Index p = 1; p + 1 < all.cols(); p += 2) {
    q += all.col(p);
    v += static_cast<double>((p + 1) / 2) * omega * all.col(p + 1);
  }
  TimeIntegrator integrator(dynamic_cast<const SecondOrderStructure&>(*model.structure), model.joints, model.loads,
                            {.level = 1.0, .omega = omega}, {.relative_tolerance = 1e-9});
  integrator.set_state(q + shift * Vector::Unit(n, 0), v, 0.0);
  integrator.advance_to(periods * 2.0 * pi / omega);
  return (integrator.displacement() - q).norm() + (integrator.velocity() - v).norm() / omega;
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

TEST_CASE("a dragged slider goes outward only: disturbances that oscillate do not grow") {
  // Dragged in every period, back and forth, it would have a multiplier of −2.6 here.
  Model model{.structure = chain({.masses = {1.0, 0.908}, .stiffnesses = {1.0, 1.461}, .dampings = {0.03, 0.03}}),
              .loads = {load(2, 0, 0.9983), load(2, 0, 0.8218, 0)}};
  const NormalContact normal({.stiffness = 0.4686, .preload = 0.4779});
  const SlipElement slider{.stiffness = 0.4764, .slip_force = 4.0695};
  const std::shared_ptr<const ContactElement> laws[] = {
      make_element(Friction2d({.stiffness = slider.stiffness, .friction = slider.slip_force, .normal = normal})),
      make_element(VariableLoadIwan({slider}, LoadScaling::constant(1.0), normal))};
  for (const auto& law : laws) {
    model.joints = {joint("slider", law, 2, {{{0, 1.0}}, {{1, 1.0}}})};
    FrequencyResponseRequest ask;
    ask.from = 0.305;
    ask.to = 0.312;
    ask.balance = {.harmonics = HarmonicSet::up_to(25).harmonics(), .samples = 256};
    ask.observables = {{.name = "x1", .coordinate = 0}};
    ask.stability = {.method = StabilityMethod::automatic};
    const ResponseBranch branch = frequency_response(model, ask).branches[0];
    INFO(branch.end.message);
    const Index stable = branch.header.find_quantity("stable");
    for (const ResponsePoint& point : branch.points) CHECK(point.quantities[stable] == 1.0);
    CHECK(std::none_of(branch.special_points.begin(), branch.special_points.end(),
                       [](const SpecialPoint& special) { return special.kind == "period-doubling"; }));
    // In time: the motion that it settles to has the slider a part of the disturbance farther out.
    constexpr double shift = 1e-2;
    const ResponsePoint& middle = branch.points[branch.points.size() / 2];
    CHECK(apart_after(model, middle, shift, 40) < 2.0 * shift);
    CHECK(apart_after(model, middle, -shift, 40) < 2.0 * shift);
  }
}
