#include "masing/continuation/continuation.hpp"

#include "masing/continuation/detail/corrector.hpp"
#include "masing/continuation/detail/path_check.hpp"
#include "masing/continuation/detail/segment.hpp"
#include "masing/continuation/detail/step_events.hpp"
#include "masing/continuation/detail/stepper.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace masing {

namespace {

void require_valid(const ParameterRange& range, const ContinuationOptions& options) {
  require(std::isfinite(range.from) && std::isfinite(range.to) && range.from != range.to,
          "Continuation: the range from {} to {} must have two different finite ends.", range.from, range.to);
  const StepControl& step = options.step;
  require(step.minimum > 0.0, "Continuation: step minimum = {} must be > 0.", step.minimum);
  require(step.maximum >= step.minimum && std::isfinite(step.maximum),
          "Continuation: step maximum = {} must be finite and >= step minimum = {}.", step.maximum, step.minimum);
  require(step.initial >= step.minimum && step.initial <= step.maximum,
          "Continuation: step initial = {} must be between step minimum = {} and step maximum = {}.", step.initial,
          step.minimum, step.maximum);
  require(step.target_iterations >= 1, "Continuation: target_iterations = {} must be >= 1.", step.target_iterations);
  require(step.maximum_angle > 0.0 && step.maximum_angle < 90.0,
          "Continuation: maximum_angle = {} degrees must be in (0, 90).", step.maximum_angle);
  require(options.max_points >= 1, "Continuation: max_points = {} must be >= 1.", options.max_points);
  require(options.max_iterations >= 1, "Continuation: max_iterations = {} must be >= 1.", options.max_iterations);
  require(options.event_tolerance > 0.0 && options.event_tolerance < 1.0,
          "Continuation: event_tolerance = {} must be in (0, 1).", options.event_tolerance);
}

Event fold_event() {
  return {.name = "fold", .value = [](const BranchPoint& p, const Vector&) { return p.tangent(p.tangent.size() - 1); }};
}

}  // namespace

class Continuation::Implementation {
 public:
  Implementation(ContinuationProblem& problem, const ParameterRange& chosen_range, const ContinuationOptions& chosen,
                 const NewtonOptions& newton)
      : options(chosen), range(chosen_range), corrector(problem, newton, std::abs(range.to - range.from)) {
    corrector.limit_iterations(options.max_iterations);
  }

  std::optional<BranchPoint> start(const Vector& guess, double lambda, bool towards_end);
  std::optional<BranchPoint> settle(const BranchPoint& nearby);
  Branch begin() const { return {.points = {}, .events = {}, .summary = {}, .options = options, .range = range}; }
  void run(Branch& branch, const ContinuationHooks& hooks);
  std::optional<BranchPoint> locate(const BranchPoint& from, const BranchPoint& to, const BranchFunction& function);
  void finish(Branch& branch, ContinuationStop stop, const std::string& details, const ContinuationHooks& hooks) const;

  ContinuationOptions options;
  ParameterRange range;
  detail::Corrector corrector;
  std::string message;

 private:
  detail::StepResult advance(detail::Stepper& stepper, const std::vector<BranchPoint>& points);
  bool accept(Branch& branch, detail::StepResult& step, const ContinuationHooks& hooks);
  bool seek_ahead(Branch& branch, const ContinuationHooks& hooks, std::optional<ContinuationStop>& stop);
  std::optional<BranchPoint> sought(double lambda, const BranchPoint& last, const ContinuationHooks& hooks);
  void add_events(Branch& branch, const BranchPoint& next, const ContinuationHooks& hooks);
  void add_event(Branch& branch, BranchEvent event, const ContinuationHooks& hooks) const;
  std::string explain_fold(Branch& branch, const BranchPoint& beyond, const ContinuationHooks& hooks);
  std::optional<ContinuationStop> already_at_end(const Branch& branch) const;
  std::string place(double lambda, const ContinuationHooks& hooks) const {
    return hooks.parameter_text ? hooks.parameter_text(lambda) : fmt::format("λ = {:.8g}", lambda);
  }

  int unlocated_ = 0;
};

std::optional<BranchPoint> Continuation::Implementation::start(const Vector& guess, double lambda, bool towards_end) {
  require(guess.size() == corrector.problem().size(),
          "Continuation: the guess has {} entries, the problem {} unknowns.", guess.size(), corrector.problem().size());
  const Index n = guess.size();
  Vector z = detail::joined(guess, lambda);
  // The scaling at a poor guess (zero, say) may be far too small: go on from where it led to, with the scaling there.
  constexpr int rescalings = 3;
  bool solved = false;
  for (int i = 0; i < rescalings && !solved && z.allFinite(); ++i) {
    solved = corrector.solve_at_lambda(corrector.metric(z.head(n), lambda), z);
  }
  if (!solved) {
    message = corrector.failure();
    return std::nullopt;
  }
  const detail::Metric metric = corrector.metric(z.head(n), lambda);
  Vector tangent;
  if (!corrector.find_first_tangent(metric, z, tangent)) {
    message = corrector.failure();
    return std::nullopt;
  }
  const double sense = (range.to > range.from) == towards_end ? 1.0 : -1.0;
  if (tangent(n) * sense < 0.0) tangent = -tangent;
  return corrector.make_point(metric, z, tangent, options.step.initial);
}

std::optional<BranchPoint> Continuation::Implementation::settle(const BranchPoint& nearby) {
  const detail::Metric metric = corrector.metric(nearby);
  const Vector course = nearby.tangent.normalized();
  Vector z = detail::joined(nearby);
  Vector tangent;
  if (!corrector.solve_in_plane(metric, course, z) || !corrector.find_tangent(metric, z, course, tangent)) {
    message = corrector.failure();
    return std::nullopt;
  }
  constexpr double rounding = 1e-9;  // the first point may miss the beginning by so much: the next one is inside
  const double span = range.to - range.from, way = (z(z.size() - 1) - range.from) / span;
  if (way > 1.0 || way < -rounding) {
    message = "The solution nearby lies outside the range.";
    return std::nullopt;
  }
  return corrector.make_point(metric, z, tangent, nearby.step);
}

void Continuation::Implementation::run(Branch& branch, const ContinuationHooks& hooks) {
  detail::Stepper stepper(corrector, options, range);
  if (hooks.seek) stepper.stop_at_dead_ends();
  unlocated_ = 0;
  branch.summary.jumps.clear();
  std::optional<ContinuationStop> stop = already_at_end(branch);
  std::string details;
  bool in_vain = false;  // nothing was found ahead since the branch strayed
  while (!stop) {
    if (static_cast<int>(branch.points.size()) >= options.max_points) {
      stop = ContinuationStop::max_points;
      break;
    }
    detail::StepResult step = advance(stepper, branch.points);
    if (!step.point && corrector.exhausted()) step.stop = ContinuationStop::max_iterations;
    if (step.jump > 0.0) {
      branch.summary.jumps.push_back({branch.points.back().lambda, step.point->lambda, step.jump});
    }
    if (step.point && !accept(branch, step, hooks)) step.stop = step.stop.value_or(ContinuationStop::stopped_by_user);
    const bool lost = step.stop == ContinuationStop::step_too_small || step.stop == ContinuationStop::retraced_path;
    if (step.point && !step.stop && hooks.adapt && hooks.adapt(branch.points.back())) stepper.forget_orientation();
    const bool strayed = step.point && hooks.strayed && hooks.strayed(branch.points.back());
    if (!strayed) in_vain = false;
    if ((lost || (strayed && !in_vain)) && hooks.seek) {
      if (seek_ahead(branch, hooks, step.stop)) {
        stepper.forget_orientation();
        continue;
      }
      in_vain = true;
    }
    if (step.beyond_fold) step.message = explain_fold(branch, *step.beyond_fold, hooks);
    stop = step.stop;
    details = step.message;
  }
  branch.summary.failed_correctors = stepper.failed_correctors;
  branch.summary.rejected_turns = stepper.rejected_turns;
  branch.summary.smallest_step = stepper.smallest_step;
  branch.summary.largest_step = stepper.largest_step;
  finish(branch, *stop, details, hooks);
}

/// Equations that have no meaning at the next point end the branch like a corrector that fails there.
detail::StepResult Continuation::Implementation::advance(detail::Stepper& stepper,
                                                         const std::vector<BranchPoint>& points) {
  try {
    return stepper.advance(points);
  } catch (const NumericalError& error) {
    return {.point = {}, .stop = ContinuationStop::step_too_small, .message = error.what(), .beyond_fold = {}};
  }
}

/// Adds the point with its events unless the path is retraced. False: stop, by the user unless step.stop is set.
bool Continuation::Implementation::accept(Branch& branch, detail::StepResult& step, const ContinuationHooks& hooks) {
  if (std::optional<detail::Passing> passing = detail::find_passing(corrector, branch.points, *step.point)) {
    const bool closed = passing->earlier == 0 && passing->same_direction;
    step.stop = closed ? ContinuationStop::closed_loop : ContinuationStop::retraced_path;
    step.message = fmt::format("it passed point {} again in {} direction.", passing->earlier,
                               passing->same_direction ? "the same" : "the opposite");
    if (!closed) return false;
    step.point = std::move(passing->here);
  }
  add_events(branch, *step.point, hooks);
  branch.points.push_back(std::move(*step.point));
  return !hooks.on_point || hooks.on_point(branch.points.back(), static_cast<Index>(branch.points.size()) - 1);
}

std::optional<BranchPoint> Continuation::Implementation::sought(double lambda, const BranchPoint& last,
                                                                const ContinuationHooks& hooks) {
  try {
    const std::optional<Vector> guess = hooks.seek(lambda, last);
    return guess ? start(*guess, lambda, true) : std::nullopt;
  } catch (const NumericalError&) {  // no solution there either
    return std::nullopt;
  }
}

/// Beyond the farthest λ that the branch has reached. False: nothing was found, or the user stops there.
bool Continuation::Implementation::seek_ahead(Branch& branch, const ContinuationHooks& hooks,
                                              std::optional<ContinuationStop>& stop) {
  constexpr int most = 8;
  if (std::ssize(branch.summary.jumps) >= most) return false;
  const double span = range.to - range.from;
  double farthest = 0.0;
  for (const BranchPoint& point : branch.points) farthest = std::max(farthest, (point.lambda - range.from) / span);
  const BranchPoint last = branch.points.back();
  const Vector unit = corrector.metric(last).unit;
  for (const double ahead : {1e-5, 1e-4, 1e-3, 1e-2, 3e-2, 0.1}) {
    if (farthest + ahead >= 1.0) return false;
    const double lambda = range.from + (farthest + ahead) * span;
    std::optional<BranchPoint> point = sought(lambda, last, hooks);
    if (!point) continue;
    const double size = (detail::joined(*point) - detail::joined(last)).cwiseQuotient(unit).norm();
    branch.summary.jumps.push_back({last.lambda, lambda, size, true});
    branch.points.push_back(std::move(*point));
    if (hooks.on_point && !hooks.on_point(branch.points.back(), std::ssize(branch.points) - 1)) {
      stop = ContinuationStop::stopped_by_user;
      return false;
    }
    if (hooks.adapt) hooks.adapt(branch.points.back());
    return true;
  }
  return false;
}

void Continuation::Implementation::add_events(Branch& branch, const BranchPoint& next, const ContinuationHooks& hooks) {
  const BranchPoint& last = branch.points.back();
  std::vector<Event> events = hooks.events;
  if (options.locate_folds) events.push_back(fold_event());
  if (events.empty()) return;
  const int pieces = hooks.pieces ? hooks.pieces(last, next) : 1;
  detail::StepEvents step(corrector, last, next, options.event_tolerance);
  const auto after = static_cast<Index>(branch.points.size()) - 1;
  for (detail::StepEvents::Found& found : step.find(events, pieces)) {
    add_event(branch, {found.name, after, std::move(found.point)}, hooks);
  }
  unlocated_ += step.unlocated();
}

void Continuation::Implementation::add_event(Branch& branch, BranchEvent event, const ContinuationHooks& hooks) const {
  branch.events.push_back(std::move(event));
  if (hooks.on_event) hooks.on_event(branch.events.back());
}

std::optional<BranchPoint> Continuation::Implementation::locate(const BranchPoint& from, const BranchPoint& to,
                                                                const BranchFunction& function) {
  return detail::locate_on_segment(corrector, from, to, function, options.event_tolerance, message);
}

std::string Continuation::Implementation::explain_fold(Branch& branch, const BranchPoint& beyond,
                                                       const ContinuationHooks& hooks) {
  const std::optional<BranchPoint> fold = locate(branch.points.back(), beyond, fold_event().value);
  const std::string advice = "Natural-parameter continuation cannot pass it; use arc-length.";
  if (!fold) return fmt::format("the branch turns back in a fold near here. {}", advice);
  const Index after = static_cast<Index>(branch.points.size()) - 1;
  if (options.locate_folds) add_event(branch, {"fold", after, *fold}, hooks);
  return fmt::format("the branch turns back in a fold at {}. {}", place(fold->lambda, hooks), advice);
}

std::optional<ContinuationStop> Continuation::Implementation::already_at_end(const Branch& branch) const {
  if (branch.points.size() < 2) return std::nullopt;
  const double lambda = branch.points.back().lambda;
  if (lambda == range.to) return ContinuationStop::reached_end;
  if (lambda == range.from) return ContinuationStop::left_at_start;
  return std::nullopt;
}

void Continuation::Implementation::finish(Branch& branch, ContinuationStop stop, const std::string& details,
                                          const ContinuationHooks& hooks) const {
  ContinuationSummary& summary = branch.summary;
  summary.stop = stop;
  summary.points = static_cast<int>(branch.points.size());
  summary.newton_iterations = corrector.newton_iterations;
  summary.residual_evaluations = corrector.residual_evaluations;
  summary.jacobian_evaluations = corrector.jacobian_evaluations;
  const std::string where = place(branch.points.empty() ? range.from : branch.points.back().lambda, hooks);
  const int count = summary.points;
  switch (stop) {
    case ContinuationStop::not_run:
      break;
    case ContinuationStop::reached_end:
      summary.message = fmt::format("Continuation reached its end at {} with {} points.", where, count);
      break;
    case ContinuationStop::left_at_start:
      summary.message = fmt::format("The branch came back and left its range at {} with {} points.", where, count);
      break;
    case ContinuationStop::closed_loop:
      summary.message = fmt::format("The branch is a closed loop, back at {} with {} points.", where, count);
      break;
    case ContinuationStop::max_points:
      summary.message = fmt::format("Continuation stopped at {}: {} points, the largest number allowed.", where, count);
      break;
    case ContinuationStop::max_iterations:
      summary.message = fmt::format(
          "Continuation stopped at {}: {} Newton iterations, the largest number allowed is {}. {} points are saved.",
          where, summary.newton_iterations, options.max_iterations, count);
      break;
    case ContinuationStop::stopped_by_user:
      summary.message = fmt::format("Continuation was stopped by the user at {}. {} points are saved.", where, count);
      break;
    case ContinuationStop::no_start:
      summary.message = fmt::format("Continuation found no solution to start from at {}. {}", where, details);
      break;
    case ContinuationStop::retraced_path:
    case ContinuationStop::fold_in_natural:
    case ContinuationStop::step_too_small:
      summary.message =
          fmt::format("Continuation stopped at {}, step {}: {} {} points are saved.", where, count, details, count);
      break;
  }
  summary.message += describe_jumps(summary.jumps, [&](double lambda) { return place(lambda, hooks); });
  if (unlocated_ > 0) summary.message += fmt::format(" {} special points could not be located.", unlocated_);
}

Continuation::Continuation(ContinuationProblem& problem, ParameterRange range, ContinuationOptions options,
                           NewtonOptions newton) {
  require_valid(range, options);
  implementation_ = std::make_unique<Implementation>(problem, range, options, newton);
}

Continuation::~Continuation() = default;
Continuation::Continuation(Continuation&&) noexcept = default;
Continuation& Continuation::operator=(Continuation&&) noexcept = default;

Branch Continuation::follow(const Vector& guess, const ContinuationHooks& hooks) {
  Implementation& my = *implementation_;
  my.corrector.reset_counters();
  const std::optional<BranchPoint> first = my.start(guess, my.range.from, true);
  Branch branch = my.begin();
  if (!first) {
    my.finish(branch, ContinuationStop::no_start, my.message, hooks);
    return branch;
  }
  branch.points.push_back(*first);
  if (hooks.on_point && !hooks.on_point(branch.points.back(), 0)) {
    my.finish(branch, ContinuationStop::stopped_by_user, {}, hooks);
    return branch;
  }
  if (hooks.adapt) hooks.adapt(branch.points.back());
  my.run(branch, hooks);
  return branch;
}

Branch Continuation::resume(std::vector<BranchPoint> points, const ContinuationHooks& hooks) {
  require(!points.empty(), "Continuation: there is no point to go on from.");
  Implementation& my = *implementation_;
  const Index n = my.corrector.problem().size();
  const BranchPoint& last = points.back();
  require(
      last.x.size() == n && last.tangent.size() == n + 1 && last.step > 0.0,
      "Continuation: the point to go on from has {} unknowns, a tangent of {} and step {}; needed are {}, {} and > 0.",
      last.x.size(), last.tangent.size(), last.step, n, n + 1);
  my.corrector.reset_counters();
  Branch branch = my.begin();
  branch.points = std::move(points);
  my.run(branch, hooks);
  return branch;
}

std::optional<BranchPoint> Continuation::start(const Vector& guess, double lambda, bool towards_end) {
  return implementation_->start(guess, lambda, towards_end);
}

std::optional<BranchPoint> Continuation::settle(const BranchPoint& nearby) { return implementation_->settle(nearby); }

std::optional<BranchPoint> Continuation::locate(const BranchPoint& from, const BranchPoint& to,
                                                const BranchFunction& function) {
  return implementation_->locate(from, to, function);
}

std::optional<BranchPoint> Continuation::at(const BranchPoint& from, const BranchPoint& to, double lambda) {
  Implementation& my = *implementation_;
  if ((from.lambda - lambda) * (to.lambda - lambda) > 0.0) {
    my.message =
        fmt::format("λ = {:.10g} does not lie between λ = {:.10g} and λ = {:.10g}.", lambda, from.lambda, to.lambda);
    return std::nullopt;
  }
  std::optional<BranchPoint> found = detail::Segment(my.corrector, from, to).solve_at_lambda(lambda);
  if (!found) my.message = my.corrector.failure();
  return found;
}

Vector Continuation::direction(const BranchPoint& point) const {
  return implementation_->corrector.metric(point).physical(point.tangent);
}

BranchPoint Continuation::directed(BranchPoint point, const Vector& direction) const {
  point.tangent = implementation_->corrector.metric(point).unit_vector(direction);
  return point;
}

const std::string& Continuation::last_message() const { return implementation_->message; }
const ParameterRange& Continuation::range() const { return implementation_->range; }
const ContinuationOptions& Continuation::options() const { return implementation_->options; }

}  // namespace masing
