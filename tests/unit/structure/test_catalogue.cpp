#include "masing/core/error.hpp"
#include "masing/structure/catalogue.hpp"
#include "masing/structure/matrix_structure.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

using namespace masing;

namespace {

SparseMatrix no_files(const std::string& reference) {
  throw ModelError("the file '" + reference + "' does not exist.");
}

std::shared_ptr<const MatrixStructure> make(const std::string& kind,
                                            std::initializer_list<std::pair<const std::string, OptionValue>> values,
                                            const MatrixLoader& loader = no_files) {
  const StructureEntry* entry = find_structure(kind);
  REQUIRE(entry != nullptr);
  const OptionValues completed = OptionValues::from(entry->parameters, values, "structure");
  return std::dynamic_pointer_cast<const MatrixStructure>(entry->make(completed, loader));
}

OptionValue rayleigh(double alpha, double beta) {
  OptionValues table;
  table.set("alpha", alpha);
  table.set("beta", beta);
  return std::vector<OptionValues>{table};
}

}  // namespace

TEST_CASE("every entry says what it is", "[catalogue]") {
  for (const StructureEntry& entry : structure_catalogue()) {
    CHECK_FALSE(entry.summary.empty());
    CHECK_FALSE(entry.equation.empty());
    CHECK_FALSE(entry.reference.empty());
    CHECK(find_structure(entry.name) == &entry);
    for (const Option& option : entry.parameters) CHECK_FALSE(option.meaning.empty());
  }
  CHECK(find_structure("beem") == nullptr);
}

TEST_CASE("an oscillator from options", "[catalogue]") {
  const auto structure = make("oscillator", {{"mass", 2.0},
                                             {"stiffness", 8.0},
                                             {"damping", 0.25},
                                             {"damping_ratio", 0.125},
                                             {"rayleigh", rayleigh(0.5, 0.25)},
                                             {"modal_damping", 0.125},
                                             {"loss_factor", 0.01}});
  // 0.25 + 2·0.125·4 + 0.5·2 + 0.25·8 + 2·0.125·4; the modal part is rounded by the eigensolver
  CHECK(structure->damping().coeff(0, 0) == Approx(5.25).epsilon(1e-14));
  CHECK(structure->loss_factor() == 0.01);
  CHECK_THROWS_WITH(
      make("oscillator", {{"mass", 1.0}, {"stiffness", 0.0}, {"damping_ratio", 0.1}}),
      "structure: damping_ratio = 0.1 is a fraction of 2 sqrt(stiffness mass), which is 0 here. Use damping "
      "instead.");
  CHECK_THROWS_WITH(make("oscillator", {{"mass", -1.0}, {"stiffness", 1.0}}), "structure: mass = -1 kg must be > 0.");
}

TEST_CASE("a chain from lists and from single numbers", "[catalogue]") {
  using List = std::vector<double>;
  const auto listed =
      make("chain", {{"mass", List{1.0, 1.0, 1.0}}, {"stiffness", List{2.0, 2.0, 2.0}}, {"damping", 0.1}});
  const auto counted =
      make("chain", {{"count", 3L}, {"mass", 1.0}, {"stiffness", 2.0}, {"damping", List{0.1, 0.1, 0.1}}});
  CHECK(Matrix(listed->stiffness()) == Matrix(counted->stiffness()));
  CHECK(Matrix(listed->damping()) == Matrix(counted->damping()));
  CHECK(make("chain", {{"count", 3L}, {"mass", 1.0}, {"stiffness", 2.0}, {"ground", std::string("none")}})
            ->stiffness()
            .coeff(0, 0) == 2.0);
}

TEST_CASE("wrong chains name the key", "[catalogue][errors]") {
  using List = std::vector<double>;
  CHECK_THROWS_WITH(
      make("chain", {{"mass", 1.0}, {"stiffness", 2.0}}),
      "structure: mass = 1 kg is one number, so the number of masses is not known. Give `count`, or a list of "
      "masses.");
  CHECK_THROWS_WITH(make("chain", {{"count", 3L}, {"mass", List{1.0, 1.0}}, {"stiffness", 2.0}}),
                    "structure: mass = [1, 1] kg has 2 entries but the chain has 3 masses (count).");
  CHECK_THROWS_WITH(
      make("chain", {{"mass", List{1.0, 1.0}}, {"stiffness", List{2.0}}, {"ground", std::string("both")}}),
      "structure: stiffness = [2] N/m has 1 entries but the chain has 3 springs (2 masses, ground = \"both\").");
  CHECK_THROWS_WITH(make("chain", {{"mass", List{}}, {"stiffness", 2.0}}),
                    "structure: mass = [] kg is empty. A chain needs at least one mass.");
}

TEST_CASE("matrices inline and through the loader", "[catalogue]") {
  const MatrixLoader loader = [](const std::string& reference) {
    REQUIRE(reference == "k.mtx");
    return test::sparse(Matrix{{3.0, -1.0}, {-1.0, 3.0}});
  };
  const auto structure = make("matrices",
                              {{"mass", Matrix(Matrix::Identity(2, 2))},
                               {"stiffness", std::string("k.mtx")},
                               {"damping", Matrix(0.5 * Matrix::Identity(2, 2))},
                               {"coordinates", std::vector<std::string>{"a", "b"}}},
                              loader);
  CHECK(structure->stiffness().coeff(0, 1) == -1.0);
  CHECK(structure->damping().coeff(1, 1) == 0.5);
  CHECK(structure->find("b") == 1);
  CHECK_THROWS_WITH(make("matrices", {{"mass", std::string("m.mtx")}, {"stiffness", Matrix(Matrix::Identity(2, 2))}}),
                    "structure: mass = \"m.mtx\" cannot be read: the file 'm.mtx' does not exist.");
}
