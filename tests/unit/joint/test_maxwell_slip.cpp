// Jenkins elements of a rough interface: what they keep exactly, and the loop-area errors of each way to choose them.
#include "masing/joint/maxwell_slip.hpp"

#include "masing/contact/backbones.hpp"
#include "masing/contact/binning.hpp"
#include "masing/core/error.hpp"
#include "unit/joint/surfaces.hpp"

#include <catch2/catch.hpp>

using namespace masing;

namespace {

struct Steel {
  RoughInterface interface { test::steel_surfaces() };
  BackbonePointer exact = rough_backbone(interface, test::steel_load);

  std::vector<SlipElement> elements(int regions, int annuli, AnnulusAssignment assignment) const {
    return maxwell_slip_elements(interface, test::steel_load, {regions, annuli, assignment});
  }
  /// Error of the loop area in per cent, at an amplitude of `share` times macroslip.
  double error(const std::vector<SlipElement>& set, double share) const {
    const double amplitude = share * exact->macroslip();
    return 100.0 * (maxwell_slip_backbone(set)->loop_energy(amplitude) / exact->loop_energy(amplitude) - 1.0);
  }
};

}  // namespace

TEST_CASE("loop areas of the published assignment", "[joint][roughness]") {
  struct Row {
    int regions, annuli;
    double at_half, at_one_and_a_half;  // per cent
  };
  constexpr double last_digit = 0.06;  // one decimal is printed; 3.15 may be printed as 3.1
  const Steel steel;
  for (const Row& row : {Row{3, 7, 3.1, 2.2}, Row{7, 3, 11.7, 3.3}, Row{7, 7, 2.7, 1.1}, Row{1, 30, 3.2, 11.5}}) {
    const auto set = steel.elements(row.regions, row.annuli, AnnulusAssignment::printed);
    CAPTURE(row.regions, row.annuli);
    CHECK(set.size() == static_cast<std::size_t>(row.regions * row.annuli));
    CHECK(steel.error(set, 0.5) == Approx(row.at_half).margin(last_digit).epsilon(0.0));
    CHECK(steel.error(set, 1.5) == Approx(row.at_one_and_a_half).margin(last_digit).epsilon(0.0));
  }
  CHECK(steel.error(steel.elements(1, 30, AnnulusAssignment::printed), 0.75) == Approx(37.0).margin(0.5).epsilon(0.0));
  // "At most 1 %" holds from about three times macroslip.
  CHECK(steel.error(steel.elements(3, 7, AnnulusAssignment::printed), 3.0) < 1.0);
}

TEST_CASE("even bins of the exact curve beat both assignments", "[joint][roughness]") {
  const Steel steel;
  const auto set = binned_elements(*steel.exact, 21);
  CHECK(set.size() == 21);
  CHECK(steel.error(set, 0.5) == Approx(0.03).margin(0.005).epsilon(0.0));
  CHECK(steel.error(set, 1.5) == Approx(0.06).margin(0.005).epsilon(0.0));
}

TEST_CASE("elements keep the stiffness and the limit, and converge", "[joint][roughness]") {
  const Steel steel;
  for (const AnnulusAssignment assignment : {AnnulusAssignment::printed, AnnulusAssignment::consistent}) {
    double stiffness = 0.0;
    double limit = 0.0;
    for (const SlipElement& element : steel.elements(4, 5, assignment)) {
      stiffness += element.stiffness;
      limit += element.slip_force;
    }
    CHECK(stiffness == Approx(steel.exact->stick_stiffness()).epsilon(1e-12));
    CHECK(limit == Approx(steel.exact->slip_force()).epsilon(1e-12));
    const double coarse = steel.error(steel.elements(10, 10, assignment), 1.5);
    const double fine = steel.error(steel.elements(40, 40, assignment), 1.5);
    CHECK(coarse > 0.0);
    CHECK(fine < coarse / 7.0);  // first order in neither: 8 to 16 times less with four times as many of both
    CHECK(fine < 0.1);
  }
  CHECK_THROWS_WITH(steel.elements(0, 3, AnnulusAssignment::printed),
                    "Maxwell slip: regions = 0 and annuli = 3 must be >= 1.");
  CHECK_THROWS_WITH(bin_backbone(*steel.exact, std::vector<double>{0.0, 2e-7, 1e-7}),
                    "binning: edges must rise, but 1e-07 m follows 2e-07 m.");
  CHECK_THROWS_WITH(bin_backbone(*steel.exact, std::vector<double>{1e-7, 2e-7}),
                    "binning: edges must start at 0 and be at least two.");
  CHECK_THROWS_WITH(binned_elements(*steel.exact, 0), "Maxwell slip: count = 0 must be >= 1.");
}
