#include "masing/structure/detail/beam_shapes.hpp"

namespace masing::detail {
namespace {

// Four Gauss points on [0, 1]: exact up to degree 7, and a mass matrix of cubic functions has degree 6.
struct GaussPoint {
  double at;
  double weight;
};
constexpr std::array<GaussPoint, 4> gauss = {{{0.0694318442029737, 0.1739274225687269},
                                              {0.3300094782075719, 0.3260725774312731},
                                              {0.6699905217924281, 0.3260725774312731},
                                              {0.9305681557970263, 0.1739274225687269}}};

}  // namespace

BeamShapes::BeamShapes(const BeamSection& section, BeamTheory theory, double length, double shear_compliance)
    : section_(section), theory_(theory), length_(length) {
  if (theory == BeamTheory::rod) return;
  if (theory == BeamTheory::timoshenko) {
    shear_compliance += 1.0 / (section.shear_factor * section.shear_modulus() * section.area);
  }
  shear_ = 12.0 * section.youngs_modulus * section.inertia * shear_compliance / (length * length);
}

Eigen::Matrix<double, 3, 6> BeamShapes::at(double xi) const {
  const double l = length_;
  const double s = shear_;
  const double x2 = xi * xi;
  const double x3 = x2 * xi;
  const double scale = 1.0 / (1.0 + s);
  Eigen::Matrix<double, 3, 6> n = Eigen::Matrix<double, 3, 6>::Zero();
  n(0, 0) = 1.0 - xi;
  n(0, 3) = xi;
  if (theory_ == BeamTheory::rod) return n;
  n(1, 1) = scale * (1.0 - 3.0 * x2 + 2.0 * x3 + s * (1.0 - xi));
  n(1, 2) = scale * l * (xi - 2.0 * x2 + x3 + 0.5 * s * (xi - x2));
  n(1, 4) = scale * (3.0 * x2 - 2.0 * x3 + s * xi);
  n(1, 5) = scale * l * (x3 - x2 - 0.5 * s * (xi - x2));
  n(2, 1) = scale * 6.0 / l * (x2 - xi);
  n(2, 2) = scale * (1.0 - 4.0 * xi + 3.0 * x2 + s * (1.0 - xi));
  n(2, 4) = scale * 6.0 / l * (xi - x2);
  n(2, 5) = scale * (3.0 * x2 - 2.0 * xi + s * xi);
  return n;
}

Eigen::Matrix<double, 1, 6> BeamShapes::slope_at(double xi) const {
  const double l = length_;
  const double s = shear_;
  const double x2 = xi * xi;
  const double scale = 1.0 / (1.0 + s);
  Eigen::Matrix<double, 1, 6> slope = Eigen::Matrix<double, 1, 6>::Zero();
  if (theory_ == BeamTheory::rod) return slope;
  slope[4] = scale / l * (6.0 * (xi - x2) + s);
  slope[1] = -slope[4];
  slope[2] = scale * (1.0 - 4.0 * xi + 3.0 * x2 + s * (0.5 - xi));
  slope[5] = scale * (3.0 * x2 - 2.0 * xi - s * (0.5 - xi));
  return slope;
}

ElementMatrix BeamShapes::stiffness() const {
  const double l = length_;
  const double s = shear_;
  const double axial = section_.youngs_modulus * section_.area / l;
  ElementMatrix k = ElementMatrix::Zero();
  k(0, 0) = k(3, 3) = axial;
  k(0, 3) = k(3, 0) = -axial;
  if (theory_ == BeamTheory::rod) return k;
  const double bending = section_.youngs_modulus * section_.inertia / (l * l * l * (1.0 + s));
  const double own = (4.0 + s) * l * l;
  const double other = (2.0 - s) * l * l;
  const Eigen::Matrix4d shape{{12.0, 6.0 * l, -12.0, 6.0 * l},
                              {6.0 * l, own, -6.0 * l, other},
                              {-12.0, -6.0 * l, 12.0, -6.0 * l},
                              {6.0 * l, other, -6.0 * l, own}};
  const std::array<int, 4> motions = {1, 2, 4, 5};
  k(motions, motions) = bending * shape;
  return k;
}

ElementMatrix BeamShapes::mass() const {
  const double along = section_.density * section_.area;
  const double rotary = theory_ == BeamTheory::timoshenko ? section_.density * section_.inertia : 0.0;
  const Eigen::Vector3d inertia(along, along, rotary);
  ElementMatrix m = ElementMatrix::Zero();
  for (const GaussPoint& point : gauss) {
    const Eigen::Matrix<double, 3, 6> n = at(point.at);
    m += point.weight * length_ * n.transpose() * inertia.asDiagonal() * n;
  }
  return m;
}

ElementMatrix BeamShapes::shortening() const {
  ElementMatrix g = ElementMatrix::Zero();
  for (const GaussPoint& point : gauss) {
    const Eigen::Matrix<double, 1, 6> slope = slope_at(point.at);
    g += point.weight * length_ * slope.transpose() * slope;
  }
  return g;
}

}  // namespace masing::detail
