#include "masing/core/error.hpp"
#include "masing/joint/detail/source_parts.hpp"
#include "masing/joint/pressure.hpp"

#include <fmt/core.h>

#include <cmath>
#include <optional>

namespace masing::detail {
namespace {

Option matrix_key(std::string name, std::string unit, std::string meaning) {
  return {
      .name = std::move(name), .kinds = {OptionKind::matrix}, .unit = std::move(unit), .meaning = std::move(meaning)};
}

Option pressure_option() {
  const Option positions_x = {.name = "x",
                              .kinds = {OptionKind::numbers},
                              .unit = "m",
                              .required = false,
                              .meaning = "positions along the sliding direction, rising: the rows of p"};
  const Option positions_y = {.name = "y",
                              .kinds = {OptionKind::numbers},
                              .unit = "m",
                              .required = false,
                              .meaning = "positions across it, rising: the columns of p"};
  return kind_key(
      "pressure",
      {{.name = "uniform", .summary = "perfectly even: everything slides at once"},
       {.name = "hertz", .summary = "sphere on plane, q ∝ 1 − (x/a)²: Mindlin's solution"},
       {.name = "quadratic",
        .summary = "flat on flat, q ∝ γ + 12 (1 − γ) (x/L)²: γ < 1 pressed at the ends, γ > 1 in the middle",
        .table = {real_key("gamma", "", Range::between(0.0, 1.5), "line load in the middle over the mean")}},
       {.name = "triangle", .summary = "from zero at one end to twice the mean at the other"},
       {.name = "line",
        .summary = "a table along the sliding direction, linear between its rows",
        .table = {matrix_key("table", "",
                             "rows [x, q] with the line load q in N/m, or with `width` [x, p] with p in Pa"),
                  optional_key(
                      real_key("width", "m", Range::positive(), "of the contact; the table then holds pressures"))}},
       {.name = "map",
        .summary = "pressures on a grid, integrated across the sliding direction into a line load",
        .table = {positions_x, positions_y,
                  optional_key(matrix_key("p", "Pa", "pressures: a row for each x, a column for each y")),
                  optional_key(matrix_key("table", "",
                                          "instead of x, y and p, in one: first row the y, first column the x (the "
                                          "corner is not read), pressures in Pa inside"))}}},
      "how the normal load is spread over the contact");
}

Option sphere_option() {
  return {.name = "sphere",
          .kinds = {OptionKind::table},
          .required = false,
          .children = {optional_key(real_key("shear_modulus", "Pa", Range::positive(), "G; or give E")),
                       optional_key(real_key("E", "Pa", Range::positive(), "Young's modulus, G = E/(2(1 + nu))")),
                       real_key("nu", "", {.lower = 0.0, .upper = 0.5, .upper_open = true}, "Poisson's ratio"),
                       real_key("contact_radius", "m", Range::positive(), "radius a of the contact circle"),
                       {.name = "against",
                        .kinds = {OptionKind::text},
                        .fallback = {std::string("rigid")},
                        .choices = {"rigid", "same"},
                        .meaning = "the other body: rigid, or of the same material (half the stiffness)"}},
          .meaning = "instead of stiffness: k_t = 8 G a/(2 − nu) of a circular contact"};
}

OptionTable parameters() {
  return {real_key("friction", "", Range::positive(), "friction coefficient"),
          optional_key(real_key("normal_load", "N", Range::positive(),
                                "normal load; a line or map is scaled to it, and without it is taken as written")),
          optional_key(real_key("stiffness", "N/m", Range::positive(),
                                "tangential stiffness while everything sticks; or give sphere")),
          sphere_option(), pressure_option()};
}

double sphere_stiffness(const OptionValues& sphere) {
  if (sphere.has("shear_modulus") == sphere.has("E")) {
    sphere.reject("shear_modulus", "or E must be given, one of the two.");
  }
  const double nu = sphere.number("nu");
  const double shear = sphere.has("E") ? sphere.number("E") / (2.0 * (1.0 + nu)) : sphere.number("shear_modulus");
  const double bodies = sphere.text("against") == "same" ? 2.0 : 1.0;
  return 8.0 * shear * sphere.number("contact_radius") / ((2.0 - nu) * bodies);
}

double stiffness_of(const OptionValues& values) {
  if (values.has("stiffness") == values.has("sphere")) {
    values.reject("stiffness", "or sphere must be given, one of the two.");
  }
  return values.has("stiffness") ? values.number("stiffness") : sphere_stiffness(values.table("sphere"));
}

LineLoad line_of(const OptionValues& field) {
  const Matrix& table = field.matrix("table");
  if (table.cols() != 2) field.reject("table", "must have two columns: position and load.");
  if (field.has("width")) return line_load(table.col(0), table.col(1), field.number("width"));
  return {table.col(0), table.col(1)};
}

LineLoad map_of(const OptionValues& field) {
  const bool lists = field.has("x") && field.has("y") && field.has("p");
  const bool any = field.has("x") || field.has("y") || field.has("p");
  if (field.has("table") ? any : !lists)
    field.reject("p", "needs x and y beside it; or give one table instead of the three.");
  if (lists) {
    const std::vector<double> x = field.numbers("x");
    const std::vector<double> y = field.numbers("y");
    const auto vector = [](const std::vector<double>& v) -> Vector {
      return Eigen::Map<const Vector>(v.data(), static_cast<Index>(v.size()));
    };
    return line_load(vector(x), vector(y), field.matrix("p"));
  }
  const Matrix& table = field.matrix("table");
  if (table.rows() < 3 || table.cols() < 3)
    field.reject("table", "must have at least two rows x and two columns y of pressures.");
  const Index rows = table.rows() - 1;
  const Index columns = table.cols() - 1;
  return line_load(table.col(0).tail(rows), table.row(0).tail(columns).transpose(),
                   table.bottomRightCorner(rows, columns));
}

std::optional<PressureShape> shape_of(const std::string& kind) {
  if (kind == "uniform") return PressureShape::uniform;
  if (kind == "hertz") return PressureShape::hertz;
  if (kind == "quadratic") return PressureShape::quadratic;
  if (kind == "triangle") return PressureShape::triangle;
  return std::nullopt;
}

BackbonePointer shaped(PressureShape shape, double stiffness, const OptionValues& values) {
  if (!values.has("normal_load"))
    values.reject("normal_load", "is missing: a shape of the pressure has no size of its own.");
  const OptionValues& field = values.table("pressure");
  return pressure_backbone({.shape = shape,
                            .normal_load = values.number("normal_load"),
                            .friction = values.number("friction"),
                            .stiffness = stiffness,
                            .gamma = field.has("gamma") ? field.number("gamma") : 1.0});
}

BackbonePointer tabulated(double stiffness, const OptionValues& values, std::vector<std::string>& notes) {
  const OptionValues& field = values.table("pressure");
  LineLoad load = field.text("kind") == "line" ? line_of(field) : map_of(field);
  slip_segments(load, values.number("friction"));  // refuses what is no line load before it is scaled
  const double written = load.normal_load();
  notes.push_back(
      fmt::format("normal load of the table {:.6g} N on a contact length of {:.6g} m", written, load.contact_length()));
  if (values.has("normal_load")) {
    const double scale = values.number("normal_load") / written;
    load.q *= scale;
    notes.push_back(fmt::format("scaled by {:.6g} to the normal load {:.6g} N", scale, values.number("normal_load")));
  }
  return pressure_backbone(load, values.number("friction"), stiffness);
}

SourcedBackbone make(const OptionValues& values) {
  SourcedBackbone result;
  const double stiffness = stiffness_of(values);
  const auto shape = shape_of(values.table("pressure").text("kind"));
  result.backbone = shape ? shaped(*shape, stiffness, values) : tabulated(stiffness, values, result.notes);
  result.notes.push_back(fmt::format("tangential stiffness {:.9g} N/m", stiffness));
  result.notes.push_back(fmt::format("slip force {:.6g} N", result.backbone->slip_force()));
  result.notes.push_back(fmt::format("macroslip from {:.6g} m", result.backbone->macroslip()));
  return result;
}

}  // namespace

BackboneSource pressure_source() {
  return {
      .name = "pressure",
      .summary = "a pressure field: strips of the contact slide one after the other, each at its own load",
      .equation =
          "F̂(u) = mean over the contact length of min(μ L q(x), k_t u),  q(x) line load along the sliding direction",
      .reference =
          "D. Li, D. Botto, C. Xu, M. Gola, A new approach for the determination of the Iwan density function in "
          "modeling friction contact, Int. J. Mech. Sci. 180 (2020) 105671",
      .limits =
          "equal springs side by side: strips do not influence each other; pressure and contact length do not change "
          "during "
          "the motion",
      .parameters = parameters(),
      .make = make};
}

}  // namespace masing::detail
