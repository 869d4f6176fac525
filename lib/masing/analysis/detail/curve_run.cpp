#include "masing/analysis/detail/curve_run.hpp"

#include "masing/core/error.hpp"

namespace masing::detail {

namespace {

class CurveRun {
 public:
  CurveRun(const CurveRequest& request, AugmentedProblem& problem, const CurveTask& task, BranchRecorder& recorder)
      : request_(request),
        problem_(problem),
        task_(task),
        recorder_(recorder),
        continuation_(problem, task.range, request.continuation, request.newton) {}

  void follow(const BranchRestart& restart) {
    if (!restart.points.empty()) {
      recorder_.take(restart);
      std::vector<BranchPoint> path;
      for (const ResponsePoint& point : restart.points) {
        path.push_back(branch_point(point));
        accept(path.back());
      }
      finish(continuation_.resume(std::move(path), hooks()).summary);
      return;
    }
    const FirstSolution first = first_point();
    if (!first.found) {
      recorder_.end_without_start(first.message);
      return;
    }
    finish(continuation_.follow(first.x, hooks()).summary);
  }

 private:
  static BranchPoint branch_point(const ResponsePoint& point) {
    const Index n = point.unknowns.size() - 1;
    return {.x = point.unknowns.head(n),
            .lambda = point.unknowns[n],
            .tangent = point.tangent,
            .step = point.step,
            .iterations = point.iterations,
            .residual = point.residual};
  }

  void accept(const BranchPoint& point) {
    rising_ = point.tangent[point.tangent.size() - 1] > 0.0;
    if (task_.accepted && task_.accepted(problem_.state(point.x, point.lambda))) problem_.forget();
  }

  FirstSolution first_point() {
    FirstSolution guess = task_.first();
    if (!guess.found) return guess;
    const double from = task_.range.from;
    if (const auto point = continuation_.start(guess.x, from)) return {.x = point->x, .found = true, .message = {}};
    guess.found = false;
    guess.message =
        fmt::format("No solution was found at {}. {}", task_.parameter_text(from), continuation_.last_message());
    if (!task_.linear_below) return guess;
    constexpr double decades = 4.0;
    Continuation rise(problem_, {.from = from - decades, .to = from}, request_.continuation, request_.newton);
    const Branch path = rise.follow(guess.x);
    guess.found = path.summary.stop == ContinuationStop::reached_end;
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
    result.unknowns.resize(point.x.size() + 1);
    result.unknowns << point.x, point.lambda;
    return result;
  }

  ContinuationHooks hooks() {
    ContinuationHooks hooks;
    hooks.on_point = [this](const BranchPoint& point, Index) {
      ResponsePoint described = describe(point);
      accept(point);
      const double span = task_.range.to - task_.range.from;
      return recorder_.add(std::move(described), (point.lambda - task_.range.from) / span);
    };
    for (const double mark : task_.marks) {
      hooks.events.push_back(
          {.name = "level", .value = [mark](const BranchPoint& point, const Vector&) { return point.lambda - mark; }});
    }
    const auto state_of = [this](const BranchPoint& point) {
      const AugmentedProblem::State& state = problem_.state(point.x, point.lambda);
      return PointStability::State{state.x, state.omega()};
    };
    const bool no_controls = problem_.size() == problem_.balance().size();
    if (PointStability* stability = recorder_.stability()) {
      stability->add_events(problem_.balance(), state_of, no_controls, hooks);
    }
    hooks.on_event = [this, state_of](const BranchEvent& event) {
      PointStability* stability = recorder_.stability();
      if (stability && !stability->is_genuine(problem_.balance(), event, state_of(event.point))) return;
      const std::string kind = PointStability::kind_of(problem_.balance(), event, state_of(event.point));
      const bool turns = event.name == "fold" && task_.turning_point;
      recorder_.add(SpecialPoint{.kind = turns ? task_.turning_point(event.point, !rising_) : kind,
                                 .after_point = event.after_point,
                                 .point = describe(event.point)});
    };
    hooks.parameter_text = task_.parameter_text;
    return hooks;
  }

  void finish(const ContinuationSummary& summary) {
    task_.may_return ? recorder_.end(summary, summary.complete()) : recorder_.end(summary);
  }

  const CurveRequest& request_;
  AugmentedProblem& problem_;
  const CurveTask& task_;
  BranchRecorder& recorder_;
  Continuation continuation_;
  bool rising_ = true;  // λ at the last point accepted
};

}  // namespace

ResponseBranch run_curve(const Model& model, const CurveRequest& request, AugmentedProblem& problem,
                         BranchHeader header, const CurveTask& task, const BranchRestart& restart,
                         const RunOutput& output) {
  header.analysis = request.name;
  header.observables = request.observables;
  BranchRecorder recorder(model, request.balance, problem.balance(), std::move(header), output.sink, output.progress,
                          request.stability);
  CurveRun run(request, problem, task, recorder);
  return recorder.run(restart, [&] { run.follow(restart); });
}

}  // namespace masing::detail
