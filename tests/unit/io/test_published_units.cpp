#include "masing/core/error.hpp"
#include "masing/io/detail/published_table.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using Catch::Matchers::Contains;

TEST_CASE("units of published values", "[io][validation]") {
  CHECK(detail::unit_factor("") == 1.0);
  CHECK(detail::unit_factor("%") == 0.01);
  CHECK(detail::unit_factor("mm") == 1e-3);
  CHECK(detail::unit_factor("N/µm") == Approx(1e6));
  CHECK(detail::unit_factor("kN") == 1e3);
  CHECK(detail::unit_factor("GPa") == 1e9);
  CHECK_THROWS_WITH(detail::unit_factor("1000"), Contains("is not known"));
}
