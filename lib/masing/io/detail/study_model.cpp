// [structure], [[joint]] and [[excitation]]
#include "masing/contact/catalogue.hpp"
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/study_parts.hpp"
#include "masing/io/matrix_file.hpp"
#include "masing/io/study_schema.hpp"
#include "masing/structure/catalogue.hpp"

#include <algorithm>

namespace masing::detail {
namespace {

OptionTable joined(const OptionTable& first, const OptionTable& second) {
  OptionTable table = first;
  table.insert(table.end(), second.begin(), second.end());
  return table;
}

/// Runs `make`; an error that does not say where gets the place of the table in front.
template <class Make>
auto placed(const OptionValues& values, const std::string& file, const Make& make) {
  try {
    return make();
  } catch (const ModelError& error) {
    const std::string message = error.what();
    const bool has_place = message.starts_with(file) || message.starts_with("--set");
    throw has_place ? error : ModelError(fmt::format("{}: {}: {}", values.where(""), values.context(), message));
  }
}

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
  return placed(values, document.root.where(""), [&] { return entry->make(values, loader); });
}

/// The directions of a joint, one table of weights for each input.
std::vector<std::map<std::string, double>> written_directions(const OptionValues& values) {
  const bool one = values.has("direction");
  const bool several = values.has("directions");
  require(one != several, "{}: {}: give either `direction` (one input) or `directions` (a list, one for each input){}.",
          values.where(several ? "directions" : ""), values.context(), one ? ", not both" : "");
  if (one) return {values.weights("direction")};
  std::vector<std::map<std::string, double>> directions;
  for (const OptionValues& direction : values.tables("directions")) {
    directions.emplace_back();
    for (const auto& [name, weight] : direction.all()) directions.back()[name] = std::get<double>(weight);
  }
  return directions;
}

SparseMatrix direction_matrix(const Structure& structure, const OptionValues& values, int inputs) {
  const std::vector<std::map<std::string, double>> directions = written_directions(values);
  const std::string key = values.has("direction") ? "direction" : "directions";
  require(static_cast<int>(directions.size()) == inputs, "{}: {}: the law has {} input{}, {} direction{} {} given.",
          values.where(key), values.context(), inputs, inputs == 1 ? "" : "s", directions.size(),
          directions.size() == 1 ? "" : "s", directions.size() == 1 ? "is" : "are");
  Matrix matrix(structure.size(), inputs);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    matrix.col(static_cast<Index>(i)) = coordinate_weights(structure, values, key, directions[i]);
    require(matrix.col(static_cast<Index>(i)).any(), "{}: {}: {} needs a coefficient that is not zero.",
            values.where(key), values.context(), key);
  }
  return matrix.sparseView();
}

const LawEntry& law_of(const OptionValues& values) {
  const std::string name = deciding_text(values, find_section("joint")->table, "law");
  if (const LawEntry* law = find_law(name)) return *law;
  std::vector<std::string> names;
  for (const LawEntry& known : law_catalogue()) names.push_back(known.name);
  values.reject("law", fmt::format("is not known.{}", suggestion(name, names)));
}

std::vector<Joint> read_joints(StudyDocument& document, const Structure& structure) {
  std::vector<Joint> joints;
  std::vector<std::string> taken;
  for (OptionValues& values : tables_of(document, "joint")) {
    const bool named = values.has("name") && std::holds_alternative<std::string>(values.at("name"));
    const std::string name = named ? values.text("name") : fmt::format("joint{}", joints.size() + 1);
    values.set_context(fmt::format("joint '{}'", name), values.where(""));
    const LawEntry& law = law_of(values);
    values.complete(joined(find_section("joint")->table, law.parameters));
    claim_name(values, name, taken);
    auto element = placed(values, document.root.where(""), [&] { return law.make(values); });
    SparseMatrix directions = direction_matrix(structure, values, element->inputs());
    joints.push_back({name, std::move(element), std::move(directions)});
    document.sections.push_back({values.context(), values});
  }
  return joints;
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
  part.model.joints = read_joints(document, *part.model.structure);
  read_loads(document, part);
  return part;
}

}  // namespace masing::detail
