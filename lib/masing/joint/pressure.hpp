// From a pressure field to the backbone of an Iwan law.
//
// Cut the contact across the sliding direction x into strips. A strip at x carries the line load q(x) [N/m], the
// integral of the pressure over the strip; all strips are equal springs side by side. With the contact length L, the
// strip slides at
//
//   f(x) = μ L q(x),      the share of the strips that slide between f and f + df is φ(f) df,   φ(f) = |dx/df| / L
//
// and the population of strips is an Iwan law with density φ. The density is never formed. The contact is a list of
// segments, each a share w_i of the length in which f goes linearly from one value to another, and
//
//   F̂(δ) = Σ w_i E_i[min(f, k_t δ)],     F̂'(δ) = k_t Σ w_i P_i(f > k_t δ)
//
// is exact for them. F̂ is then a chain of parabolas between the sorted ends of the segments: one search an evaluation.
//
// The strip comes first: two points of one strip do not slide on their own, since the body between them is stiff
// across the sliding direction. Treating area elements of a two-dimensional field as independent gives another law:
// for a Hertzian contact it is up to 4.5 % of μN away from Mindlin's solution, and loses energy as T⁴ instead of T³.
//
// Reference: D. Li, D. Botto, C. Xu, M. Gola, Int. J. Mech. Sci. 180 (2020) 105671.
#pragma once

#include "masing/contact/backbone.hpp"
#include "masing/core/types.hpp"

#include <vector>

namespace masing {

/// A part of the contact whose slip force goes linearly from `first` to `last`.
struct SlipSegment {
  double share;  ///< of the elements, > 0; the shares of all segments add up to 1
  double first;  ///< slip force of the whole contact if it all were like this end [N], >= 0
  double last;   ///< at the other end [N]
};

/// F̂ of the segments. Shares are normalised to the sum 1. Throws ModelError for stiffness <= 0, negative slip
/// forces, shares that are not positive, and a contact without any slip force.
BackbonePointer segment_backbone(double stiffness, const std::vector<SlipSegment>& segments);

/// Line load along the sliding direction, linear between its points.
struct LineLoad {
  Vector x;  ///< [m], rising; two equal positions make a jump
  Vector q;  ///< [N/m], >= 0

  double normal_load() const;     ///< N = ∫ q dx [N]
  double contact_length() const;  ///< length of the intervals that carry load [m]; gaps do not count
};

/// Pressure p(x) [Pa] that is the same over the width [m] of the contact.
LineLoad line_load(const Vector& x, const Vector& pressure, double width);

/// Pressure map on a grid: rows of `pressure` [Pa] go with x along the sliding direction, columns with y across it.
/// Each row is integrated by the trapezoidal rule.
LineLoad line_load(const Vector& x, const Vector& y, const Matrix& pressure);

/// The slip forces μ L q of a line load. Throws ModelError: fewer than two points, x that falls, negative load, no
/// load at all, friction <= 0.
std::vector<SlipSegment> slip_segments(const LineLoad& load, double friction);

/// Line loads of a known shape; what matters is only how the load is spread over the length.
enum class PressureShape {
  uniform,    ///< flat and perfectly even: all strips slide together, one Jenkins element
  hertz,      ///< sphere on plane: q ∝ 1 − (x/a)², Mindlin's solution
  quadratic,  ///< flat on flat: q ∝ γ + 12 (1 − γ) (x/L)², γ = load in the middle over the mean, 0 … 1.5
  triangle,   ///< from zero at one end to twice the mean at the other
};

struct ShapedPressure {
  PressureShape shape = PressureShape::hertz;
  double normal_load;  ///< N [N], > 0
  double friction;     ///< μ, > 0
  double stiffness;    ///< k_t while everything sticks [N/m], > 0
  double gamma = 1.0;  ///< quadratic only
};

/// In closed form.
BackbonePointer pressure_backbone(const ShapedPressure& pressure);
BackbonePointer pressure_backbone(const LineLoad& load, double friction, double stiffness);

}  // namespace masing
