#include "masing/analysis/detail/tracked_place.hpp"

#include "masing/analysis/detail/tracking_start.hpp"
#include "masing/fourier/coefficients.hpp"

#include <cmath>

namespace masing::detail {

TrackedPlace::TrackedPlace(const Model& model, const TrackingRequest& request, const StabilityOptions& stability,
                           const std::vector<int>& harmonics)
    : model_(model),
      request_(request),
      ladder_(model, request.balance, stability, harmonics),
      balance_(ladder_.first().balance) {
  task_.range = {.from = std::log10(request.from_level), .to = std::log10(request.to_level)};
  task_.parameter_text = [&](double lambda) { return level_words(request, std::pow(10.0, lambda)); };
  task_.quantities = [&](const AugmentedProblem::State& state, const EnergyTerms& energy) {
    Vector own(2 + static_cast<Index>(amplitude_ ? 1 : 0) + static_cast<Index>(is_place_ ? 1 : 0));
    own.head(2) << state.controls.level * request.level_value, energy.dissipation_ratio();
    if (amplitude_) own[2] = amplitude_(problem_->balance(), state);
    if (is_place_) own[3] = is_place_(problem_->balance(), state) ? 1.0 : 0.0;
    return own;
  };
}

void TrackedPlace::tell_amplitude(Amplitude amplitude, const Observable& observed, const std::string& description) {
  amplitude_ = std::move(amplitude);
  amplitude_quantity_ = {"peak_amplitude", std::string(unit_of(observed)), description};
}

ResponseBranch TrackedPlace::run(std::unique_ptr<Condition> condition, BranchHeader header, const TrackingStart& start,
                                 const BranchRestart& restart, const RunOutput& output) {
  std::vector<std::unique_ptr<Condition>> conditions;
  conditions.push_back(std::move(condition));
  AugmentedProblem problem(balance_, Parameter::level, {Control::frequency}, {}, std::move(conditions));
  problem_ = &problem;
  task_.accepted = [&](const AugmentedProblem::State& state) {
    if (follow_) follow_(problem.balance(), state.x, state.omega());
    if (seek_) note(state);
    return static_cast<bool>(follow_);
  };
  task_.began = start.began;
  notes_.clear();
  task_.first = [&] { return begin_at(start, 0); };
  task_.other_first = [&](const std::string& why) {
    notes_.push_back(fmt::format("Not begun at {:.6g} Hz. {}", start.places[notes_.size()].point.frequency, why));
    return begin_at(start, notes_.size(), why);
  };
  if (seek_) seek_where_it_ends();
  header.quantities = {
      {"level", request_.level_unit.empty() ? "1" : request_.level_unit, "level of the oscillating loads"},
      {"dissipation_ratio", "1",
       "energy that a period dissipates / (4 pi kinetic energy), of the whole motion in all harmonics"}};
  if (amplitude_) header.quantities.push_back(amplitude_quantity_);
  if (is_place_) {
    header.quantities.push_back({"is_peak", "1", "1: a maximum of the response, 0: a minimum between two of them"});
  }
  return run_curve(model_, request_, ladder_, problem, std::move(header), task_, restart, output);
}

// In the harmonics that the place was found in: fewer may have no such place.
FirstSolution TrackedPlace::begin_at(const TrackingStart& start, std::size_t place, const std::string& why) {
  if (start.places.empty()) return {.x = {}, .found = false, .message = start.message, .stopped = start.stopped};
  if (place >= start.places.size()) {
    const auto count = start.places.size();
    const std::string all =
        count == 1
            ? why
            : fmt::format("None of the {} places of the first response can be gone on from. {}", count, notes_.front());
    return {.x = {}, .found = false, .message = all + " Begin at another level."};
  }
  const FoundPlace& found = start.places[place];
  Rung& rung = found.harmonic_count > 0 ? ladder_.of(found.highest_harmonic, found.harmonic_count) : ladder_.first();
  problem_->use(rung.balance);
  return {.x = unknowns_at(found.point, task_.range.from), .found = true, .message = {}};
}

void TrackedPlace::seek_where_it_ends() {
  constexpr double farthest = 0.1;  // of the range of levels, on a curve that is something else
  task_.strayed = [this](double lambda) {
    const double range = std::abs(task_.range.to - task_.range.from);
    return trail_.left_at && std::abs(lambda - *trail_.left_at) > farthest * range;
  };
  task_.seek = [this](double lambda, const AugmentedProblem::State&) -> std::optional<Vector> {
    const std::optional<ResponsePoint> found = seek_(std::pow(10.0, lambda), trail_.frequency, trail_.amplitude);
    if (!found) return std::nullopt;
    return unknowns_at(*found, lambda);
  };
}

void TrackedPlace::note(const AugmentedProblem::State& state) {
  if (!is_place_(problem_->balance(), state)) {
    if (!trail_.left_at) trail_.left_at = std::log10(state.controls.level);
    return;
  }
  trail_ = {.frequency = state.controls.frequency,
            .amplitude = amplitude_(problem_->balance(), state),
            .left_at = std::nullopt};
}

// Of a point of a response; the condition moves there.
Vector TrackedPlace::unknowns_at(const ResponsePoint& point, double lambda) {
  HarmonicBalance& balance = problem_->balance();
  const double level = std::pow(10.0, lambda);
  balance.set_level(level);
  const Vector x = carried_over(point.coefficients, balance.motions(), ladder_.full(), balance.set());
  if (follow_) follow_(balance, x, 2.0 * pi * point.frequency);
  problem_->forget();
  return problem_->unknowns(x, {.frequency = point.frequency, .level = level}, lambda);
}

std::vector<double> level_marks(const TrackingRequest& request, int unless_told) {
  const double from = std::log10(request.from_level), to = std::log10(request.to_level);
  std::vector<double> marks;
  for (const double level : request.levels) marks.push_back(std::log10(level));
  for (int i = 1; request.levels.empty() && i <= unless_told; ++i) {
    marks.push_back(from + (to - from) * i / (unless_told + 1));
  }
  return marks;
}

}  // namespace masing::detail
