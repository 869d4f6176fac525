#include "masing/analysis/detail/curve_run.hpp"

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
        branch_(ladder, task.range, request.continuation, request.newton, owner()) {}

  void follow(const BranchRestart& restart) {
    if (!restart.points.empty()) {
      recorder_.take(restart);
      std::vector<PathPoint> path;
      for (const ResponsePoint& point : restart.points) path.push_back(path_point(point));
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
    rising_ = point.tangent[point.tangent.size() - 1] > 0.0;
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

  ContinuationHooks hooks() {
    ContinuationHooks hooks;
    hooks.on_point = [this](const BranchPoint& point, Index) {
      const double span = task_.range.to - task_.range.from;
      return recorder_.add(describe(point), (point.lambda - task_.range.from) / span);
    };
    for (const double mark : task_.marks) {
      hooks.events.push_back(
          {.name = "level", .value = [mark](const BranchPoint& point, const Vector&) { return point.lambda - mark; }});
    }
    if (task_.locates_levels) add_level_extrema(hooks);
    const bool no_controls = problem_.size() == problem_.balance().size();
    if (PointStability* stability = recorder_.stability()) {
      const auto state = [this](const BranchPoint& point) { return state_of(point); };
      stability->add_events(problem_.balance(), state, no_controls, hooks);
    }
    hooks.on_event = [this](const BranchEvent& event) {
      PointStability* stability = recorder_.stability();
      if (stability && !stability->is_genuine(problem_.balance(), event, state_of(event.point))) return;
      const std::string kind = PointStability::kind_of(problem_.balance(), event, state_of(event.point));
      const bool turns = event.name == "fold" && task_.turning_point;
      recorder_.add(SpecialPoint{.kind = turns ? task_.turning_point(event.point, !rising_) : kind,
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

  void finish(const ContinuationSummary& summary) {
    task_.may_return ? recorder_.end(summary, summary.complete()) : recorder_.end(summary);
  }

  const CurveRequest& request_;
  AugmentedProblem& problem_;
  const CurveTask& task_;
  BranchRecorder& recorder_;
  AdaptiveBranch branch_;
  bool rising_ = true;  // λ at the last point accepted
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
