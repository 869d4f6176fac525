#include "masing/contact/backbones.hpp"
#include "masing/contact/detail/backbone_checks.hpp"
#include "masing/contact/detail/piecewise_cubic.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace masing {
namespace {

using detail::CubicPiece;

/// Deviation from a concave curve, over the largest force, that counts as rounding of a printed table.
constexpr double concavity_tolerance = 1e-3;
/// Relative difference of two secants that counts as a straight line.
constexpr double straightness = 1e-9;

BackbonePointer piecewise(std::vector<CubicPiece> pieces, double end) {
  return std::make_shared<detail::PiecewiseCubicBackbone>(std::move(pieces), end);
}

void check_rows(const std::vector<DensityRow>& table) {
  require(table.size() >= 2, "tabulated density: {} row(s), but at least 2 are needed.", table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto [displacement, density] = table[i];
    require(std::isfinite(displacement) && displacement >= 0.0,
            "tabulated density: row {}: displacement = {} m must be >= 0.", i + 1, displacement);
    require(i == 0 || displacement > table[i - 1].displacement,
            "tabulated density: row {}: displacement = {} m must be larger than in the row before.", i + 1,
            displacement);
    require(std::isfinite(density) && density >= 0.0,
            "tabulated density: row {}: density = {} N/m^2 must be finite and >= 0, else it does not integrate.", i + 1,
            density);
  }
}

void check_rows(const std::vector<BackboneRow>& table) {
  require(!table.empty() && table.back().displacement > 0.0,
          "tabulated backbone: at least one row with a displacement > 0 is needed.");
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto [displacement, force] = table[i];
    const bool at_rest = displacement == 0.0;
    require(std::isfinite(displacement) && (i == 0 ? displacement >= 0.0 : displacement > table[i - 1].displacement),
            "tabulated backbone: row {}: displacement = {} m must be >= 0 and larger than in the row before.", i + 1,
            displacement);
    require(std::isfinite(force) && (at_rest ? force == 0.0 : force > 0.0),
            "tabulated backbone: row {}: force = {} N at {} m must be {}.", i + 1, force, displacement,
            at_rest ? "0" : "> 0");
    require(
        i == 0 || force >= table[i - 1].force,
        "tabulated backbone: row {}: force = {} N must not be smaller than in the row before. End the table where the "
        "force is largest.",
        i + 1, force);
  }
}

double secant(const BackboneRow& a, const BackboneRow& b) {
  return (b.force - a.force) / (b.displacement - a.displacement);
}

/// The least concave curve above the rows, from the origin on.
std::vector<BackboneRow> concave_hull(const std::vector<BackboneRow>& table) {
  std::vector<BackboneRow> hull = {{0.0, 0.0}};
  for (const BackboneRow& row : table) {
    if (row.displacement == 0.0) continue;
    while (hull.size() >= 2 && secant(hull[hull.size() - 2], hull.back()) < secant(hull.back(), row)) hull.pop_back();
    hull.push_back(row);
  }
  return hull;
}

void check_concavity(const std::vector<BackboneRow>& table, const std::vector<BackboneRow>& hull) {
  std::size_t next = 1;
  for (std::size_t i = 0; i < table.size(); ++i) {
    while (hull[next].displacement < table[i].displacement) ++next;
    const BackboneRow& left = hull[next - 1];
    const double needed = left.force + secant(left, hull[next]) * (table[i].displacement - left.displacement);
    require(
        needed - table[i].force <= concavity_tolerance * hull.back().force,
        "tabulated backbone: row {}: force = {} N at {} m is below the straight line between its neighbours ({} N). "
        "The stiffness must fall with the displacement, else a closed loop creates energy: smooth the table.",
        i + 1, table[i].force, table[i].displacement, needed);
  }
}

bool straight(double a, double b) { return std::abs(a - b) <= straightness * std::max(a, b); }

/// F̂' in the rows: of the parabola through three rows; of the line where a straight piece ends or begins.
std::vector<double> slopes(const std::vector<BackboneRow>& rows) {
  const std::size_t last = rows.size() - 1;
  std::vector<double> secants;
  for (std::size_t i = 0; i < last; ++i) secants.push_back(secant(rows[i], rows[i + 1]));
  std::vector<double> result(rows.size(), secants.front());
  for (std::size_t i = 1; i < last; ++i) {
    const double before = rows[i].displacement - rows[i - 1].displacement;
    const double behind = rows[i + 1].displacement - rows[i].displacement;
    result[i] = (behind * secants[i - 1] + before * secants[i]) / (before + behind);
    const double after_next = i + 1 < last ? secants[i + 1] : 0.0;
    if (straight(secants[i], after_next)) result[i] = secants[i];
    if (i >= 2 && straight(secants[i - 2], secants[i - 1])) result[i] = secants[i - 1];
  }
  if (last >= 2) {
    result[0] = std::max(secants.front(), 2.0 * secants.front() - result[1]);
    result[last] = std::clamp(2.0 * secants.back() - result[last - 1], 0.0, secants.back());
  }
  return result;
}

/// The slope falls linearly from `start` to the secant's, reached at the share q/(p+q) of the interval, then to `stop`.
void append_interval(const BackboneRow& a, const BackboneRow& b, double start, double stop,
                     std::vector<CubicPiece>& pieces) {
  const double length = b.displacement - a.displacement;
  const double mean = secant(a, b);
  const double p = std::max(0.0, start - mean);
  const double q = std::max(0.0, mean - stop);
  const double first = p + q > 0.0 ? length * (q / (p + q)) : 0.0;
  const double knot = a.displacement + first;
  const bool has_first = p > 0.0 && knot > a.displacement;
  if (has_first) pieces.push_back({.begin = a.displacement, .stiffness = mean + p, .square = -p / (2.0 * first)});
  if (has_first && knot >= b.displacement) return;
  const double second = has_first ? length - first : length;
  pieces.push_back(
      {.begin = has_first ? knot : a.displacement, .stiffness = mean, .square = has_first ? -q / (2.0 * second) : 0.0});
}

}  // namespace

BackbonePointer maxwell_slip_backbone(const std::vector<SlipElement>& elements) {
  require(!elements.empty(), "Maxwell slip: at least one element is needed.");
  std::vector<SlipElement> sorted = elements;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double reach = sorted[i].slip_force / sorted[i].stiffness;
    require(
        std::isfinite(reach) && reach > 0.0,
        "Maxwell slip: element {}: stiffness = {} N/m and slip_force = {} N must be finite, not zero and of one sign.",
        i + 1, sorted[i].stiffness, sorted[i].slip_force);
  }
  const auto reach = [](const SlipElement& element) { return element.slip_force / element.stiffness; };
  std::sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) { return reach(a) < reach(b); });
  std::vector<CubicPiece> pieces(sorted.size());
  double stiffness = 0.0;
  double slip_force = 0.0;
  for (std::size_t i = sorted.size(); i-- > 0;) {
    stiffness += sorted[i].stiffness;
    slip_force += sorted[i].slip_force;
    pieces[i] = {.begin = i == 0 ? 0.0 : reach(sorted[i - 1]), .stiffness = stiffness};
  }
  require(stiffness > 0.0 && slip_force > 0.0,
          "Maxwell slip: total stiffness = {} N/m and total slip force = {} N must be > 0.", stiffness, slip_force);
  return piecewise(std::move(pieces), reach(sorted.back()));
}

BackbonePointer tabulated_density_backbone(const std::vector<DensityRow>& table, double end_stiffness) {
  check_rows(table);
  require(std::isfinite(end_stiffness) && end_stiffness >= 0.0,
          "tabulated density: end_stiffness = {} N/m must be >= 0.", end_stiffness);
  std::vector<CubicPiece> pieces(table.size() - 1);
  double stiffness = end_stiffness;
  for (std::size_t i = pieces.size(); i-- > 0;) {
    const double length = table[i + 1].displacement - table[i].displacement;
    stiffness += 0.5 * (table[i].density + table[i + 1].density) * length;
    pieces[i] = {.begin = table[i].displacement,
                 .stiffness = stiffness,
                 .square = -table[i].density / 2.0,
                 .cube = -(table[i + 1].density - table[i].density) / (6.0 * length)};
  }
  require(std::isfinite(stiffness) && stiffness > 0.0,
          "tabulated density: its integral, the stiffness, is {} N/m, but must be > 0 and finite.", stiffness);
  if (pieces.front().begin > 0.0) pieces.insert(pieces.begin(), {.begin = 0.0, .stiffness = stiffness});
  return piecewise(std::move(pieces), table.back().displacement);
}

BackbonePointer tabulated_backbone(const std::vector<BackboneRow>& table) {
  check_rows(table);
  const std::vector<BackboneRow> rows = concave_hull(table);
  check_concavity(table, rows);
  const std::vector<double> slope = slopes(rows);
  std::vector<CubicPiece> pieces;
  for (std::size_t i = 0; i + 1 < rows.size(); ++i)
    append_interval(rows[i], rows[i + 1], slope[i], slope[i + 1], pieces);
  return piecewise(std::move(pieces), rows.back().displacement);
}

}  // namespace masing
