#include "masing/joint/catalogue.hpp"

#include "masing/joint/detail/source_parts.hpp"

namespace masing {
namespace detail {

Option real_key(std::string name, std::string unit, Range range, std::string meaning) {
  return {.name = std::move(name),
          .kinds = {OptionKind::number},
          .unit = std::move(unit),
          .range = range,
          .meaning = std::move(meaning)};
}

Option optional_key(Option option) {
  option.required = false;
  return option;
}

Option kind_key(std::string name, std::vector<OptionVariant> variants, std::string meaning) {
  return {.name = std::move(name),
          .kinds = {OptionKind::table},
          .variants = std::move(variants),
          .meaning = std::move(meaning)};
}

Option material_key(std::string name, std::string meaning) {
  return {.name = std::move(name),
          .kinds = {OptionKind::table},
          .required = false,
          .children = {real_key("E", "Pa", Range::positive(), "Young's modulus"),
                       real_key("nu", "", {.lower = 0.0, .upper = 0.5, .upper_open = true}, "Poisson's ratio")},
          .meaning = std::move(meaning)};
}

ElasticMaterial elastic(const OptionValues& values) { return {values.number("E"), values.number("nu")}; }

}  // namespace detail

const std::vector<BackboneSource>& surface_sources() {
  static const std::vector<BackboneSource> sources = {detail::pressure_source(), detail::roughness_source()};
  return sources;
}

}  // namespace masing
