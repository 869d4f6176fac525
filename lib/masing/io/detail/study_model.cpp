// [structure] and [[excitation]]
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/study_parts.hpp"
#include "masing/io/matrix_file.hpp"
#include "masing/io/study_schema.hpp"
#include "masing/structure/catalogue.hpp"

#include <algorithm>

namespace masing::detail {
namespace {

std::shared_ptr<const Structure> read_structure(StudyDocument& document) {
  require(document.root.has("structure"), "{}: [structure] is missing. `masing describe structure` lists the kinds.",
          document.root.where(""));
  OptionValues values = table_of(document, "structure");
  const std::string kind = deciding_text(values, find_section("structure")->table, "kind");
  const StructureEntry* entry = find_structure(kind);
  if (entry == nullptr) {
    std::vector<std::string> kinds;
    for (const StructureEntry& known : structure_catalogue()) kinds.push_back(known.name);
    values.reject("kind", fmt::format("is not known.{}", suggestion(kind, kinds)));
  }
  values.complete(joined(find_section("structure")->table, entry->parameters));
  document.sections.push_back({"structure", values});
  const MatrixLoader loader = matrix_loader(document.folder);
  return placed(values, document, [&] { return entry->make(values, loader); });
}

/// Which of the three sorts of load it is; exactly one must be written.
std::string sort_of_load(const OptionValues& values) {
  std::vector<std::string> written;
  for (const char* sort : {"force", "static_force", "base_acceleration"}) {
    if (values.has(sort)) written.emplace_back(sort);
  }
  require(written.size() == 1, "{}: {}: give exactly one of force, static_force and base_acceleration{}.",
          values.where(""), values.context(), written.empty() ? "" : fmt::format(", not {}", join(written, " and ")));
  return written.front();
}

Vector load_shape(const Structure& structure, const OptionValues& values, const std::string& sort) {
  if (sort == "base_acceleration") {
    require(!values.has("at"), "{}: {}: a base acceleration has a `direction`, not `at`.", values.where("at"),
            values.context());
    const Vector direction = values.has("direction")
                                 ? coordinate_weights(structure, values, "direction", values.weights("direction"))
                                 : Vector::Ones(structure.size());
    return values.number(sort) * structure.base_acceleration_load(direction);
  }
  require(values.has("at"), "{}: {}: 'at' is missing: the coordinate on which the force acts.", values.where(""),
          values.context());
  require(!values.has("direction"), "{}: {}: `direction` belongs to base_acceleration; a force has `at`.",
          values.where("direction"), values.context());
  Vector shape = Vector::Zero(structure.size());
  shape(coordinate_at(structure, values)) = values.number(sort);
  return shape;
}

Load read_load(const Structure& structure, OptionValues& values) {
  const bool has_time = values.has("harmonic") || values.has("phase");
  const std::string timed_key = values.has("harmonic") ? "harmonic" : "phase";
  values.complete(find_section("excitation")->table);
  const std::string sort = sort_of_load(values);
  const bool is_static = sort == "static_force";
  require(!is_static || !has_time, "{}: {}: a static_force has no {}.", values.where(timed_key), values.context(),
          timed_key);
  Load load;
  load.shape = load_shape(structure, values, sort);
  load.harmonic = is_static ? 0 : static_cast<int>(values.integer("harmonic"));
  load.phase = is_static ? 0.0 : values.number("phase") * pi / 180.0;
  load.name = values.has("name") ? values.text("name") : values.has("at") ? sort + " at " + values.text("at") : sort;
  return load;
}

void read_loads(StudyDocument& document, ModelPart& part) {
  std::vector<OptionValues> excitations = tables_of(document, "excitation");
  for (std::size_t i = 0; i < excitations.size(); ++i) {
    OptionValues& values = excitations[i];
    values.set_context(excitations.size() == 1 ? "excitation" : fmt::format("excitation {}", i + 1), values.where(""));
    Load load = read_load(*part.model.structure, values);
    if (values.has("force")) part.amplitudes.push_back({values.number("force"), "N"});
    if (values.has("base_acceleration")) part.amplitudes.push_back({values.number("base_acceleration"), "m/s^2"});
    part.model.loads.push_back(std::move(load));
    document.sections.push_back({values.context(), values});
  }
}

}  // namespace

ModelPart read_model(StudyDocument& document) {
  ModelPart part;
  part.model.structure = read_structure(document);
  part.joints = read_joints(document, part.model.structure.get(), false);
  part.model.joints = part.joints.attached;
  read_loads(document, part);
  return part;
}

ModelPart read_joints_alone(StudyDocument& document) {
  ModelPart part;
  if (document.root.has("structure")) part.model.structure = read_structure(document);
  part.joints = read_joints(document, part.model.structure.get(), true);
  part.model.joints = part.joints.attached;
  return part;
}

}  // namespace masing::detail
