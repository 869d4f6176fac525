#include "support.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using test::directions;

namespace {
// Orthogonality of a Householder QR of a few rows: some units of machine precision.
constexpr double rounding = 1e-14;
}  // namespace

TEST_CASE("joints on single coordinates keep these coordinates as they are", "[interface]") {
  const InterfaceBasis basis = interface_basis(directions(5, {{{3, 2.0}}, {{1, -1.0}}}));
  CHECK(basis.touched == std::vector<Index>{1, 3});
  CHECK(basis.range == Matrix::Identity(2, 2));
  CHECK(basis.complement.rows() == 2);
  CHECK(basis.complement.cols() == 0);
}

TEST_CASE("a joint between two coordinates keeps their relative motion only", "[interface]") {
  const InterfaceBasis basis = interface_basis(directions(4, {{{0, 1.0}, {2, -1.0}}}));
  CHECK(basis.touched == std::vector<Index>{0, 2});
  REQUIRE(basis.kept() == 1);
  REQUIRE(basis.complement.cols() == 1);
  CHECK(basis.range(0, 0) == Approx(std::sqrt(0.5)).epsilon(rounding));
  CHECK(basis.range(1, 0) == Approx(-std::sqrt(0.5)).epsilon(rounding));
}

TEST_CASE("parallel joints of very different scale count once and the basis is orthogonal", "[interface]") {
  const SparseMatrix b = directions(6, {{{1, 1.0}, {4, 0.005}}, {{1, -1e6}, {4, -5e3}}, {{0, 1e-9}, {5, 2e-9}}});
  const InterfaceBasis basis = interface_basis(b);
  CHECK(basis.touched == std::vector<Index>{0, 1, 4, 5});
  REQUIRE(basis.kept() == 2);
  Matrix all(4, 4);
  all << basis.range, basis.complement;
  CHECK((all.transpose() * all - Matrix::Identity(4, 4)).norm() < rounding);
  const Matrix touched_rows = Matrix(b)(basis.touched, Eigen::all);
  CHECK((basis.complement.transpose() * touched_rows.rightCols(1)).norm() < rounding * 1e-9);
  CHECK((basis.complement.transpose() * touched_rows.leftCols(1)).norm() < rounding);
}

TEST_CASE("the basis is the same every time", "[interface]") {
  const SparseMatrix b = directions(6, {{{1, 1.0}, {4, 0.3}, {2, 0.7}}, {{0, 0.2}, {5, 2.0}}});
  CHECK(interface_basis(b).range == interface_basis(b).range);
}

TEST_CASE("no joints, nothing kept", "[interface]") {
  const InterfaceBasis basis = interface_basis(SparseMatrix(3, 0));
  CHECK(basis.touched.empty());
  CHECK(basis.kept() == 0);
}
