#include "masing/analysis/internal_resonance.hpp"

#include <algorithm>
#include <cmath>

namespace masing {

namespace {

bool is_loaded(const Model& model, const BranchHeader& header, int harmonic) {
  return std::any_of(model.loads.begin(), model.loads.end(),
                     [&](const Load& load) { return load.harmonic * header.periods == harmonic; });
}

/// The branch as harmonics and modes see it.
class Exchange {
 public:
  Exchange(const ResponseBranch& branch, Index harmonic, Index mode)
      : branch_(branch),
        modes_(static_cast<Index>(branch.header.modes.size())),
        harmonic_(harmonic),
        mode_(mode),
        kinetic_(branch.header.find_quantity("kinetic_energy")),
        k_(branch.header.harmonics[static_cast<std::size_t>(harmonic)]) {}

  const ResponsePoint& point(std::size_t i) const { return branch_.points[i]; }
  double modal_share(std::size_t i) const { return point(i).modal_share[harmonic_ * modes_ + mode_]; }
  double harmonic_share(std::size_t i) const { return point(i).harmonic_share[harmonic_]; }
  double mode_frequency(std::size_t i) const { return point(i).mode_frequency[mode_]; }
  /// |φᵀ M Q_k|, from the kinetic energy of the harmonic.
  double coordinate(std::size_t i) const {
    const double speed = k_ * 2.0 * pi * point(i).frequency / branch_.header.periods;
    const double energy = point(i).quantities[kinetic_] * std::pow(harmonic_share(i), 2);
    return std::sqrt(2.0 * std::max(energy, 0.0) * modal_share(i)) / speed;
  }
  double detuning(std::size_t i) const { return k_ * point(i).frequency / branch_.header.periods - mode_frequency(i); }

 private:
  const ResponseBranch& branch_;
  Index modes_, harmonic_, mode_, kinetic_;
  int k_;
};

/// The mode that a harmonic moves in most, from 1; 0: none is known.
int main_mode(const BranchHeader& header, const ResponsePoint& point, int harmonic) {
  const auto place = std::find(header.harmonics.begin(), header.harmonics.end(), harmonic) - header.harmonics.begin();
  const auto modes = static_cast<Index>(header.modes.size());
  if (place == std::ssize(header.harmonics) || modes == 0) return 0;
  Index mode = 0;
  const double largest = point.modal_share.segment(place * modes, modes).maxCoeff(&mode);
  return largest > 0.0 ? static_cast<int>(mode) + 1 : 0;
}

void widen(ValueRange& range, double value) {
  range.from = std::min(range.from, value);
  range.to = std::max(range.to, value);
}

/// The last point on one way from the maximum at which the modal coordinate is above half of it. Where it grows beyond the maximum,
/// another resonance begins: the valley between the two is the end.
std::size_t end_of_resonance(const Exchange& exchange, std::size_t points, std::size_t best, int way) {
  const double highest = exchange.coordinate(best);
  auto last = static_cast<std::ptrdiff_t>(best), valley = last;
  for (std::ptrdiff_t i = last; i >= 0 && i < static_cast<std::ptrdiff_t>(points); i += way) {
    const double here = exchange.coordinate(static_cast<std::size_t>(i));
    if (here < 0.5 * highest) break;
    if (here > highest) return static_cast<std::size_t>(valley);
    if (here < exchange.coordinate(static_cast<std::size_t>(valley))) valley = i;
    last = i;
  }
  return static_cast<std::size_t>(last);
}

/// Frequencies and levels about the maximum.
void measure_ranges(const Exchange& exchange, const ResponseBranch& branch, InternalResonance& found) {
  const auto best = static_cast<std::size_t>(found.point);
  const Index level = branch.header.find_quantity("level");
  const auto level_at = [&](std::size_t i) { return level < 0 ? 0.0 : branch.points[i].quantities[level]; };
  found.frequencies = {found.frequency, found.frequency};
  found.levels = {level_at(best), level_at(best)};
  if (level >= 0) found.level_unit = branch.header.quantities[static_cast<std::size_t>(level)].unit;
  const std::size_t first = end_of_resonance(exchange, branch.points.size(), best, -1);
  const std::size_t last = end_of_resonance(exchange, branch.points.size(), best, 1);
  for (std::size_t i = first; i <= last; ++i) {
    widen(found.frequencies, branch.points[i].frequency);
    widen(found.levels, level_at(i));
  }
}

/// The largest local maximum of the modal coordinate that is within the limits; 0: none.
std::size_t find_maximum(const Exchange& exchange, std::size_t points, const InternalResonanceLimits& limits) {
  std::size_t best = 0;
  for (std::size_t i = 1; i + 1 < points; ++i) {
    const double here = exchange.coordinate(i);
    if (!(here > exchange.coordinate(i - 1) && here >= exchange.coordinate(i + 1))) continue;
    const bool fits = std::abs(exchange.detuning(i)) < limits.detuning * exchange.mode_frequency(i) &&
                      exchange.modal_share(i) > limits.modal_share &&
                      exchange.harmonic_share(i) > limits.harmonic_share;
    if (fits && (best == 0 || here > exchange.coordinate(best))) best = i;
  }
  return best;
}

void add_resonance(const Model& model, const ResponseBranch& branch, Index harmonic, Index mode,
                   const InternalResonanceLimits& limits, std::vector<InternalResonance>& all) {
  const Exchange exchange(branch, harmonic, mode);
  const std::size_t best = find_maximum(exchange, branch.points.size(), limits);
  if (best == 0) return;
  const BranchHeader& header = branch.header;
  InternalResonance found{.harmonic = header.harmonics[static_cast<std::size_t>(harmonic)],
                          .periods = header.periods,
                          .mode = static_cast<int>(mode) + 1,
                          .mode_frequency = exchange.mode_frequency(best),
                          .stuck_frequency = header.modes[static_cast<std::size_t>(mode)],
                          .point = static_cast<Index>(best),
                          .frequency = branch.points[best].frequency,
                          .modal_share = exchange.modal_share(best),
                          .harmonic_share = exchange.harmonic_share(best)};
  for (const int k : header.harmonics) {
    if (k > 0 && is_loaded(model, header, k)) found.driving_mode = main_mode(header, branch.points[best], k);
  }
  measure_ranges(exchange, branch, found);
  all.push_back(found);
}

/// Sign changes of the detuning along the branch.
void add_meetings(const ResponseBranch& branch, InternalResonance like, const Exchange& exchange,
                  std::vector<InternalResonance>& all) {
  for (std::size_t i = 0; i + 1 < branch.points.size(); ++i) {
    const double before = exchange.detuning(i), after = exchange.detuning(i + 1);
    if (std::isnan(before) || std::isnan(after) || (before < 0.0) == (after < 0.0)) continue;
    const double t = before / (before - after);
    like.point = static_cast<Index>(i);
    like.frequency = (1.0 - t) * branch.points[i].frequency + t * branch.points[i + 1].frequency;
    like.mode_frequency = like.harmonic * like.frequency / like.periods;
    all.push_back(like);
  }
}

}  // namespace

std::vector<InternalResonance> internal_resonances(const Model& model, const ResponseBranch& branch, bool meetings,
                                                   const InternalResonanceLimits& limits) {
  std::vector<InternalResonance> all;
  const BranchHeader& header = branch.header;
  if (branch.points.empty() || header.harmonics.empty() || header.harmonics.back() < 2) return all;
  if (header.modes.empty() || branch.points.front().mode_frequency.size() == 0) return all;
  for (std::size_t i = 0; i < header.harmonics.size(); ++i) {
    const int k = header.harmonics[i];
    if (k <= header.periods || is_loaded(model, header, k)) continue;
    for (std::size_t m = 0; m < header.modes.size(); ++m) {
      const auto harmonic = static_cast<Index>(i), mode = static_cast<Index>(m);
      add_resonance(model, branch, harmonic, mode, limits, all);
      if (!meetings) continue;
      const InternalResonance like{.harmonic = k,
                                   .periods = header.periods,
                                   .mode = static_cast<int>(m) + 1,
                                   .stuck_frequency = header.modes[m],
                                   .meeting = true};
      add_meetings(branch, like, Exchange(branch, harmonic, mode), all);
    }
  }
  return all;
}

std::string to_text(const InternalResonance& found) {
  const std::string times =
      found.periods == 1 ? std::to_string(found.harmonic) : fmt::format("{}/{}", found.harmonic, found.periods);
  const std::string mode = fmt::format("mode {} ({:.6g} Hz at the joints' secant stiffness, {:.6g} Hz stuck)",
                                       found.mode, found.mode_frequency, found.stuck_frequency);
  if (found.meeting) {
    return fmt::format("{} times the frequency meets {} at {:.6g} Hz", times, mode, found.frequency);
  }
  const auto range = [](const ValueRange& values, const std::string& unit) {
    return fmt::format("{:.6g} to {:.6g}{}{}", values.from, values.to, unit == "1" ? "" : " ", unit == "1" ? "" : unit);
  };
  std::string text = fmt::format(
      "harmonic {} resonates with {} at {:.6g} Hz{}: {:.2g} % of the velocity, {:.3g} % of that in this mode; more "
      "than half as much from {}",
      times, mode, found.frequency,
      found.driving_mode > 0 ? fmt::format(", driven by mode {}", found.driving_mode) : "",
      100.0 * found.harmonic_share, 100.0 * found.modal_share, range(found.frequencies, "Hz"));
  if (!found.level_unit.empty()) text += ", " + range(found.levels, found.level_unit);
  return text;
}

}  // namespace masing
