#include "masing/core/error.hpp"
#include "masing/core/options.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace masing;

namespace {

using Values = std::initializer_list<std::pair<const std::string, OptionValue>>;

OptionTable example() {
  return {
      {.name = "stiffness",
       .kinds = {OptionKind::number},
       .unit = "N/m",
       .range = Range::positive(),
       .meaning = "stiffness while it sticks"},
      {.name = "count",
       .kinds = {OptionKind::integer},
       .fallback = {7},
       .range = Range::at_least(1),
       .meaning = "how many"},
      {.name = "kind",
       .kinds = {OptionKind::text},
       .fallback = {"soft"},
       .choices = {"soft", "hard"},
       .meaning = "which"},
      {.name = "forces",
       .kinds = {OptionKind::numbers},
       .unit = "N",
       .required = false,
       .range = Range::positive(),
       .meaning = "levels"},
      {.name = "harmonics", .kinds = {OptionKind::integer, OptionKind::integers}, .required = false, .meaning = "set"},
      {.name = "direction", .kinds = {OptionKind::weights}, .required = false, .meaning = "where"},
      {.name = "mass", .kinds = {OptionKind::matrix, OptionKind::text}, .required = false, .meaning = "matrix"},
      {.name = "density",
       .kinds = {OptionKind::table},
       .required = false,
       .children =
           {{.name = "beta", .kinds = {OptionKind::number}, .range = Range::between(0.0, 1.0), .meaning = "slope"}},
       .meaning = "distribution"},
      {.name = "flag", .kinds = {OptionKind::boolean}, .fallback = {true}, .meaning = "switch"},
  };
}

std::string message_of(Values values, const std::string& context = "joint 'bolt'") {
  try {
    OptionValues::from(example(), values, context);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("values are read back as their kinds, defaults are filled in", "[options]") {
  const OptionValues values =
      OptionValues::from(example(), {{"stiffness", 5.0}, {"forces", std::vector<double>{1, 2}}});
  CHECK(values.number("stiffness") == 5.0);
  CHECK(values.integer("count") == 7);
  CHECK(values.text("kind") == "soft");
  CHECK(values.boolean("flag"));
  CHECK(values.numbers("forces") == std::vector<double>{1, 2});
  CHECK_FALSE(values.has("harmonics"));
  CHECK_THROWS_AS(values.number("harmonics"), std::logic_error);
  CHECK_THROWS_AS(values.text("stiffness"), std::logic_error);
}

TEST_CASE("an integer is accepted for a number and one value for a list", "[options]") {
  const OptionValues values = OptionValues::from(
      example(), {{"stiffness", 5}, {"forces", 3}, {"harmonics", 7}, {"mass", Matrix::Identity(2, 2).eval()}});
  CHECK(std::holds_alternative<double>(values.at("stiffness")));
  CHECK(values.numbers("forces") == std::vector<double>{3.0});
  CHECK(std::holds_alternative<long>(values.at("harmonics")));
  CHECK(values.integers("harmonics") == std::vector<long>{7});
  CHECK(values.matrix("mass") == Matrix::Identity(2, 2));
}

TEST_CASE("an empty list is a list of the kind asked for", "[options]") {
  const OptionValues values = OptionValues::from(example(), {{"stiffness", 1.0}, {"harmonics", std::vector<double>{}}});
  CHECK(values.integers("harmonics").empty());
}

TEST_CASE("a wrong kind is named with the value", "[options]") {
  CHECK(message_of({{"stiffness", "soft"}}) == "joint 'bolt': stiffness = \"soft\" must be a number.");
  CHECK(message_of({{"stiffness", 1.0}, {"count", 7.0}}) ==
        "joint 'bolt': count = 7 must be an integer, without a decimal point.");
  CHECK(message_of({{"stiffness", 1.0}, {"harmonics", "all"}}) ==
        "joint 'bolt': harmonics = \"all\" must be an integer or a list of integers.");
  CHECK(message_of({{"stiffness", true}}) == "joint 'bolt': stiffness = true must be a number.");
}

TEST_CASE("a value outside its range is named with unit and rule", "[options]") {
  CHECK(message_of({{"stiffness", -12}}) == "joint 'bolt': stiffness = -12 N/m must be > 0.");
  CHECK(message_of({{"stiffness", 1.0}, {"count", 0}}) == "joint 'bolt': count = 0 must be >= 1.");
  CHECK(message_of({{"stiffness", 1.0}, {"forces", std::vector<double>{1.0, -2.0}}}) ==
        "joint 'bolt': forces = [1, -2] N must be > 0 in every entry.");
}

TEST_CASE("infinities and NaN are refused everywhere", "[options]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(message_of({{"stiffness", nan}}) == "joint 'bolt': stiffness = nan N/m must be finite.");
  CHECK(message_of({{"stiffness", infinity}}) == "joint 'bolt': stiffness = inf N/m must be finite.");
  CHECK(message_of({{"stiffness", 1.0}, {"direction", std::map<std::string, double>{{"x", nan}}}}) ==
        "joint 'bolt': direction = { x = nan } must be finite in every entry.");
  CHECK(message_of({{"stiffness", 1.0}, {"mass", Matrix::Constant(1, 2, nan).eval()}}) ==
        "joint 'bolt': mass = [[nan, nan]] must be finite in every entry.");
}

TEST_CASE("unknown keys and words are answered with the nearest known ones", "[options]") {
  CHECK(message_of({{"stifness", 1.0}}) == "joint 'bolt': unknown key 'stifness'. Did you mean 'stiffness'?");
  CHECK(message_of({{"stiffness", 1.0}, {"kind", "hart"}}) ==
        "joint 'bolt': kind = \"hart\" is not known. Did you mean 'hard'?");
  CHECK(message_of({{"stiffness", 1.0}, {"kind", "elastic"}}) ==
        "joint 'bolt': kind = \"elastic\" is not known. Known: soft, hard.");
}

TEST_CASE("a missing key is explained", "[options]") {
  CHECK(message_of({}) == "joint 'bolt': 'stiffness' is missing: stiffness while it sticks (a number > 0, N/m).");
}

TEST_CASE("the place where a value was written stands in front", "[options]") {
  OptionValues values;
  values.set_context("structure", "study.toml:6");
  values.set("stiffness", -1.0, "study.toml:7");
  CHECK(values.where("stiffness") == "study.toml:7");
  CHECK(values.where("count") == "study.toml:6");
  CHECK_THROWS_WITH(values.complete(example()), "study.toml:7: structure: stiffness = -1 N/m must be > 0.");
  OptionValues empty;
  empty.set_context("structure", "study.toml:6");
  CHECK_THROWS_WITH(empty.complete(example()), Catch::StartsWith("study.toml:6: structure: 'stiffness' is missing"));
}

TEST_CASE("reject quotes the value with its unit and the caller's rule", "[options]") {
  const OptionValues values = OptionValues::from(example(), {{"stiffness", 3.5}}, "joint 'bolt'");
  CHECK_THROWS_WITH(values.reject("stiffness", "must be above 4. Tighten it."),
                    "joint 'bolt': stiffness = 3.5 N/m must be above 4. Tighten it.");
}

TEST_CASE("nested tables are checked with their own context", "[options]") {
  OptionValues density;
  density.set("beta", 2.0);
  CHECK(message_of({{"stiffness", 1.0}, {"density", std::vector<OptionValues>{density}}}) ==
        "joint 'bolt': density: beta = 2 must be in [0, 1].");
  OptionValues typo;
  typo.set("bta", 0.5);
  CHECK(message_of({{"stiffness", 1.0}, {"density", std::vector<OptionValues>{typo}}}) ==
        "joint 'bolt': density: unknown key 'bta'. Did you mean 'beta'?");
  OptionValues good;
  good.set("beta", 0.5);
  const OptionValues values =
      OptionValues::from(example(), {{"stiffness", 1.0}, {"density", std::vector<OptionValues>{good}}});
  CHECK(values.table("density").number("beta") == 0.5);
}

TEST_CASE("a list of tables without declared keys takes free names with numbers", "[options]") {
  const OptionTable table = {{.name = "directions", .kinds = {OptionKind::tables}, .meaning = "weights"}};
  OptionValues tip;
  tip.set("u", 1);
  OptionValues direction;
  direction.set("tip", std::vector<OptionValues>{tip});
  direction.set("x", -0.5);
  const OptionValues values = OptionValues::from(table, {{"directions", std::vector<OptionValues>{direction}}});
  CHECK(values.tables("directions").at(0).number("tip.u") == 1.0);
  CHECK(values.tables("directions").at(0).number("x") == -0.5);
  OptionValues words;
  words.set("x", "one");
  CHECK_THROWS_WITH(OptionValues::from(table, {{"directions", std::vector<OptionValues>{words}}}),
                    "directions = { x = \"one\" } must have a number behind every name.");
}

TEST_CASE("ranges say what they allow", "[options]") {
  CHECK(Range::positive().text() == "> 0");
  CHECK(Range::non_negative().text() == ">= 0");
  CHECK(Range::between(0, 1).text() == "in [0, 1]");
  CHECK(Range{.upper = 3.0, .upper_open = true}.text() == "< 3");
  CHECK(Range::any().text() == "finite");
  CHECK_FALSE(Range::positive().contains(0.0));
  CHECK(Range::non_negative().contains(0.0));
  CHECK_FALSE(Range{.upper = 3.0, .upper_open = true}.contains(3.0));
  CHECK_FALSE(Range::any().contains(std::numeric_limits<double>::infinity()));
}

TEST_CASE("values print as a user would write them", "[options]") {
  CHECK(to_string(OptionValue(0.5)) == "0.5");
  CHECK(to_string(OptionValue(12)) == "12");
  CHECK(to_string(OptionValue(false)) == "false");
  CHECK(to_string(OptionValue("word")) == "\"word\"");
  CHECK(to_string(OptionValue(std::vector<long>{0, 1, 3})) == "[0, 1, 3]");
  CHECK(to_string(OptionValue(std::vector<double>(10, 1.0))) == "[1, 1, 1, 1, 1, 1, 1, 1, …]");
  CHECK(to_string(OptionValue(Matrix::Zero(20, 30).eval())) == "20 x 30 matrix");
  CHECK(to_string(OptionValue(std::map<std::string, double>{{"tip.u", 1.0}})) == "{ tip.u = 1 }");
}
