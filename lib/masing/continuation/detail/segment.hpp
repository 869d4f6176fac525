// The piece of the branch between two neighbouring points, solved for anywhere in between.
//
// Position is the distance σ ∈ [0, length] along the chord, in the metric of the first point. The solution at σ lies in
// the plane normal to the chord there; the guess is the cubic Hermite curve through both points and tangents.
#pragma once

#include "masing/continuation/continuation.hpp"
#include "masing/continuation/detail/corrector.hpp"

#include <optional>

namespace masing::detail {

class Segment {
 public:
  Segment(Corrector& corrector, const BranchPoint& from, const BranchPoint& to);

  double length() const { return length_; }
  /// σ of any (x, λ).
  double position(const Vector& z) const { return normal_.dot(metric_.scaled(z - from_)); }
  Vector guess(double sigma) const;
  double distance(const Vector& z1, const Vector& z2) const { return metric_.scaled(z1 - z2).norm(); }

  /// The solution at σ, with tangent. Empty: not found, see Corrector::failure().
  std::optional<BranchPoint> solve_at(double sigma);
  /// The solution at λ. The λ of the two points must enclose it.
  std::optional<BranchPoint> solve_at_lambda(double lambda);
  /// The same where there may be a corner or a jump in between: from either end, and along the chord.
  std::optional<BranchPoint> reach_lambda(double lambda);

 private:
  std::optional<BranchPoint> extrapolate(bool back, double lambda);
  std::optional<BranchPoint> search_chord(double lambda);
  std::optional<BranchPoint> with_tangent(const Vector& z, double sigma);
  Vector slope(const Vector& physical_direction) const;

  Corrector& corrector_;
  Metric metric_;
  Vector from_, to_;
  Vector normal_;
  double length_;
  Vector from_slope_, to_slope_;  // dz/dσ
  double step_;
};

/// The zero of `function` between the two points, to `tolerance` in σ; `message` says why there is none.
std::optional<BranchPoint> locate_on_segment(Corrector& corrector, const BranchPoint& from, const BranchPoint& to,
                                             const BranchFunction& function, double tolerance, std::string& message);

}  // namespace masing::detail
