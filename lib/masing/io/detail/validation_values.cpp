#include "masing/io/detail/validation_values.hpp"

#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/identification/dissipation_density.hpp"
#include "masing/io/detail/missing.hpp"
#include "masing/io/detail/validation_estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace masing::detail {
namespace {

constexpr double degrees = 180.0 / pi;
constexpr double same_amplitude = 1e-6;  // relative; amplitudes of a study are written with fewer digits than they have

// --- between points ------------------------------------------------------------------------------------------------

/// Value at x of the polynomial through up to four points (xs, ys) next to the interval [i, i + 1].
double interpolated(const Vector& xs, const Vector& ys, Index i, double x) {
  const Index count = std::min<Index>(4, xs.size());
  const Index first = std::clamp<Index>(i - 1, 0, xs.size() - count);
  double sum = 0.0;
  for (Index a = first; a < first + count; ++a) {
    double weight = 1.0;
    for (Index b = first; b < first + count; ++b) {
      if (b != a) weight *= (x - xs[b]) / (xs[a] - xs[b]);
    }
    sum += weight * ys[a];
  }
  return sum;
}

/// ys where xs passes `x` for the first time. The cubic is used where xs is monotonic over its four points.
double passed(const Vector& xs, const Vector& ys, double x, const std::string& name) {
  for (Index i = 0; i + 1 < xs.size(); ++i) {
    if ((xs[i] - x) * (xs[i + 1] - x) > 0.0 || xs[i] == xs[i + 1]) continue;
    const Index first = std::max<Index>(i - 1, 0), last = std::min<Index>(i + 2, xs.size() - 1);
    bool monotonic = true;
    for (Index j = first; j < last; ++j) monotonic = monotonic && (xs[j + 1] - xs[j]) * (xs[i + 1] - xs[i]) > 0.0;
    return monotonic ? interpolated(xs, ys, i, x) : ys[i] + (ys[i + 1] - ys[i]) * (x - xs[i]) / (xs[i + 1] - xs[i]);
  }
  missing("{} never has the value {:.9g}; it goes from {:.9g} to {:.9g}.", name, x, xs.minCoeff(), xs.maxCoeff());
}

// --- loops -----------------------------------------------------------------------------------------------------------

/// The loops of one name and joint; empty names mean the first.
std::vector<const JointLoop*> loops_of(const Results& results, const std::string& loop, const std::string& joint) {
  std::vector<const JointLoop*> found;
  for (const JointLoop& one : results.loops) {
    const std::string& first_loop = found.empty() ? one.loop : found.front()->loop;
    const std::string& first_joint = found.empty() ? one.joint : found.front()->joint;
    if (one.loop != (loop.empty() ? first_loop : loop)) continue;
    if (one.joint == (joint.empty() ? first_joint : joint)) found.push_back(&one);
  }
  if (found.empty()) missing("there is no loop '{}' of a joint '{}'.", loop, joint);
  return found;
}

const JointLoop& numbered(const std::vector<const JointLoop*>& loops, long number) {
  const auto count = static_cast<long>(loops.size());
  if (number > count) missing("there is no loop number {}; there are {}.", number, count);
  return *loops[static_cast<std::size_t>(number - 1)];
}

const JointLoop& chosen_loop(const Results& results, const OptionValues& values) {
  const auto loops = loops_of(results, optional_text(values, "loop"), optional_text(values, "joint"));
  if (values.has("number")) return numbered(loops, values.integer("number"));
  if (!values.has("amplitude")) return *loops.front();
  const double amplitude = values.number("amplitude");
  std::vector<std::string> there;
  for (const JointLoop* loop : loops) {
    if (std::abs(loop->amplitude - amplitude) <= same_amplitude * std::abs(amplitude)) return *loop;
    there.push_back(fmt::format("{:.9g}", loop->amplitude));
  }
  missing("there is no loop of amplitude {:.9g} m; there are {}.", amplitude, join(there, ", "));
}

double loop_value(const Results& results, const OptionValues& values) {
  const JointLoop& loop = chosen_loop(results, values);
  if (!loop.complete) missing("the loop was not computed as asked for: {}", loop.message);
  static const std::map<std::string, double JointLoop::*> members = {
      {"energy", &JointLoop::energy},
      {"energy-by-masing", &JointLoop::energy_of_backbone},
      {"largest-force", &JointLoop::largest_force},
      {"smallest-force", &JointLoop::smallest_force},
      {"secant", &JointLoop::secant_stiffness},
      {"stick", &JointLoop::stick_stiffness},
      {"end", &JointLoop::end_stiffness},
      {"loss-factor", &JointLoop::loss_factor},
      {"slope", &JointLoop::slope},
      {"mean-force", &JointLoop::mean_force},
      {"amplitude", &JointLoop::amplitude},
      {"normal-energy", &JointLoop::normal_energy}};
  const std::string& what = values.text("value");
  return what == "peak-force" ? loop.peak_force() : loop.*members.at(what);
}

double sample_value(const Results& results, const OptionValues& values) {
  const JointLoop& loop = numbered(loops_of(results, optional_text(values, "loop"), optional_text(values, "joint")),
                                   values.integer("number"));
  const std::string& what = values.text("value");
  const Index column = what == "second-force" ? 1 : 0;
  if (loop.force.cols() <= column) missing("the joint '{}' has one input only.", loop.joint);
  const Vector samples = what == "work"           ? loop.work
                         : what == "displacement" ? Vector(loop.displacement.col(0))
                                                  : Vector(loop.force.col(column));
  const double place = values.number("at") * static_cast<double>(samples.size() - 1);
  const Index before = std::min(static_cast<Index>(place), std::max<Index>(samples.size() - 2, 0));
  const Index after = std::min(before + 1, samples.size() - 1);
  const double share = place - static_cast<double>(before);
  return samples[before] + share * (samples[after] - samples[before]);
}

struct LossesOverAmplitude {
  Vector amplitude, energy;
  double stiffness = 0.0;
};

/// Of a joint along a branch whose amplitudes rise: points that do not, and those beyond the largest wanted, are left out.
LossesOverAmplitude losses_of_branch(const Results& results, const OptionValues& values) {
  const StoredAnalysis& analysis = branches_of(results, values.text("analysis"));
  const StoredBranch& branch = numbered_branch(analysis, 1);
  if (!values.has("stiffness")) missing("the stiffness of the joint is needed.");
  const PointPlace place{.joint = values.has("joint") ? values.text("joint") : branch.header.joints.at(0)};
  const double most = values.has("up_to") ? values.number("up_to") : std::numeric_limits<double>::infinity();
  std::vector<double> amplitude, energy;
  for (const ResponsePoint& point : branch.points) {
    const double here = point_value(branch.header, point, "joint-amplitude", place);
    if (here > most || (!amplitude.empty() && here <= amplitude.back())) continue;
    amplitude.push_back(here);
    energy.push_back(point_value(branch.header, point, "joint-energy", place));
  }
  const auto count = static_cast<Index>(amplitude.size());
  return {Eigen::Map<Vector>(amplitude.data(), count), Eigen::Map<Vector>(energy.data(), count),
          values.number("stiffness")};
}

LossesOverAmplitude losses_of_loops(const Results& results, const OptionValues& values) {
  const auto loops = loops_of(results, optional_text(values, "loop"), optional_text(values, "joint"));
  Vector amplitude(static_cast<Index>(loops.size())), energy = amplitude;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    amplitude[static_cast<Index>(i)] = loops[i]->amplitude;
    energy[static_cast<Index>(i)] = loops[i]->energy;
  }
  return {amplitude, energy, loops.front()->stick_stiffness};
}

double density_value(const Results& results, const OptionValues& values) {
  const LossesOverAmplitude losses =
      values.has("analysis") ? losses_of_branch(results, values) : losses_of_loops(results, values);
  try {
    const DissipationDensity found = density_from_dissipation(losses.amplitude, losses.energy, losses.stiffness);
    return passed(found.force, found.density, values.number("at"), "the slip force");
  } catch (const ModelError& error) {
    missing("there is no density: {}", error.what());
  }
}

// --- modes -----------------------------------------------------------------------------------------------------------

double mode_value(const Results& results, const OptionValues& values) {
  const std::string& state = values.text("state");
  for (const ModeSet& set : results.modes) {
    const bool same =
        std::any_of(set.same.begin(), set.same.end(), [&](JointState s) { return to_string(s) == state; });
    if (to_string(set.state) != state && !same) continue;
    if (!set.complete) missing("the modes with joints {} were not computed: {}", state, set.message);
    const auto number = static_cast<std::size_t>(values.integer("mode"));
    if (number > set.modes.size()) missing("there is no mode {}; there are {}.", number, set.modes.size());
    const LinearMode& mode = set.modes[number - 1];
    const std::string& what = values.text("value");
    if (what == "damping-ratio") return mode.mode.damping_ratio;
    return what == "modal-mass" ? mode.modal_mass : mode.mode.omega / (2.0 * pi);
  }
  missing("there are no modes with joints {}.", state);
}

// --- branches and histories ------------------------------------------------------------------------------------------

/// By its level, or by its number.
const StoredBranch& branch_of(const StoredAnalysis& analysis, const OptionValues& values) {
  if (values.has("level")) {
    const double level = values.number("level");
    for (const StoredBranch& branch : analysis.branches) {
      if (std::abs(branch.header.level - level) <= same_amplitude * std::abs(level)) return branch;
    }
    missing("analysis '{}' has no branch of level {:.9g}.", analysis.name, level);
  }
  return numbered_branch(analysis, values.integer("branch"));
}

double resonance_value(const Results& results, const OptionValues& values) {
  const StoredAnalysis& analysis = branches_of(results, optional_text(values, "analysis"));
  const StoredBranch& branch = branch_of(analysis, values);
  if (!branch.end.complete) missing("analysis '{}' stopped early: {}", analysis.name, branch.end.message);
  const auto& sensors = branch.header.observables;
  const std::string& sensor = sensors[sensor_of(sensors, optional_text(values, "sensor"))].name;
  for (const Resonance& found : branch.end.resonances) {
    if (found.observable != sensor || found.harmonic != values.integer("harmonic")) continue;
    const std::string& what = values.text("value");
    if (what == "amplitude") return found.amplitude;
    if (what == "frequency") return found.frequency;
    if (found.damping_ratio < 0.0) missing("the resonance has no damping ratio: {}", found.note);
    return found.damping_ratio;
  }
  missing("analysis '{}' found no resonance of '{}' in harmonic {}.", analysis.name, sensor,
          values.integer("harmonic"));
}

double curve_value(const Results& results, const OptionValues& values) {
  const StoredAnalysis& analysis = branches_of(results, optional_text(values, "analysis"));
  const StoredBranch& branch = branch_of(analysis, values);
  const PointPlace place{.sensor = sensor_of(branch.header.observables, optional_text(values, "sensor")),
                         .harmonic = static_cast<int>(values.integer("harmonic")),
                         .joint = optional_text(values, "joint")};
  const std::string& what = values.text("value");
  const auto value_at = [&](const ResponsePoint& point) { return point_value(branch.header, point, what, place); };
  if (values.has("point")) {
    return value_at(values.text("point") == "first" ? branch.points.front() : branch.points.back());
  }
  const auto count = static_cast<Index>(branch.points.size());
  Vector xs(count), ys(count);
  for (Index i = 0; i < count; ++i) {
    const ResponsePoint& point = branch.points[static_cast<std::size_t>(i)];
    xs[i] = point_value(branch.header, point, values.text("along"), {.sensor = place.sensor, .joint = place.joint});
    ys[i] = value_at(point);
  }
  return passed(xs, ys, values.number("at"), values.text("along"));
}

double cycle_value(const Results& results, const OptionValues& values) {
  const StoredBranch branch = branch_with_cycles(results, values);
  const std::string& at = values.text("at");
  const auto found = cycles_at(branch, at);
  const auto number = static_cast<std::size_t>(values.integer("number"));
  if (number > found.size()) missing("the branch has {} stored loops at '{}', not {}.", found.size(), at, number);
  const CycleMeasures measures = cycle_measures(
      *found[number - 1], cycle_input(branch.header, optional_text(values, "joint"), values.integer("input")));
  const std::string& what = values.text("value");
  if (what == "amplitude") return measures.amplitude();
  if (what == "asymmetry") return measures.asymmetry();
  static const std::map<std::string, double CycleMeasures::*> members = {
      {"area", &CycleMeasures::area},
      {"largest-motion", &CycleMeasures::largest_motion},
      {"smallest-motion", &CycleMeasures::smallest_motion},
      {"largest-force", &CycleMeasures::largest_force},
      {"smallest-force", &CycleMeasures::smallest_force}};
  return measures.*members.at(what);
}

double history_value(const Results& results, const OptionValues& values) {
  const StoredAnalysis& analysis = histories_of(results, optional_text(values, "analysis"));
  const auto number = static_cast<std::size_t>(values.integer("history"));
  if (number > analysis.histories.size()) missing("there is no history {}.", number);
  const TimeHistory& history = analysis.histories[number - 1];
  const auto column = static_cast<Index>(sensor_of(history.observables, optional_text(values, "sensor")));
  const std::string& what = values.text("value");
  if (what != "sample") {
    if (!history.is_steady) missing("the motion is not steady: {}", history.message);
    const Observation& seen = history.steady[static_cast<std::size_t>(column)];
    if (what == "steady-peak") return seen.peak;
    const Index harmonic = values.integer("harmonic");  // all of them are there, from 0
    if (harmonic >= seen.amplitude.size()) missing("harmonic {} was not observed.", harmonic);
    return what == "steady-amplitude" ? seen.amplitude[harmonic] : seen.phase[harmonic] * degrees;
  }
  const Vector samples = history.values.col(column);
  return passed(history.time, samples, values.number("time"), "time");
}

double value_in(const Results& results, const OptionValues& values) {
  using Take = double (*)(const Results&, const OptionValues&);
  static const std::map<std::string, Take> kinds = {{"loop", loop_value},           {"loop-sample", sample_value},
                                                    {"density", density_value},     {"mode", mode_value},
                                                    {"resonance", resonance_value}, {"curve", curve_value},
                                                    {"cycle", cycle_value},         {"history", history_value}};
  return kinds.at(values.text("kind"))(results, values);
}

double single_value(const CaseResults& results, const OptionValues& values) {
  if (values.text("kind") == "estimate") return estimated_value(values);
  const std::string& run = values.text("run");
  const auto found = results.find(run);
  if (found == results.end()) missing("the run '{}' did not finish.", run);
  const double value = value_in(found->second, values);
  if (!std::isfinite(value)) missing("run '{}': it has no {}.", run, optional_text(values, "value"));
  return value;
}

}  // namespace

std::string optional_text(const OptionValues& values, const char* key) {
  return values.has(key) ? values.text(key) : "";
}

const StoredAnalysis& branches_of(const Results& results, const std::string& name) {
  for (const StoredAnalysis& analysis : results.analyses) {
    if (!analysis.branches.empty() && (name.empty() || analysis.name == name)) return analysis;
  }
  missing("there is no analysis '{}' with branches.", name);
}

const StoredAnalysis& histories_of(const Results& results, const std::string& name) {
  for (const StoredAnalysis& analysis : results.analyses) {
    if (!analysis.histories.empty() && (name.empty() || analysis.name == name)) return analysis;
  }
  missing("there is no analysis '{}' with histories.", name);
}

std::size_t sensor_of(const std::vector<Observable>& sensors, const std::string& name) {
  if (sensors.empty()) missing("there are no sensors.");
  if (name.empty()) return 0;
  std::vector<std::string> known;
  for (const Observable& sensor : sensors) {
    if (sensor.name == name) return known.size();
    known.push_back(sensor.name);
  }
  missing("there is no sensor '{}'.{}", name, suggestion(name, known));
}

const StoredBranch& numbered_branch(const StoredAnalysis& analysis, long number) {
  const auto at = static_cast<std::size_t>(number);
  if (at > analysis.branches.size()) {
    missing("analysis '{}' has no branch {}; it has {}.", analysis.name, number, analysis.branches.size());
  }
  const StoredBranch& branch = analysis.branches[at - 1];
  if (branch.points.empty()) missing("branch {} of analysis '{}' has no point.", number, analysis.name);
  return branch;
}

std::vector<const JointCycles*> cycles_at(const StoredBranch& branch, const std::string& at) {
  const bool is_end = at == "first" || at == "last";
  const Index wanted = at == "first" ? 0 : static_cast<Index>(branch.points.size()) - 1;
  std::vector<const JointCycles*> found;
  for (const JointCycles& cycles : branch.cycles) {
    const bool fits = is_end ? cycles.kind == JointCycles::at_point && cycles.point == wanted : cycles.kind == at;
    if (fits) found.push_back(&cycles);
  }
  return found;
}

StoredBranch steady_cycles(const TimeHistory& history) {
  if (!history.is_steady) missing("the motion is not steady: {}", history.message);
  const double step = history.time[1] - history.time[0];
  const auto samples = static_cast<Index>(std::lround(1.0 / (history.frequency * step)));
  StoredBranch branch;
  branch.header.joint_inputs = history.joint_forces;
  for (const std::string& input : history.joint_forces) {
    const std::string joint = input.ends_with(".1") ? input.substr(0, input.size() - 2) : input;
    if (columns_of_joint(history.joint_forces, joint).count > 0) branch.header.joints.push_back(joint);
  }
  branch.cycles.push_back({.kind = "steady",
                           .point = 0,
                           .frequency = history.frequency,
                           .motion = history.joint_motion.bottomRows(samples),
                           .force = history.joint_force.bottomRows(samples)});
  return branch;
}

StoredBranch branch_with_cycles(const Results& results, const OptionValues& values) {
  const std::string analysis = optional_text(values, "analysis");
  const long number = values.integer("branch");
  if (values.text("at") != "steady") return numbered_branch(branches_of(results, analysis), number);
  const StoredAnalysis& transient = histories_of(results, analysis);
  if (number > static_cast<long>(transient.histories.size())) missing("there is no history {}.", number);
  return steady_cycles(transient.histories[static_cast<std::size_t>(number - 1)]);
}

Index cycle_input(const BranchHeader& header, const std::string& joint, long input) {
  if (header.joints.empty()) missing("there are no joints.");
  const InputColumns columns = columns_of_joint(header.joint_inputs, joint.empty() ? header.joints.front() : joint);
  if (columns.count == 0) missing("there is no joint '{}'.{}", joint, suggestion(joint, header.joints));
  if (input > columns.count) missing("the joint has {} relative motions, not {}.", columns.count, input);
  return columns.first + input - 1;
}

double taken_value(const Results& results, const OptionValues& values) {
  const double value = value_in(results, values);
  if (!std::isfinite(value)) missing("the results have no {}.", optional_text(values, "value"));
  return value;
}

double taken_value(const CaseResults& results, const Extraction& extraction) {
  const double value = single_value(results, extraction.value);
  if (!extraction.against) return value;
  const double other = single_value(results, *extraction.against);
  if (extraction.combine == "difference") return value - other;
  if (extraction.combine == "product") return value * other;
  if (other == 0.0) missing("what it is divided by is zero.");
  return extraction.combine == "ratio" ? value / other : value / other - 1.0;
}

}  // namespace masing::detail
