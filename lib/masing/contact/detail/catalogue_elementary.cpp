#include "masing/contact/coulomb.hpp"
#include "masing/contact/detail/catalogue_parts.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/unilateral.hpp"
#include "masing/core/error.hpp"

namespace masing::detail {
namespace {

LawEntry linear_spring() {
  return {.name = LinearSpring::name.data(),
          .summary = "Linear spring.",
          .equation = "f = stiffness * u",
          .reference = "Hooke's law.",
          .limits = "",
          .parameters = {number("stiffness", "N/m", Range::any(), "force for each metre of relative displacement")},
          .make = [](const OptionValues& v) -> Element { return make_element(LinearSpring(v.number("stiffness"))); }};
}

LawEntry dashpot() {
  return {.name = Dashpot::name.data(),
          .summary = "Linear viscous dashpot.",
          .equation = "f = coefficient * v",
          .reference = "J. W. Strutt (Lord Rayleigh), The Theory of Sound, vol. 1, Macmillan, 1877.",
          .limits = "",
          .parameters = {number("coefficient", "N s/m", Range::any(), "force for each m/s of relative velocity")},
          .make = [](const OptionValues& v) -> Element { return make_element(Dashpot(v.number("coefficient"))); }};
}

LawEntry cubic() {
  return {.name = CubicSpring::name.data(),
          .summary = "Cubic spring, hardening or softening, with an optional linear part.",
          .equation = "f = stiffness * u + cubic_stiffness * u^3",
          .reference = "G. Duffing, Erzwungene Schwingungen bei veränderlicher Eigenfrequenz, Vieweg, 1918.",
          .limits = "Unbounded: a softening spring has no equilibrium beyond u^2 = stiffness / (-cubic_stiffness).",
          .parameters = {number("cubic_stiffness", "N/m^3", Range::any(), "positive hardens, negative softens"),
                         with_default(number("stiffness", "N/m", Range::any(), "linear part"), 0.0)},
          .make = [](const OptionValues& v) -> Element {
            return make_element(
                CubicSpring({.cubic_stiffness = v.number("cubic_stiffness"), .stiffness = v.number("stiffness")}));
          }};
}

PolynomialTerm polynomial_term(const OptionValues& values, std::size_t inputs) {
  PolynomialTerm term{.force = 0, .coefficient = values.number("coefficient"), .exponents = {}};
  for (const long exponent : values.integers("exponents")) term.exponents.push_back(static_cast<int>(exponent));
  if (term.exponents.size() != inputs) {
    values.reject("exponents", fmt::format("must have {} entries like the first term: one for each input.", inputs));
  }
  const long force = values.integer("force");
  if (force > static_cast<long>(inputs)) {
    values.reject("force", fmt::format("must be 1 to {}: there are as many forces as exponents.", inputs));
  }
  term.force = static_cast<int>(force) - 1;
  return term;
}

Element make_polynomial(const OptionValues& values) {
  const std::vector<OptionValues>& terms = values.tables("terms");
  if (terms.empty()) values.reject("terms", "must have at least one term.");
  const std::size_t inputs = terms.front().integers("exponents").size();
  if (inputs < 1 || inputs > max_law_dimension) {
    terms.front().reject("exponents", fmt::format("must have 1 to {} entries.", max_law_dimension));
  }
  std::vector<PolynomialTerm> list;
  for (const OptionValues& term : terms) list.push_back(polynomial_term(term, inputs));
  return make_element(Polynomial(static_cast<int>(inputs), std::move(list)));
}

LawEntry polynomial() {
  const double highest_exponent = 20;
  const OptionTable term = {
      {.name = "force",
       .kinds = {OptionKind::integer},
       .fallback = {1L},
       .range = Range::at_least(1),
       .meaning = "which of the D forces the term adds to, counted from 1"},
      {.name = "coefficient",
       .kinds = {OptionKind::number},
       .unit = "N/m^e",
       .meaning = "factor, any sign; e = sum of exponents"},
      {.name = "exponents",
       .kinds = {OptionKind::integers},
       .range = Range::between(0, highest_exponent),
       .meaning = "one for each input; their number decides how many inputs D (1 to 8) the law has"}};
  return {.name = Polynomial::name.data(),
          .summary = "General polynomial spring, may couple up to eight relative displacements.",
          .equation = "f_a = sum over terms with force = a of coefficient * u_1^e_1 * ... * u_D^e_D",
          .reference = "A. H. Nayfeh, D. T. Mook, Nonlinear Oscillations, Wiley, 1979.",
          .limits = "Conservative only when the terms come from a potential; this is not checked.",
          .inputs = 0,
          .parameters = {{.name = "terms",
                          .kinds = {OptionKind::tables},
                          .children = term,
                          .meaning = "the terms, such as { force = 1, coefficient = 2.0e9, exponents = [2, 1] }"}},
          .make = make_polynomial};
}

LawEntry unilateral() {
  return {
      .name = Unilateral::name.data(),
      .summary = "Unilateral spring with a gap: a stop that only pushes.",
      .equation = "f = stiffness * max(u - gap, 0)",
      .reference = "P. Wriggers, Computational Contact Mechanics, 2nd ed., Springer, 2006 (penalty method).",
      .limits = "Penalty contact: impacts lose no energy.",
      .parameters = {number("stiffness", "N/m", Range::positive(), "contact stiffness while closed"),
                     with_default(number("gap", "m", Range::any(),
                                         "displacement at which it closes; negative: preloaded with -stiffness * gap"),
                                  0.0)},
      .make = [](const OptionValues& v) -> Element {
        return make_element(Unilateral({.stiffness = v.number("stiffness"), .gap = v.number("gap")}));
      }};
}

LawEntry coulomb() {
  return {.name = RegularisedCoulomb::name.data(),
          .summary = "Coulomb friction, smoothed over a reference velocity.",
          .equation = "f = slip_force * tanh(v / reference_velocity)",
          .reference =
              "E. Pennestrì, V. Rossi, P. Salvini, P. P. Valentini, Review and comparison of dry friction force "
              "models, Nonlinear Dynamics 83 (2016) 1785-1801.",
          .limits = "Creeps instead of sticking: no stick stiffness and no static limit.",
          .parameters = {number("slip_force", "N", Range::positive(), "friction limit: the force while it slides"),
                         number("reference_velocity", "m/s", Range::positive(),
                                "velocity at which 76 % of the limit is reached; well below the sliding velocities")},
          .make = [](const OptionValues& v) -> Element {
            return make_element(RegularisedCoulomb(
                {.slip_force = v.number("slip_force"), .reference_velocity = v.number("reference_velocity")}));
          }};
}

LawEntry jenkins() {
  return {.name = Jenkins::name.data(),
          .summary = "Elastic dry friction: a spring in series with a friction slider.",
          .equation =
              "f = stiffness * (u - z), slider z = clamp(z_before, u - slip_force/stiffness, u + slip_force/stiffness)",
          .reference =
              "G. M. Jenkins, Analysis of the stress-strain relationships in reactor grade graphite, British "
              "Journal of Applied Physics 13 (1962) 30-32; W. D. Iwan, A distributed-element model for hysteresis "
              "and its steady-state dynamic response, Journal of Applied Mechanics 33 (1966) 893-900.",
          .limits =
              "Constant normal load, one direction, no micro-slip before gross slip. When it sticks for the whole "
              "period its offset is that of a contact that was never loaded before.",
          .parameters = {number("stiffness", "N/m", Range::positive(), "tangential stiffness while the contact sticks"),
                         number("slip_force", "N", Range::positive(), "friction limit: the force at which it slides")},
          .make = [](const OptionValues& v) -> Element {
            return make_element(Jenkins({.stiffness = v.number("stiffness"), .slip_force = v.number("slip_force")}));
          }};
}

}  // namespace

std::vector<LawEntry> elementary_laws() {
  return {linear_spring(), dashpot(), cubic(), polynomial(), unilateral(), coulomb(), jenkins()};
}

}  // namespace masing::detail
