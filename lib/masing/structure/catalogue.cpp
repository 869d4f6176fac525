#include "masing/structure/catalogue.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/lumped.hpp"

#include <algorithm>

namespace masing {
namespace {

using Made = std::shared_ptr<const Structure>;

// --- damping keys that every kind has --------------------------------------------------------------------------------

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

OptionTable with_shared_damping(OptionTable table) {
  Option rayleigh =
      optional("rayleigh", {OptionKind::table}, "", Range::any(),
               "viscous damping C = alpha M + beta K; ratio of a mode: alpha / (2 omega) + beta omega / 2");
  rayleigh.children = {
      with_default(optional("alpha", {OptionKind::number}, "1/s", Range::non_negative(), "factor of the mass matrix"),
                   0.0),
      with_default(optional("beta", {OptionKind::number}, "s", Range::non_negative(), "factor of the stiffness matrix"),
                   0.0)};
  table.push_back(std::move(rayleigh));
  table.push_back(
      optional("modal_damping", {OptionKind::number, OptionKind::numbers}, "", Range::non_negative(),
               "damping ratio of all elastic modes, or a list, lowest mode first; modes beyond the list and "
               "rigid-body modes get none. Needs all modes: at most 3000 unknowns"));
  table.push_back(
      with_default(optional("loss_factor", {OptionKind::number}, "", Range::non_negative(),
                            "hysteretic damping eta: K (1 + i eta) for every frequency but 0; no time integration"),
                   0.0));
  return table;
}

DampingOptions shared_damping(const OptionValues& values) {
  DampingOptions damping{.loss_factor = values.number("loss_factor")};
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
                .meaning = "where the chain is held; \"none\" leaves it free to move as a whole"}}),
          .make = make_chain};
}

// --- matrices --------------------------------------------------------------------------------------------------------

SparseMatrix matrix_of(const OptionValues& values, std::string_view name, const MatrixLoader& loader) {
  if (const auto* inline_matrix = std::get_if<Matrix>(&values.at(name))) return inline_matrix->sparseView();
  try {
    return loader(values.text(name));
  } catch (const ModelError& error) {
    values.reject(name, fmt::format("cannot be read: {}", error.what()));
  }
}

Made make_matrices(const OptionValues& values, const MatrixLoader& loader) {
  MatrixStructureOptions options{.mass = matrix_of(values, "mass", loader),
                                 .stiffness = matrix_of(values, "stiffness", loader),
                                 .damping = shared_damping(values)};
  if (values.has("damping")) options.damping.viscous = matrix_of(values, "damping", loader);
  if (values.has("coordinates")) options.coordinates = values.texts("coordinates");
  return std::make_shared<const MatrixStructure>(std::move(options));
}

StructureEntry matrices_entry() {
  const std::vector<OptionKind> matrix = {OptionKind::matrix, OptionKind::text};
  const std::string files =
      "inline [[…], […]], or a file: \"m.mtx\" (Matrix Market), \"model.h5:/path\" (HDF5), "
      "\"model.mat:name\" (MATLAB)";
  return {.name = "matrices",
          .summary = "A structure given by its mass, stiffness and damping matrices.",
          .equation = "M q'' + C q' + K q = force",
          .reference = "M. Géradin, D. J. Rixen, Mechanical Vibrations, 3rd ed., Wiley, 2015.",
          .limits =
              "M and K must be symmetric and positive semi-definite. Rigid-body motions are allowed; massless "
              "coordinates are too, but not in time integration.",
          .parameters = with_shared_damping(
              {{.name = "mass", .kinds = matrix, .unit = "kg", .meaning = "mass matrix, " + files},
               {.name = "stiffness", .kinds = matrix, .unit = "N/m", .meaning = "stiffness matrix, likewise"},
               optional("damping", matrix, "N s/m", Range::any(), "viscous damping matrix, symmetric, likewise"),
               optional("coordinates", {OptionKind::texts}, "", Range::any(), "names of the rows; default q1, q2, …")}),
          .make = make_matrices};
}

}  // namespace

const std::vector<StructureEntry>& structure_catalogue() {
  static const std::vector<StructureEntry> catalogue = {oscillator_entry(), chain_entry(), matrices_entry()};
  return catalogue;
}

const StructureEntry* find_structure(std::string_view name) {
  const auto& catalogue = structure_catalogue();
  const auto found =
      std::find_if(catalogue.begin(), catalogue.end(), [&](const StructureEntry& e) { return e.name == name; });
  return found == catalogue.end() ? nullptr : &*found;
}

}  // namespace masing
