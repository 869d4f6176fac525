#include "masing/analysis/internal_resonance.hpp"

#include "masing/analysis/linear_modes.hpp"
#include "masing/core/error.hpp"

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

/// Frequencies and levels about the maximum at which the modal coordinate is above half of it.
void measure_ranges(const Exchange& exchange, const ResponseBranch& branch, InternalResonance& found) {
  const auto best = static_cast<std::size_t>(found.point);
  const Index level = branch.header.find_quantity("level");
  const auto level_at = [&](std::size_t i) { return level < 0 ? 0.0 : branch.points[i].quantities[level]; };
  found.frequencies = {found.frequency, found.frequency};
  found.levels = {level_at(best), level_at(best)};
  if (level >= 0) found.level_unit = branch.header.quantities[static_cast<std::size_t>(level)].unit;
  for (const int way : {-1, 1}) {
    for (std::ptrdiff_t i = found.point; i >= 0 && i < std::ssize(branch.points); i += way) {
      const auto at = static_cast<std::size_t>(i);
      if (exchange.coordinate(at) < 0.5 * exchange.coordinate(best)) break;
      widen(found.frequencies, branch.points[at].frequency);
      widen(found.levels, level_at(at));
    }
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

/// Sign changes of `detuning` along the branch.
template <class Detuning>
void add_meetings(const ResponseBranch& branch, InternalResonance like, const Detuning& detuning,
                  std::vector<InternalResonance>& all) {
  for (std::size_t i = 0; i + 1 < branch.points.size(); ++i) {
    const double before = detuning(i), after = detuning(i + 1);
    if (std::isnan(before) || std::isnan(after) || (before < 0.0) == (after < 0.0)) continue;
    const double t = before / (before - after);
    like.point = static_cast<Index>(i);
    like.frequency = (1.0 - t) * branch.points[i].frequency + t * branch.points[i + 1].frequency;
    like.mode_frequency = like.harmonic * like.frequency / like.periods;
    all.push_back(like);
  }
}

/// Modes with the joints stuck [Hz] of a structure without a mass matrix; none where there is no linear form.
std::vector<double> stuck_modes(const Model& model, double highest) {
  constexpr Index most = 40;
  std::vector<double> frequencies;
  try {
    const auto sets = linear_modes(
        model, {.states = {JointState::stuck}, .range = {.count = most, .up_to = 2.0 * pi * highest}, .places = 2});
    if (sets.empty() || !sets.front().complete) return {};
    for (const LinearMode& linear : sets.front().modes) {
      if (linear.mode.kind == ModeKind::vibrating) frequencies.push_back(linear.mode.omega / (2.0 * pi));
    }
  } catch (const Error&) {
    return {};
  }
  return frequencies;
}

}  // namespace

std::vector<InternalResonance> internal_resonances(const Model& model, const ResponseBranch& branch, bool meetings,
                                                   const InternalResonanceLimits& limits) {
  std::vector<InternalResonance> all;
  const BranchHeader& header = branch.header;
  if (branch.points.empty() || header.harmonics.empty() || header.harmonics.back() < 2) return all;
  const bool shared = !header.modes.empty() && branch.points.front().mode_frequency.size() > 0;
  const bool has_mass = dynamic_cast<const SecondOrderStructure*>(model.structure.get()) != nullptr;
  if (!shared && (has_mass || !meetings)) return all;
  double highest = 0.0;
  for (const ResponsePoint& point : branch.points) highest = std::max(highest, point.frequency);
  const std::vector<double> modes = shared ? header.modes : stuck_modes(model, highest * header.harmonics.back());
  for (std::size_t i = 0; i < header.harmonics.size(); ++i) {
    const int k = header.harmonics[i];
    if (k <= header.periods || is_loaded(model, header, k)) continue;
    for (std::size_t m = 0; m < modes.size(); ++m) {
      const auto harmonic = static_cast<Index>(i), mode = static_cast<Index>(m);
      if (shared) add_resonance(model, branch, harmonic, mode, limits, all);
      if (!meetings) continue;
      const Exchange exchange(branch, harmonic, mode);
      const auto detuning = [&](std::size_t at) {
        return shared ? exchange.detuning(at) : k * branch.points[at].frequency / header.periods - modes[m];
      };
      const InternalResonance like{.harmonic = k,
                                   .periods = header.periods,
                                   .mode = static_cast<int>(m) + 1,
                                   .stuck_frequency = modes[m],
                                   .meeting = true,
                                   .secant = shared};
      add_meetings(branch, like, detuning, all);
    }
  }
  return all;
}

std::string to_text(const InternalResonance& found) {
  const std::string times =
      found.periods == 1 ? std::to_string(found.harmonic) : fmt::format("{}/{}", found.harmonic, found.periods);
  const std::string secant =
      found.secant ? fmt::format("{:.6g} Hz at the joints' secant stiffness, ", found.mode_frequency) : "";
  const std::string mode = fmt::format("mode {} ({}{:.6g} Hz stuck)", found.mode, secant, found.stuck_frequency);
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
