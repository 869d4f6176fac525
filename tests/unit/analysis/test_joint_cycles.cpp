#include "masing/analysis/backbone.hpp"
#include "masing/analysis/controlled_response.hpp"
#include "masing/analysis/frequency_response.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace masing;
using test::joint;
using test::load;

namespace {

constexpr double slip_force = 10.0;
constexpr double stiffness = 2e5;

enum class Law { jenkins, iwan };

Model rubbing(Law law) {
  Model model{.structure = oscillator({.mass = 1.0, .stiffness = 4e4, .damping_ratio = 0.01}),
              .loads = {load(1, 0, 20.0)}};
  const BackbonePointer backbone =
      four_parameter_backbone({.stiffness = stiffness, .slip_force = slip_force, .chi = -0.5, .beta = 0.5});
  model.joints = {joint("slider",
                        law == Law::iwan ? make_iwan(backbone)
                                         : make_element(Jenkins({.stiffness = stiffness, .slip_force = slip_force})),
                        1, {{{0, 1.0}}})};
  return model;
}

template <class Request>
Request request(Index samples) {
  Request ask;
  ask.name = "response";
  ask.balance = {.harmonics = {1, 3, 5}, .samples = samples};
  ask.observables = {{.name = "x", .coordinate = 0}};
  return ask;
}

ResponseBranch response(Law law, Index samples, Events events = Events::located) {
  auto ask = request<FrequencyResponseRequest>(samples);
  ask.from = 20.0;
  ask.to = 60.0;
  ask.balance.events = events;
  const ResponseCurves curves = frequency_response(rubbing(law), ask);
  REQUIRE(curves.complete());
  return curves.branches.front();
}

/// The point that the loops belong to.
const ResponsePoint& point_of(const ResponseBranch& branch, const JointCycles& cycles) {
  if (cycles.kind == JointCycles::at_point) return branch.points.at(static_cast<std::size_t>(cycles.point));
  const auto found =
      std::find_if(branch.special_points.begin(), branch.special_points.end(), [&](const SpecialPoint& special) {
        return special.kind == cycles.kind && special.point.frequency == cycles.frequency;
      });
  REQUIRE(found != branch.special_points.end());
  CHECK(found->after_point == cycles.point);
  return found->point;
}

}  // namespace

TEST_CASE("loops are kept of the first and the last point, and of special points but half-power ones") {
  const ResponseBranch branch = response(Law::iwan, 128);
  CHECK(branch.header.joint_inputs == std::vector<std::string>{"slider"});
  const auto kinds = [&](const std::string& kind) {
    return std::count_if(branch.cycles.begin(), branch.cycles.end(),
                         [&](const JointCycles& cycles) { return cycles.kind == kind; });
  };
  CHECK(kinds(JointCycles::at_point) == 2);
  CHECK(kinds("peak") == 1);
  CHECK(kinds("half-power") == 0);
  CHECK(branch.cycles.front().point == 0);
  CHECK(branch.cycles.back().point == static_cast<Index>(branch.points.size()) - 1);
  for (const JointCycles& cycles : branch.cycles) {
    CHECK(cycles.motion.rows() == 128);
    CHECK(cycles.force.rows() == 128);
    CHECK(cycles.frequency == point_of(branch, cycles).frequency);
  }
}

TEST_CASE("the area of a stored loop is the energy that the joint dissipates") {
  // The extrapolated polygon errs by the corners of the loop, of which a Jenkins element has four between samples: their
  // triangles have an area of the order of (2π/N)² of it.
  for (const Law law : {Law::jenkins, Law::iwan}) {
    for (const Index samples : {128, 512}) {
      const ResponseBranch branch = response(law, samples);
      const double corner = std::pow(2.0 * pi / static_cast<double>(samples), 2);
      double largest = 0.0;
      for (const ResponsePoint& point : branch.points) largest = std::max(largest, point.joint_energy[0]);
      REQUIRE(largest > 0.0);
      for (const JointCycles& cycles : branch.cycles) {
        const ResponsePoint& point = point_of(branch, cycles);
        const CycleMeasures measures = cycle_measures(cycles, 0);
        CAPTURE(static_cast<int>(law), samples, cycles.kind, cycles.frequency);
        CHECK(measures.area == Approx(point.joint_energy[0]).margin(corner * largest));
        CHECK(measures.amplitude() == Approx(point.joint_amplitude[0]).epsilon(corner));
        CHECK(std::abs(measures.asymmetry()) < corner);  // odd harmonics: as strong both ways
      }
    }
  }
}

TEST_CASE("forces between located events are those of the law: bounded by slip, on the branches of stick") {
  constexpr double rounding = 1e-9;
  const ResponseBranch branch = response(Law::jenkins, 256);
  const auto peak = std::find_if(branch.cycles.begin(), branch.cycles.end(),
                                 [](const JointCycles& cycles) { return cycles.kind == "peak"; });
  REQUIRE(peak != branch.cycles.end());
  Index sliding = 0;
  double bend = 0.0;  // of the motion within a step
  for (Index i = 0; i < 256; ++i) {
    const double before = peak->motion((i + 255) % 256, 0), behind = peak->motion((i + 1) % 256, 0);
    bend = std::max(bend, std::abs(before - 2.0 * peak->motion(i, 0) + behind));
  }
  for (Index i = 0; i < 256; ++i) {
    const double force = peak->force(i, 0), change = peak->force((i + 1) % 256, 0) - force;
    const double step = peak->motion((i + 1) % 256, 0) - peak->motion(i, 0);
    CHECK(std::abs(force) <= slip_force * (1.0 + rounding));
    // Never steeper than stick, but where the motion turns within the step.
    CHECK(std::abs(change) <= stiffness * (std::abs(step) + bend));
    sliding += std::abs(std::abs(force) - slip_force) < rounding * slip_force ? 1 : 0;
  }
  CHECK(sliding > 64);  // it slides through most of the peak's motion
  // Sampled events give the same loop but for what sampling costs.
  const ResponseBranch sampled = response(Law::jenkins, 256, Events::sampled);
  const auto other = std::find_if(sampled.cycles.begin(), sampled.cycles.end(),
                                  [](const JointCycles& cycles) { return cycles.kind == "peak"; });
  REQUIRE(other != sampled.cycles.end());
  CHECK(cycle_measures(*other, 0).area == Approx(cycle_measures(*peak, 0).area).epsilon(std::pow(2.0 * pi / 256, 2)));
}

TEST_CASE("marks of a backbone and of a force response are solved exactly, with their loops") {
  auto ask = request<BackboneRequest>(128);
  ask.method = BackboneMethod::phase_resonance;
  ask.from = 1e-5;
  ask.to = 1e-3;
  ask.controlled = Quantity::displacement;
  ask.drive = Vector::Ones(1);
  ask.marks = {1e-4, 3e-4};
  const ResponseBranch backbone_branch = backbone(rubbing(Law::iwan), ask).branches.front();
  std::vector<double> amplitudes;
  for (const JointCycles& cycles : backbone_branch.cycles) {
    if (cycles.kind != "level") continue;
    amplitudes.push_back(point_of(backbone_branch, cycles).observations[0].amplitude[0]);
  }
  REQUIRE(amplitudes.size() == 2);
  CHECK(amplitudes[0] == Approx(1e-4).epsilon(1e-8));  // Newton's tolerance
  CHECK(amplitudes[1] == Approx(3e-4).epsilon(1e-8));

  auto levels = request<ForceResponseRequest>(128);
  levels.frequencies = {30.0};
  levels.from_level = 0.1;
  levels.to_level = 2.0;
  levels.marks = {1.0};
  const ResponseBranch force_branch = force_response(rubbing(Law::iwan), levels).branches.front();
  const auto mark = std::find_if(force_branch.cycles.begin(), force_branch.cycles.end(),
                                 [](const JointCycles& cycles) { return cycles.kind == "level"; });
  REQUIRE(mark != force_branch.cycles.end());
  CHECK(point_of(force_branch, *mark).quantities[0] == Approx(1.0).epsilon(1e-8));
}

TEST_CASE("a branch that goes on keeps the loops it had and adds its own") {
  auto ask = request<BackboneRequest>(128);
  ask.method = BackboneMethod::epmc;
  ask.from = 1e-5;
  ask.to = 1e-3;
  ask.marks = {3e-5, 5e-4};
  const ResponseBranch whole = backbone(rubbing(Law::iwan), ask).branches.front();
  REQUIRE(whole.cycles.size() == 4);
  const auto cut = static_cast<std::ptrdiff_t>(whole.cycles[1].point) + 3;
  REQUIRE(cut < static_cast<std::ptrdiff_t>(whole.points.size()));
  REQUIRE(cut <= whole.cycles[2].point);
  BranchRestart restart;
  restart.points.assign(whole.points.begin(), whole.points.begin() + cut);
  restart.special_points = {whole.special_points.front()};
  restart.cycles = {whole.cycles[0], whole.cycles[1]};
  const ResponseBranch resumed = backbone(rubbing(Law::iwan), ask, nullptr, {}, {restart}).branches.front();
  REQUIRE(resumed.cycles.size() == whole.cycles.size());
  for (std::size_t i = 0; i < whole.cycles.size(); ++i) {
    CHECK(resumed.cycles[i].kind == whole.cycles[i].kind);
    CHECK(resumed.cycles[i].point == whole.cycles[i].point);
    CHECK(resumed.cycles[i].motion == whole.cycles[i].motion);
    CHECK(resumed.cycles[i].force == whole.cycles[i].force);
  }
}

TEST_CASE("an ellipse has its area and amplitude, a shifted one its asymmetry") {
  constexpr Index samples = 64;
  JointCycles cycles;
  cycles.motion.resize(samples, 1);
  cycles.force.resize(samples, 1);
  for (Index i = 0; i < samples; ++i) {
    const double tau = 2.0 * pi * static_cast<double>(i) / samples;
    cycles.motion(i, 0) = 0.5 + 2.0 * std::cos(tau);
    cycles.force(i, 0) = 1.0 + 3.0 * std::cos(tau + pi / 2.0);
  }
  const CycleMeasures measures = cycle_measures(cycles, 0);
  // Extrapolation leaves the fourth order: (2π/64)⁴/30 of the area.
  CHECK(measures.area == Approx(6.0 * pi).epsilon(std::pow(2.0 * pi / samples, 4)));
  CHECK(measures.amplitude() == Approx(2.0));
  CHECK(measures.asymmetry() == Approx(1.0 / 3.0));
}

TEST_CASE("columns of joints with one and with several inputs") {
  const std::vector<std::string> inputs = {"bolt", "pad.1", "pad.2", "pad 2.1", "pad 2.2", "pad 2.3"};
  const auto columns = [&](const char* joint) {
    const InputColumns found = columns_of_joint(inputs, joint);
    return std::pair{found.first, found.count};
  };
  CHECK(columns("bolt") == std::pair<Index, Index>{0, 1});
  CHECK(columns("pad") == std::pair<Index, Index>{1, 2});
  CHECK(columns("pad 2") == std::pair<Index, Index>{3, 3});
  CHECK(columns("nothing").second == 0);
}
