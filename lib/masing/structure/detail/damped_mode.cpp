#include "masing/structure/detail/damped_mode.hpp"

#include <cmath>
#include <limits>

namespace masing::detail {
namespace {

constexpr int most_corrections = 15;
constexpr double converged = 1e-13;
// Below this a step that is not much smaller than the one before is rounding.
constexpr double close = 1e-6;
constexpr double shrinking = 0.1;
constexpr double smallest_step = 1.0 / 256.0;
// A step that changes the mode by more than this may have arrived at another one.
constexpr double largest_shift = 0.3;
constexpr double least_likeness = 0.8;

struct Pair {
  Complex omega;
  ComplexVector shape;
};

// xᵀy, without conjugation.
Complex product(const ComplexVector& x, const ComplexVector& y) { return x.cwiseProduct(y).sum(); }

/// ω at which the pair's motion exchanges no energy with what is around it: the Rayleigh functional, one step.
void polish(DampedFamily& family, double share, Pair& pair) {
  family.go_to(pair.omega, share);
  const Complex change =
      product(pair.shape, family.times(pair.shape)) / product(pair.shape, family.derivative_times(pair.shape));
  if (std::abs(change) <= close * std::abs(pair.omega)) pair.omega -= change;
}

bool correct(DampedFamily& family, double share, Pair& pair) {
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most_corrections; ++i) {
    family.go_to(pair.omega, share);
    const ComplexVector image = family.derivative_times(pair.shape);
    ComplexVector next = image;
    if (!family.solve_in_place(next)) {  // arrived to the last digit
      pair.omega *= 1.0 + 4.0 * converged;
      continue;
    }
    const Complex change = -product(pair.shape, image) / product(image, next);
    if (!std::isfinite(std::abs(change)) || !next.allFinite()) return false;
    pair.omega += change;
    pair.shape = next.normalized();
    const double size = std::abs(change) / std::abs(pair.omega);
    if (size <= converged || (size <= close && size >= shrinking * before)) {
      polish(family, share, pair);
      return true;
    }
    before = size;
  }
  return false;
}

bool continues(const Pair& before, const Pair& now) {
  const double likeness = std::abs(before.shape.dot(now.shape));
  return likeness > least_likeness && std::abs(now.omega - before.omega) < largest_shift * std::abs(before.omega) &&
         now.omega.real() > 0.0;
}

}  // namespace

std::optional<Complex> damped_frequency(DampedFamily& family, double omega, const Vector& shape) {
  Pair pair{omega, shape.normalized().cast<Complex>()};
  double share = 0.0;
  double step = 1.0;
  while (share < 1.0) {
    Pair trial = pair;
    const double next = std::min(1.0, share + step);
    if (correct(family, next, trial) && continues(pair, trial)) {
      pair = std::move(trial);
      share = next;
    } else {
      step *= 0.5;
      if (step < smallest_step) return std::nullopt;
    }
  }
  return pair.omega;
}

}  // namespace masing::detail
