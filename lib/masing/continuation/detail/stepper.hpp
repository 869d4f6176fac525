// One step along the branch: predictor, corrector, judgement, and the step length for the next one. No step leads past an end of
// the range, whichever way it was made: it ends there. stepper_corners.cpp is about kinks, crossings and jumps.
#pragma once

#include "masing/continuation/branch.hpp"
#include "masing/continuation/detail/corrector.hpp"

#include <optional>
#include <string>
#include <vector>

namespace masing::detail {

/// Outcome of one step. Without a point, `stop` and `message` say why; with a point, `stop` is set at an end of the
/// range.
struct StepResult {
  std::optional<BranchPoint> point;
  std::optional<ContinuationStop> stop;
  std::string message;
  std::optional<BranchPoint> beyond_fold;  ///< natural parameter: a point on the other side of the fold that stopped it
  double jump = 0.0;                       ///< how far the point is away when it does not follow continuously, scaled
};

class Stepper {
 public:
  Stepper(Corrector& corrector, const ContinuationOptions& options, const ParameterRange& range)
      : corrector_(corrector), options_(options), range_(range) {}

  /// From the last of the points; the one before it serves the secant predictor.
  StepResult advance(const std::vector<BranchPoint>& points);
  /// The equations have changed at the last point.
  void forget_orientation() { orientation_ = 0; }
  /// Somebody else looks for solutions behind a dead end.
  void stop_at_dead_ends() { looks_behind_ = false; }

  int failed_correctors = 0;
  int rejected_turns = 0;
  double smallest_step = 0.0;
  double largest_step = 0.0;

 private:
  /// Where a step begins and which way it goes.
  struct Origin {
    const std::vector<BranchPoint>& points;  ///< up to here
    const BranchPoint& point;                ///< the last of them
    Metric metric;
    Vector z;
    Vector direction;                ///< unit, scaled
    Vector second = {}, third = {};  ///< scaled: terms of h² and h³ of the cubic predictor; empty: none
    double trusted = 0.0;            ///< largest step for the cubic predictor
  };
  struct Trial {
    bool solved = false;  ///< false: the corrector failed and nothing else is set
    BranchPoint point;
    double turn = 180.0;                     ///< [degrees] largest of tangent to tangent and chord to predictor
    bool forward = false;                    ///< the chord and the new tangent agree
    int orientation = 0;                     ///< see Corrector::orientation
    std::optional<ContinuationStop> at_end;  ///< the point lies exactly at an end of the range
  };
  /// Rejections of one step.
  struct Rejections {
    int failed = 0;
    int turned = 0;
    int jumped = 0;
    double last_residual = 0.0;
    double last_turn = 0.0;
    int stubborn = 0;  ///< in a row: turns that did not shrink with the step, or changes of orientation
    std::string last_failure;
  };

  static constexpr double same_turn = 0.8;  // of the turn before: it did not shrink (a smooth curve gives one half)

  StepResult step_from(const Origin& origin);
  StepResult inside_range(const Origin& origin, StepResult result);
  Origin origin_at(const std::vector<BranchPoint>& points) const;
  void add_cubic(Origin& origin, const BranchPoint& previous) const;
  Vector predict(const Origin& origin, double h) const;
  Trial attempt(const Origin& origin, double h);
  Trial to_end_of_range(const Origin& origin, double h);
  Trial in_plane(const Origin& origin, double h);
  Trial at_natural(const Origin& origin, double h);
  Trial judge(const Origin& origin, const Vector& z, double h);
  bool acceptable(const Trial& trial) const;
  bool is_corner(const Origin& origin, const Trial& trial, double h, const Rejections& rejections) const;
  bool jumped(const Trial& trial) const { return orientation_ != 0 && trial.orientation != orientation_; }
  bool is_sharp(const Trial& trial, const BranchPoint& before, double distance) const;
  bool like(const Trial& trial, const Trial& beyond) const;
  bool maybe_corner_between(const Trial& before, double h_before, const std::optional<Trial>& beyond) const;
  StepResult close_in_on_corner(const Origin& origin, Trial before, double h_before, Trial beyond, double h_beyond);
  void note(const Trial& trial, Rejections& rejections);
  std::optional<BranchPoint> beyond_fold(const Origin& origin, double h);
  StepResult accept(const Trial& trial, double h);
  StepResult accept_corner(Trial trial, double h);
  std::optional<StepResult> turn_corner(const Origin& origin, double beyond);
  std::optional<StepResult> follow_course(const Origin& origin, const Vector& course, double h);
  std::optional<StepResult> turn_any_corner(const Origin& origin);
  StepResult leave_dead_end(const Origin& origin, const Rejections& rejections);
  std::optional<StepResult> jump(const Origin& origin);
  std::optional<StepResult> land(const Origin& origin, const Vector& z, const Vector& course);
  StepResult give_up(const Rejections& rejections) const;
  std::optional<ContinuationStop> end_passed(double lambda) const;
  double end_value(ContinuationStop end) const;
  double next_step(double h, int iterations, double turn) const;

  Corrector& corrector_;
  const ContinuationOptions& options_;
  const ParameterRange& range_;
  int orientation_ = 0;  // of the last point; 0: not known yet
  bool looks_behind_ = true;
};

}  // namespace masing::detail
