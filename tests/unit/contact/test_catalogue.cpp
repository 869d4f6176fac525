// The catalogue: every law can be made from its table, and every wrong parameter is refused with a reason.
#include "masing/contact/catalogue.hpp"

#include "masing/contact/coulomb.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/linear.hpp"
#include "masing/contact/polynomial.hpp"
#include "masing/contact/unilateral.hpp"
#include "masing/core/error.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace masing;
using Values = std::initializer_list<std::pair<const std::string, OptionValue>>;

namespace {

std::shared_ptr<const ContactElement> make(std::string_view name, Values values) {
  const LawEntry* entry = find_law(name);
  REQUIRE(entry != nullptr);
  return entry->make(OptionValues::from(entry->parameters, values, "joint 'a'"));
}

double force(const ContactElement& element, double displacement, double velocity) {
  using Any = SmallVector<Eigen::Dynamic>;
  return element.at_rest()->advance({Any::Constant(1, displacement), Any::Constant(1, velocity)}).force[0];
}

OptionValues term(Values values) {
  OptionValues result;
  for (const auto& [name, value] : values) result.set(name, value);
  return result;
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("every law of the catalogue explains itself", "[contact]") {
  REQUIRE(law_catalogue().size() >= 7);
  for (const LawEntry& entry : law_catalogue()) {
    CAPTURE(entry.name);
    CHECK(find_law(entry.name) == &entry);
    CHECK_FALSE(entry.summary.empty());
    CHECK_FALSE(entry.equation.empty());
    CHECK_FALSE(entry.reference.empty());
    for (const Option& option : entry.parameters) {
      CAPTURE(option.name);
      CHECK_FALSE(option.meaning.empty());
    }
  }
  CHECK(find_law("jenkin") == nullptr);
}

TEST_CASE("laws are made from their parameters", "[contact]") {
  CHECK(force(*make("linear-spring", {{"stiffness", 3.0}}), 0.5, 1.0) == 1.5);
  CHECK(force(*make("dashpot", {{"coefficient", 3.0}}), 0.5, 1.0) == 3.0);
  CHECK(force(*make("cubic", {{"cubic_stiffness", 8.0}}), 0.5, 0.0) == 1.0);
  CHECK(force(*make("cubic", {{"cubic_stiffness", 8.0}, {"stiffness", 2.0}}), 0.5, 0.0) == 2.0);
  CHECK(force(*make("unilateral", {{"stiffness", 2.0}}), 0.5, 0.0) == 1.0);
  CHECK(force(*make("unilateral", {{"stiffness", 2.0}, {"gap", 0.25}}), 0.5, 0.0) == 0.5);
  CHECK(force(*make("coulomb", {{"slip_force", 2.0}, {"reference_velocity", 0.1}}), 0.0, 0.1) ==
        Approx(2.0 * std::tanh(1.0)));
  CHECK(force(*make("jenkins", {{"stiffness", 2.0}, {"slip_force", 0.7}}), 0.5, 0.0) == 0.7);
  CHECK(make("dashpot", {{"coefficient", 3.0}})->uses_velocity());
  CHECK_FALSE(make("jenkins", {{"stiffness", 2.0}, {"slip_force", 0.7}})->uses_velocity());
}

TEST_CASE("a polynomial is made from its terms", "[contact]") {
  const std::vector<OptionValues> terms = {
      term({{"coefficient", 2.0}, {"exponents", std::vector<long>{1, 1}}}),
      term({{"force", 2L}, {"coefficient", 1.0}, {"exponents", std::vector<long>{2, 0}}})};
  const auto element = make("polynomial", {{"terms", terms}});
  REQUIRE(element->inputs() == 2);
  using Any = SmallVector<Eigen::Dynamic>;
  const auto response = element->at_rest()->advance({Any{{3.0, 4.0}}, Any{{0.0, 0.0}}});
  CHECK(response.force[0] == 24.0);
  CHECK(response.force[1] == 9.0);
}

TEST_CASE("wrong parameters are refused with name, value and rule", "[contact]") {
  using Catch::Contains;
  CHECK_THROWS_WITH(make("linear-spring", {{"stiffness", infinity}}), Contains("stiffness = inf N/m must be finite"));
  CHECK_THROWS_WITH(make("dashpot", {{"coefficient", infinity}}), Contains("coefficient = inf N s/m must be finite"));
  CHECK_THROWS_WITH(make("cubic", {{"cubic_stiffness", infinity}}),
                    Contains("cubic_stiffness = inf N/m^3 must be finite"));
  CHECK_THROWS_WITH(make("unilateral", {{"stiffness", 0.0}}), Contains("stiffness = 0 N/m must be > 0"));
  CHECK_THROWS_WITH(make("unilateral", {{"stiffness", 1.0}, {"gap", infinity}}),
                    Contains("gap = inf m must be finite"));
  CHECK_THROWS_WITH(make("coulomb", {{"slip_force", -1.0}, {"reference_velocity", 1.0}}),
                    Contains("slip_force = -1 N must be > 0"));
  CHECK_THROWS_WITH(make("coulomb", {{"slip_force", 1.0}, {"reference_velocity", 0.0}}),
                    Contains("reference_velocity = 0 m/s must be > 0"));
  CHECK_THROWS_WITH(make("jenkins", {{"stiffness", -2.0}, {"slip_force", 1.0}}),
                    Contains("stiffness = -2 N/m must be > 0"));
  CHECK_THROWS_WITH(make("jenkins", {{"stiffness", 2.0}, {"slip_force", -12.0}}),
                    Contains("joint 'a': slip_force = -12 N must be > 0"));
  CHECK_THROWS_WITH(make("jenkins", {{"stiffness", 2.0}}), Contains("'slip_force' is missing"));
  CHECK_THROWS_WITH(make("jenkins", {{"stiffness", 2.0}, {"slip_forc", 1.0}}),
                    Contains("unknown key 'slip_forc'") && Contains("slip_force"));
}

TEST_CASE("wrong polynomial terms are refused", "[contact]") {
  using Catch::Contains;
  const auto make_terms = [](std::vector<OptionValues> terms) {
    return make("polynomial", {{"terms", std::move(terms)}});
  };
  const OptionValues good = term({{"coefficient", 2.0}, {"exponents", std::vector<long>{1, 1}}});
  CHECK_THROWS_WITH(make_terms({good, term({{"coefficient", 1.0}, {"exponents", std::vector<long>{1}}})}),
                    Contains("exponents = [1] must have 2 entries like the first term: one for each input."));
  CHECK_THROWS_WITH(
      make_terms({good, term({{"force", 3L}, {"coefficient", 1.0}, {"exponents", std::vector<long>{1, 0}}})}),
      Contains("force = 3 must be 1 to 2: there are as many forces as exponents."));
  CHECK_THROWS_WITH(make_terms({term({{"coefficient", 1.0}, {"exponents", std::vector<long>(9, 1)}})}),
                    Contains("must have 1 to 8 entries."));
  CHECK_THROWS_WITH(make_terms({term({{"coefficient", 1.0}, {"exponents", std::vector<long>{-1}}})}),
                    Contains("exponents = [-1] must be in [0, 20]"));
  CHECK_THROWS_WITH(make_terms({}), Contains("must have at least one term."));
}

TEST_CASE("laws made in C++ check their parameters too", "[contact]") {
  CHECK_THROWS_WITH(LinearSpring(infinity), "linear-spring: stiffness = inf N/m must be finite.");
  CHECK_THROWS_WITH(Dashpot(infinity), "dashpot: coefficient = inf N s/m must be finite.");
  CHECK_THROWS_WITH(CubicSpring({.cubic_stiffness = infinity}), "cubic: cubic_stiffness = inf N/m^3 must be finite.");
  CHECK_THROWS_WITH(CubicSpring({.cubic_stiffness = 1.0, .stiffness = infinity}),
                    "cubic: stiffness = inf N/m must be finite.");
  CHECK_THROWS_WITH(Unilateral({.stiffness = -1.0}), "unilateral: stiffness = -1 N/m must be > 0.");
  CHECK_THROWS_WITH(Unilateral({.stiffness = 1.0, .gap = infinity}), "unilateral: gap = inf m must be finite.");
  CHECK_THROWS_WITH(RegularisedCoulomb({.slip_force = 0.0, .reference_velocity = 1.0}),
                    "coulomb: slip_force = 0 N must be > 0.");
  CHECK_THROWS_WITH(RegularisedCoulomb({.slip_force = 1.0, .reference_velocity = -1.0}),
                    "coulomb: reference_velocity = -1 m/s must be > 0.");
  CHECK_THROWS_WITH(Jenkins({.stiffness = 0.0, .slip_force = 1.0}), "jenkins: stiffness = 0 N/m must be > 0.");
  CHECK_THROWS_WITH(
      Jenkins({.stiffness = 1.0, .slip_force = -1.0}),
      "jenkins: slip_force = -1 N must be > 0. Friction limits are magnitudes; reverse the joint's direction "
      "instead.");
  CHECK_THROWS_WITH(Polynomial(0, {}),
                    "polynomial: 0 inputs; there must be 1 to 8. Split larger couplings into several joints.");
  CHECK_THROWS_WITH(Polynomial(1, {}), "polynomial: there are no terms; give at least one.");
  CHECK_THROWS_WITH(Polynomial(1, {{1, 1.0, {1}}}),
                    Catch::StartsWith("polynomial: a term acts on force 2, but there are only 1"));
  CHECK_THROWS_WITH(Polynomial(1, {{0, infinity, {1}}}), "polynomial: coefficient = inf must be finite.");
  CHECK_THROWS_WITH(Polynomial(2, {{0, 1.0, {1}}}),
                    Catch::StartsWith("polynomial: a term has 1 exponents, but there are 2 inputs."));
  CHECK_THROWS_WITH(Polynomial(1, {{0, 1.0, {-1}}}), "polynomial: exponent -1 must be a whole number >= 0.");
}
