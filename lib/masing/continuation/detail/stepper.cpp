#include "masing/continuation/detail/stepper.hpp"

#include "masing/continuation/detail/segment.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

constexpr double turning_scale = 1e-4;  // from so near a sharp corner is turned
constexpr double angle_aimed_at = 0.7;  // of the largest allowed
constexpr double largest_change = 2.0;  // of the step length from one step to the next
constexpr double surely_smooth = 1e-3;  // so short a step does not fall onto another part of the branch

/// λ goes one way at both ends of the step and the other way between them: the step fell onto another part of the branch, as
/// across the narrow opening of a loop that a superharmonic resonance makes.
bool runs_against(const Vector& before, const Vector& chord, const Vector& after) {
  constexpr double upright = 1e-4;  // a tangent that hardly has a component of λ
  const Index last = chord.size() - 1;
  const double a = before(last), b = after(last);
  return a * b > 0.0 && std::min(std::abs(a), std::abs(b)) > upright && a * chord(last) < 0.0;
}

}  // namespace

StepResult Stepper::advance(const std::vector<BranchPoint>& points) {
  const Origin origin = origin_at(points);
  return inside_range(origin, step_from(origin));
}

/// Steps on a smooth curve end at the end of the range by themselves. One round or over a corner may lead past it: then the
/// end is solved for between the two points.
StepResult Stepper::inside_range(const Origin& origin, StepResult result) {
  if (!result.point || result.stop) return result;
  const std::optional<ContinuationStop> end = end_passed(result.point->lambda);
  if (!end) return result;
  std::optional<BranchPoint> there = Segment(corrector_, origin.point, *result.point).reach_lambda(end_value(*end));
  if (there) {
    result.point = std::move(there);
    result.stop = end;
    return result;
  }
  return {
      .point = {},
      .stop = ContinuationStop::step_too_small,
      .message = fmt::format("the end of the range lies in a gap: the branch was found again only beyond it, and no "
                             "solution at the end itself. Last reason: {}",
                             corrector_.failure()),
      .beyond_fold = {}};
}

StepResult Stepper::step_from(const Origin& origin) {
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

Stepper::Origin Stepper::origin_at(const std::vector<BranchPoint>& points) const {
  const BranchPoint& point = points.back();
  Origin origin{points, point, corrector_.metric(point), joined(point), point.tangent};
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
  trial.forward = chord.dot(tangent) > 0.0 && origin.point.tangent.dot(tangent) > 0.0 &&
                  !(h > surely_smooth && runs_against(origin.point.tangent, chord, tangent));
  trial.orientation = corrector_.orientation();
  trial.solved = true;
  trial.point =
      corrector_.make_point(origin.metric, z, tangent, next_step(h, corrector_.last_iterations(), trial.turn));
  return trial;
}

bool Stepper::acceptable(const Trial& trial) const {
  return trial.solved && trial.forward && trial.turn <= options_.step.maximum_angle && !jumped(trial);
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
