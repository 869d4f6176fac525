// [[sensor]] and [[analysis]]
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/study_parts.hpp"
#include "masing/io/study_schema.hpp"
#include "masing/structure/rotation.hpp"

#include <algorithm>

namespace masing::detail {
namespace {

/// Larger structures are not observed everywhere unless asked for.
constexpr Index most_default_sensors = 20;

Quantity quantity_of(const std::string& word) {
  if (word == "velocity") return Quantity::velocity;
  return word == "acceleration" ? Quantity::acceleration : Quantity::displacement;
}

std::vector<Observable> default_sensors(const StudyDocument& document, const Structure& structure) {
  require(structure.size() <= most_default_sensors,
          "{}: the structure has {} coordinates: say with [[sensor]] which of them to report, for example at = \"{}\".",
          document.root.where(""), structure.size(), structure.coordinates().back());
  std::vector<Observable> sensors;
  for (const std::string& name : structure.coordinates())
    sensors.push_back({.name = name, .coordinate = structure.find(name), .rotation = is_rotation(name)});
  return sensors;
}

// --- levels ----------------------------------------------------------------------------------------------------------

struct Levels {
  std::vector<double> factors;
  std::vector<double> shown;
  std::string unit;
};

/// forces = […] or accelerations = […]: only when there is exactly one load of that sort.
Levels absolute_levels(const OptionValues& values, const std::string& key, const std::vector<Amplitude>& amplitudes) {
  const std::string sort = key == "forces" ? "oscillating force" : "base acceleration";
  const bool fits = amplitudes.size() == 1 && amplitudes.front().is_force() == (key == "forces");
  if (!fits) {
    values.reject(
        key, fmt::format("needs a study with exactly one {}; this one has {} oscillating load{}{}. Use `levels`.", sort,
                         amplitudes.size(), amplitudes.size() == 1 ? "" : "s",
                         amplitudes.size() == 1 ? " of another sort" : ""));
  }
  Levels levels{.factors = {}, .shown = values.numbers(key), .unit = amplitudes.front().unit};
  for (const double shown : levels.shown) levels.factors.push_back(shown / amplitudes.front().value);
  return levels;
}

Levels read_levels(const OptionValues& values, const std::vector<Amplitude>& amplitudes) {
  std::vector<std::string> written;
  for (const char* key : {"forces", "accelerations", "levels"}) {
    if (values.has(key)) written.emplace_back(key);
  }
  require(written.size() < 2, "{}: {}: give only one of {}.", values.where(written.empty() ? "" : written.back()),
          values.context(), join(written, " and "));
  if (written.empty()) {
    if (amplitudes.size() == 1) return {{1.0}, {amplitudes.front().value}, amplitudes.front().unit};
    return {{1.0}, {1.0}, ""};
  }
  if (values.numbers(written.front()).empty()) values.reject(written.front(), "must have at least one entry.");
  if (written.front() != "levels") return absolute_levels(values, written.front(), amplitudes);
  return {values.numbers("levels"), values.numbers("levels"), ""};
}

// --- kinds of analysis -----------------------------------------------------------------------------------------------

/// What all analyses have in common.
template <class Request>
void fill_common(Request& request, const OptionValues& values, const ModelPart& part,
                 const std::vector<Observable>& sensors) {
  request.name = values.text("name");
  Levels levels = read_levels(values, part.amplitudes);
  request.levels = std::move(levels.factors);
  request.shown_levels = std::move(levels.shown);
  request.level_unit = std::move(levels.unit);
  request.observables = chosen_sensors(values, sensors);
}

/// As written, or the first harmonic that oscillates.
std::vector<int> read_peak_harmonics(const OptionValues& values, const std::vector<int>& balanced) {
  if (!values.has("peak_harmonics")) {
    const auto first = std::find_if(balanced.begin(), balanced.end(), [](int k) { return k > 0; });
    return first == balanced.end() ? std::vector<int>{} : std::vector<int>{*first};
  }
  std::vector<int> harmonics;
  for (const long k : values.integers("peak_harmonics")) {
    if (std::find(balanced.begin(), balanced.end(), k) == balanced.end()) {
      values.reject("peak_harmonics",
                    fmt::format("asks for harmonic {}, which is not among the balanced harmonics.", k));
    }
    harmonics.push_back(static_cast<int>(k));
  }
  return harmonics;
}

FrequencyResponseRequest read_frequency_response(const OptionValues& values, const ModelPart& part,
                                                 const SolverPart& solver, const std::vector<Observable>& sensors) {
  require(!part.amplitudes.empty(),
          "{}: {}: nothing oscillates. Add an [excitation] with `force` or `base_acceleration`.", values.where(""),
          values.context());
  FrequencyResponseRequest request;
  fill_common(request, values, part, sensors);
  request.from = values.number("from");
  request.to = values.number("to");
  if (request.from == request.to) values.reject("to", "must differ from `from`.");
  request.balance = solver.balance;
  request.newton = solver.newton;
  request.continuation = solver.continuation;
  request.peak_harmonics = read_peak_harmonics(values, request.balance.harmonics);
  request.stability = read_stability(values);
  request.follow = read_follow(values, request.stability);
  return request;
}

void check_time_domain(const OptionValues& values, const Structure& structure) {
  const auto* matrices = dynamic_cast<const SecondOrderStructure*>(&structure);
  require(matrices != nullptr, "{}: {}: this kind of structure has no time-domain form.", values.where("kind"),
          values.context());
  require(!matrices->has_hysteretic_damping(),
          "{}: {}: hysteretic damping (loss_factor) has no time-domain form. Use viscous, Rayleigh or modal damping.",
          values.where("kind"), values.context());
}

/// frequency, periods, duration and max_step, all optional but not in every combination.
void read_length(TransientRequest& request, const OptionValues& values, const ModelPart& part) {
  for (const auto& [key, target] :
       {std::pair{"frequency", &request.frequency}, std::pair{"periods", &request.periods},
        std::pair{"duration", &request.duration}, std::pair{"max_step", &request.max_step}}) {
    if (values.has(key)) *target = values.number(key);
  }
  if (values.has("periods") && values.has("duration")) values.reject("duration", "is given beside periods; give one.");
  require(values.has("frequency") || (values.has("duration") && part.amplitudes.empty()),
          "{}: {}: 'frequency' is missing. Only a ringdown (a duration, no oscillating load) does without.",
          values.where(""), values.context());
}

TransientRequest read_transient(const OptionValues& values, const ModelPart& part, const SolverPart& solver,
                                const std::vector<Observable>& sensors) {
  const Structure& structure = *part.model.structure;
  check_time_domain(values, structure);
  TransientRequest request;
  fill_common(request, values, part, sensors);
  read_length(request, values, part);
  request.max_periods = static_cast<int>(values.integer("max_periods"));
  request.steady_tolerance = values.number("steady_tolerance");
  request.samples_per_period = values.integer("samples_per_period");
  request.relative_tolerance = values.number("relative_tolerance");
  request.harmonics = solver.balance.harmonics;
  for (const auto& [key, target] : {std::pair{"initial_displacement", &request.initial_displacement},
                                    std::pair{"initial_velocity", &request.initial_velocity}}) {
    if (values.has(key)) *target = coordinate_weights(structure, values, key, values.weights(key));
  }
  if (request.samples_per_period <= 2 * request.harmonics.back()) {
    values.reject("samples_per_period",
                  fmt::format("must be more than twice the highest harmonic ({}).", request.harmonics.back()));
  }
  return request;
}

const SectionEntry& entry_of(const OptionValues& values) {
  const std::string kind = deciding_text(values, find_section("analysis")->table, "kind");
  if (const SectionEntry* entry = find_analysis(kind)) return *entry;
  std::vector<std::string> kinds;
  for (const SectionEntry& known : analysis_catalogue()) kinds.push_back(known.name);
  values.reject("kind", fmt::format("is not known.{}", suggestion(kind, kinds)));
}

AnalysisRequest read_analysis(const std::string& kind, const OptionValues& values, const ModelPart& part,
                              const SolverPart& solver, const std::vector<Observable>& sensors) {
  if (kind == "transient") return read_transient(values, part, solver, sensors);
  if (kind == "backbone") return read_backbone(values, part, solver, sensors);
  if (kind == "force-response") return read_force_response(values, part, solver, sensors);
  if (kind == "response-control") return read_response_control(values, part, solver, sensors);
  if (kind == "resonance-tracking") return read_resonance_tracking(values, part, solver, sensors);
  if (kind == "superharmonic-tracking") return read_superharmonic_tracking(values, part, solver, sensors);
  if (kind == "isola-search") return read_isola_search(values, part, solver, sensors);
  if (kind == "bifurcation-tracking") return read_bifurcation_tracking(values, part, solver, sensors);
  if (kind == "fold-tracking") return read_fold_tracking(values, part, solver, sensors);
  return read_frequency_response(values, part, solver, sensors);
}

}  // namespace

std::vector<Observable> chosen_sensors(const OptionValues& values, const std::vector<Observable>& sensors) {
  if (!values.has("sensors")) return sensors;
  std::vector<std::string> names;
  for (const Observable& sensor : sensors) names.push_back(sensor.name);
  std::vector<Observable> chosen;
  for (const std::string& wanted : values.texts("sensors")) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end())
      values.reject("sensors", fmt::format("has no sensor '{}'.{}", wanted, suggestion(wanted, names)));
    if (std::any_of(chosen.begin(), chosen.end(), [&](const Observable& sensor) { return sensor.name == wanted; })) {
      values.reject("sensors", fmt::format("has '{}' twice.", wanted));
    }
    chosen.push_back(sensors[static_cast<std::size_t>(found - names.begin())]);
  }
  if (chosen.empty()) values.reject("sensors", "must have at least one entry.");
  return chosen;
}

std::vector<Observable> read_sensors(StudyDocument& document, const Model& model) {
  const Structure& structure = *model.structure;
  std::vector<OptionValues> tables = tables_of(document, "sensor");
  if (tables.empty()) return default_sensors(document, structure);
  std::vector<Observable> sensors;
  std::vector<std::string> taken;
  for (OptionValues& values : tables) {
    values.set_context(fmt::format("sensor {}", sensors.size() + 1), values.where(""));
    values.complete(find_section("sensor")->table);
    const Vector motion = motion_at(structure, values);
    const std::string& quantity = values.text("quantity");
    std::string name = name_at(values);
    if (quantity != "displacement") name += " " + quantity;
    if (values.has("name")) name = values.text("name");
    claim_name(values, name, taken);
    sensors.push_back(observable_of(name, motion, quantity_of(quantity), is_rotation(structure, motion)));
    document.sections.push_back({values.context(), values});
  }
  return sensors;
}

std::vector<AnalysisRequest> read_analyses(StudyDocument& document, const ModelPart& part, const SolverPart& solver,
                                           const std::vector<Observable>& sensors) {
  std::vector<AnalysisRequest> requests;
  std::vector<std::string> taken;
  for (OptionValues& values : tables_of(document, "analysis")) {
    const bool named = values.has("name") && std::holds_alternative<std::string>(values.at("name"));
    values.set_context(
        named ? fmt::format("analysis '{}'", values.text("name")) : fmt::format("analysis {}", requests.size() + 1),
        values.where(""));
    const SectionEntry& entry = entry_of(values);
    values.complete(entry.table);
    claim_name(values, values.text("name"), taken);
    requests.push_back(read_analysis(entry.name, values, part, solver, sensors));
    document.sections.push_back({values.context(), values});
  }
  require(!requests.empty(), "{}: there is no [[analysis]]. `masing describe analysis` lists the kinds.",
          document.root.where(""));
  return requests;
}

}  // namespace masing::detail
