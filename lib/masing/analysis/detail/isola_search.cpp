#include "masing/analysis/detail/isola_search.hpp"

#include "masing/analysis/detail/response_branch.hpp"
#include "masing/analysis/detail/tracking_start.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

// A motion that may lie on an isola.
struct Seed {
  const ResponsePoint* point;
  double level;
};

double level_of(const ResponseBranch& branch, const ResponsePoint& point, const TrackingRequest& request) {
  return point.quantities[branch.header.find_quantity("level")] / request.level_value;
}

bool is_turning_point(const SpecialPoint& special) {
  return special.kind == "isola birth" || special.kind == "isola merging" || special.kind == "cusp";
}

// A fold behind a birth, half way on the scale of levels to where the isola may end: the level rises on both sides of the
// birth, until a turning point or the end of the curve.
std::optional<Seed> seed_behind(const ResponseBranch& folds, const SpecialPoint& birth,
                                const TrackingRequest& request) {
  const auto first = static_cast<std::size_t>(birth.after_point) + 1;
  std::size_t begin = 0, end = folds.points.size();
  for (const SpecialPoint& special : folds.special_points) {
    const auto place = static_cast<std::size_t>(special.after_point) + 1;
    if (!is_turning_point(special) || place == first) continue;
    place > first ? end = std::min(end, place) : begin = std::max(begin, place);
  }
  if (first >= end) return std::nullopt;
  const auto level = [&](std::size_t i) { return level_of(folds, folds.points[i], request); };
  const double wanted = std::sqrt(level_of(folds, birth.point, request) * std::min(level(begin), level(end - 1)));
  std::size_t best = first;
  for (std::size_t i = first; i < end; ++i) {
    if (std::abs(std::log(level(i) / wanted)) < std::abs(std::log(level(best) / wanted))) best = i;
  }
  return Seed{&folds.points[best], level(best)};
}

std::vector<Seed> seeds_of(const ResponseCurves& curves, const TrackingRequest& request) {
  std::vector<Seed> seeds;
  for (const ResponseBranch& folds : curves.branches) {
    for (const SpecialPoint& special : folds.special_points) {
      if (special.kind == "level") seeds.push_back({&special.point, level_of(folds, special.point, request)});
      if (special.kind != "isola birth" || !request.levels.empty()) continue;
      if (const auto seed = seed_behind(folds, special, request)) seeds.push_back(*seed);
    }
  }
  return seeds;
}

// Whether an isola found earlier has this fold.
bool is_known(const std::vector<ResponseBranch>& isolas, const Seed& seed, const TrackingRequest& request) {
  constexpr double same = 1e-6;
  return std::any_of(isolas.begin(), isolas.end(), [&](const ResponseBranch& isola) {
    return std::abs(isola.header.level - seed.level * request.level_value) <= same * isola.header.level &&
           std::any_of(isola.special_points.begin(), isola.special_points.end(), [&](const SpecialPoint& special) {
             return special.kind == "fold" &&
                    std::abs(special.point.frequency - seed.point->frequency) < same * special.point.frequency;
           });
  });
}

void record(const ResponseBranch& branch, ResultSink* sink) {
  if (sink == nullptr) return;
  sink->begin_branch(branch.header);
  for (const ResponsePoint& point : branch.points) sink->add_point(branch.header, point);
  for (const SpecialPoint& special : branch.special_points) sink->add_special_point(branch.header, special);
  sink->end_branch(branch.header, branch.end);
}

}  // namespace

void add_isolas(const Model& model, const TrackingRequest& request, ResponseCurves& curves,
                const std::vector<BranchRestart>& restarts, const RunOutput& output) {
  std::vector<ResponseBranch> isolas;
  const std::size_t first_index = curves.branches.size();
  for (const Seed& seed : seeds_of(curves, request)) {
    if (is_known(isolas, seed, request)) continue;
    FrequencyResponseRequest ask = response_at(request, seed.level);
    const auto oscillates = [](int k) { return k > 0; };
    const auto harmonic = std::find_if(ask.balance.harmonics.begin(), ask.balance.harmonics.end(), oscillates);
    ask.peak_harmonics.assign(1, *harmonic);
    const std::size_t index = first_index + isolas.size();
    ResponseBranch branch =
        ResponseBranchRun(model, ask, BranchOrigin{}, nullptr, output.progress)
            .run_through(*seed.point, static_cast<int>(index), "isola at " + level_words(request, seed.level));
    if (branch.end.stop != to_string(ContinuationStop::closed_loop)) continue;
    const bool stored = index < restarts.size() && restarts[index].ended;
    if (!stored) record(branch, output.sink);
    isolas.push_back(std::move(branch));
  }
  for (ResponseBranch& isola : isolas) curves.branches.push_back(std::move(isola));
}

}  // namespace masing::detail
