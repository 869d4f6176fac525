#include "masing/contact/catalogue.hpp"

#include "masing/contact/detail/catalogue_parts.hpp"

#include <algorithm>

namespace masing {
namespace detail {

Option number(std::string name, std::string unit, Range range, std::string meaning) {
  return {.name = std::move(name),
          .kinds = {OptionKind::number},
          .unit = std::move(unit),
          .range = range,
          .meaning = std::move(meaning)};
}

Option with_default(Option option, double value) {
  option.fallback = {value};
  return option;
}

}  // namespace detail

const std::vector<LawEntry>& law_catalogue() {
  static const std::vector<LawEntry> catalogue = [] {
    std::vector<LawEntry> all;
    for (const auto& family : {detail::elementary_laws(), detail::iwan_laws(), detail::variable_load_laws(),
                               detail::friction_laws(), detail::slip_slap_laws()}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    return all;
  }();
  return catalogue;
}

const LawEntry* find_law(std::string_view name) {
  const std::vector<LawEntry>& catalogue = law_catalogue();
  const auto found =
      std::find_if(catalogue.begin(), catalogue.end(), [&](const LawEntry& e) { return e.name == name; });
  return found == catalogue.end() ? nullptr : &*found;
}

}  // namespace masing
