#include "masing/structure/natural_frequencies.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/rigid_motions.hpp"
#include "masing/structure/detail/spectral_model.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace masing {
namespace {

// Width of the last bracket, relative: the rounding of ω and of Z.
constexpr double finest = 1e-14;

/// J(ω) of the undamped model.
class Count {
 public:
  explicit Count(const SpectralBeam& structure)
      : model_(detail::undamped(structure.model())), rigid_(detail::rigid_motions(structure.beam()).cols()) {}

  Index rigid() const { return rigid_; }

  Index below(double omega) {
    z_.setZero(model_.size, model_.size);
    model_.assemble(omega, [this](Index i, Index j, const Complex& z, const Complex&) { z_(i, j) += z.real(); });
    // Exactly at a frequency of a clamped piece Z does not exist: look just below.
    if (!z_.allFinite()) return below(omega * (1.0 - finest));
    Index count = negative_eigenvalues();
    for (const SpectralPiece& piece : model_.pieces) {
      count += clamped_rod_frequencies_below(piece, omega);
      if (model_.bends) count += clamped_bending_frequencies_below(piece, omega);
    }
    return count;
  }

 private:
  Index negative_eigenvalues() {
    if (z_.rows() == 0) return 0;
    const Vector scale = z_.cwiseAbs().rowwise().maxCoeff().cwiseSqrt().cwiseInverse();
    z_ = scale.asDiagonal() * z_ * scale.asDiagonal();
    const Vector values = z_.selfadjointView<Eigen::Lower>().eigenvalues();
    return (values.array() < 0.0).count();
  }

  detail::SpectralModel model_;
  Index rigid_;
  Matrix z_;
};

struct Bracket {
  double low = 0.0, high = 0.0;
  Index below_low = 0, below_high = 0;
};

/// Appends the frequencies number below_low … below_high, but none from number `enough` on.
void bisect(Count& count, const Bracket& bracket, Index enough, std::vector<double>& found) {
  if (bracket.below_low >= std::min(bracket.below_high, enough)) return;
  const double middle = 0.5 * (bracket.low + bracket.high);
  if (bracket.high - bracket.low <= finest * bracket.high) {
    const Index number = std::min(bracket.below_high, enough) - bracket.below_low;
    found.insert(found.end(), static_cast<std::size_t>(number), middle);
    return;
  }
  const Index below = std::clamp(count.below(middle), bracket.below_low, bracket.below_high);
  bisect(count, {bracket.low, middle, bracket.below_low, below}, enough, found);
  bisect(count, {middle, bracket.high, below, bracket.below_high}, enough, found);
}

std::vector<double> frequencies_below(Count& count, double high, Index enough) {
  const Index below_high = std::max(count.below(high), count.rigid());
  std::vector<double> found(static_cast<std::size_t>(std::min(count.rigid(), enough)), 0.0);
  bisect(count, {0.0, high, count.rigid(), below_high}, enough, found);
  return found;
}

}  // namespace

Index count_natural_frequencies(const SpectralBeam& structure, double omega) {
  require(std::isfinite(omega) && omega > 0.0, "natural frequencies below {} rad/s: the limit must be > 0.", omega);
  return Count(structure).below(omega);
}

std::vector<double> natural_frequencies_up_to(const SpectralBeam& structure, double up_to) {
  require(std::isfinite(up_to) && up_to > 0.0, "natural frequencies up to {} rad/s: the limit must be > 0.", up_to);
  Count count(structure);
  return frequencies_below(count, up_to, std::numeric_limits<Index>::max());
}

std::vector<double> lowest_natural_frequencies(const SpectralBeam& structure, Index count) {
  require(count >= 0, "{} natural frequencies: the number must not be negative.", count);
  Count counter(structure);
  double high = 1.0;
  while (counter.below(high) < count) high *= 2.0;
  return frequencies_below(counter, high, count);
}

}  // namespace masing
