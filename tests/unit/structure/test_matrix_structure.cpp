#include "masing/core/error.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace masing;
using Catch::Contains;
using test::sparse;

namespace {

SparseMatrix identity(Index size) { return sparse(Matrix::Identity(size, size)); }
SparseMatrix matrix(std::initializer_list<std::initializer_list<double>> rows) { return sparse(Matrix(rows)); }
MatrixStructure make(SparseMatrix mass, SparseMatrix stiffness, DampingOptions damping = {},
                     std::vector<std::string> names = {}) {
  return MatrixStructure({.mass = std::move(mass),
                          .stiffness = std::move(stiffness),
                          .damping = std::move(damping),
                          .coordinates = std::move(names)});
}

}  // namespace

TEST_CASE("coordinates have names and can be found", "[matrices]") {
  CHECK(make(identity(3), identity(3)).coordinates() == std::vector<std::string>{"q1", "q2", "q3"});
  const MatrixStructure named = make(identity(2), identity(2), {}, {"tip.w", "tip.phi"});
  CHECK(named.size() == 2);
  CHECK(named.find("tip.phi") == 1);
  CHECK(named.find("tip") == -1);
}

TEST_CASE("base acceleration loads every coordinate with minus its mass", "[matrices]") {
  const MatrixStructure structure = make(matrix({{2.0, 0.5}, {0.5, 3.0}}), identity(2));
  CHECK(structure.base_acceleration_load(Vector{{1.0, 0.0}}) == Vector{{-2.0, -0.5}});
  CHECK_THROWS_WITH(structure.base_acceleration_load(Vector::Ones(3)),
                    "The direction of the base acceleration has 3 entries, the structure 2 coordinates.");
}

TEST_CASE("rounding in the file is removed: matrices are exactly symmetric", "[matrices]") {
  const MatrixStructure structure = make(identity(2), matrix({{2.0, -1.0 - 1e-12}, {-1.0, 2.0}}));
  const Matrix k = structure.stiffness();
  CHECK(k(0, 1) == k(1, 0));
}

TEST_CASE("matrices of wrong shape are refused", "[matrices][errors]") {
  CHECK_THROWS_WITH(make(SparseMatrix(2, 3), identity(2)), "mass matrix is 2 × 3; it must be square.");
  CHECK_THROWS_WITH(make(SparseMatrix(0, 0), SparseMatrix(0, 0)),
                    "The mass matrix is empty. A structure needs at least one coordinate.");
  CHECK_THROWS_WITH(make(identity(2), SparseMatrix(3, 2)), "stiffness matrix is 3 × 2; it must be square.");
  CHECK_THROWS_WITH(make(identity(2), identity(3)),
                    "stiffness matrix is 3 × 3 but the mass matrix is 2 × 2; all matrices must have the same size.");
  CHECK_THROWS_WITH(make(identity(2), identity(2), {.viscous = identity(4)}),
                    "damping matrix is 4 × 4 but the mass matrix is 2 × 2; all matrices must have the same size.");
}

TEST_CASE("names must fit and be distinct", "[matrices][errors]") {
  CHECK_THROWS_WITH(make(identity(2), identity(2), {}, {"a"}),
                    "coordinates has 1 names, but the matrices have 2 rows. Give one name for each row.");
  CHECK_THROWS_WITH(make(identity(2), identity(2), {}, {"a", "a"}),
                    "coordinates: the name 'a' occurs twice. Names must be distinct.");
  CHECK_THROWS_WITH(make(identity(2), identity(2), {}, {"a", ""}),
                    "coordinates: a name is empty. Give every coordinate a name.");
}

TEST_CASE("an entry that is no number is named", "[matrices][errors]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(make(identity(2), matrix({{1.0, nan}, {0.0, 1.0}})),
                    "stiffness matrix: entry (1, 2) [q1, q2] is nan. All entries must be finite numbers.");
}

TEST_CASE("asymmetry is refused with the largest one named", "[matrices][errors]") {
  CHECK_THROWS_WITH(make(identity(3), matrix({{2.0, -1.0, 0.0}, {-1.0, 2.0, -1.0}, {0.0, 0.0, 2.0}})),
                    "stiffness matrix is not symmetric: entry (2, 3) [q2, q3] = -1 but entry (3, 2) [q3, q2] = 0. The "
                    "relative difference 0.5 must not exceed 1e-10. If only one triangle was exported, complete it.");
  CHECK_THROWS_WITH(make(identity(2), identity(2), {.viscous = matrix({{1.0, 0.1}, {0.2, 1.0}})}),
                    Contains("damping matrix is not symmetric: entry (1, 2) [q1, q2] = 0.1"));
}

TEST_CASE("indefinite matrices are refused with the negative value", "[matrices][errors]") {
  CHECK_THROWS_WITH(
      make(matrix({{1.0, 0.0}, {0.0, -2.0}}), identity(2)),
      "mass matrix: diagonal entry -2 at coordinate 'q2' is negative (a motion would have negative kinetic "
      "energy). It must be positive semi-definite: check signs, units and boundary conditions.");
  CHECK_THROWS_WITH(
      make(identity(2), matrix({{1.0, 3.0}, {3.0, 2.0}})),
      Contains("stiffness matrix: eigenvalue -1.54138 at coordinate 'q1' is negative (a motion would gain "
               "energy when it is deformed)"));
  CHECK_THROWS_WITH(make(matrix({{0.0, 1.0}, {1.0, 2.0}}), identity(2)),
                    Contains("mass matrix: entry (1, 2) [q1, q2] = 1 couples a coordinate whose diagonal entry is 0"));
}

TEST_CASE("a large indefinite matrix is refused too", "[matrices][errors]") {
  constexpr Index size = 2000;
  SparseMatrix stiffness = identity(size);
  stiffness.coeffRef(1200, 1201) = 3.0;
  stiffness.coeffRef(1201, 1200) = 3.0;
  CHECK_THROWS_WITH(make(identity(size), stiffness),
                    Contains("stiffness matrix: relative pivot -") && Contains("at coordinate 'q120"));
}

TEST_CASE("semi-definite matrices are legal: rigid bodies and massless coordinates", "[matrices]") {
  const MatrixStructure free = make(identity(2), matrix({{1.0, -1.0}, {-1.0, 1.0}}));
  CHECK_FALSE(free.has_massless_motion());
  const MatrixStructure massless = make(matrix({{1.0, 0.0}, {0.0, 0.0}}), matrix({{3.0, -1.0}, {-1.0, 1.0}}));
  CHECK(massless.has_massless_motion());
  CHECK_NOTHROW(make(identity(2), SparseMatrix(2, 2)));
}
