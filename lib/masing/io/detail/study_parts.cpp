#include "masing/io/detail/study_parts.hpp"

#include "masing/core/error.hpp"
#include "masing/core/text.hpp"

#include <algorithm>

namespace masing::detail {

std::vector<OptionValues> tables_of(const StudyDocument& document, const std::string& key) {
  if (!document.root.has(key)) return {};
  const auto* tables = std::get_if<std::vector<OptionValues>>(&document.root.at(key));
  require(tables != nullptr, "{}: '{}' must be a table: write [{}] on a line of its own and the keys below it.",
          document.root.where(key), key, key);
  return *tables;
}

OptionValues table_of(const StudyDocument& document, const std::string& key) {
  std::vector<OptionValues> tables = tables_of(document, key);
  require(tables.size() < 2, "{}: there can be only one [{}].", document.root.where(key), key);
  OptionValues values = tables.empty() ? OptionValues() : tables.front();
  values.set_context(key, values.where(""));
  return values;
}

namespace {

std::string name_at(const OptionValues& values) {
  return values.has("component") ? values.text("at") + "." + values.text("component") : values.text("at");
}

[[noreturn]] void reject_at(const OptionValues& values, const std::vector<std::string>& names) {
  const std::string component =
      values.has("component") ? fmt::format("with component \"{}\" ", values.text("component")) : "";
  values.reject(
      "at", fmt::format("{}is not a coordinate of the structure.{}", component, suggestion(name_at(values), names)));
}

}  // namespace

Index coordinate_at(const Structure& structure, const OptionValues& values) {
  const Index coordinate = structure.find(name_at(values));
  if (coordinate < 0) reject_at(values, structure.coordinates());
  return coordinate;
}

Vector motion_at(const Structure& structure, const OptionValues& values) {
  Vector motion = structure.motion(name_at(values));
  if (motion.size() == 0) reject_at(values, structure.motion_names());
  return motion;
}

Vector coordinate_weights(const Structure& structure, const OptionValues& values, const std::string& key,
                          const std::map<std::string, double>& weights) {
  Vector result = Vector::Zero(structure.size());
  for (const auto& [name, weight] : weights) {
    const Index coordinate = structure.find(name);
    require(coordinate >= 0, "{}: {}: {}: '{}' is not a coordinate of the structure.{}", values.where(key),
            values.context(), key, name, suggestion(name, structure.coordinates()));
    result(coordinate) = weight;
  }
  return result;
}

Vector motion_weights(const Structure& structure, const OptionValues& values, const std::string& key,
                      const std::map<std::string, double>& weights) {
  Vector result = Vector::Zero(structure.size());
  for (const auto& [name, weight] : weights) {
    const Vector motion = structure.motion(name);
    require(motion.size() > 0, "{}: {}: {}: '{}' is not a coordinate of the structure.{}", values.where(key),
            values.context(), key, name, suggestion(name, structure.motion_names()));
    result += weight * motion;
  }
  return result;
}

std::string joint_name(const OptionValues& values, std::size_t index) {
  const bool named = values.has("name") && std::holds_alternative<std::string>(values.at("name"));
  return named ? values.text("name") : fmt::format("joint{}", index + 1);
}

void claim_name(const OptionValues& values, const std::string& name, std::vector<std::string>& taken) {
  const std::string where = values.where("name");
  require(!name.empty() && name != "." && name.find('/') == std::string::npos,
          "{}: {}: name = \"{}\" must not be empty, a dot or contain '/': it becomes a group of the result file.",
          where, values.context(), name);
  require(std::find(taken.begin(), taken.end(), name) == taken.end(),
          "{}: {}: the name '{}' is taken. Names must be unique; set `name`.", where, values.context(), name);
  taken.push_back(name);
}

std::string deciding_text(const OptionValues& values, const OptionTable& table, const std::string& key) {
  OptionValues alone;
  alone.set_context(values.context(), values.where(""));
  if (values.has(key)) alone.set(key, values.at(key), values.where(key));
  const auto option = std::find_if(table.begin(), table.end(), [&](const Option& o) { return o.name == key; });
  alone.complete({*option});
  return alone.text(key);
}

}  // namespace masing::detail
