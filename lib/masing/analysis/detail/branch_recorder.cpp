#include "masing/analysis/detail/branch_recorder.hpp"

#include "masing/analysis/detail/forgotten_reversals.hpp"
#include "masing/continuation/continuation.hpp"
#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <algorithm>
#include <cassert>

namespace masing::detail {

namespace {

const std::vector<PointQuantity>& energy_quantities() {
  static const std::vector<PointQuantity> quantities = {
      {"input_energy", "J", "energy that the loads (or artificial damping) put in per period"},
      {"material_energy", "J", "energy that the structure's own damping takes per period"},
      {"kinetic_energy", "J", "kinetic energy: half omega^2 times the sum over harmonics of k^2 Q* M Q"},
      {"energy_residual", "1", "input minus dissipated energy, relative to the input; joints with twice the samples"}};
  return quantities;
}

}  // namespace

BranchRecorder::BranchRecorder(const Model& model, HarmonicLadder& ladder, BranchHeader header, ResultSink* sink,
                               const ProgressCallback& progress)
    : model_(model), ladder_(ladder), rung_(&ladder.first()), shares_(model), sink_(sink), progress_(progress) {
  const auto add_quantities = [&](const std::vector<PointQuantity>& more) {
    header.quantities.insert(header.quantities.end(), more.begin(), more.end());
  };
  header.harmonics = ladder.full().harmonics();
  header.samples = ladder.options().samples;
  header.kept_motions = rung_->balance.motion_names();
  header.modes = shares_.modes();
  header.joint_inputs = input_names(model.joints);
  add_quantities(energy_quantities());
  if (rung_->stability) {
    header.stability_basis = rung_->stability->basis();
    add_quantities(PointStability::quantities());
  }
  if (ladder.is_adaptive()) add_quantities(adaptive_quantities());
  for (const Joint& joint : model.joints) header.joints.push_back(joint.name);
  branch_.header = std::move(header);
}

ResponseBranch BranchRecorder::run(const BranchRestart& restart, const std::function<void()>& follow) {
  const bool was_stopped = restart.end.stop == to_string(ContinuationStop::stopped_by_user);
  if (restart.ended && !was_stopped) {
    take(restart);
    branch_.end = restart.end;
    return branch_;
  }
  if (sink_ != nullptr) sink_->begin_branch(branch_.header);
  try {
    follow();
  } catch (const NumericalError& error) {
    branch_.end.stop = "numerical error";
    branch_.end.message = fmt::format("{} {} points are saved.", error.what(), branch_.points.size());
  }
  keep_last();
  branch_.end.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  if (sink_ != nullptr) sink_->end_branch(branch_.header, branch_.end);
  if (!branch_.points.empty()) report(branch_.points.back(), fraction_, true);
  return branch_;
}

void BranchRecorder::take(const BranchRestart& restart) {
  branch_.points = restart.points;
  branch_.special_points = restart.special_points;
  branch_.cycles = restart.cycles;
}

// A branch that came back and left the range at its start did not get where it was sent.
void BranchRecorder::end(const ContinuationSummary& summary) {
  end(summary, summary.complete() && summary.stop != ContinuationStop::left_at_start);
}

void BranchRecorder::end(const ContinuationSummary& summary, bool complete) {
  using enum ContinuationStop;
  branch_.end.stop = to_string(summary.stop);
  branch_.end.complete = complete;
  branch_.end.message = summary.message;
  const bool got_stuck = summary.stop == step_too_small || summary.stop == max_points || summary.stop == max_iterations;
  if (got_stuck || !summary.jumps.empty()) branch_.end.message += jumps_of_laws();
}

/// What the first joint whose law is not continuous in the motion says of it; empty: all are.
std::string BranchRecorder::jumps_of_laws() const {
  constexpr double rounding = 1e-3;  // of laws that close small loops, sampled
  Index first = 0;                   // input
  for (const Joint& joint : model_.joints) {
    const ContactElement& element = *joint.element;
    if (!element.jumps().empty()) return fmt::format(" Joint '{}': {}.", joint.name, element.jumps());
    const Index inputs = element.inputs();
    const bool known = first + inputs <= last_.motion.cols();
    const double jump =
        known ? jump_at_new_reversals(element, last_.motion.middleCols(first, inputs), described_omega_) : 0.0;
    if (jump > rounding) {
      return fmt::format(
          " Joint '{}': its law forgets older reversals. Where a superharmonic gives the relative motion a new pair of "
          "them, however small, the force jumps, by up to {:.2g} of its largest in the motion here: between the "
          "motions "
          "on both sides there is none. A law that remembers all reversals (iwan, iwan-population) goes on.",
          joint.name, jump);
    }
    first += inputs;
  }
  return {};
}

void BranchRecorder::end_at_zero_frequency(const std::string& reason) {
  branch_.end.stop = "frequency fell to zero";
  branch_.end.complete = true;
  branch_.end.message = fmt::format("{} {} points.", reason, branch_.points.size());
}

void BranchRecorder::end_at_meeting() {
  branch_.end.stop = "met another branch";
  branch_.end.complete = true;
  branch_.end.message = fmt::format("The branch meets the one that it left, with {} points.", branch_.points.size());
}

void BranchRecorder::end_fallen_back(double left_at) {
  branch_.end.stop = "fell back";
  branch_.end.message = fmt::format(
      "The branch that leaves at {:.6g} Hz could not be followed: the motion fell back onto the one that it left. Take "
      "other harmonics or samples, or a smaller continuation.step_initial.",
      left_at);
}

void BranchRecorder::end_without_start(const std::string& message) {
  branch_.end.stop = to_string(ContinuationStop::no_start);
  branch_.end.message = message;
}

ResponsePoint BranchRecorder::describe(const BranchPoint& point, const Vector& x, double frequency,
                                       const OwnQuantities& own) {
  const double omega = 2.0 * pi * frequency;
  HarmonicBalance& balance = rung_->balance;
  const HarmonicSet& set = balance.set();
  const Index motions = balance.motions();
  ResponsePoint result{.frequency = frequency,
                       .coefficients = carried_over(x, motions, set, ladder_.full()),
                       .tangent = carried_over(point.tangent, motions, set, ladder_.full()),
                       .step = point.step,
                       .iterations = point.iterations,
                       .residual = point.residual};
  const Eigen::Map<const Matrix> y(x.data(), motions, set.positions());
  result.truncation = truncation(set, y);
  const Matrix all = balance.recover(x, omega);
  for (const Observable& observable : branch_.header.observables) {
    result.observations.push_back(observe(observable, set, all, omega).in_set(set, ladder_.full()));
  }
  const EnergyTerms& energy = rung_->energy.evaluate(balance, all, omega);
  const Vector first = own ? own(energy) : Vector();
  const Vector stable = rung_->stability ? rung_->stability->describe(all, omega) : Vector();
  const Vector last = ladder_.is_adaptive() ? adaptive_values(x, omega) : Vector();
  if (last.size() > 0) result.truncation = last[2];
  result.quantities.resize(first.size() + 4 + stable.size() + last.size());
  result.quantities << first, energy.input, energy.material, energy.kinetic, energy.residual, stable, last;
  assert(result.quantities.size() == static_cast<Index>(branch_.header.quantities.size()));
  result.joint_energy = energy.joints;
  result.joint_amplitude = energy.joint_amplitude;
  described_ = rung_->energy.cycles();
  described_motion_ = all;
  described_omega_ = omega;
  shares_.describe({set, ladder_.full(), all, omega}, energy, rung_->energy, result);
  return result;
}

Vector BranchRecorder::adaptive_values(const Vector& x, double omega) {
  Vector r;
  rung_->balance.residual(x, omega, r);
  const Tail tail = rung_->tail();
  const HarmonicSet& set = rung_->set();
  return Vector{{static_cast<double>(set.highest()), static_cast<double>(set.count()), tail.motion, tail.force,
                 ladder_.is_short(tail) ? 0.0 : 1.0}};
}

Rung& BranchRecorder::rung_of(const ResponsePoint& point) const {
  if (!ladder_.is_adaptive()) return ladder_.first();
  require(point.quantities.size() == static_cast<Index>(branch_.header.quantities.size()),
          "A point of '{}' does not say which harmonics it has: it cannot be gone on from.", branch_.header.analysis);
  const auto number = [&](const char* name) {
    return static_cast<int>(point.quantities[branch_.header.find_quantity(name)]);
  };
  return ladder_.of(number("highest_harmonic"), number("harmonic_count"));
}

bool BranchRecorder::add(ResponsePoint point, double fraction) {
  fraction_ = std::clamp(fraction, 0.0, 1.0);
  branch_.points.push_back(std::move(point));
  if (sink_ != nullptr) sink_->add_point(branch_.header, branch_.points.back());
  last_ = described_;
  if (branch_.points.size() == 1) keep(last_, JointCycles::at_point, 0, branch_.points.front().frequency);
  return report(branch_.points.back(), fraction_, false);
}

// At a Neimark-Sacker point the angle is that of the pair on the unit circle, even if another multiplier is larger.
void BranchRecorder::add(SpecialPoint special) {
  if (special.kind.ends_with("neimark-sacker") && stability() != nullptr) {
    const Index angle = branch_.header.find_quantity("multiplier_angle");
    special.point.quantities[angle] = stability()->modulation_angle(described_motion_, described_omega_);
  }
  branch_.special_points.push_back(std::move(special));
  const SpecialPoint& added = branch_.special_points.back();
  if (sink_ != nullptr) sink_->add_special_point(branch_.header, added);
  if (added.kind != "half-power") keep(described_, added.kind.c_str(), added.after_point, added.point.frequency);
}

void BranchRecorder::keep(JointCycles cycles, const char* kind, Index point, double frequency) {
  if (cycles.motion.size() == 0) return;
  cycles.kind = kind;
  cycles.point = point;
  cycles.frequency = frequency;
  branch_.cycles.push_back(std::move(cycles));
  if (sink_ != nullptr) sink_->add_cycles(branch_.header, branch_.cycles.back());
}

void BranchRecorder::keep_last() {
  if (branch_.points.size() < 2) return;
  keep(last_, JointCycles::at_point, static_cast<Index>(branch_.points.size()) - 1, branch_.points.back().frequency);
}

void BranchRecorder::end_without_start(const FirstSolution& none) {
  end_without_start(none.message);
  if (none.stopped) branch_.end.stop = to_string(ContinuationStop::stopped_by_user);
}

Progress BranchRecorder::progress() const {
  const BranchHeader& header = branch_.header;
  const std::string which =
      !header.label.empty()
          ? header.label
          : fmt::format("{:.4g}{}{}", header.level, header.level_unit.empty() ? "" : " ", header.level_unit);
  return {.task = fmt::format("{}, {}", header.analysis, which),
          .points = static_cast<int>(branch_.points.size()),
          .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count()};
}

bool BranchRecorder::still_wanted(const std::string& work) const {
  if (!progress_) return true;
  Progress now = progress();
  now.task += ", " + work;
  return progress_(now);
}

bool BranchRecorder::report(const ResponsePoint& point, double fraction, bool finished) {
  if (!progress_) return true;
  Progress now = progress();
  now.frequency = point.frequency;
  now.step = point.step;
  now.iterations = point.iterations;
  now.fraction = fraction;
  now.finished = finished;
  if (!point.observations.empty()) {
    const Observation& first = point.observations.front();
    now.amplitude = first.amplitude.size() > 1 ? first.amplitude[ladder_.full().has_zero() ? 1 : 0] : first.rms;
  }
  return progress_(now);
}

}  // namespace masing::detail
