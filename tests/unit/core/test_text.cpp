#include "masing/core/text.hpp"

#include <catch2/catch.hpp>

using namespace masing;

TEST_CASE("the nearest name of a typo is found whatever the kind of mistake", "[text]") {
  const std::vector<std::string> names = {"stiffness", "damping", "slip_force", "mass"};
  const std::string mistake = GENERATE("stifness", "stiffnes", "stiffnness", "stfifness", "stiffnesd", "Stiffness");
  CHECK(nearest_names(mistake, names) == std::vector<std::string>{"stiffness"});
}

TEST_CASE("dashes, underscores and capitals do not count as mistakes", "[text]") {
  CHECK(nearest_names("Slip-Force", {"slip_force", "stiffness"}) == std::vector<std::string>{"slip_force"});
}

TEST_CASE("a swap of neighbours is one mistake, so it beats two replacements", "[text]") {
  CHECK(nearest_names("ba", {"ab", "cd"}) == std::vector<std::string>{"ab"});
}

TEST_CASE("the beginning or the end of a name is near enough", "[text]") {
  CHECK(nearest_names("force", {"slip_force", "mass"}) == std::vector<std::string>{"slip_force"});
  CHECK(nearest_names("frequency", {"frequency-response", "transient"}) ==
        std::vector<std::string>{"frequency-response"});
}

TEST_CASE("at most three names are offered, the best first", "[text]") {
  const std::vector<std::string> near = nearest_names("x12", {"x1", "x2", "x11", "x13", "x14", "x12"});
  REQUIRE(near.size() == 3);
  CHECK(near.front() == "x12");
}

TEST_CASE("nothing is offered for a word that resembles none", "[text]") {
  CHECK(nearest_names("banana", {"mass", "stiffness"}).empty());
  CHECK(nearest_names("q", {"x"}).empty());
}

TEST_CASE("a suggestion asks back, or lists what is known", "[text]") {
  CHECK(suggestion("mas", {"mass", "force"}) == " Did you mean 'mass'?");
  CHECK(suggestion("x3", {"x1", "x2"}) == " Did you mean 'x1' or 'x2'?");
  CHECK(suggestion("banana", {"mass", "force"}) == " Known: mass, force.");
  CHECK(suggestion("banana", {}).empty());
  std::vector<std::string> many;
  for (int i = 0; i < 30; ++i) many.push_back("coordinate_" + std::to_string(i));
  CHECK_THAT(suggestion("u", many), Catch::EndsWith("coordinate_19, … (30 in all)."));
}

TEST_CASE("words are joined with the separator between them only", "[text]") {
  CHECK(join({}, ", ").empty());
  CHECK(join({"a"}, ", ") == "a");
  CHECK(join({"a", "b", "c"}, ", ") == "a, b, c");
}
