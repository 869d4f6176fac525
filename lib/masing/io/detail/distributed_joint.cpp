#include "masing/io/detail/distributed_joint.hpp"

#include "masing/core/text.hpp"
#include "masing/structure/beam_structure.hpp"

#include <algorithm>

namespace masing::detail {
namespace {

using enum OptionKind;

constexpr long default_points = 19;
constexpr double most_points = 500;

OptionTable stretch_table() {
  return {{.name = "from", .kinds = {number}, .unit = "m", .meaning = "where it begins"},
          {.name = "to", .kinds = {number}, .unit = "m", .meaning = "where it ends"},
          {.name = "points",
           .kinds = {integer},
           .fallback = {default_points},
           .range = Range::between(1, most_points),
           .meaning = "Gauss points at which the law is evaluated"}};
}

Option preload_option() {
  const Option total{
      .name = "total", .kinds = {number}, .unit = "N", .range = Range::non_negative(), .meaning = "the whole force"};
  return {.name = "preload",
          .kinds = {table},
          .required = false,
          .variants = {{"uniform", "The same everywhere.", {total}},
                       {"sine", "total * pi / (2 (to - from)) * sin(pi (x - from) / (to - from))", {total}},
                       {"table",
                        "Straight lines between its rows, constant beyond.",
                        {{.name = "table",
                          .kinds = {matrix},
                          .unit = "m, N/m",
                          .range = Range::non_negative(),
                          .meaning = "rows [x, load per metre], x rising"}}}},
          .meaning =
              "for laws with a normal input: the force that presses the surfaces together at rest. It is in "
              "balance with what applies it (blocks, bolts), point by point"};
}

/// from, to and points of a joint that is not completed yet; none if that is not what was written.
std::optional<OptionValues> written_stretch(const OptionValues& joint) {
  if (!joint.has("over")) return std::nullopt;
  const auto* tables = std::get_if<std::vector<OptionValues>>(&joint.at("over"));
  if (tables == nullptr || tables->size() != 1) return std::nullopt;
  OptionValues stretch;
  stretch.set_context(joint.context() + ": over", joint.where("over"));
  const OptionTable keys = stretch_table();
  for (const Option& key : keys) {
    if (tables->front().has(key.name)) {
      stretch.set(key.name, tables->front().at(key.name), tables->front().where(key.name));
    }
  }
  stretch.complete(keys);
  return stretch;
}

std::vector<GaussPoint> points_of(const OptionValues& stretch) {
  if (stretch.number("to") <= stretch.number("from")) stretch.reject("to", "must lie behind `from`.");
  return gauss_points(stretch.number("from"), stretch.number("to"), static_cast<int>(stretch.integer("points")));
}

PreloadField preload_of(const OptionValues& over) {
  const OptionValues& preload = over.table("preload");
  const std::string& kind = preload.text("kind");
  if (kind != "table") {
    return {over.number("from"), over.number("to"), preload.number("total"),
            kind == "sine" ? PreloadField::Shape::sine : PreloadField::Shape::uniform};
  }
  const Matrix& rows = preload.matrix("table");
  if (rows.cols() != 2) preload.reject("table", fmt::format("has {} columns; it must have two.", rows.cols()));
  try {
    return {{rows.col(0).begin(), rows.col(0).end()}, {rows.col(1).begin(), rows.col(1).end()}};
  } catch (const ModelError& error) {
    preload.reject("table", fmt::format("is not a preload: {}", error.what()));
  }
}

bool has_key(const OptionTable& table, std::string_view name) {
  return std::any_of(table.begin(), table.end(), [&](const Option& option) { return option.name == name; });
}

}  // namespace

Option distribution_option() {
  OptionTable keys = stretch_table();
  keys.push_back(preload_option());
  return {.name = "over",
          .kinds = {table},
          .required = false,
          .children = std::move(keys),
          .meaning =
              "spreads the law over a stretch of a beam or rod: forces and stiffnesses of the law are then per "
              "metre, and its directions are motions of the section, { u = 1, phi = 0.004 }, { w = -1 }"};
}

void add_gauss_places(const StudyDocument& document, const StructureEntry& entry, OptionValues& structure) {
  std::vector<double> places = structure.has("places") ? structure.numbers("places") : std::vector<double>{};
  std::size_t index = 0;
  for (OptionValues& joint : tables_of(document, "joint")) {
    joint.set_context(fmt::format("joint '{}'", joint_name(joint, index++)), joint.where(""));
    const std::optional<OptionValues> stretch = written_stretch(joint);
    if (!stretch) continue;
    require(has_key(entry.parameters, "places"),
            "{}: {}: a law can be spread `over` a beam or a rod only; this structure is of kind \"{}\".",
            joint.where("over"), joint.context(), entry.name);
    const double length = structure.number("length");
    for (const char* end : {"from", "to"}) {
      const double at = stretch->number(end);
      if (at < 0.0 || at > length) {
        stretch->reject(end, fmt::format("is not on the {}, which reaches from 0 to {} m.", entry.name, length));
      }
    }
    for (const GaussPoint& point : points_of(*stretch)) places.push_back(point.at);
  }
  if (!places.empty()) structure.set("places", std::move(places), structure.where("places"));
}

double Distribution::total_preload() const {
  double total = 0.0;
  for (const GaussPoint& point : points) total += preload ? point.weight * preload->at(point.at) : 0.0;
  return total;
}

Distribution read_distribution(const OptionValues& joint) {
  const OptionValues& over = joint.table("over");
  Distribution result{
      .from = over.number("from"), .to = over.number("to"), .points = points_of(over), .preload = std::nullopt};
  if (over.has("preload")) result.preload = preload_of(over);
  return result;
}

bool needs_static_load(const LawEntry& law) { return has_key(law.parameters, "approach"); }

OptionValues under_preload(const OptionValues& joint, const LawEntry& law, double load) {
  OptionValues result = joint;
  if (has_key(law.parameters, "normal")) {
    OptionValues normal = joint.table("normal");
    if (normal.number("preload") > 0.0) normal.reject("preload", "is given in `over` too. Leave one of them out.");
    normal.set("preload", load);
    result.set("normal", std::vector<OptionValues>{normal}, joint.where("normal"));
  } else if (law.approach_for_load && has_key(law.parameters, "approach")) {
    if (joint.number("approach") != 0.0) {
      joint.reject("approach", "follows from the preload in `over`. Leave one of them out.");
    }
    result.set("approach", law.approach_for_load(joint, load), joint.where("approach"));
  } else {
    joint.table("over").reject(
        "preload", fmt::format("is for laws with a normal load, such as friction-2d and slip-slap; '{}' has "
                               "none.",
                               law.name));
  }
  return result;
}

Matrix directions_at(const Structure& structure, const OptionValues& joint,
                     const std::vector<std::map<std::string, double>>& directions, double at) {
  const auto& made = dynamic_cast<const BeamStructure&>(structure);
  const auto motions = static_cast<std::size_t>(motions_per_node(made.beam().theory));
  const std::vector<std::string> names(beam_motion_names.begin(), beam_motion_names.begin() + motions);
  const auto node = static_cast<Index>(node_at(made.nodes(), at));
  Matrix result(structure.size(), static_cast<Index>(directions.size()));
  for (std::size_t i = 0; i < directions.size(); ++i) {
    Matrix nodal = Matrix::Zero(static_cast<Index>(made.nodes().size()), 3);
    for (const auto& [name, weight] : directions[i]) {
      const auto found = std::find(names.begin(), names.end(), name);
      require(found != names.end(),
              "{}: {}: direction has '{}'; over a stretch it combines the motions of the section: {}.",
              joint.where("direction"), joint.context(), name, join(names, ", "));
      nodal(node, found - names.begin()) = weight;
    }
    result.col(static_cast<Index>(i)) = made.to_coordinates(nodal);
  }
  return result;
}

std::vector<std::string> distribution_notes(const Distribution& distribution) {
  const auto count = distribution.points.size();
  std::vector<std::string> notes = {
      fmt::format("{} Gauss point{}, forces and stiffnesses per metre", count, count == 1 ? "" : "s")};
  if (!distribution.preload) return notes;
  std::vector<double> loads;
  for (const GaussPoint& point : distribution.points) loads.push_back(distribution.preload->at(point.at));
  const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
  notes.push_back(fmt::format("preload {:.6g} N, {:.6g} to {:.6g} N/m", distribution.total_preload(), *least, *most));
  return notes;
}

}  // namespace masing::detail
