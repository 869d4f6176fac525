// Responses across the limit between stick and slip of friction in a plane under a load that varies: the branch has sharp
// corners there, and derivatives that grow without bound on one side.
#include "masing/analysis/frequency_response.hpp"
#include "masing/contact/friction.hpp"
#include "masing/structure/matrix_structure.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

using namespace masing;
using test::joint;
using test::load;

namespace {

// One mass that moves in x, y and z on a contact under 20 N; all three directions are shaken.
Model mass_on_contact() {
  Matrix stiffness(3, 3);
  stiffness << 1.0e4, 1.0e3, 3.0e3, 1.0e3, 1.3e4, -2.0e3, 3.0e3, -2.0e3, 3.0e4;
  const Friction3d law(
      {.stiffness = 2.0e4, .friction = 0.4, .normal = NormalContact({.stiffness = 2.0e4, .preload = 20.0})});
  const double degree = pi / 180.0;
  return {.structure = std::make_shared<const MatrixStructure>(
              MatrixStructureOptions{.mass = Matrix(Matrix::Identity(3, 3)).sparseView(),
                                     .stiffness = stiffness.sparseView(),
                                     .damping = {.modal_ratio = 0.003}}),
          .joints = {joint("contact", make_element(law), 3, {{{0, 1.0}}, {{1, 1.0}}, {{2, 1.0}}})},
          .loads = {load(3, 0, 1.0), load(3, 1, 0.7, 1, 60.0 * degree), load(3, 2, 0.5, 1, 30.0 * degree)}};
}

}  // namespace

TEST_CASE("the limit between stick and slip in a plane is passed upwards and downwards") {
  const bool upwards = GENERATE(true, false);
  FrequencyResponseRequest request{.from = upwards ? 15.0 : 24.0, .to = upwards ? 24.0 : 15.0, .levels = {4.0}};
  request.balance = {.harmonics = {0, 1, 2, 3, 4, 5}, .samples = 128};
  request.observables = {{.name = "x", .coordinate = 0}};
  const FrequencyResponse response = frequency_response(mass_on_contact(), request);
  INFO(response.branches.front().end.message);
  CHECK(response.complete());
}
