#include "masing/structure/natural_frequencies.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/mode_groups.hpp"
#include "masing/structure/detail/rigid_motions.hpp"
#include "masing/structure/detail/spectral_damping.hpp"

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
constexpr Index most_modes = 1000000;
// At a pole of Z: a step that is small beside everything but rounding.
constexpr double beside = 1e-14;

/// J(ω) of the undamped model.
class Counter {
 public:
  explicit Counter(const SpectralBeam& structure)
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
void bisect(Counter& count, const Bracket& bracket, Index enough, std::vector<FrequencyGroup>& groups) {
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
std::vector<FrequencyGroup> groups_below(Counter& count, double high, Index enough) {
  std::vector<FrequencyGroup> groups;
  bisect(count, {0.0, high, count.rigid(), std::max(count.below(high), count.rigid())}, enough, groups);
  return groups;
}

double above(Counter& counter, Index count) {
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
  Artist(const SpectralBeam& structure, const SpectralBeam& undamped, const Vector& x)
      : structure_(structure), undamped_(undamped), damped_(with_damping(structure.beam(), undamped.beam())), x_(x) {}

  BeamMode draw(double omega, const Vector& shape) const {
    BeamMode mode{.omega = omega, .nodes = {}, .x = x_, .shape = {}};
    if (omega > 0.0) add_damping(shape, mode);
    mode.nodes.resize(static_cast<Index>(structure_.nodes().size()), 3);
    for (Index i = 0; i < mode.nodes.rows(); ++i) {
      mode.nodes.row(i) = sample(structure_.nodes()[static_cast<std::size_t>(i)].at, omega, shape);
    }
    mode.shape.resize(x_.size(), 3);
    for (Index i = 0; i < x_.size(); ++i) mode.shape.row(i) = sample(x_[i], omega, shape);
    return mode;
  }

  /// Of modes with equal frequencies the combinations that damping does not couple, to first order.
  Matrix uncoupled(const Vector& frequencies, const Matrix& shapes) const {
    constexpr double equal = 1e-9;
    const double first = frequencies[0], last = frequencies[frequencies.size() - 1];
    if (last > first * (1.0 + equal)) return shapes;
    ComplexMatrix z, derivative;
    damped_.dynamic_stiffness(first, z, derivative);
    return detail::uncoupled(shapes, shapes.transpose() * z.imag() * shapes);
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

  void add_damping(const Vector& shape, BeamMode& mode) const {
    mode.damped_omega = mode.omega;
    if (!detail::has_damping(damped_.model())) return;
    const std::optional<Complex> omega = detail::damped_frequency(damped_.model(), mode.omega, shape);
    mode.damping_ratio = omega ? detail::ratio_of(*omega) : std::numeric_limits<double>::quiet_NaN();
    mode.damped_omega = omega ? omega->real() : mode.damping_ratio;
  }

  const SpectralBeam& structure_;
  const SpectralBeam& undamped_;
  SpectralBeam damped_;
  Vector x_;
};

/// Without the couplings of negative stiffness the beam has no frequency below that which is compared with.
void refuse_unstable(const SpectralBeam& structure) {
  constexpr double almost_static = 1e-3;
  Beam held = structure.beam();
  const std::size_t couplings = held.couplings.size();
  std::erase_if(held.couplings, [](const BeamCoupling& coupling) { return coupling.stiffness < 0.0; });
  if (held.couplings.size() == couplings) return;
  const SpectralBeam stable{held};
  Counter counter(stable);
  const double reference =
      lowest_natural_frequencies(stable, counter.rigid() + 1)[static_cast<std::size_t>(counter.rigid())];
  Counter unstable(structure);
  if (unstable.below(almost_static * reference) <= unstable.rigid()) return;
  throw NumericalError(
      "The beam is unstable: a negative stiffness of a joint outweighs what holds it. Modes about such a state are "
      "known "
      "for finite elements only.");
}

}  // namespace

Index count_natural_frequencies(const SpectralBeam& structure, double omega) {
  require(std::isfinite(omega) && omega > 0.0, "natural frequencies below {} rad/s: the limit must be > 0.", omega);
  return Counter(structure).below(omega);
}

std::vector<double> natural_frequencies_up_to(const SpectralBeam& structure, double up_to) {
  require(std::isfinite(up_to) && up_to > 0.0, "natural frequencies up to {} rad/s: the limit must be > 0.", up_to);
  Counter count(structure);
  return frequencies(structure, count.rigid(), groups_below(count, up_to, std::numeric_limits<Index>::max()));
}

std::vector<double> lowest_natural_frequencies(const SpectralBeam& structure, Index count) {
  require(count >= 0, "{} natural frequencies: the number must not be negative.", count);
  Counter counter(structure);
  std::vector<double> result =
      frequencies(structure, counter.rigid(), groups_below(counter, above(counter, count), count));
  result.resize(static_cast<std::size_t>(count));
  return result;
}

std::vector<BeamMode> lowest_natural_modes(const SpectralBeam& structure, Index count, Index places) {
  return lowest_natural_modes(structure, ModeRange{.count = count}, places);
}

std::vector<BeamMode> lowest_natural_modes(const SpectralBeam& structure, const ModeRange& range, Index places) {
  return lowest_natural_modes(structure, range, even_places(structure.beam(), places));
}

Vector even_places(const Beam& beam, Index count) {
  require(count >= 2, "modes drawn at {} places along the beam: at least 2 are needed.", count);
  return Vector::LinSpaced(count, beam.begin(), beam.end());
}

std::vector<BeamMode> lowest_natural_modes(const SpectralBeam& structure, const ModeRange& range, const Vector& x) {
  require(range.count >= 0, "{} natural modes: the number must not be negative.", range.count);
  require(range.count <= most_modes || std::isfinite(range.up_to), "{} natural modes: at most {}, or give a limit.",
          range.count, most_modes);
  refuse_unstable(structure);
  Counter counter(structure);
  Index count = range.count;
  if (std::isfinite(range.up_to)) count = std::min(count, std::max(counter.below(range.up_to), counter.rigid()));
  const Index enough = std::max(count, counter.rigid() + 1);  // a vibrating one, to compare rigid motions with
  const std::vector<FrequencyGroup> groups = groups_below(counter, above(counter, enough), enough);
  std::vector<BeamMode> modes;
  if (counter.rigid() > 0) {
    const SpectralBeam undamped(detail::without_damping(structure.beam()));
    const Matrix shapes = detail::rigid_shapes(undamped, groups.front().omega);
    const Artist artist(structure, undamped, x);
    for (Index i = 0; i < shapes.cols(); ++i) modes.push_back(artist.draw(0.0, shapes.col(i)));
  }
  for (const FrequencyGroup& group : groups) {
    if (std::ssize(modes) >= count) break;
    const detail::ModeGroup found = detail::modes_of(structure, group);
    const Artist artist(structure, found.undamped, x);
    const Matrix shapes = group.count > 1 ? artist.uncoupled(found.frequencies, found.shapes) : found.shapes;
    for (Index i = 0; i < group.count; ++i) modes.push_back(artist.draw(found.frequencies[i], shapes.col(i)));
  }
  std::sort(modes.begin(), modes.end(), [](const BeamMode& a, const BeamMode& b) { return a.omega < b.omega; });
  modes.resize(static_cast<std::size_t>(count));
  return modes;
}

}  // namespace masing
