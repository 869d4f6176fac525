// Q(x) = μ [P(y) − P(y + x/λ)] of a rough interface, made cheap to evaluate.
//
// Near x_L the summits that still stick are the highest ones: P(z_max − d) = d^{5/2} h(d) with a smooth h. Near x = 0
// the difference would lose digits, so the mean slope g(x) = Q/x is interpolated there. Both are Chebyshev series,
// each on its half of [0, x_L]; the work has two more.
#pragma once

#include "masing/contact/backbone.hpp"
#include "masing/joint/detail/chebyshev.hpp"
#include "masing/joint/roughness.hpp"

namespace masing::detail {

class RoughBackbone final : public Backbone {
 public:
  RoughBackbone(const RoughInterface& interface, double load);

  BackboneValue at(double u) const override;
  double work(double u) const override;
  double macroslip() const override { return macroslip_; }

 private:
  RoughBackbone(const RoughInterface& interface, double load, double separation);
  RoughBackbone(const RoughInterface& interface, double load, double separation, const ChebyshevSeries& slope);

  /// μ ∫ P over the displacements left until x_L.
  double tip_work(double depth) const;

  double friction_;             // μ
  double ratio_;                // λ
  double limit_;                // μN
  double macroslip_;            // x_L
  double middle_;               // x_L/2
  ChebyshevSeries mean_slope_;  // Q/x on [0, x_L/2]
  ChebyshevSeries mean_work_;   // ∫Q/x² on [0, x_L/2]
  ChebyshevSeries tip_force_;   // h: P/d^{5/2} on [0, d(x_L/2)]
  ChebyshevSeries tip_work_;    // ∫P/d^{7/2}
  double work_at_macroslip_;
};

}  // namespace masing::detail
