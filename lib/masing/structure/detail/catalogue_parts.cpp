#include "masing/structure/detail/catalogue_parts.hpp"

namespace masing::detail {

Option optional(std::string name, std::vector<OptionKind> kinds, std::string unit, Range range, std::string meaning) {
  return {.name = std::move(name),
          .kinds = std::move(kinds),
          .unit = std::move(unit),
          .required = false,
          .range = range,
          .meaning = std::move(meaning)};
}

Option with_default(Option option, OptionValue value) {
  option.fallback = {std::move(value)};
  return option;
}

OptionTable viscous_damping_table() {
  Option rayleigh =
      optional("rayleigh", {OptionKind::table}, "", Range::any(),
               "viscous damping C = alpha M + beta K; ratio of a mode: alpha / (2 omega) + beta omega / 2");
  rayleigh.children = {
      with_default(optional("alpha", {OptionKind::number}, "1/s", Range::non_negative(), "factor of the mass matrix"),
                   0.0),
      with_default(optional("beta", {OptionKind::number}, "s", Range::non_negative(), "factor of the stiffness matrix"),
                   0.0)};
  return {std::move(rayleigh),
          optional("modal_damping", {OptionKind::number, OptionKind::numbers}, "", Range::non_negative(),
                   "damping ratio of all elastic modes, or a list, lowest mode first; modes beyond the list and "
                   "rigid-body modes get none. Needs all modes: at most 3000 unknowns")};
}

OptionTable with_shared_damping(OptionTable table) {
  for (Option& option : viscous_damping_table()) table.push_back(std::move(option));
  table.push_back(
      with_default(optional("loss_factor", {OptionKind::number}, "", Range::non_negative(),
                            "hysteretic damping eta: K (1 + i eta) for every frequency but 0; no time integration"),
                   0.0));
  return table;
}

DampingOptions viscous_damping(const OptionValues& values) {
  DampingOptions damping;
  if (values.has("rayleigh")) {
    damping.rayleigh_alpha = values.table("rayleigh").number("alpha");
    damping.rayleigh_beta = values.table("rayleigh").number("beta");
  }
  if (values.has("modal_damping")) {
    const bool is_list = std::holds_alternative<std::vector<double>>(values.at("modal_damping")) ||
                         std::holds_alternative<std::vector<long>>(values.at("modal_damping"));
    if (is_list) {
      damping.modal_ratios = values.numbers("modal_damping");
    } else {
      damping.modal_ratio = values.number("modal_damping");
    }
  }
  return damping;
}

DampingOptions shared_damping(const OptionValues& values) {
  DampingOptions damping = viscous_damping(values);
  damping.loss_factor = values.number("loss_factor");
  return damping;
}

}  // namespace masing::detail
