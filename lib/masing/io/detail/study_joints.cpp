// [[joint]]
#include "masing/contact/scaled.hpp"
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/backbone_sources.hpp"
#include "masing/io/detail/distributed_joint.hpp"
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

std::string direction_key(const OptionValues& values) { return values.has("direction") ? "direction" : "directions"; }

/// As many directions as the law has inputs, each with something in it unless it is { }.
void check_directions(const OptionValues& values, const std::vector<std::map<std::string, double>>& directions,
                      int inputs) {
  const std::string key = direction_key(values);
  require(static_cast<int>(directions.size()) == inputs, "{}: {}: the law has {} input{}, {} direction{} {} given.",
          values.where(key), values.context(), inputs, inputs == 1 ? "" : "s", directions.size(),
          directions.size() == 1 ? "" : "s", directions.size() == 1 ? "is" : "are");
  const auto is_still = [](const auto& direction) { return direction.empty(); };
  const auto is_zero = [&](const auto& direction) {
    return !is_still(direction) &&
           std::all_of(direction.begin(), direction.end(), [](const auto& weight) { return weight.second == 0.0; });
  };
  const bool moves = !std::all_of(directions.begin(), directions.end(), is_still);
  require(moves && std::none_of(directions.begin(), directions.end(), is_zero),
          "{}: {}: {} needs a coefficient that is not zero.", values.where(key), values.context(), key);
}

SparseMatrix direction_matrix(const Structure& structure, const OptionValues& values, int inputs) {
  const std::vector<std::map<std::string, double>> directions = written_directions(values);
  check_directions(values, directions, inputs);
  Matrix matrix(structure.size(), inputs);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    matrix.col(static_cast<Index>(i)) = motion_weights(structure, values, direction_key(values), directions[i]);
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
    notes.push_back({.joint = {}, .origin = "from " + source->name, .lines = std::move(sourced.notes)});
    joint.element = placed(values, document, [&] { return law.make_from_backbone(values, joint.backbone); });
  }
  if (law.approach_for_load) {
    joint.approach_for_load = [make = law.approach_for_load, values](double load) { return make(values, load); };
  }
  return joint;
}

/// A [[joint]] on its way to an object.
struct WrittenJoint {
  OptionValues values;
  std::string name;
  const LawEntry* law = nullptr;
  const BackboneSource* source = nullptr;

  LoopJoint make(const StudyDocument& document, const OptionValues& keys, std::vector<JointNotes>& notes) const {
    LoopJoint made = make_joint(document, keys, *law, source, notes);
    made.name = name;
    if (source != nullptr) notes.back().joint = name;
    return made;
  }
};

/// What a source asks for beside the law: where both have a key of one name it is the law's ("elements": a law that divides
/// the backbone itself needs no division by its source).
OptionTable beside_the_law(const OptionTable& source, const OptionTable& law) {
  OptionTable rest;
  for (const Option& option : source) {
    const bool taken =
        std::any_of(law.begin(), law.end(), [&](const Option& known) { return known.name == option.name; });
    if (!taken) rest.push_back(option);
  }
  return rest;
}

bool has_option(const OptionTable& table, std::string_view name) {
  return std::any_of(table.begin(), table.end(), [&](const Option& option) { return option.name == name; });
}

/// The load at which a backbone holds is the one that its source was made with.
bool has_load_of_source(const WrittenJoint& joint) {
  return joint.source != nullptr && has_option(joint.source->parameters, "normal_load") &&
         has_option(joint.law->parameters, "reference_load") && joint.values.has("normal_load");
}

void take_load_of_source(OptionValues& values) {
  if (!values.has("reference_load")) {
    values.set("reference_load", values.at("normal_load"), values.where("normal_load"));
  }
}

void check_load_of_source(const OptionValues& values) {
  if (values.number("reference_load") == values.number("normal_load")) return;
  values.reject("reference_load",
                fmt::format("contradicts normal_load = {:g}: the backbone holds at the load that it was made with. "
                            "Leave reference_load out.",
                            values.number("normal_load")));
}

void complete_joint(const StudyDocument& document, WrittenJoint& joint) {
  OptionValues& values = joint.values;
  values.set_context(fmt::format("joint '{}'", joint.name), values.where(""));
  joint.law = &law_of(values);
  joint.source = source_of(values, *joint.law);
  OptionTable table = joined(find_section("joint")->table, joint.law->parameters);
  if (joint.source != nullptr) {
    table = joined(table, beside_the_law(joint.source->parameters, joint.law->parameters));
  }
  read_file_tables(values, table, values.context(), document.folder);
  const bool loaded = has_load_of_source(joint);
  if (loaded) take_load_of_source(values);
  values.complete(table);
  if (loaded) check_load_of_source(values);
}

void add_at_a_point(const StudyDocument& document, const WrittenJoint& written, const Structure* structure,
                    JointPart& part) {
  LoopJoint joint = written.make(document, written.values, part.notes);
  SparseMatrix directions;
  StudyShortening bent;
  if (structure != nullptr) {
    directions = direction_matrix(*structure, written.values, joint.element->inputs());
    bent = placed(
        written.values, document, [&] { return read_shortening(written.values, *structure, directions); },
        "shortening");
    if (!bent.notes.empty()) part.notes.push_back({.joint = joint.name, .origin = "shortening", .lines = bent.notes});
  }
  part.attached.push_back({joint.name, joint.element, std::move(directions), std::move(bent.quadratic)});
  part.lengths.push_back(0.0);
  part.alone.push_back(std::move(joint));
}

/// One joint for each Gauss point; alone, the law per metre under the mean preload.
void add_distributed(const StudyDocument& document, const WrittenJoint& written, const Structure* structure,
                     JointPart& part) {
  const OptionValues& values = written.values;
  if (values.has("shortening")) values.reject("shortening", "belongs to a joint at one place, not to one with `over`.");
  const Distribution distribution = read_distribution(values);
  const auto keys_at = [&](double load) {
    return distribution.preload ? under_preload(values, *written.law, load) : values;
  };
  const double mean = distribution.total_preload() / (distribution.to - distribution.from);
  LoopJoint alone = written.make(document, keys_at(mean), part.notes);
  part.notes.push_back({.joint = written.name,
                        .origin = fmt::format("over {:g} … {:g} m", distribution.from, distribution.to),
                        .lines = distribution_notes(distribution)});
  if (structure == nullptr) {
    part.attached.push_back({alone.name, alone.element, {}});
    part.lengths.push_back(0.0);
    part.alone.push_back(std::move(alone));
    return;
  }
  const auto directions = written_directions(values);
  check_directions(values, directions, alone.element->inputs());
  Vector held = Vector::Zero(structure->size());
  std::vector<JointNotes> repeated;
  for (std::size_t g = 0; g < distribution.points.size(); ++g) {
    const GaussPoint& point = distribution.points[g];
    const double load = distribution.preload ? distribution.preload->at(point.at) : 0.0;
    const auto element = distribution.preload ? written.make(document, keys_at(load), repeated).element : alone.element;
    const Matrix moved = directions_at(*structure, values, directions, point.at);
    held += point.weight * load * moved.rightCols<1>();
    part.attached.push_back({fmt::format("{}[{}] at {:.4g} m", written.name, g + 1, point.at),
                             make_scaled(element, point.weight), moved.sparseView()});
    part.lengths.push_back(point.weight);
  }
  if (needs_static_load(*written.law) && held.any()) {
    part.loads.push_back({.name = "preload of " + written.name, .shape = std::move(held), .harmonic = 0});
  }
  part.alone.push_back(std::move(alone));
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
    WrittenJoint joint{.values = values, .name = joint_name(values, part.alone.size())};
    complete_joint(document, joint);
    claim_name(joint.values, joint.name, taken);
    const bool placed_in_structure = !alone || joint.values.has("direction") || joint.values.has("directions");
    const Structure* place = placed_in_structure ? structure : nullptr;
    if (joint.values.has("over")) {
      add_distributed(document, joint, place, part);
    } else {
      add_at_a_point(document, joint, place, part);
    }
    document.sections.push_back({joint.values.context(), joint.values});
  }
  return part;
}

}  // namespace masing::detail
