// [[joint]]
#include "masing/contact/catalogue.hpp"
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/backbone_sources.hpp"
#include "masing/io/detail/study_parts.hpp"
#include "masing/io/detail/study_shortening.hpp"
#include "masing/io/study_schema.hpp"
#include "masing/io/table_file.hpp"

namespace masing::detail {
namespace {

const std::string default_source = "density";

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

/// Where the law's backbone comes from; null for a law without.
const BackboneSource* source_of(const OptionValues& values, const LawEntry& law) {
  if (!law.needs_backbone()) {
    if (values.has("from")) {
      values.reject("from",
                    fmt::format("says where a backbone comes from, and law '{}' has none. Leave it out, or use a law "
                                "that is made from one, such as iwan.",
                                law.name));
    }
    return nullptr;
  }
  if (!values.has("from")) return find_backbone_source(default_source);
  const std::string name = deciding_text(values, find_section("joint")->table, "from");
  if (const BackboneSource* source = find_backbone_source(name)) return source;
  std::vector<std::string> names;
  for (const BackboneSource* known : backbone_sources()) names.push_back(known->name);
  values.reject("from", fmt::format("is not known.{}", suggestion(name, names)));
}

/// The law with its parameters, and what its source had to tell.
LoopJoint make_joint(const StudyDocument& document, const OptionValues& values, const LawEntry& law,
                     const BackboneSource* source, std::vector<JointNotes>& notes) {
  LoopJoint joint;
  if (values.has("residual_share")) joint.residual_share = values.number("residual_share");
  if (source == nullptr) {
    joint.element = placed(values, document, [&] { return law.make(values); });
  } else {
    // The table that a source is named after holds what can be wrong with it.
    SourcedBackbone sourced = placed(
        values, document, [&] { return source->make(values); }, source->name);
    joint.backbone = sourced.backbone;
    if (joint.residual_share > 0.0) {
      sourced.notes.push_back(
          fmt::format("macroslip of what slides beside the residual spring from {:.6g} m on", joint.macroslip()));
    }
    notes.push_back({.joint = {}, .source = source->name, .lines = std::move(sourced.notes)});
    joint.element = placed(values, document, [&] { return law.make_from_backbone(values, joint.backbone); });
  }
  if (law.approach_for_load) {
    joint.approach_for_load = [make = law.approach_for_load, values](double load) { return make(values, load); };
  }
  return joint;
}

}  // namespace

OptionTable joined(const OptionTable& first, const OptionTable& second) {
  OptionTable table = first;
  table.insert(table.end(), second.begin(), second.end());
  return table;
}

JointPart read_joints(StudyDocument& document, const Structure* structure, bool alone) {
  JointPart part;
  std::vector<std::string> taken;
  for (OptionValues& values : tables_of(document, "joint")) {
    const bool named = values.has("name") && std::holds_alternative<std::string>(values.at("name"));
    const std::string name = named ? values.text("name") : fmt::format("joint{}", part.alone.size() + 1);
    values.set_context(fmt::format("joint '{}'", name), values.where(""));
    const LawEntry& law = law_of(values);
    const BackboneSource* source = source_of(values, law);
    OptionTable table = joined(find_section("joint")->table, law.parameters);
    if (source != nullptr) table = joined(table, source->parameters);
    read_file_tables(values, table, values.context(), document.folder);
    values.complete(table);
    claim_name(values, name, taken);
    LoopJoint joint = make_joint(document, values, law, source, part.notes);
    joint.name = name;
    if (source != nullptr) part.notes.back().joint = name;
    const bool placed_in_structure = !alone || values.has("direction") || values.has("directions");
    SparseMatrix directions;
    StudyShortening bent;
    if (structure != nullptr && placed_in_structure) {
      directions = direction_matrix(*structure, values, joint.element->inputs());
      bent = placed(
          values, document, [&] { return read_shortening(values, *structure, directions); }, "shortening");
      if (!bent.notes.empty()) part.notes.push_back({.joint = name, .source = "shortening", .lines = bent.notes});
    }
    part.attached.push_back({name, joint.element, std::move(directions), std::move(bent.quadratic)});
    part.alone.push_back(std::move(joint));
    document.sections.push_back({values.context(), values});
  }
  return part;
}

}  // namespace masing::detail
