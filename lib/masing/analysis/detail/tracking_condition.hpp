// Equations that keep a motion at a special place of its response curve R(x, Ω) = 0 while the level changes: a peak
// (detail/peak_condition.hpp) or a fold (detail/fold_condition.hpp, detail/corner_fold.hpp).
#pragma once

#include "masing/analysis/detail/condition.hpp"

namespace masing::detail {

class TrackingCondition : public Condition {
 public:
  /// Puts the border where the curve is now; needed before the first evaluate(), wanted at every accepted point.
  void follow(HarmonicBalance& balance, const Vector& x, double omega);

 protected:
  /// New border for this point, of which scaled_ is, on the side of the old one if there is any.
  virtual void renew_border(HarmonicBalance& balance, const Vector& x, double omega) = 0;
  /// Fills scaled_.
  void scale_derivatives(HarmonicBalance& balance, const Vector& x, double omega);
  /// On the side of the old border, if there is one of its size.
  static void keep_side(const Vector& old, Vector& border);

  Vector unit_, row_unit_;  // n + 1 with Ω last; n
  Matrix jacobian_;
  Vector by_omega_;
  Matrix scaled_;  // [J R_Ω] with rows in units of the forces, columns in units of the unknowns
};

}  // namespace masing::detail
