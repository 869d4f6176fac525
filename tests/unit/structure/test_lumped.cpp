#include "masing/core/error.hpp"
#include "masing/structure/lumped.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

using namespace masing;

TEST_CASE("an oscillator has one coordinate and adds its dampings up", "[lumped]") {
  const auto structure = oscillator({.mass = 4.0, .stiffness = 100.0, .damping = 0.5, .damping_ratio = 0.01});
  CHECK(structure->coordinates() == std::vector<std::string>{"x"});
  CHECK(structure->mass().coeff(0, 0) == 4.0);
  CHECK(structure->stiffness().coeff(0, 0) == 100.0);
  // 0.5 + 2·0.01·√(400), exact in decimals, rounded once in binary
  CHECK(structure->damping().coeff(0, 0) == Approx(0.9).epsilon(1e-15));
}

TEST_CASE("chains are assembled from neighbours and ground", "[lumped]") {
  const auto left = chain({.masses = {1.0, 2.0}, .stiffnesses = {3.0, 5.0}, .dampings = {0.1, 0.2}});
  CHECK(left->coordinates() == std::vector<std::string>{"x1", "x2"});
  CHECK(Matrix(left->mass()) == Matrix{{1.0, 0.0}, {0.0, 2.0}});
  CHECK(Matrix(left->stiffness()) == Matrix{{8.0, -5.0}, {-5.0, 5.0}});
  CHECK(Matrix(left->damping()).isApprox(Matrix{{0.3, -0.2}, {-0.2, 0.2}}));
  const auto both = chain({.masses = {1.0, 2.0}, .stiffnesses = {3.0, 5.0, 7.0}, .ground = ChainGround::both});
  CHECK(Matrix(both->stiffness()) == Matrix{{8.0, -5.0}, {-5.0, 12.0}});
  CHECK(Matrix(both->damping()).isZero(0.0));
  const auto none = chain({.masses = {1.0, 2.0}, .stiffnesses = {5.0}, .ground = ChainGround::none});
  CHECK(Matrix(none->stiffness()) == Matrix{{5.0, -5.0}, {-5.0, 5.0}});
  CHECK(chain({.masses = {1.0}, .ground = ChainGround::none})->size() == 1);
}

TEST_CASE("wrong oscillators are refused", "[lumped][errors]") {
  CHECK_THROWS_WITH(oscillator({.mass = -1.0}), "mass = -1 kg must be > 0.");
  CHECK_THROWS_WITH(oscillator({.stiffness = -3.0}), "stiffness = -3 N/m must be >= 0.");
  CHECK_THROWS_WITH(oscillator({.damping = -0.5}), "damping = -0.5 N s/m must be >= 0.");
  CHECK_THROWS_WITH(oscillator({.damping_ratio = -0.5}), "damping_ratio = -0.5 must be >= 0.");
  CHECK_THROWS_WITH(
      oscillator({.stiffness = 0.0, .damping_ratio = 0.1}),
      "damping_ratio = 0.1 is a fraction of 2 sqrt(stiffness mass), which is 0 here. Use damping instead.");
}

TEST_CASE("wrong chains are refused with the index", "[lumped][errors]") {
  CHECK_THROWS_WITH(chain({}), "A chain needs at least one mass.");
  CHECK_THROWS_WITH(chain({.masses = {1.0, -2.0}, .stiffnesses = {1.0, 1.0}}),
                    "mass 2 of the chain = -2 kg must be > 0.");
  CHECK_THROWS_WITH(chain({.masses = {1.0, 2.0}, .stiffnesses = {-1.0, 1.0}}),
                    "stiffness 1 of the chain = -1 N/m must be >= 0.");
  CHECK_THROWS_WITH(chain({.masses = {1.0}, .stiffnesses = {1.0}, .dampings = {-0.1}}),
                    "damping 1 of the chain = -0.1 N s/m must be >= 0.");
  CHECK_THROWS_WITH(chain({.masses = {1.0, 2.0}, .stiffnesses = {1.0, 1.0}, .ground = ChainGround::both}),
                    "A chain of 2 masses with ground at both ends has 3 springs, but 2 stiffnesses are given.");
  CHECK_THROWS_WITH(
      chain({.masses = {1.0, 2.0}, .stiffnesses = {1.0}, .dampings = {1.0, 2.0}, .ground = ChainGround::none}),
      "A chain of 2 masses without ground has 1 springs, but 2 dampings are given.");
}
