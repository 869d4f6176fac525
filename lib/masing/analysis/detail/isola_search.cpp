#include "masing/analysis/detail/isola_search.hpp"

#include "masing/analysis/detail/response_branch.hpp"
#include "masing/analysis/detail/tracking_start.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

// A motion that may lie on an isola.
struct Seed {
  ResponsePoint point;
  double level;
};

double level_of(const ResponseBranch& branch, const ResponsePoint& point, const TrackingRequest& request) {
  return point.quantities[branch.header.find_quantity("level")] / request.level_value;
}

// A fold behind a birth, half way on the scale of levels to where the isola may end: the level rises on both sides of the
// birth, until a turning point or the end of the curve.
std::optional<Seed> seed_behind(const ResponseBranch& folds, const SpecialPoint& birth,
                                const TrackingRequest& request) {
  const auto first = static_cast<std::size_t>(birth.after_point) + 1;
  std::size_t begin = 0, end = folds.points.size();
  for (const SpecialPoint& special : folds.special_points) {
    const auto place = static_cast<std::size_t>(special.after_point) + 1;
    if (!is_level_extremum(special.kind) || place == first) continue;
    place > first ? end = std::min(end, place) : begin = std::max(begin, place);
  }
  if (first >= end) return std::nullopt;
  const auto level = [&](std::size_t i) { return level_of(folds, folds.points[i], request); };
  const double wanted = std::sqrt(level_of(folds, birth.point, request) * std::min(level(begin), level(end - 1)));
  std::size_t best = first;
  for (std::size_t i = first; i < end; ++i) {
    if (std::abs(std::log(level(i) / wanted)) < std::abs(std::log(level(best) / wanted))) best = i;
  }
  return Seed{folds.points[best], level(best)};
}

std::vector<Seed> seeds_of(const ResponseCurves& curves, const TrackingRequest& request) {
  std::vector<Seed> seeds;
  for (const ResponseBranch& folds : curves.branches) {
    for (const SpecialPoint& special : folds.special_points) {
      if (special.kind == "level") seeds.push_back({special.point, level_of(folds, special.point, request)});
      if (special.kind != "isola birth" || !request.levels.empty()) continue;
      if (const auto seed = seed_behind(folds, special, request)) seeds.push_back(*seed);
    }
  }
  return seeds;
}

std::string nothing_found(const TrackingRequest& request, std::size_t seeds, int stopped) {
  if (seeds == 0 && request.levels.empty()) {
    return "No isola: on no curve of folds does the level have a minimum at which a closed branch could be born.";
  }
  if (seeds == 0) return "No isola: no curve of folds passes the levels that were asked for.";
  if (stopped > 0) {
    return fmt::format(
        "No isola: of {} branches through folds {} could not be followed to an end, the others leave "
        "the range {:.6g} … {:.6g} Hz.",
        seeds, stopped, request.from, request.to);
  }
  return fmt::format(
      "No isola: every branch through a fold at these levels leaves the range {:.6g} … {:.6g} Hz. If one is expected, "
      "widen the range or take other levels.",
      request.from, request.to);
}

}  // namespace

IsolaOutcome IsolaCollector::follow(const ResponsePoint& motion, double level) {
  FrequencyResponseRequest ask = response_at(request_, level);
  ask.stability = request_.stability;
  const auto oscillates = [](int k) { return k > 0; };
  const auto harmonic = std::find_if(ask.balance.harmonics.begin(), ask.balance.harmonics.end(), oscillates);
  ask.peak_harmonics.assign(1, *harmonic);
  const std::size_t index = curves_.branches.size();
  ResponseBranch branch = ResponseBranchRun(model_, ask, BranchOrigin{}, nullptr, output_.progress)
                              .run_through(motion, static_cast<int>(index), "isola at " + level_words(request_, level));
  if (branch.end.stop != to_string(ContinuationStop::closed_loop)) {
    return branch.end.complete || branch.end.stop == to_string(ContinuationStop::left_at_start) ? IsolaOutcome::open
                                                                                                : IsolaOutcome::stopped;
  }
  for (const SpecialPoint& special : branch.special_points) {
    if (special.kind == "fold" && is_known(special.point.frequency, level)) return IsolaOutcome::known;
  }
  const bool stored = index < restarts_.size() && restarts_[index].ended;
  if (!stored) record_branch(branch, output_.sink);
  isolas_.push_back(index);
  curves_.branches.push_back(std::move(branch));
  return IsolaOutcome::found;
}

bool IsolaCollector::is_known(double frequency, double level) const {
  constexpr double same = 1e-6;
  return std::any_of(isolas_.begin(), isolas_.end(), [&](std::size_t i) {
    const ResponseBranch& isola = curves_.branches[i];
    return std::abs(isola.header.level - level * request_.level_value) <= same * isola.header.level &&
           std::any_of(isola.special_points.begin(), isola.special_points.end(), [&](const SpecialPoint& special) {
             return special.kind == "fold" && std::abs(special.point.frequency - frequency) < same * frequency;
           });
  });
}

void record_branch(const ResponseBranch& branch, ResultSink* sink) {
  if (sink == nullptr) return;
  sink->begin_branch(branch.header);
  for (const ResponsePoint& point : branch.points) sink->add_point(branch.header, point);
  for (const SpecialPoint& special : branch.special_points) sink->add_special_point(branch.header, special);
  for (const JointCycles& cycles : branch.cycles) sink->add_cycles(branch.header, cycles);
  sink->end_branch(branch.header, branch.end);
}

void add_isolas(const Model& model, const TrackingRequest& request, ResponseCurves& curves,
                const std::vector<BranchRestart>& restarts, const RunOutput& output) {
  const std::vector<Seed> seeds = seeds_of(curves, request);
  IsolaCollector collector(model, request, curves, restarts, output);
  int found = 0, stopped = 0;
  for (const Seed& seed : seeds) {
    if (collector.is_known(seed.point.frequency, seed.level)) continue;
    const IsolaOutcome outcome = collector.follow(seed.point, seed.level);
    found += outcome == IsolaOutcome::found ? 1 : 0;
    stopped += outcome == IsolaOutcome::stopped ? 1 : 0;
  }
  if (found == 0) curves.notes.push_back(nothing_found(request, seeds.size(), stopped));
}

}  // namespace masing::detail
