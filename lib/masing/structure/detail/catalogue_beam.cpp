// kind = "beam" and kind = "rod"
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/structure/detail/catalogue_parts.hpp"
#include "masing/structure/finite_element_beam.hpp"
#include "masing/structure/spectral_beam.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace masing::detail {
namespace {

using enum OptionKind;
using Made = std::shared_ptr<const Structure>;

// --- keys ------------------------------------------------------------------------------------------------------------

/// What a stretch of the beam is made of. All optional: a section takes what it does not say from the whole beam.
OptionTable property_table(bool rod) {
  Option material = optional("material", {table}, "", Range::any(), "of a homogeneous, isotropic material");
  material.children = {
      {.name = "E", .kinds = {number}, .unit = "Pa", .range = Range::positive(), .meaning = "Young's modulus"},
      {.name = "rho", .kinds = {number}, .unit = "kg/m^3", .range = Range::positive(), .meaning = "density"},
      with_default(optional("nu", {number}, "", {.lower = -1.0, .upper = 0.5, .lower_open = true},
                            "Poisson's ratio: G = E / (2 (1 + nu)), for Timoshenko's theory"),
                   0.3)};
  OptionTable options = {
      std::move(material), optional("width", {number}, "m", Range::positive(), "of a rectangular section"),
      optional("thickness", {number}, "m", Range::positive(), "of a rectangular section, in the direction of w"),
      optional("area", {number}, "m^2", Range::positive(), "of any section; default width * thickness")};
  if (rod) return options;
  options.push_back(optional("inertia", {number}, "m^4", Range::positive(),
                             "second moment of area of any section; default width * thickness^3 / 12"));
  options.push_back(optional("shear_factor", {number}, "", {.lower = 0.0, .upper = 1.0, .lower_open = true},
                             "kappa, for Timoshenko's theory; default 5/6"));
  return options;
}

Option loss_factor_option() {
  return optional("loss_factor", {number}, "", Range::non_negative(),
                  "hysteretic damping eta: E (1 + i eta) for every frequency but 0; default 0");
}

Option place(std::string name, std::string meaning) {
  return {.name = std::move(name), .kinds = {number}, .unit = "m", .meaning = std::move(meaning)};
}

OptionTable spring_table(OptionTable places) {
  places.push_back(optional("stiffness", {weights}, "N/m", Range::non_negative(),
                            "springs by motion: { w = 1e5, phi = 20.0 }; phi in N m/rad"));
  places.push_back(optional("damping", {weights}, "N s/m", Range::non_negative(), "dashpots by motion, likewise"));
  return places;
}

Option sections_option(bool rod) {
  Option option = optional("sections", {tables}, "", Range::any(),
                           "stretches that differ from the rest; what one does not say is as in the whole");
  option.children = {place("from", "where it begins"), place("to", "where it ends")};
  for (Option& property : property_table(rod)) option.children.push_back(std::move(property));
  option.children.push_back(loss_factor_option());
  return option;
}

Option supports_option(bool rod) {
  Option option = optional("supports", {tables}, "", Range::any(), "what holds it; an end without a support is free");
  Option kind = optional("kind", {text}, "", Range::any(),
                         rod ? "clamped fixes u; free: nothing; elastic: springs and dashpots only"
                             : "clamped fixes u, w, phi; pinned u, w; roller w; guided u, phi; free: nothing; elastic: "
                               "springs and dashpots only");
  kind.choices = rod ? std::vector<std::string>{"clamped", "free", "elastic"}
                     : std::vector<std::string>{"clamped", "pinned", "roller", "guided", "free", "elastic"};
  option.children = {place("at", "where it is"), std::move(kind),
                     optional("fix", {texts}, "", Range::any(), "the fixed motions, instead of kind")};
  option.children = spring_table(std::move(option.children));
  return option;
}

Option masses_option() {
  Option option = optional("masses", {tables}, "", Range::any(), "lumped masses: sensors, transducers");
  option.children = {place("at", "where it is"),
                     {.name = "m", .kinds = {number}, .unit = "kg", .range = Range::non_negative(), .meaning = "mass"},
                     with_default(optional("J", {number}, "kg m^2", Range::non_negative(), "rotary inertia"), 0.0)};
  return option;
}

Option springs_option() {
  Option option = optional("springs", {tables}, "", Range::any(), "springs and dashpots between two places");
  option.children = spring_table({place("from", "one end"), place("to", "the other end")});
  return option;
}

OptionTable beam_table(bool rod) {
  OptionTable options = {
      {.name = "method",
       .kinds = {text},
       .fallback = {std::string("spectral")},
       .choices = {"spectral", "finite-element"},
       .meaning = "spectral: exact at every frequency, coordinates at the named places only, no time integration; "
                  "finite-element: a mesh of `elements`, with matrices"},
      {.name = "length", .kinds = {number}, .unit = "m", .range = Range::positive(), .meaning = "from x = 0"}};
  for (Option& property : property_table(rod)) options.push_back(std::move(property));
  options.push_back(loss_factor_option());
  options.push_back(sections_option(rod));
  options.push_back(supports_option(rod));
  options.push_back(masses_option());
  options.push_back(springs_option());
  options.push_back(reduction_option());
  options.back().meaning += "; galerkin: spectral elements, the others: finite elements";
  options.back().variants.push_back(galerkin_variant());
  options.push_back(optional("points", {weights}, "m", Range::any(),
                             "names for places: { drive = 0.55, tip = 0.6 }; a place without a name is called x0.3"));
  options.push_back(optional("places", {numbers}, "m", Range::any(),
                             "further places that become nodes, without a name of their own"));
  options.push_back(optional("elements", {integer}, "", Range::between(1, max_beam_elements),
                             "number of finite elements in all; default 40"));
  if (!rod) {
    options.push_back(optional("pieces", {integer}, "", Range::between(1, max_beam_elements),
                               "spectral only: nodes are added until the beam has at least so many pieces of even "
                               "length; for a joint with `shortening`, nothing else changes"));
  }
  for (Option& option : viscous_damping_table()) {
    option.meaning += "; finite elements only";
    options.push_back(std::move(option));
  }
  return options;
}

// --- reading ---------------------------------------------------------------------------------------------------------

class BeamReader {
 public:
  BeamReader(const OptionValues& values, BeamTheory theory)
      : values_(values), theory_(theory), length_(values.number("length")) {}

  Beam read() const {
    Beam beam{.theory = theory_, .sections = sections(), .points = {}, .supports = {}, .masses = {}, .springs = {}};
    beam.points = points();
    for (const OptionValues& table : tables_of("supports")) beam.supports.push_back(support(table));
    for (const OptionValues& table : tables_of("masses")) {
      beam.masses.push_back(
          {.at = placed(table, "at"), .mass = table.number("m"), .rotary_inertia = table.number("J")});
    }
    for (const OptionValues& table : tables_of("springs")) {
      beam.springs.push_back({.from = placed(table, "from"),
                              .to = placed(table, "to"),
                              .stiffness = by_motion(table, "stiffness"),
                              .damping = by_motion(table, "damping")});
    }
    return beam;
  }

 private:
  std::vector<OptionValues> tables_of(std::string_view key) const {
    return values_.has(key) ? values_.tables(key) : std::vector<OptionValues>{};
  }

  std::string extent() const { return fmt::format("is not on the beam, which reaches from 0 to {} m.", length_); }

  double placed(const OptionValues& table, std::string_view key) const {
    const double at = table.number(key);
    if (at < 0.0 || at > length_) table.reject(key, extent());
    return at;
  }

  std::vector<BeamPoint> points() const {
    std::vector<BeamPoint> result;
    const auto add = [&](const std::string& key, const std::string& name, double at) {
      if (at >= 0.0 && at <= length_) return result.push_back({name, at});
      values_.reject(
          key, fmt::format("has {}, which {}", name.empty() ? fmt::format("{} m", at) : "'" + name + "'", extent()));
    };
    if (values_.has("points")) {
      for (const auto& [name, at] : values_.weights("points")) add("points", name, at);
    }
    if (values_.has("places")) {
      for (const double at : values_.numbers("places")) add("places", "", at);
    }
    return result;
  }

  std::vector<BeamSection> sections() const {
    std::vector<OptionValues> given = tables_of("sections");
    for (const OptionValues& table : given) {
      if (placed(table, "to") <= placed(table, "from")) table.reject("to", "must lie behind `from`.");
    }
    const auto begins_before = [](const auto& a, const auto& b) { return a.number("from") < b.number("from"); };
    std::stable_sort(given.begin(), given.end(), begins_before);
    std::vector<BeamSection> result;
    double reached = 0.0;
    for (const OptionValues& table : given) {
      const double from = table.number("from");
      if (from < reached) table.reject("from", fmt::format("lies in the section before, which ends at {} m.", reached));
      if (from > reached) result.push_back(section(values_, reached, from));
      reached = table.number("to");
      result.push_back(section(table, from, reached));
    }
    if (reached < length_) result.push_back(section(values_, reached, length_));
    return result;
  }

  BeamSection section(const OptionValues& own, double from, double to) const {
    const OptionValues& material = table_with(own, "material").table("material");
    BeamSection result{.begin = from,
                       .end = to,
                       .youngs_modulus = material.number("E"),
                       .density = material.number("rho"),
                       .poisson_ratio = material.number("nu"),
                       .area = area(own)};
    if (theory_ != BeamTheory::rod) result.inertia = inertia(own);
    for (const OptionValues* table : {&values_, &own}) {
      if (table->has("loss_factor")) result.loss_factor = table->number("loss_factor");
      if (!table->has("shear_factor")) continue;
      if (theory_ != BeamTheory::timoshenko) table->reject("shear_factor", "belongs to theory = \"timoshenko\".");
      result.shear_factor = table->number("shear_factor");
    }
    return result;
  }

  /// The section's own table if it has the key, else the whole beam's; an error if neither has.
  const OptionValues& table_with(const OptionValues& own, std::string_view key, std::string_view instead = "") const {
    if (own.has(key)) return own;
    if (!values_.has(key)) own.reject(key, fmt::format("is missing{}.", instead));
    return values_;
  }

  double area(const OptionValues& own) const {
    if (own.has("area")) return own.number("area");
    const bool own_sides = own.has("width") || own.has("thickness");
    if (!own_sides && values_.has("area")) return values_.number("area");
    constexpr std::string_view instead = ": give width and thickness, or the area";
    return table_with(own, "width", instead).number("width") *
           table_with(own, "thickness", instead).number("thickness");
  }

  double inertia(const OptionValues& own) const {
    if (own.has("inertia")) return own.number("inertia");
    const bool own_sides = own.has("width") || own.has("thickness");
    if (!own_sides && values_.has("inertia")) return values_.number("inertia");
    constexpr std::string_view instead = ": give width and thickness, or area and inertia";
    const double thickness = table_with(own, "thickness", instead).number("thickness");
    return table_with(own, "width", instead).number("width") * thickness * thickness * thickness / 12.0;
  }

  std::size_t motion_of(const OptionValues& table, std::string_view key, const std::string& name) const {
    const std::vector<std::string> names(beam_motion_names.begin(),
                                         beam_motion_names.begin() + motions_per_node(theory_));
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      table.reject(key, fmt::format("has '{}', which is no motion of a {}.{}", name,
                                    theory_ == BeamTheory::rod ? "rod" : "beam", suggestion(name, names)));
    }
    return static_cast<std::size_t>(found - names.begin());
  }

  std::array<double, 3> by_motion(const OptionValues& table, std::string_view key) const {
    std::array<double, 3> result = {};
    if (!table.has(key)) return result;
    for (const auto& [name, value] : table.weights(key)) result[motion_of(table, key, name)] = value;
    return result;
  }

  BeamSupport support(const OptionValues& table) const {
    BeamSupport result{.at = placed(table, "at"),
                       .fixed = {},
                       .stiffness = by_motion(table, "stiffness"),
                       .damping = by_motion(table, "damping")};
    if (table.has("kind") == table.has("fix")) {
      table.reject("at", "needs either `kind` or `fix`, a list of the fixed motions.");
    }
    if (table.has("fix")) {
      for (const std::string& name : table.texts("fix")) result.fixed[motion_of(table, "fix", name)] = true;
      return result;
    }
    const std::string& kind = table.text("kind");
    if (kind == "clamped") result.fixed = {true, true, true};
    if (kind == "pinned") result.fixed = {true, true, false};
    if (kind == "roller") result.fixed = {false, true, false};
    if (kind == "guided") result.fixed = {true, false, true};
    if (kind == "free" && (table.has("stiffness") || table.has("damping"))) {
      table.reject("kind", "has neither springs nor dashpots; \"elastic\" has.");
    }
    return result;
  }

  const OptionValues& values_;
  BeamTheory theory_;
  double length_;
};

/// Points without a name, so that no piece between two places is longer than the given part of the beam.
void cut_into_pieces(Beam& beam, long pieces) {
  const std::vector<BeamNode> places = beam_nodes(beam);
  const double longest = (beam.end() - beam.begin()) / static_cast<double>(pieces);
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const double length = places[i + 1].at - places[i].at;
    const long count = std::lround(std::ceil(length / longest * (1.0 - 1e-9)));
    for (long j = 1; j < count; ++j) {
      beam.points.push_back({"", places[i].at + length * static_cast<double>(j) / static_cast<double>(count)});
    }
  }
}

void check_reduction(const OptionValues& values, bool spectral) {
  if (!values.has("reduction")) return;
  const OptionValues& reduction = values.table("reduction");
  if ((reduction.text("kind") == "galerkin") == spectral) return;
  reduction.reject("kind", spectral ? "belongs to method = \"finite-element\"; for spectral elements there is galerkin."
                                    : "belongs to method = \"spectral\"; a mesh has craig-bampton and modal.");
}

Made make(const OptionValues& values, BeamTheory theory) {
  Beam beam = BeamReader(values, theory).read();
  const bool spectral = values.text("method") == "spectral";
  check_reduction(values, spectral);
  if (spectral) {
    for (const char* key : {"elements", "rayleigh", "modal_damping"}) {
      if (values.has(key)) values.reject(key, "belongs to method = \"finite-element\".");
    }
    if (values.has("pieces")) cut_into_pieces(beam, values.integer("pieces"));
    auto made = std::make_shared<const SpectralBeam>(beam);
    require(made->size() > 0,
            "the supports fix every motion at the nodes of the beam: nothing is left to drive or to observe. Name a "
            "point between them, points = {{ middle = {:g} }}.",
            0.5 * (beam.begin() + beam.end()));
    return made;
  }
  if (values.has("pieces")) values.reject("pieces", "belongs to method = \"spectral\"; a mesh has `elements`.");
  FiniteElementOptions options{.damping = viscous_damping(values)};
  if (values.has("elements")) options.elements = static_cast<int>(values.integer("elements"));
  return finite_element_beam(beam, options);
}

const std::string reference =
    "J. S. Przemieniecki, Theory of Matrix Structural Analysis, McGraw-Hill, 1968; J. F. Doyle, Wave Propagation in "
    "Structures, 2nd ed., Springer, 1997.";

}  // namespace

StructureEntry rod_entry() {
  return {
      .name = "rod",
      .summary = "A straight rod that stretches, with sections, masses and springs. Coordinates are tip.u, x0.3.u, …",
      .equation = "(EA u')' - rho A u'' (in time) = - load",
      .reference = reference,
      .limits = "Cross-sections stay plane and feel no lateral inertia.",
      .parameters = beam_table(true),
      .make = [](const OptionValues& values, const MatrixLoader&) { return make(values, BeamTheory::rod); }};
}

StructureEntry beam_entry() {
  OptionTable table = beam_table(false);
  table.insert(table.begin(), {.name = "theory",
                               .kinds = {text},
                               .fallback = {std::string("euler-bernoulli")},
                               .choices = {"euler-bernoulli", "timoshenko"},
                               .meaning = "timoshenko adds shear deformation and rotary inertia: for thick beams and "
                                          "high frequencies"});
  const auto make_beam = [](const OptionValues& values, const MatrixLoader&) {
    const bool thick = values.text("theory") == "timoshenko";
    return make(values, thick ? BeamTheory::timoshenko : BeamTheory::euler_bernoulli);
  };
  return {.name = "beam",
          .summary =
              "A straight beam that bends and stretches in a plane, with sections, supports, masses and springs. "
              "Coordinates are tip.u, tip.w, tip.phi, x0.3.w, …",
          .equation = "N = EA u', Q = kappa G A (w' - phi), M = EI phi'; Euler-Bernoulli: phi = w'",
          .reference = reference,
          .limits = "Linear: small rotations, no effect of the axial force on bending unless a joint has `shortening`.",
          .parameters = std::move(table),
          .make = make_beam};
}

}  // namespace masing::detail
