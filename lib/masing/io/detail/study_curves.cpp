// [[analysis]] of the kinds backbone, force-response, response-control, and all that track or search
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/study_parts.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {
namespace {

void fill_curve(CurveRequest& request, const OptionValues& values, const ModelPart& part, const SolverPart& solver,
                const std::vector<Observable>& sensors) {
  request.name = values.text("name");
  request.observables = chosen_sensors(values, sensors);
  if (part.amplitudes.size() == 1) {
    request.level_value = part.amplitudes.front().value;
    request.level_unit = part.amplitudes.front().unit;
  }
  request.balance = solver.balance;
  request.newton = solver.newton;
  request.continuation = solver.continuation;
  request.stability = read_stability(values);
}

void require_oscillating(const OptionValues& values, const ModelPart& part) {
  require(!part.amplitudes.empty(),
          "{}: {}: nothing oscillates. Add an [excitation] with `force` or `base_acceleration`.", values.where(""),
          values.context());
}

/// The one range that is written, from_<of> and to_<of>.
struct WrittenRange {
  std::string of;
  double from = 0.0;
  double to = 0.0;
  std::vector<double> marks = {};
};

/// Values in the range, in its unit.
std::vector<double> read_marks(const OptionValues& values, const WrittenRange& range) {
  if (!values.has("marks")) return {};
  const auto [low, high] = std::minmax(range.from, range.to);
  for (const double mark : values.numbers("marks")) {
    if (mark > low && mark < high) continue;
    values.reject("marks", fmt::format("has the entry {:g}, which is not inside the range {:g} … {:g}; loops of its "
                                       "ends are stored anyway.",
                                       mark, low, high));
  }
  return values.numbers("marks");
}

/// `beside` are ranges of another meaning, which may stand there too.
WrittenRange read_range(const OptionValues& values, const std::vector<std::string>& allowed,
                        const std::vector<std::string>& beside = {}) {
  std::vector<std::string> written;
  const std::vector<std::string> all = {"modal_amplitude", "force",    "level",
                                        "displacement",    "velocity", "acceleration"};
  for (const std::string& of : all) {
    const std::string from = "from_" + of, to = "to_" + of;
    if (!values.has(from) && !values.has(to)) continue;
    if (std::find(beside.begin(), beside.end(), of) != beside.end()) continue;
    const std::string& there = values.has(from) ? from : to;
    if (std::find(allowed.begin(), allowed.end(), of) == allowed.end()) {
      values.reject(there, fmt::format("does not fit here; the range is one of {}.", join(allowed, ", ")));
    }
    if (!values.has(from) || !values.has(to)) {
      values.reject(there, fmt::format("needs {} beside it.", values.has(from) ? to : from));
    }
    if (values.number(from) == values.number(to)) values.reject(to, fmt::format("must differ from {}.", from));
    written.push_back(of);
  }
  require(written.size() == 1, "{}: {}: give exactly one range, from_… and to_…, of {}{}.", values.where(""),
          values.context(), join(allowed, ", "),
          written.empty() ? "" : fmt::format(", not {}", join(written, " and ")));
  WrittenRange range{written.front(), values.number("from_" + written.front()), values.number("to_" + written.front())};
  range.marks = read_marks(values, range);
  return range;
}

/// The force of level 1 [N]; forces can be written only when there is exactly one.
double force_amplitude(const OptionValues& values, const ModelPart& part, const std::string& key) {
  if (part.amplitudes.size() != 1 || !part.amplitudes.front().is_force()) {
    values.reject(key, fmt::format("needs a study with exactly one oscillating force. Use {}.",
                                   key == "forces" ? "levels" : "from_level and to_level"));
  }
  return part.amplitudes.front().value;
}

/// Levels as factors.
void to_levels(WrittenRange& range, const OptionValues& values, const ModelPart& part) {
  if (range.of != "force") return;
  const double unit = force_amplitude(values, part, "from_force");
  range.from /= unit;
  range.to /= unit;
  for (double& mark : range.marks) mark /= unit;
}

const Load* single_force(const ModelPart& part) {
  if (part.amplitudes.size() != 1 || !part.amplitudes.front().is_force()) return nullptr;
  const auto found = std::find_if(part.model.loads.begin(), part.model.loads.end(),
                                  [](const Load& load) { return load.harmonic != 0; });
  return found == part.model.loads.end() ? nullptr : &*found;
}

const Observable& sensor_called(const OptionValues& values, const std::vector<Observable>& sensors) {
  std::vector<std::string> names;
  for (const Observable& sensor : sensors) names.push_back(sensor.name);
  const auto found = std::find(names.begin(), names.end(), values.text("sensor"));
  if (found == names.end()) {
    values.reject("sensor", fmt::format("is not a sensor of this study.{}", suggestion(values.text("sensor"), names)));
  }
  return sensors[static_cast<std::size_t>(found - names.begin())];
}

int balanced_harmonic(const OptionValues& values, const std::vector<int>& balanced) {
  const long harmonic = values.integer("harmonic");
  if (std::find(balanced.begin(), balanced.end(), harmonic) == balanced.end()) {
    values.reject("harmonic", "is not among the balanced harmonics.");
  }
  return static_cast<int>(harmonic);
}

/// forces or levels, inside the range that is followed; empty when neither is written.
std::vector<double> told_levels(const OptionValues& values, const ModelPart& part, const TrackingRequest& request) {
  const std::string key = values.has("forces") ? "forces" : "levels";
  if (!values.has(key)) return {};
  if (values.has("forces") && values.has("levels")) values.reject("levels", "is given beside forces; give one.");
  std::vector<double> levels = values.numbers(key);
  if (levels.empty()) values.reject(key, "must have at least one entry.");
  const double unit = key == "forces" ? force_amplitude(values, part, key) : 1.0;
  const auto [low, high] = std::minmax(request.from_level, request.to_level);
  for (double& level : levels) {
    level /= unit;
    if (level < low || level > high) {
      values.reject(key, fmt::format("has the entry {:g}, which is outside the range {:g} … {:g} that is followed.",
                                     level * unit, low * unit, high * unit));
    }
  }
  return levels;
}

/// On the response that is searched.
double near_in_range(const OptionValues& values, const TrackingRequest& request) {
  const double near = values.number("near");
  const auto [low, high] = std::minmax(request.from, request.to);
  if (near < low || near > high) {
    values.reject("near", fmt::format("is outside the response from {:g} to {:g} Hz on which it is looked "
                                      "for. Widen `from` … `to`, or give a frequency inside.",
                                      request.from, request.to));
  }
  return near;
}

void fill_tracking(TrackingRequest& request, const OptionValues& values, const ModelPart& part,
                   const SolverPart& solver, const std::vector<Observable>& sensors) {
  require_oscillating(values, part);
  fill_curve(request, values, part, solver, sensors);
  request.from = values.number("from");
  request.to = values.number("to");
  if (request.from == request.to) values.reject("to", "must differ from `from`.");
  if (values.has("near")) request.near = near_in_range(values, request);
  WrittenRange range = read_range(values, {"force", "level"}, {"modal_amplitude"});
  to_levels(range, values, part);
  request.from_level = range.from;
  request.to_level = range.to;
  request.levels = told_levels(values, part, request);
}

/// A number beyond those of the machine is none of a mode either, but must not become a small one: check_modes refuses it.
int mode_number(double written) { return static_cast<int>(std::min(written, 1e9)); }

BackboneMethod method_of(const std::string& word) {
  if (word == "epmc") return BackboneMethod::epmc;
  return word == "conservative" ? BackboneMethod::conservative : BackboneMethod::phase_resonance;
}

}  // namespace

StabilityOptions read_stability(const OptionValues& values) {
  StabilityOptions options;
  if (!values.has("stability")) return options;
  const auto* word = std::get_if<std::string>(&values.at("stability"));
  if (word == nullptr && !values.boolean("stability")) return options;
  options.method = StabilityMethod::automatic;
  for (const StabilityMethod method : {StabilityMethod::hill, StabilityMethod::monodromy}) {
    if (word != nullptr && *word == to_string(method)) options.method = method;
  }
  return options;
}

FollowOptions read_follow(const OptionValues& values, const StabilityOptions& stability) {
  FollowOptions follow;
  if (!values.has("follow")) return follow;
  if (stability.method == StabilityMethod::none) values.reject("follow", "needs stability = true beside it.");
  const std::vector<std::string> kinds = values.texts("follow");
  const auto wants = [&](const char* kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
  follow.branch_points = wants("branch-points");
  follow.period_doublings = wants("period-doublings");
  return follow;
}

BackboneRequest read_backbone(const OptionValues& values, const ModelPart& part, const SolverPart& solver,
                              const std::vector<Observable>& sensors) {
  BackboneRequest request;
  fill_curve(request, values, part, solver, sensors);
  request.method = method_of(values.text("method"));
  request.mode = mode_number(static_cast<double>(values.integer("mode")));
  if (values.has("near")) request.near = values.number("near");
  const bool forced = request.method == BackboneMethod::phase_resonance;
  if (!forced && request.stability.method != StabilityMethod::none) {
    values.reject(
        "stability",
        "is defined for motions under loads: use method = \"phase-resonance\", or a frequency response beside "
        "the backbone.");
  }
  if (forced) require_oscillating(values, part);
  const std::vector<std::string> allowed =
      forced ? std::vector<std::string>{"force", "level", "displacement", "velocity", "acceleration"}
             : std::vector<std::string>{"modal_amplitude"};
  WrittenRange range = read_range(values, allowed);
  to_levels(range, values, part);
  request.from = range.from;
  request.to = range.to;
  request.marks = range.marks;
  for (const Quantity quantity : {Quantity::displacement, Quantity::velocity, Quantity::acceleration}) {
    if (range.of != to_string(quantity)) continue;
    const Load* force = single_force(part);
    if (force == nullptr) {
      values.reject("from_" + range.of,
                    "needs a study with exactly one oscillating force: its point is the drive point.");
    }
    request.controlled = quantity;
    request.drive = force->shape / part.amplitudes.front().value;
  }
  try {
    check_backbone(part.model, request);
  } catch (const ModelError& error) {
    throw ModelError(fmt::format("{}: {}: {}", values.where("method"), values.context(), error.what()));
  }
  return request;
}

ForceResponseRequest read_force_response(const OptionValues& values, const ModelPart& part, const SolverPart& solver,
                                         const std::vector<Observable>& sensors) {
  require_oscillating(values, part);
  ForceResponseRequest request;
  fill_curve(request, values, part, solver, sensors);
  request.frequencies = values.numbers("frequencies");
  if (request.frequencies.empty()) values.reject("frequencies", "must have at least one entry.");
  WrittenRange range = read_range(values, {"force", "level"});
  to_levels(range, values, part);
  request.from_level = range.from;
  request.to_level = range.to;
  request.marks = range.marks;
  return request;
}

ResponseControlRequest read_response_control(const OptionValues& values, const ModelPart& part,
                                             const SolverPart& solver, const std::vector<Observable>& sensors) {
  require_oscillating(values, part);
  ResponseControlRequest request;
  fill_curve(request, values, part, solver, sensors);
  request.from = values.number("from");
  request.to = values.number("to");
  if (request.from == request.to) values.reject("to", "must differ from `from`.");
  request.amplitudes = values.numbers("amplitudes");
  if (request.amplitudes.empty()) values.reject("amplitudes", "must have at least one entry.");
  request.harmonic = balanced_harmonic(values, request.balance.harmonics);
  request.controlled = sensor_called(values, sensors);
  return request;
}

ResonanceTrackingRequest read_resonance_tracking(const OptionValues& values, const ModelPart& part,
                                                 const SolverPart& solver, const std::vector<Observable>& sensors) {
  ResonanceTrackingRequest request;
  fill_tracking(request, values, part, solver, sensors);
  request.observed = values.has("sensor") ? sensor_called(values, sensors) : request.observables.front();
  request.harmonics = {balanced_harmonic(values, request.balance.harmonics)};
  if (request.balance.adaptive && values.text("amplitude") == "rms") {
    values.reject("amplitude",
                  "cannot be taken with adaptive harmonics: it needs the same harmonics everywhere. Give "
                  "[harmonic_balance] a list, or track the amplitude of one harmonic.");
  }
  if (values.text("amplitude") == "rms") {  // the one that is named first: the response is searched for its peak
    for (const int k : request.balance.harmonics) {
      if (k > 0 && k != request.harmonics.front()) request.harmonics.push_back(k);
    }
  }
  return request;
}

SuperharmonicTrackingRequest read_superharmonic_tracking(const OptionValues& values, const ModelPart& part,
                                                         const SolverPart& solver,
                                                         const std::vector<Observable>& sensors) {
  SuperharmonicTrackingRequest request;
  fill_tracking(request, values, part, solver, sensors);
  request.observed = values.has("sensor") ? sensor_called(values, sensors) : request.observables.front();
  request.harmonic = balanced_harmonic(values, request.balance.harmonics);
  for (const Load& load : part.model.loads) {
    if (load.harmonic == request.harmonic) {
      values.reject("harmonic", "has a load of its own; a superharmonic is driven by the joints alone.");
    }
  }
  return request;
}

IsolaSearchRequest read_isola_search(const OptionValues& values, const ModelPart& part, const SolverPart& solver,
                                     const std::vector<Observable>& sensors) {
  IsolaSearchRequest request;
  fill_tracking(request, values, part, solver, sensors);
  request.modes.clear();
  for (const double mode : values.numbers("modes")) {
    if (mode != std::floor(mode)) values.reject("modes", "must be whole numbers, counted from 1.");
    request.modes.push_back(mode_number(mode));
  }
  if (request.modes.empty()) values.reject("modes", "must have at least one entry.");
  request.from_amplitude = values.number("from_modal_amplitude");
  request.to_amplitude = values.number("to_modal_amplitude");
  if (request.to_amplitude <= request.from_amplitude) {
    values.reject("to_modal_amplitude", "must be larger than from_modal_amplitude.");
  }
  try {
    check_isola_search(part.model, request);
  } catch (const ModelError& error) {
    throw ModelError(fmt::format("{}: {}: {}", values.where("kind"), values.context(), error.what()));
  }
  return request;
}

FoldTrackingRequest read_fold_tracking(const OptionValues& values, const ModelPart& part, const SolverPart& solver,
                                       const std::vector<Observable>& sensors) {
  FoldTrackingRequest request;
  fill_tracking(request, values, part, solver, sensors);
  return request;
}

BifurcationTrackingRequest read_bifurcation_tracking(const OptionValues& values, const ModelPart& part,
                                                     const SolverPart& solver, const std::vector<Observable>& sensors) {
  BifurcationTrackingRequest request;
  fill_tracking(request, values, part, solver, sensors);
  if (request.balance.adaptive) {
    values.reject("kind",
                  "cannot be used with harmonics = \"adaptive\": the multiplier that is followed belongs to one "
                  "set of harmonics. Give [harmonic_balance] the set that a frequency response used there.");
  }
  request.of = values.text("of");
  if (request.stability.method == StabilityMethod::none) {
    values.reject("stability",
                  "leaves nothing to follow: a bifurcation is a multiplier that passes. Leave the key out.");
  }
  request.follow = read_follow(values, request.stability);
  return request;
}

}  // namespace masing::detail
