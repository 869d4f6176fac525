#include "masing/continuation/detail/stepper.hpp"

#include "masing/continuation/detail/segment.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

constexpr double sharpest_corner = 80.0;  // [degrees] beyond, the plane of the predictor misses the branch behind it
constexpr double largest_turn_behind_a_corner = 45.0;  // [degrees] between the new course foreseen and the one found
constexpr int stubborn_halvings = 6;                   // what survives so many halvings is a corner, not a curve
constexpr double same_turn = 0.8;  // of the turn before: it did not shrink (a smooth curve gives one half)
constexpr double no_turn = 0.3;    // of the turn of twice the step: that turn is somewhere in between
constexpr int bisections_of_a_kink = 6;
constexpr int bisections_of_a_crossing = 12;   // finer: a near miss of two branches looks alike from afar
constexpr double straight = 0.1;               // [degrees] a branch that crosses another one turns by less there
constexpr double sharpest_curve = 1000.0;      // [degrees per unit length] of what is not a corner
constexpr double corner_scale = 2e-3;          // a step so short fails at a corner only
constexpr double turning_scale = 1e-4;         // from so near a sharp corner is turned
constexpr double farthest_at_a_corner = 10.0;  // of the way on the old course; at 80 degrees it is 6
constexpr double shortest_jump = 1e-5;         // where the branch is looked for behind a jump of the equations
constexpr double longest_jump = 1.0;           // as far as x is large: another motion, but of the same size
constexpr double angle_aimed_at = 0.7;         // of the largest allowed
constexpr double largest_change = 2.0;         // of the step length from one step to the next

}  // namespace

StepResult Stepper::advance(const std::vector<BranchPoint>& points) {
  const Origin origin = origin_at(points);
  const StepControl& control = options_.step;
  if (orientation_ == 0) orientation_ = corrector_.orientation_at(origin.point);
  double h = std::clamp(origin.point.step, control.minimum, control.maximum);
  Rejections rejections;
  std::optional<Trial> refused;  // at twice the step
  while (true) {
    Trial trial = attempt(origin, h);
    if (acceptable(trial)) {
      if (!maybe_corner_between(trial, h, refused)) return accept(trial, h);
      return close_in_on_corner(origin, std::move(trial), h, std::move(*refused), 2.0 * h);
    }
    if (is_corner(origin, trial, h, rejections)) return accept_corner(std::move(trial), h);
    note(trial, rejections);
    if (h <= turning_scale && is_sharp(trial, origin.point, h)) {
      if (auto turned = turn_corner(origin, h)) return *turned;
    }
    if (options_.parametrisation == Parametrisation::natural) {
      StepResult result{
          .point = {}, .stop = ContinuationStop::fold_in_natural, .message = {}, .beyond_fold = beyond_fold(origin, h)};
      if (result.beyond_fold) return result;
    }
    if (0.5 * h < control.minimum) return leave_dead_end(origin, rejections);
    refused = std::move(trial);
    h *= 0.5;
  }
}

/// A kink or a crossing of branches between an accepted trial and the refused one of twice the step: on a smooth curve
/// half the step would make half the turn.
bool Stepper::maybe_corner_between(const Trial& before, double h_before, const std::optional<Trial>& beyond) const {
  if (!beyond || beyond->at_end || before.at_end) return false;
  if (!beyond->solved) return h_before <= 0.5 * corner_scale;  // so short a step should not fail on a smooth curve
  if (!beyond->forward) return false;
  return jumped(*beyond) || before.turn < no_turn * beyond->turn;
}

/// Bisects for the corner. Where it turns out to be a smooth curve, the longest acceptable step is taken.
StepResult Stepper::close_in_on_corner(const Origin& origin, Trial before, double h_before, Trial beyond,
                                       double h_beyond) {
  const bool smooth_up_to_it = jumped(beyond) || !beyond.solved;
  const int bisections = jumped(beyond) ? bisections_of_a_crossing : bisections_of_a_kink;
  for (int i = 0; i < bisections; ++i) {
    const double h = 0.5 * (h_before + h_beyond);
    Trial trial = attempt(origin, h);
    if (trial.at_end) return accept(before, h_before);
    if (!trial.solved || !trial.forward || like(trial, beyond)) {
      beyond = std::move(trial);
      h_beyond = h;
    } else if (acceptable(trial) && (smooth_up_to_it || trial.turn < no_turn * beyond.turn)) {
      before = std::move(trial);
      h_before = h;
    } else {
      return acceptable(trial) ? accept(trial, h) : accept(before, h_before);
    }
  }
  const double gap = h_beyond - h_before;
  if (!is_sharp(beyond, before.point, gap)) {
    const double size = origin.metric.scaled(joined(beyond.point) - joined(before.point)).norm();
    StepResult result = accept_corner(std::move(beyond), h_beyond);
    if (size > farthest_at_a_corner * gap) result.jump = size;
    return result;
  }
  before.point.step = std::clamp(2.0 * gap, options_.step.minimum, options_.step.maximum);
  return accept(before, h_before);
}

/// A corner so sharp that the plane of the predictor hardly meets the branch behind it, or not at all. The derivatives a
/// little beyond it, on the old course, are those of the new course, because the problem is smooth on each side. The sense
/// of the new tangent follows from the orientation: derivatives that differ by u nᵀ across a surface with normal n leave
/// n·tangent of the oriented tangent unchanged, so that the branch goes on through the surface (the rule of
/// piecewise-linear continuation, Allgower & Georg, chapter 12).
std::optional<StepResult> Stepper::turn_corner(const Origin& origin, double beyond) {
  if (options_.parametrisation == Parametrisation::natural || orientation_ == 0) return std::nullopt;
  const Vector probe = origin.z + beyond * origin.metric.physical(origin.point.tangent);
  Vector course;
  if (!corrector_.find_tangent(origin.metric, probe, origin.point.tangent, course)) return std::nullopt;
  if (corrector_.orientation() != orientation_) course = -course;

  for (const double reach : {2.0, 10.0, 50.0}) {
    if (reach > 2.0 && reach * beyond > options_.step.maximum) break;
    if (auto result = follow_course(origin, course, reach * beyond)) return result;
  }
  return std::nullopt;
}

/// The point at distance h on a course foreseen; empty when the branch does not go that way.
std::optional<StepResult> Stepper::follow_course(const Origin& origin, const Vector& course, double h) {
  Vector z = origin.z + h * origin.metric.physical(course);
  if (!corrector_.solve_in_plane(origin.metric, course, z)) return std::nullopt;
  Vector tangent;
  if (!corrector_.find_tangent(origin.metric, z, course, tangent)) return std::nullopt;
  const double astray =
      std::max(angle_between(course, tangent), angle_between(course, origin.metric.unit_vector(z - origin.z)));
  if (corrector_.orientation() != orientation_ || astray > largest_turn_behind_a_corner) return std::nullopt;
  Trial trial{.solved = true, .orientation = orientation_};
  trial.point = corrector_.make_point(origin.metric, z, tangent, h);
  return accept_corner(std::move(trial), h);
}

/// How far beyond the point the corner lies is not known: tries from near to far.
std::optional<StepResult> Stepper::turn_any_corner(const Origin& origin) {
  for (double beyond = 10.0 * options_.step.minimum; beyond < options_.step.maximum; beyond *= 10.0) {
    if (auto result = turn_corner(origin, beyond)) return result;
  }
  return std::nullopt;
}

/// The step is at its minimum: a corner that no plane shows, a jump of the equations, or an end.
StepResult Stepper::leave_dead_end(const Origin& origin, const Rejections& rejections) {
  if (auto turned = turn_any_corner(origin)) return *turned;
  if (options_.parametrisation == Parametrisation::arc_length) {
    if (auto beyond = jump(origin)) return *beyond;
  }
  return give_up(rejections);
}

/// Where the equations jump, the branch ends at a point and goes on somewhere else. Looks for that place: in planes ahead,
/// where a solution may be found however far from the predictor as long as it goes the same way; then at values of λ ahead.
std::optional<StepResult> Stepper::jump(const Origin& origin) {
  for (double h = shortest_jump; h <= options_.step.maximum; h *= 4.0) {
    Vector z = predict(origin, h);
    if (!corrector_.solve_in_plane(origin.metric, origin.direction, z)) continue;
    if (auto landed = land(origin, z, origin.point.tangent)) return landed;
  }
  const Index last = origin.z.size() - 1;
  const double sense = origin.point.tangent(last) < 0.0 ? -1.0 : 1.0;
  for (double share = shortest_jump; share <= options_.step.maximum; share *= 4.0) {
    Vector z = predict(origin, share);
    z(last) = origin.z(last) + sense * share * corrector_.lambda_unit();
    if (end_passed(z(last)) || !corrector_.solve_at_lambda(origin.metric, z)) continue;
    if (auto landed = land(origin, z, sense * Vector::Unit(last + 1, last))) return landed;
  }
  return std::nullopt;
}

/// Takes the branch up again at the solution z if it goes the way of `course` there.
std::optional<StepResult> Stepper::land(const Origin& origin, const Vector& z, const Vector& course) {
  if (end_passed(z(z.size() - 1))) return std::nullopt;
  const double size = origin.metric.scaled(z - origin.z).norm();
  Vector tangent;
  if (size > longest_jump || !corrector_.find_tangent(origin.metric, z, course, tangent)) return std::nullopt;
  if (angle_between(course, tangent) > sharpest_corner) return std::nullopt;
  Trial trial{.solved = true, .orientation = corrector_.orientation()};
  trial.point = corrector_.make_point(origin.metric, z, tangent, options_.step.initial);
  StepResult result = accept(trial, size);
  result.jump = size;
  return result;
}

Stepper::Origin Stepper::origin_at(const std::vector<BranchPoint>& points) const {
  const BranchPoint& point = points.back();
  Origin origin{point, corrector_.metric(point), joined(point), point.tangent};
  if (points.size() < 2) return origin;
  const BranchPoint& previous = points[points.size() - 2];
  if (options_.predictor == Predictor::secant) {
    const Vector secant = origin.metric.unit_vector(origin.z - joined(previous));
    const bool across_a_corner = angle_between(secant, point.tangent) > options_.step.maximum_angle;
    if (!across_a_corner) origin.direction = secant;
  }
  if (options_.predictor == Predictor::cubic) add_cubic(origin, previous);
  return origin;
}

/// p(s) = s t + s² q + s³ c with p(−L) and p'(−L) as at the previous point, L: length of the chord. Not across a kink.
void Stepper::add_cubic(Origin& origin, const BranchPoint& previous) const {
  const Vector back = origin.metric.scaled(joined(previous) - origin.z);
  const Vector& t = origin.direction;
  const Vector t_previous = origin.metric.unit_vector(corrector_.metric(previous).physical(previous.tangent));
  const double l = back.norm();
  if (l == 0.0 || angle_between(t, t_previous) > options_.step.maximum_angle) return;
  const Vector a = back + l * t, b = t_previous - t;
  origin.second = (3.0 * a / l + b) / l;
  origin.third = (b + 2.0 * a / l) / (l * l);
  origin.second -= origin.second.dot(t) * t;  // only the part in the plane of the corrector
  origin.third -= origin.third.dot(t) * t;
  origin.trusted = largest_change * l;
}

Vector Stepper::predict(const Origin& origin, double h) const {
  if (h > origin.trusted) return origin.z + h * origin.metric.physical(origin.direction);
  return origin.z + h * origin.metric.physical(origin.direction + h * origin.second + h * h * origin.third);
}

Stepper::Trial Stepper::attempt(const Origin& origin, double h) {
  const Index last = origin.z.size() - 1;
  const double predicted = origin.z(last) + h * origin.direction(last) * origin.metric.unit(last);
  if (end_passed(predicted)) {
    const Trial trial = to_end_of_range(origin, h);
    if (acceptable(trial)) return trial;
  }
  return options_.parametrisation == Parametrisation::natural ? at_natural(origin, h) : in_plane(origin, h);
}

/// Shortens the step so that the predictor ends at the end of the range, and solves there.
Stepper::Trial Stepper::to_end_of_range(const Origin& origin, double h) {
  const Index last = origin.z.size() - 1;
  const Vector whole = h * origin.metric.physical(origin.direction);
  const ContinuationStop end = *end_passed(origin.z(last) + whole(last));
  const double fraction = (end_value(end) - origin.z(last)) / whole(last);
  if (!(fraction > 0.0)) return {};
  Vector z = origin.z + fraction * whole;
  z(last) = end_value(end);
  if (!corrector_.solve_at_lambda(origin.metric, z)) return {};
  Trial trial = judge(origin, z, fraction * h);
  trial.at_end = end;
  return trial;
}

/// Pseudo-arc-length: the corrector stays in the plane normal to the predictor.
Stepper::Trial Stepper::in_plane(const Origin& origin, double h) {
  Vector z = predict(origin, h);
  if (!corrector_.solve_in_plane(origin.metric, origin.direction, z)) return {};
  Trial trial = judge(origin, z, h);
  const std::optional<ContinuationStop> end = trial.solved ? end_passed(trial.point.lambda) : std::nullopt;
  if (!end || !acceptable(trial)) return trial;
  const std::optional<BranchPoint> inside =
      Segment(corrector_, origin.point, trial.point).solve_at_lambda(end_value(*end));
  if (!inside) return {};
  Trial shortened = judge(origin, joined(*inside), h);
  shortened.at_end = end;
  return shortened;
}

Stepper::Trial Stepper::at_natural(const Origin& origin, double h) {
  Vector z = origin.z + h * origin.metric.physical(origin.direction);
  const std::optional<ContinuationStop> end = end_passed(z(z.size() - 1));
  if (end) return {};
  if (!corrector_.solve_at_lambda(origin.metric, z)) return {};
  return judge(origin, z, h);
}

Stepper::Trial Stepper::judge(const Origin& origin, const Vector& z, double h) {
  Trial trial;
  Vector tangent;
  if (!corrector_.find_tangent(origin.metric, z, origin.point.tangent, tangent)) return trial;
  const Vector chord = origin.metric.unit_vector(z - origin.z);
  trial.turn = std::max(angle_between(origin.point.tangent, tangent), angle_between(chord, origin.direction));
  trial.forward = chord.dot(tangent) > 0.0 && origin.point.tangent.dot(tangent) > 0.0;
  trial.orientation = corrector_.orientation();
  trial.solved = true;
  trial.point =
      corrector_.make_point(origin.metric, z, tangent, next_step(h, corrector_.last_iterations(), trial.turn));
  return trial;
}

bool Stepper::acceptable(const Trial& trial) const {
  return trial.solved && trial.forward && trial.turn <= options_.step.maximum_angle && !jumped(trial);
}

/// The plane of the predictor may miss the branch behind this corner, or meet it where it runs the other way.
bool Stepper::is_sharp(const Trial& trial, const BranchPoint& before, double distance) const {
  if (!trial.solved || !trial.forward || trial.turn >= sharpest_corner) return true;
  const double turn = angle_between(before.tangent, trial.point.tangent);
  return jumped(trial) && turn > std::max(straight, sharpest_curve * distance);
}

bool Stepper::like(const Trial& trial, const Trial& beyond) const {
  if (!beyond.solved || jumped(trial) != jumped(beyond)) return false;
  return jumped(trial) || trial.turn >= same_turn * beyond.turn;
}

/// The step begins at a corner: no halving gets to its near side.
bool Stepper::is_corner(const Origin& origin, const Trial& trial, double h, const Rejections& rejections) const {
  return !is_sharp(trial, origin.point, h) && rejections.stubborn >= stubborn_halvings;
}

void Stepper::note(const Trial& trial, Rejections& rejections) {
  if (!trial.solved) {
    ++failed_correctors;
    ++rejections.failed;
    rejections.last_failure = corrector_.failure();
    rejections.last_residual = corrector_.last_residual();
    return;
  }
  ++rejected_turns;
  ++(jumped(trial) ? rejections.jumped : rejections.turned);
  const bool shrank = trial.turn < same_turn * rejections.last_turn && !jumped(trial);
  rejections.stubborn = shrank ? 0 : rejections.stubborn + 1;
  rejections.last_turn = trial.turn;
}

/// A point reached by arc length where the branch runs back in λ; empty when it doesn't.
std::optional<BranchPoint> Stepper::beyond_fold(const Origin& origin, double h) {
  Vector z = predict(origin, h);
  if (!corrector_.solve_in_plane(origin.metric, origin.direction, z)) return std::nullopt;
  const Trial trial = judge(origin, z, h);
  if (!acceptable(trial)) return std::nullopt;
  const Index last = z.size() - 1;
  if (trial.point.tangent(last) * origin.point.tangent(last) > 0.0) return std::nullopt;
  return trial.point;
}

StepResult Stepper::accept(const Trial& trial, double h) {
  smallest_step = smallest_step > 0.0 ? std::min(smallest_step, h) : h;
  largest_step = std::max(largest_step, h);
  orientation_ = trial.orientation;
  return {.point = trial.point, .stop = trial.at_end, .message = {}, .beyond_fold = {}};
}

/// The turn of a corner says nothing about the step length behind it.
StepResult Stepper::accept_corner(Trial trial, double h) {
  trial.point.step = next_step(h, trial.point.iterations, 0.0);
  return accept(trial, h);
}

StepResult Stepper::give_up(const Rejections& rejections) const {
  std::string text;
  if (rejections.failed > 0) {
    text = fmt::format("corrector failed {} times", rejections.failed);
    if (std::isfinite(rejections.last_residual)) {
      text +=
          fmt::format(", last residual {:.1e} (tolerance {:.1e})", rejections.last_residual, corrector_.tolerance());
    }
  }
  if (rejections.turned > 0) {
    text += fmt::format("{}the branch turned too sharply {} times, last by {:.1f}° (limit {:.1f}°)",
                        text.empty() ? "" : ", ", rejections.turned, rejections.last_turn, options_.step.maximum_angle);
  }
  if (rejections.jumped > 0) {
    text +=
        fmt::format("{}the corrector ended on another branch {} times", text.empty() ? "" : ", ", rejections.jumped);
  }
  text += fmt::format(", step at its minimum {:.1e}.", options_.step.minimum);
  if (!rejections.last_failure.empty()) text += fmt::format(" Last reason: {}", rejections.last_failure);
  return {.point = {}, .stop = ContinuationStop::step_too_small, .message = text, .beyond_fold = {}};
}

std::optional<ContinuationStop> Stepper::end_passed(double lambda) const {
  const double sense = range_.to > range_.from ? 1.0 : -1.0;
  if ((lambda - range_.to) * sense >= 0.0) return ContinuationStop::reached_end;
  if ((lambda - range_.from) * sense < 0.0) return ContinuationStop::left_at_start;
  return std::nullopt;
}

double Stepper::end_value(ContinuationStop end) const {
  return end == ContinuationStop::reached_end ? range_.to : range_.from;
}

double Stepper::next_step(double h, int iterations, double turn) const {
  const StepControl& control = options_.step;
  const double by_iterations = std::exp2(0.5 * (control.target_iterations - iterations));
  const double by_angle = angle_aimed_at * control.maximum_angle / std::max(turn, 1e-3);
  const double factor = std::clamp(std::min(by_iterations, by_angle), 1.0 / largest_change, largest_change);
  return std::clamp(h * factor, control.minimum, control.maximum);
}

}  // namespace masing::detail
