// [[loop]]
#include "masing/core/text.hpp"
#include "masing/io/detail/loop_schema.hpp"
#include "masing/io/detail/study_parts.hpp"
#include "masing/io/study_schema.hpp"
#include "masing/io/table_file.hpp"

#include <algorithm>
#include <numeric>

namespace masing::detail {
namespace {

LoopInput read_input(const OptionValues& values, const char* key) {
  if (!values.has(key)) return {};
  if (const auto* mean = std::get_if<double>(&values.at(key))) return {.given = true, .mean = *mean};
  const OptionValues& table = values.table(key);
  LoopInput input{.given = true,
                  .mean = table.number("mean"),
                  .amplitude = table.number("amplitude"),
                  .phase = table.number("phase") * pi / 180.0,
                  .harmonic = static_cast<int>(table.integer("harmonic"))};
  if (table.has("values")) {
    input.values = table.numbers("values");
    if (input.values.empty()) table.reject("values", "must have at least one entry.");
  }
  return input;
}

/// `metres` or of_macroslip, one of the two.
void read_amplitudes(const OptionValues& motion, const char* metres, LoopRequest& request) {
  const bool both = motion.has(metres) && motion.has("of_macroslip");
  if (both) motion.reject("of_macroslip", fmt::format("is given beside `{}`; give one of the two.", metres));
  const char* key = motion.has(metres) ? metres : "of_macroslip";
  if (!motion.has(key)) {
    if (request.motion == LoopMotion::cycles) {
      request.of_macroslip = default_of_macroslip();
      return;
    }
    motion.reject(metres, "is missing: give it, or of_macroslip.");
  }
  std::vector<double>& amplitudes = motion.has(metres) ? request.amplitudes : request.of_macroslip;
  amplitudes = motion.numbers(key);
  if (amplitudes.empty()) motion.reject(key, "must have at least one entry.");
}

void read_history(const OptionValues& motion, LoopRequest& request) {
  if (motion.has("values") == motion.has("table")) motion.reject("values", "or `table` must be given, one of the two.");
  request.steps = motion.integer("steps");
  if (motion.has("table")) {
    request.history = motion.matrix("table");
    return;
  }
  const std::vector<double> values = motion.numbers("values");
  request.history = Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

void read_motion(const OptionValues& motion, LoopRequest& request) {
  const std::string& kind = motion.text("kind");
  if (kind == "cycles") {
    read_amplitudes(motion, "amplitudes", request);
    request.mean = motion.number("mean");
  } else if (kind == "minor-loops") {
    request.motion = LoopMotion::minor_loops;
    read_amplitudes(motion, "amplitude", request);
    request.minor = motion.numbers("minor");
    request.minor_centre = motion.number("centre");
  } else if (kind == "ramp") {
    request.motion = LoopMotion::ramp;
    read_amplitudes(motion, "to", request);
  } else {
    request.motion = LoopMotion::history;
    read_history(motion, request);
  }
}

LoopRequest read_request(const OptionValues& values) {
  LoopRequest request;
  request.name = values.text("name");
  read_motion(values.table("motion"), request);
  request.second = read_input(values, "second");
  request.normal_load = read_input(values, "normal_load");
  request.approach = read_input(values, "approach");
  request.samples = values.integer("samples");
  request.frequency = values.number("frequency");
  request.cycle.max_cycles = static_cast<int>(values.integer("max_cycles"));
  request.cycle.closure_tolerance = values.number("closure_tolerance");
  return request;
}

std::vector<std::size_t> chosen_joints(const OptionValues& values, const std::vector<LoopJoint>& joints) {
  std::vector<std::size_t> chosen(joints.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (!values.has("joints")) return chosen;
  chosen.clear();
  std::vector<std::string> names;
  for (const LoopJoint& joint : joints) names.push_back(joint.name);
  for (const std::string& wanted : values.texts("joints")) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end()) {
      values.reject("joints", fmt::format("has no joint '{}'.{}", wanted, suggestion(wanted, names)));
    }
    const auto number = static_cast<std::size_t>(found - names.begin());
    if (std::count(chosen.begin(), chosen.end(), number) > 0) {
      values.reject("joints", fmt::format("has '{}' twice.", wanted));
    }
    chosen.push_back(number);
  }
  if (chosen.empty()) values.reject("joints", "must have at least one entry.");
  return chosen;
}

/// A table of one column more than the joint has inputs, or of two for a motion of the first alone, begins with the time.
void split_off_time(const LoopJoint& joint, LoopRequest& request) {
  const Index columns = request.history.cols();
  const Index inputs = joint.element->inputs();
  const bool timed = columns == inputs + 1 || (columns == 2 && inputs > 2);
  if (request.motion != LoopMotion::history || !timed || request.time.size() > 0) return;
  request.time = request.history.col(0);
  request.history = Matrix(request.history.rightCols(columns - 1));
}

LoopTask read_task(StudyDocument& document, OptionValues& values, const std::vector<LoopJoint>& joints) {
  const OptionTable& table = find_section("loop")->table;
  read_file_tables(values, table, values.context(), document.folder);
  values.complete(table);
  LoopTask task{read_request(values), chosen_joints(values, joints)};
  placed(values, document, [&] {
    for (const std::size_t joint : task.joints) {
      split_off_time(joints[joint], task.request);
      check_loops(joints[joint], task.request);
    }
    return 0;
  });
  document.sections.push_back({values.context(), values});
  return task;
}

LoopTask default_task(const StudyDocument& document, const std::vector<LoopJoint>& joints) {
  OptionValues values;
  values.complete(find_section("loop")->table);
  LoopTask task{read_request(values), chosen_joints(values, joints)};
  try {
    for (const LoopJoint& joint : joints) check_loops(joint, task.request);
  } catch (const ModelError& error) {
    throw ModelError(
        fmt::format("{}: there is no [[loop]], and the default, cycles of 0.01 … 3 times macroslip, does not "
                    "fit: {} Write a [[loop]] such as motion = {{ kind = \"cycles\", amplitudes = [1e-6, "
                    "1e-5] }}.",
                    document.root.where(""), error.what()));
  }
  return task;
}

}  // namespace

std::vector<LoopTask> read_loops(StudyDocument& document, const std::vector<LoopJoint>& joints, bool wanted) {
  std::vector<OptionValues> tables = tables_of(document, "loop");
  if (tables.empty() && !wanted) return {};
  require(!joints.empty(), "{}: loops need a [[joint]]; there is none.", document.root.where(""));
  if (tables.empty()) return {default_task(document, joints)};
  std::vector<LoopTask> tasks;
  std::vector<std::string> taken;
  for (OptionValues& values : tables) {
    const bool named = values.has("name") && std::holds_alternative<std::string>(values.at("name"));
    values.set_context(named ? fmt::format("loop '{}'", values.text("name")) : fmt::format("loop {}", tasks.size() + 1),
                       values.where(""));
    tasks.push_back(read_task(document, values, joints));
    claim_name(values, tasks.back().request.name, taken);
  }
  return tasks;
}

}  // namespace masing::detail
