#include "masing/structure/catalogue.hpp"

#include "masing/structure/detail/catalogue_parts.hpp"
#include "masing/structure/lumped.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace masing {
namespace {

using Made = std::shared_ptr<const Structure>;

using detail::optional;
using detail::shared_damping;
using detail::with_default;
using detail::with_shared_damping;

// --- oscillator ------------------------------------------------------------------------------------------------------

Made make_oscillator(const OptionValues& values, const MatrixLoader&) {
  const OscillatorOptions options{.mass = values.number("mass"),
                                  .stiffness = values.number("stiffness"),
                                  .damping = values.number("damping"),
                                  .damping_ratio = values.number("damping_ratio"),
                                  .further_damping = shared_damping(values)};
  if (options.damping_ratio > 0.0 && options.stiffness == 0.0) {
    values.reject("damping_ratio", "is a fraction of 2 sqrt(stiffness mass), which is 0 here. Use damping instead.");
  }
  return oscillator(options);
}

StructureEntry oscillator_entry() {
  const std::vector<OptionKind> number = {OptionKind::number};
  return {.name = "oscillator",
          .summary = "One mass on a spring. Its coordinate is x.",
          .equation = "m x'' + c x' + k x = force, c = damping + 2 damping_ratio sqrt(k m)",
          .reference = "M. Géradin, D. J. Rixen, Mechanical Vibrations, 3rd ed., Wiley, 2015.",
          .limits = "",
          .parameters = with_shared_damping(
              {{.name = "mass", .kinds = number, .unit = "kg", .range = Range::positive(), .meaning = "mass"},
               {.name = "stiffness",
                .kinds = number,
                .unit = "N/m",
                .range = Range::non_negative(),
                .meaning = "stiffness of the spring to the ground; 0 when a joint is the only spring"},
               with_default(optional("damping", number, "N s/m", Range::non_negative(), "viscous damping"), 0.0),
               with_default(
                   optional("damping_ratio", number, "", Range::non_negative(), "fraction of critical damping"), 0.0)}),
          .make = make_oscillator};
}

// --- chain -----------------------------------------------------------------------------------------------------------

// One value for each of `count` places: a list of that length, or a single number repeated.
std::vector<double> spread(const OptionValues& values, std::string_view name, std::size_t count,
                           std::string_view things) {
  std::vector<double> list = values.numbers(name);
  const bool single = std::holds_alternative<double>(values.at(name)) || std::holds_alternative<long>(values.at(name));
  if (single) return std::vector<double>(count, list.front());
  if (list.size() != count) {
    values.reject(name, fmt::format("has {} entries but the chain has {} {}.", list.size(), count, things));
  }
  return list;
}

std::size_t chain_count(const OptionValues& values) {
  if (values.has("count")) return static_cast<std::size_t>(values.integer("count"));
  const bool single =
      std::holds_alternative<double>(values.at("mass")) || std::holds_alternative<long>(values.at("mass"));
  if (single)
    values.reject("mass", "is one number, so the number of masses is not known. Give `count`, or a list of masses.");
  const std::size_t count = values.numbers("mass").size();
  if (count == 0) values.reject("mass", "is empty. A chain needs at least one mass.");
  return count;
}

Made make_chain(const OptionValues& values, const MatrixLoader&) {
  ChainOptions options{.further_damping = shared_damping(values)};
  const std::string& ground = values.text("ground");
  options.ground = ground == "left" ? ChainGround::left : (ground == "both" ? ChainGround::both : ChainGround::none);
  const std::size_t count = chain_count(values);
  const std::size_t springs = chain_springs(count, options.ground);
  options.masses = spread(values, "mass", count, "masses (count)");
  const std::string things = fmt::format("springs ({} masses, ground = \"{}\")", count, ground);
  options.stiffnesses = spread(values, "stiffness", springs, things);
  if (values.has("damping")) options.dampings = spread(values, "damping", springs, things);
  return chain(options);
}

StructureEntry chain_entry() {
  const std::vector<OptionKind> list = {OptionKind::number, OptionKind::numbers};
  return {.name = "chain",
          .summary = "Masses in a line, neighbours joined by a spring and a dashpot. Coordinates are x1, x2, …",
          .equation = "m_i x_i'' + f_i - f_{i+1} = force, f_i = k_i (x_i - x_{i-1}) + c_i (x_i' - x_{i-1}')",
          .reference = "M. Géradin, D. J. Rixen, Mechanical Vibrations, 3rd ed., Wiley, 2015.",
          .limits = "",
          .parameters = with_shared_damping(
              {optional("count", {OptionKind::integer}, "", Range::between(1, 1e6),
                        "number of masses when they are not listed"),
               {.name = "mass",
                .kinds = list,
                .unit = "kg",
                .range = Range::positive(),
                .meaning = "one for all, or a list"},
               {.name = "stiffness",
                .kinds = list,
                .unit = "N/m",
                .range = Range::non_negative(),
                .meaning = "one for all springs, or a list from left to right; n masses have n springs with ground "
                           "\"left\", n + 1 with \"both\", n - 1 with \"none\""},
               optional("damping", list, "N s/m", Range::non_negative(),
                        "viscous, beside each spring: one for all, or a list"),
               {.name = "ground",
                .kinds = {OptionKind::text},
                .fallback = {std::string("left")},
                .choices = {"left", "both", "none"},
                .meaning = "where the chain is held; \"none\" leaves it free to move as a whole"},
               detail::reduction_option()}),
          .make = make_chain};
}

}  // namespace

const std::vector<StructureEntry>& structure_catalogue() {
  static const std::vector<StructureEntry> catalogue = {oscillator_entry(), chain_entry(), detail::rod_entry(),
                                                        detail::beam_entry(), detail::matrices_entry()};
  return catalogue;
}

const StructureEntry* find_structure(std::string_view name) {
  const auto& catalogue = structure_catalogue();
  const auto found =
      std::find_if(catalogue.begin(), catalogue.end(), [&](const StructureEntry& e) { return e.name == name; });
  return found == catalogue.end() ? nullptr : &*found;
}

}  // namespace masing
