#include "masing/analysis/isola_search.hpp"

#include "masing/analysis/backbone.hpp"
#include "masing/analysis/detail/backbone_branches.hpp"
#include "masing/analysis/detail/isola_search.hpp"
#include "masing/analysis/detail/tracking_start.hpp"
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/fourier/coefficients.hpp"

#include <algorithm>
#include <cmath>

namespace masing {

namespace {

using detail::IsolaOutcome;

BackboneRequest backbone_request(const IsolaSearchRequest& request, int mode) {
  BackboneRequest ask;
  static_cast<CurveRequest&>(ask) = request;
  ask.stability = {};
  ask.method = BackboneMethod::epmc;
  ask.mode = mode;
  ask.from = request.from_amplitude;
  ask.to = request.to_amplitude;
  return ask;
}

std::vector<double> searched_levels(const IsolaSearchRequest& request) {
  if (!request.levels.empty()) return request.levels;
  constexpr int unless_told = 5;
  std::vector<double> levels;
  for (int i = 0; i < unless_told; ++i) {
    levels.push_back(request.from_level * std::pow(request.to_level / request.from_level, i / (unless_told - 1.0)));
  }
  return levels;
}

/// Motions of a backbone whose energy balance asks for `level`.
std::vector<ResponsePoint> met(const ResponseBranch& backbone, double level) {
  const Index asked = backbone.header.find_quantity("resonance_level");
  std::vector<ResponsePoint> found;
  for (std::size_t i = 0; i + 1 < backbone.points.size(); ++i) {
    const ResponsePoint &a = backbone.points[i], &b = backbone.points[i + 1];
    const double before = std::log(a.quantities[asked] / level), after = std::log(b.quantities[asked] / level);
    if (!std::isfinite(before) || !std::isfinite(after) || (before < 0.0) == (after < 0.0)) continue;
    const double t = before / (before - after);
    found.push_back({.frequency = (1.0 - t) * a.frequency + t * b.frequency,
                     .coefficients = (1.0 - t) * a.coefficients + t * b.coefficients,
                     .tangent = {},
                     .observations = {}});
  }
  return found;
}

/// Brings motions of a backbone onto the response at a level.
class Corrector {
 public:
  Corrector(const Model& model, const IsolaSearchRequest& request)
      : request_(request),
        balance_(*model.structure, model.joints, model.loads, request.balance),
        first_(balance_.set().find(1)) {}

  /// The nearby motion in phase resonance; the motion turned to lag the load by 90° where Newton's method finds none.
  ResponsePoint correct(ResponsePoint motion, double level) {
    balance_.set_level(level);
    turn(motion);
    std::vector<std::unique_ptr<detail::Condition>> conditions;
    conditions.push_back(std::make_unique<detail::QuadratureCondition>(1));
    detail::AugmentedProblem problem(balance_, detail::Parameter::level, {detail::Control::frequency}, {},
                                     std::move(conditions));
    const double lambda = std::log10(level);
    Continuation newton(problem, {.from = lambda, .to = lambda + 1.0}, {}, request_.newton);
    const auto found = newton.start(
        problem.unknowns(motion.coefficients, {.frequency = motion.frequency, .level = level}, lambda), lambda);
    if (!found) return motion;
    const detail::AugmentedProblem::State& state = problem.state(found->x, found->lambda);
    motion.coefficients = state.x;
    motion.frequency = state.controls.frequency;
    return motion;
  }

 private:
  void turn(ResponsePoint& motion) {
    const double omega = 2.0 * pi * motion.frequency;
    const Complex along = balance_.load(first_).dot(balance_.recover_amplitudes(motion.coefficients, omega, first_));
    if (along == 0.0) return;
    const Complex shift = Complex(0.0, -1.0) * std::conj(along) / std::abs(along);
    Eigen::Map<Matrix> y(motion.coefficients.data(), balance_.motions(), balance_.set().positions());
    ComplexVector amplitude;
    for (Index i = 0; i < balance_.set().count(); ++i) {
      if (balance_.set()[i] == 0) continue;
      complex_amplitude(balance_.set(), y, i, amplitude);
      amplitude *= std::pow(shift, balance_.set()[i]);
      set_complex_amplitude(balance_.set(), i, amplitude, y);
    }
  }

  const IsolaSearchRequest& request_;
  HarmonicBalance balance_;
  Index first_;  // harmonic 1 in the set
};

std::string outcome_words(IsolaOutcome outcome) {
  switch (outcome) {
    case IsolaOutcome::found:
      return "on an isola";
    case IsolaOutcome::known:
      return "on the same isola";
    case IsolaOutcome::open:
      return "on a branch that leaves the range";
    case IsolaOutcome::stopped:
      break;
  }
  return "on a branch that could not be followed to an end";
}

class Search {
 public:
  Search(const Model& model, const IsolaSearchRequest& request, const std::vector<BranchRestart>& restarts,
         const detail::RunOutput& output)
      : model_(model), request_(request), restarts_(restarts), output_(output) {}

  ResponseCurves run() {
    for (const int mode : request_.modes) {
      add_backbone(backbone(model_, backbone_request(request_, mode), nullptr, output_.progress).branches.front());
    }
    add_backbone_from_above();
    const std::size_t backbones = curves_.branches.size();
    detail::IsolaCollector collector(model_, request_, curves_, restarts_, output_);
    for (const double level : searched_levels(request_)) {
      std::vector<std::string> outcomes;
      for (std::size_t i = 0; i < backbones; ++i) look_at(i, level, collector, outcomes);
      curves_.notes.push_back(level_note(level, outcomes));
    }
    return std::move(curves_);
  }

 private:
  /// Downwards from the largest amplitude, unless a mode has led there.
  void add_backbone_from_above() {
    BackboneRequest ask = backbone_request(request_, request_.modes.front());
    std::swap(ask.from, ask.to);
    const detail::RunOutput silent{nullptr, output_.progress};
    ResponseBranch branch = detail::secant_backbone(model_, ask, {}, silent);
    const auto leads_there = [&](const ResponseBranch& known) {
      constexpr double same = 1e-3;
      return !known.points.empty() &&
             std::abs(known.points.back().frequency / branch.points.front().frequency - 1.0) < same;
    };
    if (branch.points.empty()) {
      curves_.notes.push_back("No further backbone begins at the largest amplitude. " + branch.end.message);
      return;
    }
    if (std::none_of(curves_.branches.begin(), curves_.branches.end(), leads_there)) add_backbone(std::move(branch));
  }

  void add_backbone(ResponseBranch branch) {
    const std::size_t index = curves_.branches.size();
    branch.header.index = static_cast<int>(index);
    const bool stored = index < restarts_.size() && restarts_[index].ended;
    if (!stored) detail::record_branch(branch, output_.sink);
    curves_.branches.push_back(std::move(branch));
  }

  void look_at(std::size_t backbone, double level, detail::IsolaCollector& collector,
               std::vector<std::string>& outcomes) {
    Corrector corrector(model_, request_);
    for (const ResponsePoint& motion : met(curves_.branches[backbone], level * request_.level_value)) {
      const std::string where = curves_.branches[backbone].header.label;
      const ResponsePoint seed = covers(motion.frequency) ? corrector.correct(motion, level) : motion;
      if (!covers(seed.frequency)) {
        outcomes.push_back(fmt::format("{:.6g} Hz ({}) outside the range", seed.frequency, where));
        continue;
      }
      outcomes.push_back(
          fmt::format("{:.6g} Hz ({}) {}", seed.frequency, where, outcome_words(collector.follow(seed, level))));
    }
  }

  /// Whether responses are followed at this frequency.
  bool covers(double frequency) const {
    return frequency >= std::min(request_.from, request_.to) && frequency <= std::max(request_.from, request_.to);
  }

  std::string level_note(double level, const std::vector<std::string>& outcomes) const {
    const std::string words = detail::level_words(request_, level);
    if (outcomes.empty()) {
      return fmt::format(
          "At {} no isola: nowhere on the backbones, modal amplitudes {:.6g} … {:.6g}, does the energy balance ask for "
          "this level. Follow them farther, or those of other modes.",
          words, request_.from_amplitude, request_.to_amplitude);
    }
    return fmt::format("At {} the energy balance is met {} on the backbones: {}.", words,
                       outcomes.size() == 1 ? "once" : fmt::format("{} times", outcomes.size()), join(outcomes, "; "));
  }

  const Model& model_;
  const IsolaSearchRequest& request_;
  const std::vector<BranchRestart>& restarts_;
  const detail::RunOutput& output_;
  ResponseCurves curves_;
};

}  // namespace

void check_isola_search(const Model& model, const IsolaSearchRequest& request) {
  detail::check_tracking(request);
  require(!request.modes.empty(), "the list of modes is empty.");
  require(
      dynamic_cast<const SecondOrderStructure*>(model.structure.get()) != nullptr,
      "an isola search follows free motions, which need a mass matrix, and a structure of exact beams has none. Give "
      "the beam method = \"finite-element\", or find isolas through the folds of the response: kind = "
      "\"fold-tracking\".");
  require(HarmonicSet(request.balance.harmonics).find(1) >= 0,
          "an isola search needs harmonic 1 among the balanced harmonics.");
  for (const int mode : request.modes) check_backbone(model, backbone_request(request, mode));
  bool driven = false;
  for (const Load& load : model.loads) {
    require(load.harmonic <= 1, "an isola search needs all oscillating loads in harmonic 1; one is in harmonic {}.",
            load.harmonic);
    driven = driven || load.harmonic == 1;
  }
  require(driven, "an isola search needs an oscillating load.");
}

ResponseCurves isola_search(const Model& model, const IsolaSearchRequest& request, ResultSink* sink,
                            const ProgressCallback& progress, const std::vector<BranchRestart>& restarts) {
  check_isola_search(model, request);
  return Search(model, request, restarts, {sink, progress}).run();
}

}  // namespace masing
