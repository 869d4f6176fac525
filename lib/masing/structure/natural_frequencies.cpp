#include "masing/structure/natural_frequencies.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/mode_groups.hpp"
#include "masing/structure/detail/rigid_motions.hpp"
#include "masing/structure/detail/spectral_model.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace masing {
namespace {

using detail::FrequencyGroup;

// Width of the last bracket, relative. The count is safe down to 1e-8, the square root of rounding; what follows gains
// twice the digits a step.
constexpr double bracket_width = 1e-5;
// At a pole of Z: a step that is small beside everything but rounding.
constexpr double beside = 1e-14;

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
    if (!z_.allFinite()) return below(omega * (1.0 - beside));
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
    // Entries of at most 1 do not change the signs, but make them safe: |z_ij| is not above the largest of either row.
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

/// Appends the groups with the frequencies number below_low … below_high, as long as there are not `enough`.
void bisect(Count& count, const Bracket& bracket, Index enough, std::vector<FrequencyGroup>& groups) {
  if (bracket.below_low >= std::min(bracket.below_high, enough)) return;
  const double middle = 0.5 * (bracket.low + bracket.high);
  if (bracket.high - bracket.low <= bracket_width * bracket.high) {
    groups.push_back({.omega = middle, .count = bracket.below_high - bracket.below_low});
    return;
  }
  const Index below = std::clamp(count.below(middle), bracket.below_low, bracket.below_high);
  bisect(count, {bracket.low, middle, bracket.below_low, below}, enough, groups);
  bisect(count, {middle, bracket.high, below, bracket.below_high}, enough, groups);
}

/// The groups of vibrating modes below `high`.
std::vector<FrequencyGroup> groups_below(Count& count, double high, Index enough) {
  std::vector<FrequencyGroup> groups;
  bisect(count, {0.0, high, count.rigid(), std::max(count.below(high), count.rigid())}, enough, groups);
  return groups;
}

double above(Count& counter, Index count) {
  double high = 1.0;
  while (counter.below(high) < count) high *= 2.0;
  return high;
}

std::vector<double> frequencies(const SpectralBeam& structure, Index rigid, const std::vector<FrequencyGroup>& groups) {
  std::vector<double> result(static_cast<std::size_t>(rigid), 0.0);
  for (const FrequencyGroup& group : groups) {
    const Vector found = detail::modes_of(structure, group).frequencies;
    result.insert(result.end(), found.begin(), found.end());
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// Draws shapes that are given on the coordinates of a (finer) undamped beam.
class Artist {
 public:
  Artist(const SpectralBeam& structure, const SpectralBeam& undamped, Index places)
      : structure_(structure),
        undamped_(undamped),
        damped_(with_damping(structure.beam(), undamped.beam())),
        x_(Vector::LinSpaced(places, structure.beam().begin(), structure.beam().end())) {}

  BeamMode draw(double omega, const Vector& shape) const {
    BeamMode mode{.omega = omega, .damping_ratio = damping_ratio(omega, shape), .nodes = {}, .x = x_, .shape = {}};
    mode.nodes.resize(static_cast<Index>(structure_.nodes().size()), 3);
    for (Index i = 0; i < mode.nodes.rows(); ++i) {
      mode.nodes.row(i) = sample(structure_.nodes()[static_cast<std::size_t>(i)].at, omega, shape);
    }
    mode.shape.resize(x_.size(), 3);
    for (Index i = 0; i < x_.size(); ++i) mode.shape.row(i) = sample(x_[i], omega, shape);
    return mode;
  }

 private:
  static Beam with_damping(Beam beam, const Beam& finer) {
    beam.points = finer.points;
    return beam;
  }

  Eigen::RowVector3d sample(double x, double omega, const Vector& shape) const {
    const double inside = std::clamp(x, undamped_.nodes().front().at, undamped_.nodes().back().at);
    const auto motion = undamped_.motion_at(inside, omega, shape.cast<Complex>());
    return {motion[0].real(), motion[1].real(), motion[2].real()};
  }

  double damping_ratio(double omega, const Vector& shape) const {
    if (omega == 0.0) return 0.0;
    ComplexMatrix z, derivative;
    damped_.dynamic_stiffness(omega, z, derivative);
    return shape.dot(z.imag() * shape) / (2.0 * omega * omega);
  }

  const SpectralBeam& structure_;
  const SpectralBeam& undamped_;
  SpectralBeam damped_;
  Vector x_;
};

}  // namespace

Index count_natural_frequencies(const SpectralBeam& structure, double omega) {
  require(std::isfinite(omega) && omega > 0.0, "natural frequencies below {} rad/s: the limit must be > 0.", omega);
  return Count(structure).below(omega);
}

std::vector<double> natural_frequencies_up_to(const SpectralBeam& structure, double up_to) {
  require(std::isfinite(up_to) && up_to > 0.0, "natural frequencies up to {} rad/s: the limit must be > 0.", up_to);
  Count count(structure);
  return frequencies(structure, count.rigid(), groups_below(count, up_to, std::numeric_limits<Index>::max()));
}

std::vector<double> lowest_natural_frequencies(const SpectralBeam& structure, Index count) {
  require(count >= 0, "{} natural frequencies: the number must not be negative.", count);
  Count counter(structure);
  std::vector<double> result =
      frequencies(structure, counter.rigid(), groups_below(counter, above(counter, count), count));
  result.resize(static_cast<std::size_t>(count));
  return result;
}

std::vector<BeamMode> lowest_natural_modes(const SpectralBeam& structure, Index count, Index places) {
  require(count >= 0, "{} natural modes: the number must not be negative.", count);
  require(places >= 2, "modes drawn at {} places along the beam: at least 2 are needed.", places);
  Count counter(structure);
  const Index enough = std::max(count, counter.rigid() + 1);  // a vibrating one, to compare rigid motions with
  const std::vector<FrequencyGroup> groups = groups_below(counter, above(counter, enough), enough);
  std::vector<BeamMode> modes;
  if (counter.rigid() > 0) {
    const SpectralBeam undamped(detail::without_damping(structure.beam()));
    const Matrix shapes = detail::rigid_shapes(undamped, groups.front().omega);
    const Artist artist(structure, undamped, places);
    for (Index i = 0; i < shapes.cols(); ++i) modes.push_back(artist.draw(0.0, shapes.col(i)));
  }
  for (const FrequencyGroup& group : groups) {
    const detail::ModeGroup found = detail::modes_of(structure, group);
    const Artist artist(structure, found.undamped, places);
    for (Index i = 0; i < group.count; ++i) modes.push_back(artist.draw(found.frequencies[i], found.shapes.col(i)));
  }
  std::sort(modes.begin(), modes.end(), [](const BeamMode& a, const BeamMode& b) { return a.omega < b.omega; });
  modes.resize(static_cast<std::size_t>(count));
  return modes;
}

}  // namespace masing
