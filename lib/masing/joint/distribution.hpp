// A law that is spread over a stretch of a beam: where it is evaluated, and how hard the surfaces are pressed there.
//
//   generalised force  ∫ B(x)ᵀ f(B(x) q) dx  ≈  Σ_g w_g B(x_g)ᵀ f(B(x_g) q)         f per metre
//
// x_g, w_g are Gauss points: n of them integrate polynomials up to degree 2n − 1 exactly. The forces at the points make the
// motion itself less smooth than a distributed force would (a rod's slope jumps there): the error is of order 1/n² for rods
// and for fields with kinks (slip fronts), 1/n⁴ for slender beams.
#pragma once

#include <vector>

namespace masing {

struct GaussPoint {
  double at = 0.0;      ///< [m]
  double weight = 0.0;  ///< [m]; they add up to the length
};

/// `count` >= 1 points between `from` and `to` > from, ascending. Throws ModelError.
std::vector<GaussPoint> gauss_points(double from, double to, int count);

/// A normal load per length p(x) >= 0 [N/m] over a stretch.
class PreloadField {
 public:
  enum class Shape {
    uniform,
    sine,  ///< sin(π (x − from) / (to − from)): zero at both ends
  };

  /// `total` >= 0 [N] over the stretch. Throws ModelError.
  PreloadField(double from, double to, double total, Shape shape);
  /// Straight lines between places [m], strictly ascending, and what they carry [N/m]; constant beyond. Throws ModelError.
  PreloadField(std::vector<double> places, std::vector<double> loads);

  double at(double x) const;

 private:
  double from_ = 0.0;
  double to_ = 0.0;
  double total_ = 0.0;
  Shape shape_ = Shape::uniform;
  std::vector<double> places_;
  std::vector<double> loads_;
};

}  // namespace masing
