// [[excitation]]
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/study_parts.hpp"
#include "masing/io/matrix_file.hpp"
#include "masing/io/study_schema.hpp"
#include "masing/structure/beam_load.hpp"
#include "masing/structure/rotation.hpp"
#include "masing/structure/spectral_beam.hpp"

#include <algorithm>

namespace masing::detail {
namespace {

struct Sort {
  std::string key;
  std::vector<std::string> places;  // keys that say where it acts
  bool is_static = false;
};

const std::vector<Sort>& sorts() {
  static const std::vector<Sort> all = {{"force", {"at", "component"}, false},
                                        {"static_force", {"at", "component"}, true},
                                        {"base_acceleration", {"direction", "component"}, false},
                                        {"line_load", {"component", "from", "to"}, true},
                                        {"self_weight", {"component"}, true},
                                        {"static_load", {}, true}};
  return all;
}

/// Which sort of load it is; exactly one must be written.
const Sort& sort_of_load(const OptionValues& values) {
  std::vector<std::string> written;
  for (const Sort& sort : sorts()) {
    if (values.has(sort.key)) written.push_back(sort.key);
  }
  require(written.size() == 1,
          "{}: {}: give exactly one of force, static_force, base_acceleration, line_load, self_weight and "
          "static_load{}.",
          values.where(""), values.context(), written.empty() ? "" : fmt::format(", not {}", join(written, " and ")));
  return *std::find_if(sorts().begin(), sorts().end(), [&](const Sort& sort) { return sort.key == written.front(); });
}

void check_places(const OptionValues& values, const Sort& sort) {
  for (const char* key : {"at", "component", "direction", "from", "to"}) {
    const bool fits = std::find(sort.places.begin(), sort.places.end(), key) != sort.places.end();
    require(fits || !values.has(key), "{}: {}: a {} has no `{}`{}.", values.where(key), values.context(), sort.key, key,
            sort.places.empty() ? "" : fmt::format("; it has {}", join(sort.places, ", ")));
  }
}

// --- loads on a whole beam -------------------------------------------------------------------------------------------

const BeamStructure& beam_of(const Structure& structure, const OptionValues& values, const Sort& sort) {
  const auto* beam = dynamic_cast<const BeamStructure*>(&structure);
  if (beam == nullptr) values.reject(sort.key, "needs a structure of kind \"beam\" or \"rod\".");
  return *beam;
}

BeamMotion component_of(const BeamStructure& structure, const OptionValues& values, const Sort& sort) {
  require(values.has("component"), "{}: {}: 'component' is missing: the direction of the {}.", values.where(""),
          values.context(), sort.key);
  const bool rotations = sort.key == "line_load";
  const int motions = motions_per_node(structure.beam().theory);
  const std::vector<std::string> names(beam_motion_names.begin(),
                                       beam_motion_names.begin() + (rotations ? motions : std::min(motions, 2)));
  const auto found = std::find(names.begin(), names.end(), values.text("component"));
  if (found == names.end()) values.reject("component", fmt::format("must be {}.", join(names, " or ")));
  return static_cast<BeamMotion>(found - names.begin());
}

Vector line_load_shape(const Structure& structure, const OptionValues& values, const Sort& sort) {
  const BeamStructure& made = beam_of(structure, values, sort);
  const Beam& beam = made.beam();
  const double from = values.has("from") ? values.number("from") : beam.begin();
  const double to = values.has("to") ? values.number("to") : beam.end();
  if (from < beam.begin() || to > beam.end() || from >= to) {
    values.reject(sort.key, fmt::format("from {} to {} m is not on the beam, which reaches from {} to {} m.", from, to,
                                        beam.begin(), beam.end()));
  }
  const BeamMotion component = component_of(made, values, sort);
  return made.to_coordinates(line_load(beam, made.nodes(), component, from, to, values.number(sort.key)));
}

/// The force of an acceleration along the component that is written.
Vector gravity_shape(const BeamStructure& made, const OptionValues& values, const Sort& sort) {
  const bool across = component_of(made, values, sort) == BeamMotion::w;
  const double gravity = values.number(sort.key);
  return made.to_coordinates(self_weight(made.beam(), made.nodes(), across ? 0.0 : gravity, across ? gravity : 0.0));
}

// --- loads on any structure ------------------------------------------------------------------------------------------

/// A moving base drags all of a beam along, so its direction is a component.
Vector base_acceleration_shape(const Structure& structure, const OptionValues& values, const Sort& sort) {
  if (const auto* beam = dynamic_cast<const BeamStructure*>(&structure)) {
    require(!values.has("direction"), "{}: {}: the base of a beam moves along a `component`, not a `direction`.",
            values.where("direction"), values.context());
    if (dynamic_cast<const SpectralBeam*>(&structure) != nullptr) return Vector::Zero(structure.size());
    return -gravity_shape(*beam, values, sort);
  }
  require(!values.has("component"), "{}: {}: a base acceleration has a `direction`, not `component`.",
          values.where("component"), values.context());
  const Vector direction = values.has("direction")
                               ? coordinate_weights(structure, values, "direction", values.weights("direction"))
                               : Vector::Ones(structure.size());
  return values.number(sort.key) * structure.base_acceleration_load(direction);
}

/// A spectral beam's inertia between the nodes depends on the frequency.
std::shared_ptr<const FrequencyLoad> varying_part(const Structure& structure, const OptionValues& values,
                                                  const Sort& sort) {
  const auto* beam = dynamic_cast<const SpectralBeam*>(&structure);
  if (beam == nullptr || sort.key != "base_acceleration") return nullptr;
  return beam->base_acceleration(component_of(*beam, values, sort), values.number(sort.key));
}

Vector static_load_shape(const Structure& structure, const OptionValues& values, const Sort& sort,
                         const std::string& folder) {
  if (std::holds_alternative<std::map<std::string, double>>(values.at(sort.key))) {
    return motion_weights(structure, values, sort.key, values.weights(sort.key));
  }
  Vector shape;
  if (std::holds_alternative<std::string>(values.at(sort.key))) {
    SparseMatrix column;
    try {
      column = read_matrix(values.text(sort.key), folder);
    } catch (const ModelError& error) {
      values.reject(sort.key, fmt::format("cannot be read: {}", error.what()));
    }
    if (column.cols() != 1) values.reject(sort.key, fmt::format("has {} columns; it must have one.", column.cols()));
    shape = column.toDense();
  } else {
    const std::vector<double> list = values.numbers(sort.key);
    shape = Eigen::Map<const Vector>(list.data(), static_cast<Index>(list.size()));
  }
  if (shape.size() != structure.size()) {
    values.reject(sort.key,
                  fmt::format("has {} entries, the structure has {} coordinates.", shape.size(), structure.size()));
  }
  return shape;
}

Vector force_shape(const Structure& structure, const OptionValues& values, const Sort& sort) {
  require(values.has("at"), "{}: {}: 'at' is missing: the coordinate on which the force acts.", values.where(""),
          values.context());
  return values.number(sort.key) * motion_at(structure, values);
}

Vector load_shape(const Structure& structure, const OptionValues& values, const Sort& sort, const std::string& folder) {
  if (sort.key == "base_acceleration") return base_acceleration_shape(structure, values, sort);
  if (sort.key == "line_load") return line_load_shape(structure, values, sort);
  if (sort.key == "self_weight") return gravity_shape(beam_of(structure, values, sort), values, sort);
  if (sort.key == "static_load") return static_load_shape(structure, values, sort, folder);
  return force_shape(structure, values, sort);
}

Load read_load(const Structure& structure, OptionValues& values, const std::string& folder) {
  const bool has_time = values.has("harmonic") || values.has("phase");
  const std::string timed_key = values.has("harmonic") ? "harmonic" : "phase";
  values.complete(find_section("excitation")->table);
  const Sort& sort = sort_of_load(values);
  require(!sort.is_static || !has_time, "{}: {}: a {} has no {}.", values.where(timed_key), values.context(), sort.key,
          timed_key);
  check_places(values, sort);
  Load load;
  load.shape = load_shape(structure, values, sort, folder);
  load.varying = varying_part(structure, values, sort);
  load.harmonic = sort.is_static ? 0 : static_cast<int>(values.integer("harmonic"));
  load.phase = sort.is_static ? 0.0 : values.number("phase") * pi / 180.0;
  load.name = values.has("name") ? values.text("name")
              : values.has("at") ? sort.key + " at " + values.text("at")
                                 : sort.key;
  return load;
}

/// A force on a rotation is a moment.
Amplitude amplitude_of(const Structure& structure, const OptionValues& values) {
  return {values.number("force"), is_rotation(structure, motion_at(structure, values)) ? "N m" : "N"};
}

}  // namespace

void read_loads(StudyDocument& document, ModelPart& part) {
  std::vector<OptionValues> excitations = tables_of(document, "excitation");
  for (std::size_t i = 0; i < excitations.size(); ++i) {
    OptionValues& values = excitations[i];
    values.set_context(excitations.size() == 1 ? "excitation" : fmt::format("excitation {}", i + 1), values.where(""));
    Load load = read_load(*part.model.structure, values, document.folder);
    if (values.has("force")) part.amplitudes.push_back(amplitude_of(*part.model.structure, values));
    if (values.has("base_acceleration")) part.amplitudes.push_back({values.number("base_acceleration"), "m/s^2"});
    part.model.loads.push_back(std::move(load));
    document.sections.push_back({values.context(), values});
  }
}

}  // namespace masing::detail
