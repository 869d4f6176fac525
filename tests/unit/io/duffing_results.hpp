// Made-up but realistic results for the tests of files and pictures: the closed-form frequency response of a Duffing
// oscillator balanced with one harmonic, x'' + c x' + x + a x³ = F cos ωt,
//
//   ((s − ω²)² + c² ω²) A² = F²,   s = 1 + 3/4 a A²,
//
// whose curve over A is explicit in ω², so that both folds and the peak come without a solver.
#pragma once

#include "masing/io/results.hpp"
#include "support/scratch_folder.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

namespace masing::test {

struct DuffingCurve {
  double damping = 0.04;
  double cubic = 0.5;
  double force = 0.1;

  double stiffening(double amplitude) const { return 1.0 + 0.75 * cubic * amplitude * amplitude; }
  double discriminant(double amplitude) const {
    const double c2 = damping * damping;
    return c2 * c2 / 4.0 - c2 * stiffening(amplitude) + force * force / (amplitude * amplitude);
  }
  double largest_amplitude() const {
    double low = 1e-6, high = 1e3;
    for (int i = 0; i < 200; ++i) (discriminant(0.5 * (low + high)) > 0.0 ? low : high) = 0.5 * (low + high);
    return low;
  }
  /// Circular frequency on the side before (-1) or behind (+1) the peak.
  double frequency(double amplitude, int side) const {
    const double root = std::sqrt(std::max(0.0, discriminant(amplitude)));
    return std::sqrt(std::max(0.0, stiffening(amplitude) - damping * damping / 2.0 + side * root));
  }
};

inline BranchHeader duffing_header(int index, double level) {
  return {.analysis = "levels",
          .index = index,
          .level = level,
          .level_unit = "N",
          .harmonics = {0, 1, 3},
          .samples = 64,
          .kept_motions = {"x"},
          .observables = {{.name = "tip", .coordinate = 0, .quantity = Quantity::displacement},
                          {.name = "tip speed", .coordinate = 0, .quantity = Quantity::velocity}},
          .joint_inputs = {"spring"},
          .modes = {1.0 / (2.0 * pi)}};
}

inline ResponsePoint duffing_point(const DuffingCurve& curve, double amplitude, int side) {
  const double omega = curve.frequency(amplitude, side);
  const double phase = std::atan2(-curve.damping * omega, curve.stiffening(amplitude) - omega * omega);
  const double third = curve.cubic * std::pow(amplitude, 3) / 4.0 / std::abs(1.0 - 9.0 * omega * omega);
  ResponsePoint point;
  point.frequency = omega / (2.0 * pi);
  point.coefficients = Vector::Zero(5);
  point.coefficients << 0.0, amplitude * std::cos(phase), -amplitude * std::sin(phase), third * std::cos(3.0 * phase),
      -third * std::sin(3.0 * phase);
  point.tangent = Vector::LinSpaced(6, -1.0 / 3.0, std::sqrt(2.0) * amplitude);
  point.step = 0.1 * amplitude;
  point.iterations = 3;
  point.residual = 1e-12 * amplitude;
  point.truncation = third * third / (amplitude * amplitude);
  Observation tip;
  tip.amplitude = Eigen::Vector3d(0.0, amplitude, third);
  tip.phase = Eigen::Vector3d(0.0, phase, 3.0 * phase);
  tip.rms = tip.amplitude.norm() / std::sqrt(2.0);
  tip.peak = amplitude + third;
  Observation speed = tip;
  speed.amplitude = Eigen::Vector3d(0.0, omega * amplitude, 3.0 * omega * third);
  speed.rms = speed.amplitude.norm() / std::sqrt(2.0);
  speed.peak = speed.amplitude.sum();
  point.observations = {tip, speed};
  point.harmonic_share = speed.amplitude / speed.amplitude.norm();
  point.modal_share = Eigen::Vector3d(0.0, 1.0, 1.0);
  point.mode_frequency = Vector::Constant(1, std::sqrt(curve.stiffening(amplitude)) / (2.0 * pi));
  return point;
}

/// The loop of spring and dashpot together, as if they were a joint; its area is π c ω A².
inline JointCycles duffing_cycles(const DuffingCurve& curve, double amplitude, Index point) {
  const double omega = curve.frequency(amplitude, -1);
  JointCycles cycles{.kind = "peak", .point = point, .frequency = omega / (2.0 * pi), .motion = {}, .force = {}};
  cycles.motion.resize(256, 1);
  cycles.force.resize(256, 1);
  for (Index i = 0; i < 256; ++i) {
    const double tau = 2.0 * pi * static_cast<double>(i) / 256.0, x = amplitude * std::cos(tau);
    cycles.motion(i, 0) = x;
    cycles.force(i, 0) = x + curve.cubic * x * x * x - curve.damping * omega * amplitude * std::sin(tau);
  }
  return cycles;
}

inline StoredBranch duffing_branch(int index, double force, int points_each_side = 80) {
  const DuffingCurve curve{.force = force};
  const double top = curve.largest_amplitude();
  StoredBranch branch{.header = duffing_header(index, force)};
  for (int side : {-1, 1})
    for (int i = 0; i < points_each_side; ++i) {
      const double t = (i + 0.5) / points_each_side;
      const double share = std::sin(0.5 * pi * (side < 0 ? t : 1.0 - t));  // dense near the peak
      const double bottom = side < 0 ? force / 0.8 : 0.05 * top;
      branch.points.push_back(duffing_point(curve, bottom + (top - bottom) * share, side));
    }
  for (std::size_t i = 1; i + 1 < branch.points.size(); ++i) {
    const double before = branch.points[i].frequency - branch.points[i - 1].frequency;
    const double behind = branch.points[i + 1].frequency - branch.points[i].frequency;
    if (before * behind < 0.0)
      branch.special_points.push_back({"fold", static_cast<Index>(i), "", 0, branch.points[i]});
  }
  const ResponsePoint peak = duffing_point(curve, top, -1);
  branch.special_points.push_back({"peak", points_each_side - 1, "tip", 1, peak});
  branch.cycles.push_back(duffing_cycles(curve, top, points_each_side - 1));
  branch.ended = true;
  branch.end = {.stop = "reached the end",
                .complete = true,
                .message = "The whole range was followed.",
                .resonances = {{"tip", 1, peak.frequency, top, -1.0, "the curve is folded: no half-power bandwidth"}},
                .seconds = 0.25};
  return branch;
}

inline TimeHistory friction_history() {
  TimeHistory history;
  history.analysis = "time";
  history.level = 0.3;
  history.frequency = 0.2;
  history.observables = duffing_header(0, 0.0).observables;
  history.time = Vector::LinSpaced(400, 0.0, 20.0);
  history.values.resize(400, 2);
  history.joint_forces = {"support", "support.1"};
  history.joint_force.resize(400, 2);
  history.joint_motion.resize(400, 2);
  double spring = 0.0, last = 0.0;
  for (Index i = 0; i < 400; ++i) {
    const double angle = 2.0 * pi * history.frequency * history.time[i];
    const double motion = std::sin(angle);
    spring = std::clamp(spring + (motion - last), -0.4, 0.4);
    last = motion;
    history.values.row(i) << motion, 2.0 * pi * history.frequency * std::cos(angle);
    history.joint_force.row(i) << spring, 0.5 * spring;
    history.joint_motion.row(i) << motion, 2.0 * motion;
  }
  history.steady = {{Eigen::Vector2d(0.0, 1.0), Eigen::Vector2d(0.0, -pi / 2.0), std::sqrt(0.5), 1.0},
                    {Eigen::Vector2d(0.0, 1.25), Eigen::Vector2d(0.0, 0.0), 0.9, 1.25}};
  history.is_steady = true;
  history.message = "Steady after 4 periods.";
  return history;
}

inline ResultMetadata duffing_metadata() {
  return {.title = "Duffing <oscillator> & friends",
          .study_text = "title = \"Duffing\"\n# μ, é, <b>\n[structure]\n",
          .overrides = {"joint.0.slip_force=0.3"},
          .program_version = "0.1.0"};
}

inline Results duffing_results() {
  Results results{
      .metadata = duffing_metadata(), .created = "2026-01-31T12:00:00Z", .summary = "2 branches", .analyses = {}};
  results.analyses.push_back({"levels", {duffing_branch(0, 0.1), duffing_branch(1, 0.3)}, {}});
  results.analyses.push_back({"time", {}, {friction_history()}});
  return results;
}

inline void send(const StoredBranch& branch, ResultSink& sink) {
  sink.begin_branch(branch.header);
  for (const ResponsePoint& point : branch.points) sink.add_point(branch.header, point);
  for (const SpecialPoint& special : branch.special_points) sink.add_special_point(branch.header, special);
  for (const JointCycles& cycles : branch.cycles) sink.add_cycles(branch.header, cycles);
  if (branch.ended) sink.end_branch(branch.header, branch.end);
}

class TemporaryFolder : public ScratchFolder {
 public:
  std::string operator/(const std::string& name) const { return file(name); }
};

}  // namespace masing::test
