#include "masing/contact/binning.hpp"
#include "masing/contact/detail/catalogue_parts.hpp"
#include "masing/contact/detail/normal_options.hpp"
#include "masing/contact/detail/spring_options.hpp"
#include "masing/contact/variable_load_closed.hpp"
#include "masing/contact/variable_load_iwan.hpp"
#include "masing/core/error.hpp"

namespace masing::detail {
namespace {

const char* const publication =
    "M. Rajaei, H. Ahmadian, Development of generalized Iwan model to simulate frictional contacts with variable "
    "normal "
    "loads, Applied Mathematical Modelling 38 (2014) 4006-4018.";

Option reference_option() {
  return number(
      "reference_load", "N", Range::positive(),
      "normal load at which the backbone holds; with from = \"pressure\" or \"roughness\" that of the source");
}

Option stiffness_option() {
  return {.name = "stiffness_under_load",
          .kinds = {OptionKind::table},
          .required = false,
          .variants = {{"constant", "The tangential stiffness does not depend on the load (as without this key).", {}},
                       {"proportional", "The tangential stiffness is proportional to the load.", {}},
                       {"polynomial",
                        "k = c0 + c1 N + c2 N^2 + ...",
                        {{.name = "coefficients",
                          .kinds = {OptionKind::numbers},
                          .unit = "N/m, 1/m, ...",
                          .meaning = "c0, c1, ...; only the ratio to k at the reference load counts"}}},
                       {"table",
                        "k linear between the rows of a table, constant outside.",
                        {{.name = "table",
                          .kinds = {OptionKind::matrix},
                          .unit = "N, N/m",
                          .range = Range::non_negative(),
                          .meaning = "rows [N, k], N rising; only the ratio to k at the reference load counts"}}}},
          .meaning = "how the tangential stiffness follows the normal load"};
}

std::vector<LoadScaling::Row> read_rows(const OptionValues& values) {
  const Matrix& table = values.matrix("table");
  if (table.cols() != 2) values.reject("table", "must have rows of two numbers, [N, k].");
  std::vector<LoadScaling::Row> rows;
  for (Index i = 0; i < table.rows(); ++i) rows.push_back({table(i, 0), table(i, 1)});
  return rows;
}

/// What `make` refuses, said where the key was written.
template <class Make>
LoadScaling made_of(const OptionValues& values, std::string_view key, const Make& make) {
  try {
    return make();
  } catch (const ModelError& error) {
    if (values.where(key).empty()) throw;
    throw ModelError(fmt::format("{}: {}: {}", values.where(key), values.context(), error.what()));
  }
}

LoadScaling read_scaling(const OptionValues& values) {
  const double reference = values.number("reference_load");
  if (!values.has("stiffness_under_load")) return LoadScaling::constant(reference);
  const OptionValues& stiffness = values.table("stiffness_under_load");
  const std::string& kind = stiffness.text("kind");
  if (kind == "constant") return LoadScaling::constant(reference);
  if (kind == "proportional") return LoadScaling::proportional(reference);
  if (kind == "polynomial") {
    return made_of(stiffness, "coefficients",
                   [&] { return LoadScaling::polynomial(reference, stiffness.numbers("coefficients")); });
  }
  const std::vector<LoadScaling::Row> rows = read_rows(stiffness);
  return made_of(stiffness, "table", [&] { return LoadScaling::tabulated(reference, rows); });
}

Element make_population(const OptionValues& values, const BackbonePointer& backbone) {
  const auto sliding = sliding_part(backbone, values.number("residual_share"));
  const auto elements = bin_backbone(*sliding, static_cast<int>(values.integer("elements")));
  return with_springs(make_element(VariableLoadIwan(elements, read_scaling(values), read_normal(values))),
                      read_springs(values, backbone->stick_stiffness()));
}

LawEntry variable_load_iwan() {
  return {
      .name = VariableLoadIwan::name.data(),
      .summary = "Iwan law under a normal load that varies, with lift-off: slip forces and stiffness follow the load.",
      .equation =
          "F = k sum of w_j e_j, elongation e_j = clamp(e_j + du, -+ alpha f_j / k), alpha = N / reference_load, "
          "k = k(N); N <= 0: F = 0, e_j = 0",
      .reference = publication,
      .limits =
          "Under a tabulated stiffness sampled: changes of phase are then not located between samples, forces err by "
          "about 1/samples^2 and response curves have small corners. One direction of sliding. The springs "
          "beside the law (residual_share, pinning) do not follow the load. With a stiffness that vanishes with the "
          "load (proportional) the elongations at slip do not, and at lift-off they are forgotten all at once: the law "
          "jumps there, and a response curve may end at the first lift-off.",
      .inputs = 2,
      .parameters = {reference_option(), normal_option(), stiffness_option(), elements_option(), residual_option(),
                     pinning_option()},
      .make_from_backbone = make_population,
      .approach_for_load = approach_for_load};
}

Element make_closed(const OptionValues& values, const BackbonePointer& backbone) {
  return make_element(VariableLoadClosed({.backbone = backbone,
                                          .scaling = read_scaling(values),
                                          .normal = read_normal(values),
                                          .accept_approximation = values.boolean("accept_approximation")}));
}

LawEntry variable_load_closed() {
  return {.name = VariableLoadClosed::name.data(),
          .summary =
              "Iwan law under a varying normal load by the published branch formula; exact only for proportional "
              "stiffness.",
          .equation =
              "F = (k/k0) F0 -+ [(alpha + k alpha0/k0) int_0^c f phi df + k D int_c^inf phi df], "
              "c = k k0 D / (k0 alpha + k alpha0), D = |u0 - u|",
          .reference = publication,
          .limits =
              "Exact only where alpha/k is constant along the cycle, that is for a stiffness proportional to the "
              "load; otherwise wrong by tens of percent in dissipation, and refused unless accept_approximation = "
              "true. Remembers one reversal: minor loops do not return to the branch they left. Jumps at lift-off, and "
              "where the motion gets a new pair of reversals: there a response curve may end. Use variable-load-iwan.",
          .inputs = 2,
          .parameters = {reference_option(),
                         normal_option(),
                         stiffness_option(),
                         {.name = "accept_approximation",
                          .kinds = {OptionKind::boolean},
                          .fallback = {false},
                          .meaning = "use the formula also where it does not hold exactly"}},
          .make_from_backbone = make_closed,
          .approach_for_load = approach_for_load};
}

}  // namespace

std::vector<LawEntry> variable_load_laws() { return {variable_load_iwan(), variable_load_closed()}; }

}  // namespace masing::detail
