// Newton's method for R(x) = 0 through KINSOL, behind one call.
//
//   NewtonSolver solver(system.size(), {.residual_tolerance = 1e-10});
//   Vector x = guess;
//   const NewtonSummary summary = solver.solve(system, x, {.unknown = sizes_of_x, .residual = sizes_of_r});
//   if (!summary.converged()) report(summary.message);
//
// KINSOL (Hindmarsh et al., ACM TOMS 31, 2005) provides the iteration and the line search on ½‖r/scale‖²; the linear
// systems are solved by Eigen's LU in memory that both share. Non-convergence is a result, not an exception.
#pragma once

#include "masing/core/types.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace masing {

/// What the solver needs to know: residual and exact Jacobian. Exceptions thrown here reach the caller of solve().
/// A residual that is not finite makes the line search try a shorter step.
class NonlinearSystem {
 public:
  virtual ~NonlinearSystem() = default;
  virtual Index size() const = 0;
  virtual void residual(const Vector& x, Vector& r) = 0;
  /// Always called at the x of a residual call before it (not necessarily the very last one). Must fill all of j.
  virtual void jacobian(const Vector& x, Matrix& j) = 0;
};

/// Sizes that make unknowns and equations comparable: x/unknown and r/residual should be of order one. All positive.
struct Scaling {
  Vector unknown;
  Vector residual;
};

struct NewtonOptions {
  double residual_tolerance = 1e-9;  ///< stop when max |r_i / scale_i| is below; (0, 1)
  double step_tolerance = 1e-13;     ///< give up when the scaled step is below and the residual is not; (0, 1)
  int max_iterations = 25;           ///< >= 1
  bool line_search = true;           ///< false: full Newton steps
  int jacobian_every = 1;            ///< new Jacobian after so many iterations, or when an old one reduces the residual
                                     ///< by less than half; 1 is true Newton; >= 1
};

enum class NewtonStop {
  not_run,
  converged,
  max_iterations,
  stagnated,           ///< steps became too small while the residual is above its tolerance
  line_search_failed,  ///< no step along the Newton direction reduces the residual enough
  diverged,            ///< five steps in a row at the limit of a million times the size of the unknowns
  singular_jacobian,
  residual_failed,  ///< the residual is not finite, at the guess or wherever the steps lead
  internal          ///< KINSOL refused its input or ran out of memory: a fault of Masing
};
std::string_view to_string(NewtonStop stop);

struct NewtonSummary {
  NewtonStop stop = NewtonStop::not_run;
  std::string message = "Newton's method was not run.";
  int iterations = 0;
  int residual_evaluations = 0;
  int jacobian_evaluations = 0;
  double residual = -1.0;  ///< max |r_i / scale_i| at the end; NaN when the residual is not finite

  bool converged() const { return stop == NewtonStop::converged; }
};

/// Owns KINSOL's memory and the factorisation for systems of one size; reuse it for many solves: only the first
/// allocates. Not for two threads at once; different solvers in different threads are independent.
class NewtonSolver {
 public:
  /// Throws ModelError when an option is out of its range.
  NewtonSolver(Index size, NewtonOptions options);
  ~NewtonSolver();
  NewtonSolver(NewtonSolver&&) noexcept;
  NewtonSolver& operator=(NewtonSolver&&) noexcept;

  /// Improves x until the residual is small. x is the last iterate in any case.
  NewtonSummary solve(NonlinearSystem& system, Vector& x, const Scaling& scaling);

  /// The factors of the last Jacobian of the last solve: near the solution, not at it. None after a solve that needed
  /// no iteration or met a singular Jacobian.
  bool has_factors() const;
  /// Solves J x = b with them.
  void solve_with_factors(const Vector& b, Vector& x);
  int factors_determinant_sign() const;

  const NewtonOptions& options() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace masing
