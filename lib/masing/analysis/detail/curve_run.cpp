#include "masing/analysis/detail/curve_run.hpp"

#include "masing/analysis/detail/frequency_fall.hpp"
#include "masing/core/error.hpp"

#include <cmath>

namespace masing::detail {

namespace {

class CurveRun {
 public:
  CurveRun(const CurveRequest& request, HarmonicLadder& ladder, AugmentedProblem& problem, const CurveTask& task,
           BranchRecorder& recorder)
      : request_(request),
        problem_(problem),
        task_(task),
        recorder_(recorder),
        fall_(ladder.full().has_zero() ? problem.balance().motions() : 0),
        branch_(ladder, task.range, request.continuation, request.newton, owner()) {}

  void follow(const BranchRestart& restart) {
    if (!restart.points.empty()) {
      recorder_.take(restart);
      std::vector<PathPoint> path;
      for (const ResponsePoint& point : restart.points) {
        path.push_back(path_point(point));
        fall_.note(point);
      }
      fallen_ = task_.ends_at_zero_frequency && fall_.has_fallen(restart.points.back());
      finish(branch_.resume(std::move(path)));
      return;
    }
    const FirstSolution first = first_point();
    if (!first.found) {
      recorder_.end_without_start(first);
      return;
    }
    finish(branch_.follow(first.x));
  }

 private:
  BranchOwner owner() {
    BranchOwner owner{.use = [this](Rung& rung) -> ContinuationProblem& {
                        problem_.use(rung.balance);
                        recorder_.use(rung);
                        return problem_;
                      },
                      .state = [this](const BranchPoint& point) { return state_of(point); },
                      .hooks = [this] { return hooks(); },
                      .adapt = [this](const BranchPoint& point) { return adapt(point); }};
    if (task_.turn) {
      owner.turn = [this](const BranchPoint& point, Vector& direction) {
        task_.turn(problem_.state(point.x, point.lambda), direction);
      };
    }
    return owner;
  }

  PathPoint path_point(const ResponsePoint& point) {
    const Index n = point.unknowns.size() - 1;
    const BranchPoint stored{.x = point.unknowns.head(n),
                             .lambda = point.unknowns[n],
                             .tangent = point.tangent,
                             .step = point.step,
                             .iterations = point.iterations,
                             .residual = point.residual};
    Rung& rung = recorder_.rung_of(point);
    return {branch_.carried(stored, branch_.ladder().full(), rung.set()), &rung};
  }

  PointStability::State state_of(const BranchPoint& point) {
    const AugmentedProblem::State& state = problem_.state(point.x, point.lambda);
    return {state.x, state.omega()};
  }

  bool adapt(const BranchPoint& point) {
    last_tangent_ = point.tangent;
    if (!task_.accepted || !task_.accepted(problem_.state(point.x, point.lambda))) return false;
    problem_.forget();
    return true;
  }

  FirstSolution first_point() {
    FirstSolution guess = task_.first();
    while (guess.found) {
      FirstSolution found = solved(guess);
      if (found.found) return found;
      if (!task_.other_first) return task_.linear_below ? from_below(guess, found.message) : found;
      guess = task_.other_first(found.message);
    }
    return guess;
  }

  FirstSolution solved(const FirstSolution& guess) {
    branch_.use(branch_.ladder().at(problem_.balance().set()));
    const double from = task_.range.from;
    if (const auto point = branch_.continuation().start(guess.x, from)) {
      return {.x = point->x, .found = true, .message = {}};
    }
    return {.x = {},
            .found = false,
            .message = fmt::format("No solution was found at {}. {}", task_.parameter_text(from),
                                   branch_.continuation().last_message())};
  }

  /// For a guess that holds at any small amplitude.
  FirstSolution from_below(FirstSolution guess, const std::string& why) {
    const double from = task_.range.from;
    guess.message = why;
    constexpr double decades = 4.0;
    Continuation rise(problem_, {.from = from - decades, .to = from}, request_.continuation, request_.newton);
    ContinuationHooks hooks;
    hooks.on_point = [this](const BranchPoint&, Index) { return recorder_.still_wanted("first point: from below"); };
    const Branch path = rise.follow(guess.x, hooks);
    guess.found = path.summary.stop == ContinuationStop::reached_end;
    guess.stopped = path.summary.stop == ContinuationStop::stopped_by_user;
    if (guess.found) guess.x = path.points.back().x;
    if (!guess.found) guess.message += fmt::format(" From {} decades below: {}", decades, path.summary.message);
    return guess;
  }

  ResponsePoint describe(const BranchPoint& point) {
    const AugmentedProblem::State state = problem_.state(point.x, point.lambda);
    ResponsePoint result = recorder_.describe(point, state.x, state.controls.frequency, [&](const EnergyTerms& energy) {
      return task_.quantities(state, energy);
    });
    result.frequency *= task_.periods;
    const BranchPoint stored = branch_.stored(point);
    result.unknowns.resize(stored.x.size() + 1);
    result.unknowns << stored.x, point.lambda;
    return result;
  }

  double frequency_at(const BranchPoint& point) const {
    return problem_.state(point.x, point.lambda).controls.frequency * task_.periods;
  }

  bool add(const BranchPoint& point, ResponsePoint described) {
    const double span = task_.range.to - task_.range.from;
    fall_.note(described);
    return recorder_.add(std::move(described), (point.lambda - task_.range.from) / span);
  }

  bool accept(const BranchPoint& point) {
    if (fallen_) return false;
    if (task_.ends_at_zero_frequency && frequency_at(point) <= 0.0) {  // past it, where the place was not located
      fallen_ = true;
      return false;
    }
    ResponsePoint described = describe(point);
    fallen_ = task_.ends_at_zero_frequency && fall_.has_fallen(described);
    return add(point, std::move(described)) && !fallen_;
  }

  // The place itself is the last point of the branch.
  void end_at_zero(const BranchPoint& point) {
    ResponsePoint described = describe(point);
    if (!fall_.has_fallen(described)) return;
    fallen_ = true;
    add(point, std::move(described));
  }

  ContinuationHooks hooks() {
    ContinuationHooks hooks;
    hooks.on_point = [this](const BranchPoint& point, Index) { return accept(point); };
    for (const double mark : task_.marks) {
      hooks.events.push_back(
          {.name = "level", .value = [mark](const BranchPoint& point, const Vector&) { return point.lambda - mark; }});
    }
    if (task_.locates_levels) add_level_extrema(hooks);
    if (task_.ends_at_zero_frequency) {
      hooks.events.push_back(
          {.name = zero_frequency,
           .value = [this](const BranchPoint& point, const Vector&) { return frequency_at(point) - fall_.lowest(); },
           .crossing = Crossing::falling});
    }
    const bool no_controls = problem_.size() == problem_.balance().size();
    if (PointStability* stability = recorder_.stability()) {
      const auto state = [this](const BranchPoint& point) { return state_of(point); };
      stability->add_events(problem_.balance(), state, no_controls, hooks);
    }
    hooks.on_event = [this](const BranchEvent& event) {
      if (fallen_) return;  // what follows on this step lies beyond the end
      if (event.name == zero_frequency) {
        end_at_zero(event.point);
        return;
      }
      PointStability* stability = recorder_.stability();
      if (stability && !stability->is_genuine(problem_.balance(), event, state_of(event.point))) return;
      const std::string kind = PointStability::kind_of(problem_.balance(), event, state_of(event.point));
      const bool turns = event.name == "fold" && task_.turning_point;
      recorder_.add(SpecialPoint{.kind = turns ? task_.turning_point(event.point, last_tangent_) : kind,
                                 .after_point = event.after_point,
                                 .point = describe(event.point)});
    };
    hooks.parameter_text = task_.parameter_text;
    if (task_.strayed) hooks.strayed = [this](const BranchPoint& point) { return task_.strayed(point.lambda); };
    if (task_.seek) {
      hooks.seek = [this](double lambda, const BranchPoint& last) {
        return task_.seek(lambda, problem_.state(last.x, last.lambda));
      };
    }
    return hooks;
  }

  static void add_level_extrema(ContinuationHooks& hooks) {
    const auto change = [](const BranchPoint& point, const Vector& direction) {
      const Index level = point.x.size() - 1;
      return std::copysign(direction[level], direction[level] * point.x[level]);  // of its magnitude
    };
    hooks.events.push_back({.name = "least level", .value = change, .crossing = Crossing::rising});
    hooks.events.push_back({.name = "highest level", .value = change, .crossing = Crossing::falling});
  }

  void finish(ContinuationSummary summary) {
    if (task_.ended) task_.ended(summary);
    const std::vector<ResponsePoint>& points = recorder_.branch().points;
    if (fallen_ && !points.empty()) {
      const ResponsePoint& last = points.back();
      recorder_.end_at_zero_frequency(
          fall_.reason(last, task_.parameter_text(last.unknowns[last.unknowns.size() - 1])));
      return;
    }
    const bool arrived = summary.stop == ContinuationStop::reached_end;
    if (task_.ends_at_zero_frequency && !points.empty() && !arrived) summary.message += fall_.remark(points.back());
    task_.may_return ? recorder_.end(summary, summary.complete()) : recorder_.end(summary);
  }

  static constexpr const char* zero_frequency = "zero frequency";

  const CurveRequest& request_;
  AugmentedProblem& problem_;
  const CurveTask& task_;
  BranchRecorder& recorder_;
  FrequencyFall fall_;
  AdaptiveBranch branch_;
  Vector last_tangent_;  // at the last point accepted
  bool fallen_ = false;  // the frequency, to zero
};

}  // namespace

StartSearch search_heard_by(const RunOutput& output, const std::string& task) {
  return {.go_on = [&output, task](const std::string& trying) {
    return !output.progress || output.progress({.task = fmt::format("{}, first point: {}", task, trying)});
  }};
}

ResponseBranch run_curve(const Model& model, const CurveRequest& request, HarmonicLadder& ladder,
                         AugmentedProblem& problem, BranchHeader header, const CurveTask& task,
                         const BranchRestart& restart, const RunOutput& output) {
  header.analysis = request.name;
  header.observables = request.observables;
  BranchRecorder recorder(model, ladder, std::move(header), output.sink, output.progress);
  if (task.began) recorder.count_from(*task.began);
  CurveRun run(request, ladder, problem, task, recorder);
  return recorder.run(restart, [&] { run.follow(restart); });
}

}  // namespace masing::detail
