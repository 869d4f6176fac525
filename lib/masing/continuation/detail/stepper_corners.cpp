// The stepper at corners: kinks, crossings of branches, jumps of the equations.
#include "masing/continuation/detail/path_check.hpp"
#include "masing/continuation/detail/stepper.hpp"

#include <algorithm>

namespace masing::detail {

namespace {

constexpr double sharpest_corner = 80.0;  // [degrees] beyond, the plane of the predictor misses the branch behind it
constexpr double largest_turn_behind_a_corner = 45.0;  // [degrees] between the new course foreseen and the one found
constexpr int stubborn_halvings = 6;                   // what survives so many halvings is a corner, not a curve
constexpr double no_turn = 0.3;  // of the turn of twice the step: that turn is somewhere in between
constexpr int bisections_of_a_kink = 6;
constexpr int bisections_of_a_crossing = 12;   // finer: a near miss of two branches looks alike from afar
constexpr double straight = 0.1;               // [degrees] a branch that crosses another one turns by less there
constexpr double sharpest_curve = 1000.0;      // [degrees per unit length] of what is not a corner
constexpr double corner_scale = 2e-3;          // a step so short fails at a corner only
constexpr double farthest_at_a_corner = 10.0;  // of the way on the old course; at 80 degrees it is 6
constexpr double shortest_jump = 1e-5;         // where the branch is looked for behind a jump of the equations
constexpr double longest_jump = 1.0;           // as far as x is large: another motion, but of the same size

}  // namespace

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
    const bool jumps = size > farthest_at_a_corner * gap;
    if (jumps && !looks_behind_) return accept(before, h_before);
    StepResult result = accept_corner(std::move(beyond), h_beyond);
    if (jumps) result.jump = size;
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

/// The point at distance h on a course foreseen; empty when the branch does not go that way. Where two kinks coincide, as
/// mirror images do on a symmetric branch, the orientation may change straight on, and keep its sign on the way back only.
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
  if (is_way_back(corrector_, origin.points, trial.point)) return std::nullopt;
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
  if (looks_behind_ && options_.parametrisation == Parametrisation::arc_length) {
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
  const double turn = std::max(angle_between(origin.point.tangent, tangent),
                               angle_between(origin.point.tangent, origin.metric.unit_vector(z - origin.z)));
  StepResult result = accept(trial, size);
  const bool gap = size > farthest_at_a_corner * shortest_jump;  // else a corner was passed
  if (gap && turn > straight) result.jump = size;                // else another branch was crossed there
  return result;
}

/// The plane of the predictor may miss the branch behind this corner, or meet it where it runs the other way; or what lies
/// behind may be another branch.
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

}  // namespace masing::detail
