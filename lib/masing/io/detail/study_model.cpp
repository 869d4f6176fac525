// [structure] and [[joint]]
#include "masing/contact/catalogue.hpp"
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/study_parts.hpp"
#include "masing/io/matrix_file.hpp"
#include "masing/io/study_schema.hpp"
#include "masing/structure/catalogue.hpp"

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
    matrix.col(static_cast<Index>(i)) = motion_weights(structure, values, key, directions[i]);
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

}  // namespace

ModelPart read_model(StudyDocument& document) {
  ModelPart part;
  part.model.structure = read_structure(document);
  part.model.joints = read_joints(document, *part.model.structure);
  read_loads(document, part);
  return part;
}

}  // namespace masing::detail
