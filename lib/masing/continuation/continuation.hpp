// Follows a branch of solutions of R(x, λ) = 0 through a range of λ, round its folds.
//
//   Continuation continuation(problem, {.from = 40.0, .to = 60.0});
//   Branch branch = continuation.follow(x_guess);          // branch.summary.message says how it ended
//
// Scaled unknowns. Lengths and angles are measured in y = x / (s·max(1, ‖x/s‖)), μ = λ / |to − from|, with s =
// ContinuationProblem::scaling at the point where a step begins: a length of one is the whole range of λ or a change of
// x as large as x itself. A resonance peak therefore takes about ln(amplification)/step points on each side however
// narrow it is, as long as x as a whole feels it; micrometres beside kilohertz need no care.
//
// A step from point k: predictor z = z_k + h·t (t: unit tangent or secant; cubic terms on request); corrector R = 0
// together with t·(z − predictor) = 0 (arc length) or λ fixed (natural). It is repeated with half the step when
// Newton's method fails, when the tangent turns by more than step.maximum_angle, when the chord leaves the predictor
// by more than that, when the branch would reverse, or when det [∂R/∂x ∂R/∂λ; tᵀ] changes its sign: then the
// corrector has jumped to another limb or branch. At a kink (a law that is not smooth) no step makes the turn small,
// and where branches cross no step keeps the sign: such corners are closed in on by bisection of the step and passed;
// sharp ones, where the branch turns by 80° or runs back, are first approached to 1e-4 and then turned with the derivatives
// from beyond them. A change of sign with a sudden turn, however small, is such a corner and not a crossing: a branch that
// crosses another one goes straight on. So does a symmetric branch where two kinks that mirror each other coincide: what
// keeps the sign there is another branch. The new step is h·min(2^((target_iterations − iterations)/2),
// 0.7·maximum_angle/angle), changed by at most 2 and within its limits.
//
// Where the equations are not continuous a branch may end. It is then taken up again at the nearest solution found ahead,
// at most as far away as x is large; every such jump is in the summary.
//
// Special points (zeros of an Event's value, folds among them) are located between two accepted points by a bracketing
// root search; each trial is a corrector solve in a plane normal to the chord. Events may ask to be looked for inside a step,
// where two zeros cancel (detail/step_events.hpp).
//
// Every pass over known points is noticed: when a step passes an earlier point of the branch closely, the corrector is
// solved in the plane of that point. The same solution with a parallel tangent means the path is retraced.
//
// Exceptions of the problem reach the caller, except NumericalError inside a trial, which counts as a failed trial; its
// text appears in the summary when the step becomes too small.
//
// Reference: Allgower & Georg, Introduction to Numerical Continuation Methods, SIAM 2003, chapters 2, 6 and 9.
#pragma once

#include "masing/continuation/branch.hpp"
#include "masing/continuation/options.hpp"
#include "masing/continuation/problem.hpp"
#include "masing/solve/newton.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace masing {

/// A function along the branch. `direction` is the tangent in the problem's own units: (dx, dλ) per arc length, n + 1.
using BranchFunction = std::function<double(const BranchPoint& point, const Vector& direction)>;

enum class Crossing { any, rising, falling };

/// A special point lies where `value` changes sign; "peak": the derivative of the amplitude along the branch, falling.
struct Event {
  std::string name;
  BranchFunction value;
  Crossing crossing = Crossing::any;
  /// Whether zeros are looked for inside steps, too: a value that vanishes twice in a step has the same sign at both ends of it.
  /// The step is solved and looked at in between (ContinuationHooks::pieces), and where the value dips towards zero it is
  /// followed down.
  bool inside_steps = false;
};

/// What the caller may do while the branch grows; all may be left empty.
struct ContinuationHooks {
  std::vector<Event> events = {};
  /// Every new accepted point, the first one included, with its index. Return false to stop.
  std::function<bool(const BranchPoint& point, Index index)> on_point = {};
  /// An equation that depends on the last point may change there: called for every accepted point that is gone on from. True:
  /// it did, and the tangent is that of the changed problem, in the same sense.
  std::function<bool(BranchPoint& point)> adapt = {};
  /// Where the branch ends inside the range: a guess for a solution of the same kind at λ, a little ahead, that is near the last
  /// point; it has made the equations those of the guess. Without it, solutions of the same equations are looked for.
  std::function<std::optional<Vector>(double lambda, const BranchPoint& last)> seek = {};
  /// Whether the branch has long ceased to be what is wanted: then another one is sought, too.
  std::function<bool(const BranchPoint& point)> strayed = {};
  /// Every located special point, in the order of the branch, before the accepted point that ends its step: a run
  /// killed between the two will find it again when it is resumed.
  std::function<void(const BranchEvent& event)> on_event = {};
  /// In how many pieces a step is looked at for events with `inside_steps`, each at its ends and in its middle; empty: one.
  std::function<int(const BranchPoint& from, const BranchPoint& to)> pieces = {};
  ParameterText parameter_text = {};
};

/// Owns all workspaces for one problem and one range. Not for two threads at once. The problem must outlive it.
class Continuation {
 public:
  /// Throws ModelError when an option or the range is out of bounds.
  Continuation(ContinuationProblem& problem, ParameterRange range, ContinuationOptions options = {},
               NewtonOptions newton = {});
  ~Continuation();
  Continuation(Continuation&&) noexcept;
  Continuation& operator=(Continuation&&) noexcept;

  /// Solves at range.from and follows the branch towards range.to.
  Branch follow(const Vector& guess, const ContinuationHooks& hooks = {});

  /// Goes on from the last of `points`, which earlier points precede. The points that follow are bit-identical to
  /// those of an uninterrupted run. The returned branch holds all points, and the events of this run.
  Branch resume(std::vector<BranchPoint> points, const ContinuationHooks& hooks = {});

  /// Solves at one λ anywhere in the range and finds the tangent; `towards_end` chooses its sense. Empty: not found,
  /// last_message() says why. resume({point}) follows the branch from it.
  std::optional<BranchPoint> start(const Vector& guess, double lambda, bool towards_end = true);

  /// The solution near a point of a neighbouring problem, in the plane normal to that point's tangent, with its sense and its
  /// step. Empty: not found; last_message() says why. resume() goes on from it.
  std::optional<BranchPoint> settle(const BranchPoint& nearby);

  /// The zero of `function` on the branch between two neighbouring points. Empty: no change of sign, or a corrector
  /// failed; last_message() says which.
  std::optional<BranchPoint> locate(const BranchPoint& from, const BranchPoint& to, const BranchFunction& function);

  /// The solution at `lambda` between two neighbouring points whose λ enclose it.
  std::optional<BranchPoint> at(const BranchPoint& from, const BranchPoint& to, double lambda);

  /// The tangent at a point in the problem's own units, (dx, dλ) per arc length.
  Vector direction(const BranchPoint& point) const;
  /// The point with this tangent (dx, dλ) of any length.
  BranchPoint directed(BranchPoint point, const Vector& direction) const;

  const std::string& last_message() const;
  const ParameterRange& range() const;
  const ContinuationOptions& options() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace masing
