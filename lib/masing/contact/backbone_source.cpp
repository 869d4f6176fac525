#include "masing/contact/backbone_source.hpp"

#include "masing/contact/backbones.hpp"
#include "masing/contact/detail/catalogue_parts.hpp"
#include "masing/core/error.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace masing {
namespace {

using detail::number;

/// One kind of density: its keys, whether it wants stiffness and slip_force beside them, and how it is made.
struct DensityKind {
  OptionVariant variant;
  bool scaled = true;  ///< stiffness and slip_force set the scale; else the table says everything
  std::function<BackbonePointer(double stiffness, double slip_force, const OptionValues& density)> make;
};

Option chi() {
  return number("chi", "", {.lower = -1.0, .upper = 0.0, .lower_open = true},
                "exponent of the density; dissipation in microslip grows as amplitude^(chi + 3)");
}

Option beta(std::string meaning) { return number("beta", "", Range::non_negative(), std::move(meaning)); }

Option dirac_beta() {
  return beta("stiffness of the sliders that let go together at macroslip over that of the others");
}

Option rows(std::string name, std::string unit, Range range, std::string meaning) {
  return {.name = std::move(name),
          .kinds = {OptionKind::matrix},
          .unit = std::move(unit),
          .range = range,
          .meaning = std::move(meaning)};
}

/// The rows of a two-column matrix, made into a backbone; what the backbone refuses is told with the key's place.
template <class Row, class Make>
BackbonePointer from_rows(const OptionValues& density, std::string_view name, const Make& make) {
  const Matrix& matrix = density.matrix(name);
  if (matrix.cols() != 2) density.reject(name, fmt::format("must have 2 columns, not {}.", matrix.cols()));
  std::vector<Row> table;
  for (Index i = 0; i < matrix.rows(); ++i) table.push_back({matrix(i, 0), matrix(i, 1)});
  try {
    return make(table);
  } catch (const ModelError& error) {
    density.reject(name, fmt::format("is refused. {}", error.what()));
  }
}

DensityKind uniform() {
  return {.variant = {"uniform", "All slip displacements up to the largest are equally frequent (Iwan 1966).", {}},
          .make = [](double k, double f, const OptionValues&) {
            return uniform_backbone({k, f});
          }};
}

DensityKind four_parameter() {
  return {.variant = {"four-parameter",
                      "Power law with a Dirac at the largest slip displacement (Segalman 2005).",
                      {chi(), dirac_beta()}},
          .make = [](double k, double f, const OptionValues& v) {
            return four_parameter_backbone({k, f, v.number("chi"), v.number("beta")});
          }};
}

DensityKind five_parameter() {
  return {
      .variant = {"five-parameter",
                  "The four-parameter density whose sliders weaken once they slide (Wang and Mignolet 2014); the force "
                  "in macroslip is below slip_force.",
                  {chi(), dirac_beta(),
                   number("theta", "", {.lower = 0.0, .upper = 1.0, .lower_open = true},
                          "dynamic over static friction")}},
      .make = [](double k, double f, const OptionValues& v) {
        return five_parameter_backbone({k, f, v.number("chi"), v.number("beta"), v.number("theta")});
      }};
}

DensityKind end_singular() {
  return {.variant = {"end-singular",
                      "Power law with an integrable singularity at the largest slip displacement (Brake 2017, eq. 33).",
                      {chi(), beta("stiffness of the end singularity over that of the power law"),
                       number("exponent", "", {.lower = 0.0, .upper = 1.0, .upper_open = true},
                              "g of (phi_max - phi)^-g; towards 1 it is the four-parameter density")}},
          .make = [](double k, double f, const OptionValues& v) {
            return end_singular_backbone({k, f, v.number("chi"), v.number("beta"), v.number("exponent")});
          }};
}

DensityKind hertz() {
  return {.variant = {"hertz", "A sphere pressed on a plane: Mindlin's partial slip (Li et al. 2020).", {}},
          .make = [](double k, double f, const OptionValues&) {
            return hertz_backbone({k, f});
          }};
}

DensityKind flat() {
  return {.variant = {"flat",
                      "Flat on flat with a quadratic pressure along the sliding direction (Li et al. 2020).",
                      {number("gamma", "", Range::between(0.0, 1.5),
                              "pressure in the middle over the mean pressure; 1 is a Jenkins element, 1.5 is hertz")}},
          .make = [](double k, double f, const OptionValues& v) {
            return flat_backbone({k, f, v.number("gamma")});
          }};
}

DensityKind tabulated_density() {
  return {.variant = {"tabulated-density",
                      "A table of the density over the slip displacement, linear between its rows.",
                      {rows("table", "m, N/m^2", Range::non_negative(), "rows [phi, rho], phi rising"),
                       detail::with_default(number("end_stiffness", "N/m", Range::non_negative(),
                                                   "stiffness of the sliders that let go together at the last phi"),
                                            0.0)}},
          .scaled = false,
          .make = [](double, double, const OptionValues& v) {
            return from_rows<DensityRow>(v, "table", [&](const std::vector<DensityRow>& table) {
              return tabulated_density_backbone(table, v.number("end_stiffness"));
            });
          }};
}

DensityKind tabulated_backbone_kind() {
  return {.variant = {"tabulated-backbone",
                      "A table of the force over the displacement at first loading, constant behind its last row; "
                      "monotone and concave between its rows.",
                      {rows("table", "m, N", Range::non_negative(), "rows [u, F], u rising, from rest to macroslip")}},
          .scaled = false,
          .make = [](double, double, const OptionValues& v) {
            return from_rows<BackboneRow>(v, "table", tabulated_backbone);
          }};
}

DensityKind maxwell_slip() {
  return {.variant = {"maxwell-slip",
                      "A finite number of parallel Jenkins elements.",
                      {rows("elements", "N/m, N", Range::positive(), "rows [stiffness, slip_force]")}},
          .scaled = false,
          .make = [](double, double, const OptionValues& v) {
            return from_rows<SlipElement>(v, "elements", maxwell_slip_backbone);
          }};
}

const std::vector<DensityKind>& kinds() {
  static const std::vector<DensityKind> all = {
      uniform(), four_parameter(), five_parameter(),    end_singular(),           hertz(),
      flat(),    maxwell_slip(),   tabulated_density(), tabulated_backbone_kind()};
  return all;
}

Option density_option() {
  Option option{.name = "density", .kinds = {OptionKind::table}, .meaning = "how the sliders are distributed"};
  for (const DensityKind& kind : kinds()) option.variants.push_back(kind.variant);
  return option;
}

Option scale(std::string name, std::string unit, std::string meaning) {
  Option option = number(std::move(name), std::move(unit), Range::positive(), std::move(meaning));
  option.required = false;
  return option;
}

void check_scale(const OptionValues& values, const DensityKind& kind) {
  for (const char* name : {"stiffness", "slip_force"}) {
    if (kind.scaled && !values.has(name))
      values.reject(name, fmt::format("is missing: density kind '{}' needs it.", kind.variant.name));
    if (!kind.scaled && values.has(name))
      values.reject(name, fmt::format("must be left out: density kind '{}' says it already.", kind.variant.name));
  }
}

SourcedBackbone make(const OptionValues& values) {
  const OptionValues& density = values.table("density");
  const std::string& name = density.text("kind");
  const auto kind =
      std::find_if(kinds().begin(), kinds().end(), [&](const DensityKind& k) { return k.variant.name == name; });
  check_scale(values, *kind);
  const double stiffness = kind->scaled ? values.number("stiffness") : 0.0;
  const double slip_force = kind->scaled ? values.number("slip_force") : 0.0;
  SourcedBackbone result{.backbone = kind->make(stiffness, slip_force, density), .notes = {}};
  result.notes = {fmt::format("stick stiffness {:.6g} N/m", result.backbone->stick_stiffness()),
                  fmt::format("macroslip displacement {:.6g} m", result.backbone->macroslip()),
                  fmt::format("macroslip force {:.6g} N", result.backbone->slip_force())};
  return result;
}

}  // namespace

const BackboneSource& density_source() {
  static const BackboneSource source = {
      .name = "density",
      .summary = "A density of sliders or a backbone, given by its parameters or by a table.",
      .equation = "F(u) = integral of phi rho(phi) from 0 to u + u * integral of rho(phi) from u on",
      .reference =
          "W. D. Iwan, A distributed-element model for hysteresis, J. Appl. Mech. 33 (1966) 893; D. J. Segalman, "
          "J. Appl. Mech. 72 (2005) 752; M. R. W. Brake, Nonlinear Dyn. 87 (2017) 1335; D. Li et al., Int. J. "
          "Mech. Sci. 180 (2020) 105671.",
      .limits = "One direction of sliding under a constant normal load; independent of the rate.",
      .parameters = {scale("stiffness", "N/m", "stiffness while everything sticks; for kinds without a table"),
                     scale("slip_force", "N", "force when everything slides; for kinds without a table"),
                     density_option()},
      .make = make};
  return source;
}

}  // namespace masing
