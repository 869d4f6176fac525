#include "masing/io/detail/branch_summary.hpp"

#include "masing/analysis/stability.hpp"
#include "masing/continuation/branch.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/curve_tables.hpp"
#include "masing/io/report.hpp"
#include "masing/io/study_overview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace masing::detail {
namespace {

/// "x", or "x in harmonic 3".
std::string whose_amplitude(const std::string& observable, int harmonic) {
  return harmonic == 1 ? observable : fmt::format("{} in harmonic {}", observable, harmonic);
}

std::string_view unit_of_observable(const BranchHeader& header, const std::string& name) {
  const auto observable = std::find_if(header.observables.begin(), header.observables.end(),
                                       [&](const Observable& o) { return o.name == name; });
  return observable == header.observables.end() ? "" : unit_of(*observable);
}

std::string resonance_text(const BranchHeader& header, const Resonance& resonance) {
  const std::string note = resonance.note.empty() ? "" : fmt::format(" ({})", resonance.note);
  const std::string whose = whose_amplitude(resonance.observable, resonance.harmonic);
  if (resonance.frequency <= 0.0) return fmt::format("no resonance of {}{}", whose, note);
  const bool damped = resonance.damping_ratio >= 0.0;
  return fmt::format("resonance of {}: {:.6g} Hz, amplitude {:.6g} {}{}{}", whose, resonance.frequency,
                     resonance.amplitude, unit_of_observable(header, resonance.observable),
                     damped ? fmt::format(", damping ratio {:.4g}", resonance.damping_ratio) : "", note);
}

/// As many digits of a located frequency as the harmonics left out, and the sampling of the joints, leave right. What sampling
/// costs shows in the energy balance. A meeting with another branch may be told in more harmonics than that one has: the tail of
/// the point before counts too.
std::string located_frequency(const ResponseBranch& branch, const SpecialPoint& special) {
  constexpr double fewest = 4.0, most = 9.0;
  const ResponsePoint& point = special.point;
  const Index residual = branch.header.find_quantity("energy_residual");
  double error = point.truncation;
  if (residual >= 0 && point.quantities[residual] > error) error = point.quantities[residual];
  const auto before = static_cast<std::size_t>(std::max<Index>(special.after_point, 0));
  if (before < branch.points.size()) error = std::max(error, branch.points[before].truncation);
  const double digits = error > 0.0 ? std::ceil(-std::log10(error)) : most;
  return fmt::format("{:.{}g} Hz", point.frequency, static_cast<int>(std::clamp(digits, fewest, most)));
}

/// "double branch point", with names as they are written.
std::string kind_in_words(std::string words) {
  std::replace(words.begin(), words.end(), '-', ' ');
  const std::string two = "neimark sacker";
  const auto at = words.find(two);
  return at == std::string::npos ? words : words.replace(at, two.size(), "Neimark-Sacker point");
}

/// "fold at 12.3 Hz", with the level where it varies, with the modulation where it comes.
std::string bifurcation_text(const ResponseBranch& branch, const SpecialPoint& special) {
  std::string text = fmt::format("{} at {}", kind_in_words(special.kind), located_frequency(branch, special));
  const Index level = branch.header.find_quantity("level");
  if (level >= 0) {
    text += fmt::format(", {}", levels_text({special.point.quantities[level]}, level_unit(branch.header)));
  }
  if (!special.kind.ends_with("neimark-sacker")) return text;
  const double angle = special.point.quantities[branch.header.find_quantity("multiplier_angle")];
  return fmt::format("{}, modulated at {:.6g} Hz", text, special.point.frequency * angle / 360.0);
}

// --- peaks -------------------------------------------------------------------------------------------------------------

/// Whose amplitude a peak is one of; `sensor` < 0: unknown.
struct Measured {
  Index sensor = -1;
  Index harmonic = 0;

  double amplitude(const ResponsePoint& point) const {
    return point.observations[static_cast<std::size_t>(sensor)].amplitude[harmonic];
  }
};

Measured measured_by(const BranchHeader& header, const SpecialPoint& peak) {
  const auto observable = std::find_if(header.observables.begin(), header.observables.end(),
                                       [&](const Observable& o) { return o.name == peak.observable; });
  const auto harmonic = std::find(header.harmonics.begin(), header.harmonics.end(), peak.harmonic);
  if (observable == header.observables.end() || harmonic == header.harmonics.end()) return {};
  return {observable - header.observables.begin(), harmonic - header.harmonics.begin()};
}

/// The worst energy balance of all points, and how many have none. Joints are sampled twice as densely for it, so that it shows
/// what sampling costs.
struct EnergyError {
  double worst = 0.0;
  int unknown = 0;
};
EnergyError energy_error(const ResponseBranch& branch) {
  EnergyError error;
  const Index residual = branch.header.find_quantity("energy_residual");
  if (residual < 0) return error;
  for (const ResponsePoint& point : branch.points) {
    const double value = point.quantities[residual];
    std::isnan(value) ? static_cast<void>(++error.unknown)
                      : static_cast<void>(error.worst = std::max(error.worst, value));
  }
  return error;
}

/// How far the curve falls on both sides before it is higher than the peak or ends: the lesser of the two, over the peak.
double prominence(const ResponseBranch& branch, const SpecialPoint& peak, const Measured& measured) {
  const double top = measured.amplitude(peak.point);
  const Index count = static_cast<Index>(branch.points.size());
  double least = top;
  for (const int way : {-1, 1}) {
    double lowest = top;
    for (Index i = way < 0 ? peak.after_point : peak.after_point + 1; i >= 0 && i < count; i += way) {
      const double here = measured.amplitude(branch.points[static_cast<std::size_t>(i)]);
      if (here > top) break;
      lowest = std::min(lowest, here);
    }
    least = std::min(least, top - lowest);
  }
  return top > 0.0 ? least / top : 0.0;
}

/// A sampled law makes small steps in the slope of a curve, wherever one of its events passes a sample. Where the curve is flat
/// they are maxima. Only what stands out by more than the error of sampling is worth a line, or by a hundredth of itself.
double noise_level(const ResponseBranch& branch) {
  constexpr double seen_in_any_plot = 0.01;
  return std::min(energy_error(branch).worst, seen_in_any_plot);
}

bool is_sampling_noise(const ResponseBranch& branch, const SpecialPoint& peak, const Measured& measured) {
  return prominence(branch, peak, measured) < noise_level(branch);
}

bool is_further_peak(const ResponseBranch& branch, const SpecialPoint& special) {
  return special.kind == "peak" && measured_by(branch.header, special).sensor >= 0 &&
         std::none_of(branch.end.resonances.begin(), branch.end.resonances.end(),
                      [&](const Resonance& largest) { return largest.frequency == special.point.frequency; });
}

std::string noise_text(const ResponseBranch& branch) {
  const auto count =
      std::count_if(branch.special_points.begin(), branch.special_points.end(), [&](const auto& special) {
        return is_further_peak(branch, special) &&
               is_sampling_noise(branch, special, measured_by(branch.header, special));
      });
  if (count == 0) return "";
  return fmt::format(
      "{} further maxim{} stand{} out by less than {:.1e} of {} amplitude, the error of sampling, and {} not listed: "
      "raise "
      "`samples` to see what is left of {}",
      count, count == 1 ? "um" : "a", count == 1 ? "s" : "", noise_level(branch), count == 1 ? "its" : "their",
      count == 1 ? "is" : "are", count == 1 ? "it" : "them");
}

/// Bifurcations, extrema of the level on curves of folds, and the peaks besides the largest one; empty for any other.
std::string special_text(const ResponseBranch& branch, const SpecialPoint& special) {
  if (is_bifurcation(special.kind) || is_level_extremum(special.kind)) return bifurcation_text(branch, special);
  if (!is_further_peak(branch, special)) return "";
  const Measured measured = measured_by(branch.header, special);
  if (is_sampling_noise(branch, special, measured)) return "";
  return fmt::format("further peak of {}: {:.6g} Hz, amplitude {:.6g} {}",
                     whose_amplitude(special.observable, special.harmonic), special.point.frequency,
                     measured.amplitude(special.point), unit_of_observable(branch.header, special.observable));
}

// --- curves in other parameters ----------------------------------------------------------------------------------------

/// Where the least level is needed: the resonance of a controlled response. Located, unless it is at an end of the range.
std::string least_level(const ResponseBranch& branch) {
  const Index level = branch.header.find_quantity("level");
  const std::string unit = level_unit(branch.header);
  const auto less = [&](const ResponsePoint& a, const ResponsePoint& b) {
    return a.quantities[level] < b.quantities[level];
  };
  const auto [lowest, highest] = std::minmax_element(branch.points.begin(), branch.points.end(), less);
  double least = lowest->quantities[level], most = highest->quantities[level];
  std::string where = fmt::format("near {:.6g} Hz", lowest->frequency);
  for (const SpecialPoint& special : branch.special_points) {
    const double there = special.point.quantities[level];
    if (special.kind == "highest level") most = std::max(most, there);
    if (special.kind != "least level" || there > least) continue;
    least = there;
    where = fmt::format("at {}", located_frequency(branch, special));
  }
  return fmt::format("least {} {}, most {}", levels_text({least}, unit), where, levels_text({most}, unit));
}

/// Where a balance that does not close comes from.
std::string_view energy_remark(const BranchHeader& header, double error) {
  constexpr double noticeable = 1e-5;  // what sampling a law may cost without being seen in a plot
  constexpr double by_sampling = 1e-2;
  if (error <= noticeable) return "";
  if (header.joints.empty()) return ": rounding of the structure, whose pieces or elements are very short";
  if (error <= by_sampling) return ": the error of sampling; more samples make it smaller";
  return ": more than sampling costs; at that point a law jumps, or a joint has not settled";
}

std::string energy_text(const ResponseBranch& branch) {
  if (branch.header.find_quantity("energy_residual") < 0) return "";
  const EnergyError error = energy_error(branch);
  return fmt::format("energy balance closes to {:.1e} of the input at every point{}{}", error.worst,
                     energy_remark(branch.header, error.worst),
                     error.unknown == 0
                         ? ""
                         : fmt::format(", but for {} whose joints did not settle when sampled finer", error.unknown));
}

/// Bifurcations between a point and the next, in their order.
std::vector<const SpecialPoint*> borders_after(const ResponseBranch& branch, std::size_t point) {
  std::vector<const SpecialPoint*> borders;
  for (const SpecialPoint& special : branch.special_points) {
    if (is_bifurcation(special.kind) && special.after_point == static_cast<Index>(point)) borders.push_back(&special);
  }
  return borders;
}

/// Along the branch: the frequency or, where that is held or follows from it, the level.
struct Place {
  explicit Place(const BranchHeader& header)
      : level(is_over_level(header) ? header.find_quantity("level") : -1),
        unit(level < 0 ? "Hz" : header.quantities[static_cast<std::size_t>(level)].unit) {}
  double operator()(const ResponsePoint& point) const { return level < 0 ? point.frequency : point.quantities[level]; }
  std::string with_unit(const std::string& number) const { return unit == "1" ? number : number + " " + unit; }

  Index level;
  std::string unit;
};

/// Where stability is lost or comes back; "about" where it is but a computed point, not a located place.
struct Border {
  double at = 0.0;
  bool located = true;
  std::string text(const std::string& number) const { return (located ? "" : "about ") + number; }
};

struct UnstableRange {
  Border from, to;
  bool between_points = false;  ///< both borders lie in one step: no point of the curve is unstable
};

/// "from 0.15 to about 0.16 Hz" with as many digits as tell the ends apart, or "at 0.15 Hz" where those that are known do not.
std::string range_text(const UnstableRange& range, const Place& place) {
  constexpr int usual = 6, known = 10;  // digits; bifurcations are located to 1e-10
  for (int digits = usual; digits <= known; ++digits) {
    const std::string from = fmt::format("{:.{}g}", range.from.at, digits);
    const std::string to = fmt::format("{:.{}g}", range.to.at, digits);
    if (from != to) return place.with_unit(fmt::format("from {} to {}", range.from.text(from), range.to.text(to)));
  }
  const Border& vaguer = range.from.located ? range.to : range.from;
  return place.with_unit("at " + vaguer.text(fmt::format("{:.{}g}", vaguer.at, usual)));
}

/// Ranges that are not stable, from one border to the next. On a closed branch one that passes the point where it was begun is
/// one range.
std::vector<UnstableRange> unstable_ranges(const ResponseBranch& branch, Index stable) {
  std::vector<UnstableRange> ranges;
  Border begin;
  const Place place(branch.header);
  const auto is_unstable = [&](std::size_t i) { return branch.points[i].quantities[stable] == 0.0; };
  const auto border = [&](const std::vector<const SpecialPoint*>& located, bool first, std::size_t point) -> Border {
    if (located.empty()) return {.at = place(branch.points[point]), .located = false};
    return {.at = place((first ? located.front() : located.back())->point)};
  };
  for (std::size_t i = 0; i < branch.points.size(); ++i) {
    const bool was = i > 0 && is_unstable(i - 1), is = is_unstable(i);
    const auto located = i > 0 ? borders_after(branch, i - 1) : std::vector<const SpecialPoint*>();
    if (is && !was) begin = i == 0 ? Border{.at = place(branch.points[0])} : border(located, true, i);
    if (was && !is) ranges.push_back({.from = begin, .to = border(located, false, i - 1)});
    if (i > 0 && !was && !is && located.size() > 1) {
      ranges.push_back({.from = border(located, true, i), .to = border(located, false, i), .between_points = true});
    }
  }
  if (!branch.points.empty() && is_unstable(branch.points.size() - 1)) {
    ranges.push_back({.from = begin, .to = {.at = place(branch.points.back())}});
    const bool closed = branch.end.stop == to_string(ContinuationStop::closed_loop);
    if (closed && ranges.size() > 1 && is_unstable(0)) {
      ranges.front().from = ranges.back().from;
      ranges.pop_back();
    }
  }
  return ranges;
}

/// "; unstable from 1 to 2 Hz; between points unstable from 3 to 3.001 Hz"
std::string unstable_text(const ResponseBranch& branch, Index stable) {
  const Place place(branch.header);
  std::vector<std::string> with_points, between_points;
  for (const UnstableRange& range : unstable_ranges(branch, stable)) {
    (range.between_points ? between_points : with_points).push_back(range_text(range, place));
  }
  std::string text;
  if (!with_points.empty()) text += "; unstable " + join(with_points, ", ");
  if (!between_points.empty()) text += "; between points unstable " + join(between_points, ", ");
  return text;
}

/// "by Hill's method", or both methods with the number of points of each.
std::string stability_method_text(const ResponseBranch& branch) {
  const Index method = branch.header.find_quantity("stability_method");
  if (method < 0) return "";
  const auto count = [&](StabilityMethod which) {
    return std::count_if(branch.points.begin(), branch.points.end(), [&](const ResponsePoint& point) {
      return point.quantities[method] == static_cast<double>(which);
    });
  };
  const auto hill = count(StabilityMethod::hill), monodromy = count(StabilityMethod::monodromy);
  if (hill + monodromy == 0) return "";
  if (monodromy == 0) return " (by Hill's method)";
  if (hill == 0) return " (by the monodromy)";
  return fmt::format(" (by Hill's method at {}, by the monodromy at {})", hill, monodromy);
}

/// How much of the branch is stable, by which method, and the ranges that are not.
std::string stability_text(const ResponseBranch& branch) {
  const Index stable = branch.header.find_quantity("stable");
  if (stable < 0) return "";
  std::size_t count = 0, unknown = 0;
  for (const ResponsePoint& point : branch.points) {
    count += point.quantities[stable] == 1.0 ? 1 : 0;
    unknown += std::isnan(point.quantities[stable]) ? 1 : 0;
  }
  const std::size_t all = branch.points.size();
  std::string text = count == all && all > 1 ? fmt::format("stable at all {} points", all)
                                             : fmt::format("stable at {} of {} points", count, all);
  text += stability_method_text(branch) + unstable_text(branch, stable);
  if (!branch.header.stability_basis.empty()) text += fmt::format("; computed in {}", branch.header.stability_basis);
  if (unknown > 0) text += fmt::format("; unknown at {}, where a joint did not settle", unknown);
  return text;
}

std::string truncation_text(const ResponseBranch& branch) {
  if (branch.header.find_quantity("highest_harmonic") >= 0) return "";  // harmonics_used tells it
  double truncation = 0.0;
  for (const ResponsePoint& point : branch.points) truncation = std::max(truncation, point.truncation);
  if (truncation <= truncation_warning) return "";
  const auto oscillating = std::count_if(branch.header.harmonics.begin(), branch.header.harmonics.end(),
                                         [](int harmonic) { return harmonic > 0; });
  if (oscillating <= 2) return "so few harmonics do not tell what those left out would hold";
  return fmt::format("the last two harmonics hold up to {:.1e} of the amplitude: try more harmonics", truncation);
}

}  // namespace

std::string harmonics_used(const BranchHeader& header, const std::vector<ResponsePoint>& points) {
  const Index highest = header.find_quantity("highest_harmonic"), count = header.find_quantity("harmonic_count");
  const Index motion = header.find_quantity("motion_tail"), force = header.find_quantity("force_tail");
  if (highest < 0 || points.empty()) return "";
  std::map<std::pair<int, int>, int> sets;
  const ResponsePoint* most = &points.front();
  const Index short_of = header.find_quantity("too_few_harmonics");
  double motion_tail = 0.0, force_tail = 0.0;
  int too_few = 0;
  for (const ResponsePoint& point : points) {
    const Vector& values = point.quantities;
    ++sets[{static_cast<int>(values[highest]), static_cast<int>(values[count])}];
    if (values[highest] > most->quantities[highest]) most = &point;
    motion_tail = std::max(motion_tail, values[motion]);
    force_tail = std::max(force_tail, values[force]);
    too_few += short_of >= 0 && values[short_of] != 0.0 ? 1 : 0;
  }
  std::vector<std::string> words;
  for (const auto& [set, number] : sets) {
    const bool all = set.second == set.first + 1;
    words.push_back(
        fmt::format("{}{} at {} point{}", all ? "0 … " : "odd … ", set.first, number, number == 1 ? "" : "s"));
  }
  return fmt::format(
      "harmonics {}; most at {:.6g} Hz; the last two hold at most {:.1e} of the joints' motion, {:.1e} of their "
      "forces{}",
      join(words, ", "), most->frequency, motion_tail, force_tail,
      too_few == 0
          ? ""
          : fmt::format(": more than asked for at {} point{}, allow more harmonics", too_few, too_few == 1 ? "" : "s"));
}

std::vector<std::string> branch_summary(const ResponseBranch& branch) {
  const BranchHeader& header = branch.header;
  const auto folds = std::count_if(branch.special_points.begin(), branch.special_points.end(),
                                   [](const SpecialPoint& special) { return special.kind == "fold"; });
  const std::string which = header.label.empty() ? levels_text({header.level}, header.level_unit) : header.label;
  std::vector<std::string> lines = {fmt::format("{}, {}: {} points, {} fold{}, {}. {}", header.analysis, which,
                                                branch.points.size(), folds, folds == 1 ? "" : "s",
                                                duration_text(branch.end.seconds), branch.end.message)};
  const auto add = [&](const std::string& text) {
    if (!text.empty()) lines.push_back("    " + text);
  };
  add(truncation_text(branch));
  add(harmonics_used(header, branch.points));
  for (const Resonance& resonance : branch.end.resonances) add(resonance_text(header, resonance));
  for (const SpecialPoint& special : branch.special_points) add(special_text(branch, special));
  add(noise_text(branch));
  if (branch.points.empty()) return lines;
  if (header.kind == "backbone") {
    for (const std::string& line : backbone_lines(branch)) add(line);
  }
  if (header.kind == "resonance-tracking" || header.kind == "superharmonic-tracking") {
    for (const std::string& line : resonance_lines(branch)) add(line);
  }
  if (header.kind == "force-response") {
    for (const std::string& line : mark_lines(branch)) add(line);
  }
  if (header.kind == "response-control") add(least_level(branch));
  add(stability_text(branch));
  add(energy_text(branch));
  return lines;
}

}  // namespace masing::detail
