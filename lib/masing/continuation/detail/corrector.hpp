// Newton's method on the branch: in a plane or at fixed λ, and the tangent of the branch. Owns all workspaces.
#pragma once

#include "masing/continuation/detail/metric.hpp"
#include "masing/continuation/problem.hpp"
#include "masing/solve/bordered.hpp"
#include "masing/solve/newton.hpp"

#include <functional>
#include <limits>
#include <string>

namespace masing::detail {

enum class Accuracy {
  normal,
  high  ///< special points: aims at a hundredth of the tolerance, is content with the tolerance
};

class Corrector {
 public:
  Corrector(ContinuationProblem& problem, const NewtonOptions& newton, double lambda_unit);

  Metric metric(const Vector& x, double lambda) const { return Metric::at(problem_, x, lambda, lambda_unit_); }
  Metric metric(const BranchPoint& point) const { return metric(point.x, point.lambda); }
  const ContinuationProblem& problem() const { return problem_; }
  double tolerance() const { return tolerance_; }
  double lambda_unit() const { return lambda_unit_; }

  /// Solves R = 0 in the plane through z with a normal given in scaled unknowns; z = (x, λ) is guess and result.
  bool solve_in_plane(const Metric& metric, const Vector& normal, Vector& z, Accuracy accuracy = Accuracy::normal);
  /// Solves R = 0 at the λ of z.
  bool solve_at_lambda(const Metric& metric, Vector& z);

  /// Unit tangent in scaled unknowns at a solution, on the side of `reference` (scaled too). Call it after a solve at
  /// z.
  bool find_tangent(const Metric& metric, const Vector& z, const Vector& reference, Vector& tangent);
  /// Sign of det [∂R/∂x ∂R/∂λ; tangentᵀ] at the last tangent found: constant along a branch except where branches
  /// cross, opposite on the other limb of a hairpin when the tangent does not turn round.
  int orientation() const { return orientation_; }
  /// The same at a point that was not just solved for; 0 when it cannot be found.
  int orientation_at(const BranchPoint& point);
  /// Without a reference, also at a fold. False where branches cross; failure() then says so.
  bool find_first_tangent(const Metric& metric, const Vector& z, Vector& tangent);

  /// The point at z; its tangent, given in `metric`, is expressed in the point's own metric.
  BranchPoint make_point(const Metric& metric, const Vector& z, const Vector& tangent, double step) const;

  const std::string& failure() const { return failure_; }  ///< of the last call that returned false
  double last_residual() const { return last_.residual; }
  int last_iterations() const { return last_.iterations; }
  /// Once so many iterations are spent (since the last reset), every further solve fails at once.
  void limit_iterations(int limit) { iteration_limit_ = limit; }
  bool exhausted() const { return newton_iterations >= iteration_limit_; }
  void reset_counters() { newton_iterations = residual_evaluations = jacobian_evaluations = 0; }
  int newton_iterations = 0;
  int residual_evaluations = 0;
  int jacobian_evaluations = 0;

 private:
  class PlaneSystem;
  class FixedSystem;
  bool run(NewtonSolver& solver, NonlinearSystem& system, Vector& unknowns, const Scaling& scaling);
  bool guard(const std::function<bool()>& work);
  void derivatives_at(const Vector& z);
  bool tangent_from_newton(const Metric& metric, const Vector& row, Vector& tangent);
  bool tangent_from_scratch(const Metric& metric, const Vector& row, Vector& tangent);

  ContinuationProblem& problem_;
  double lambda_unit_;
  double tolerance_;
  NewtonSolver plane_solver_, precise_plane_solver_, fixed_solver_;
  BorderedSolver bordered_;
  Matrix j_;
  Vector r_lambda_, x_, right_;
  NewtonSolver* last_plane_ = nullptr;  // whose factors belong to last_row_; null after any other solve
  Vector last_row_;
  Vector defect_, correction_;
  int orientation_ = 0;
  int iteration_limit_ = std::numeric_limits<int>::max();
  Scaling plane_scaling_;
  NewtonSummary last_;
  std::string failure_;
};

}  // namespace masing::detail
