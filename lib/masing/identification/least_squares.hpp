// Parameters from measurements: bounded, regularised nonlinear least squares from several starts.
//
//   minimise over p    ½ Σ rᵢ(p)²  +  ½ Σ ((pⱼ − meanⱼ)/deviationⱼ)²       lowerⱼ ≤ pⱼ ≤ upperⱼ
//
// where rᵢ = (computed − measured)/deviation is what the caller's function returns, and the second sum runs over the
// parameters that have a prior. The trust-region method is that of Ceres Solver (Levenberg-Marquardt with bounds).
//
// Each parameter is scaled to z in [0, 1] between its bounds, evenly or by its logarithm. Derivatives are central
// differences over ± step in z, one-sided at a bound or where one side cannot be computed. The first start is the
// caller's; the others are a Latin hypercube between the bounds, the same for the same seed. Starts, and the evaluations of
// one Jacobian, run on several threads; the result does not depend on how many.
//
// What comes back says what was asked, what was done and why it stopped, and how far the answer can be trusted:
// standard errors and correlations from (JᵀJ)⁻¹ at the best point (the deviations of the data are taken at their word),
// parameters that ended on a bound, and directions that the data leave undecided.
//
//   FitProblem problem;
//   problem.parameters = {{.name = "k", .start = 1e6, .lower = 1e5, .upper = 1e7, .scale = ParameterScale::logarithmic}};
//   problem.residuals = [](const Vector& p) { … };
//   const FitResult fit = fit_parameters(problem, {.starts = 8});
#pragma once

#include "masing/core/types.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace masing {

/// What is known before the measurement: a normal distribution of the parameter itself.
struct Prior {
  double mean = 0.0;
  double deviation = 1.0;  ///< > 0
};

enum class ParameterScale { linear, logarithmic };

struct FitParameter {
  std::string name;
  double start = 0.0;
  double lower = 0.0;  ///< lower ≤ start ≤ upper, lower < upper; logarithmic: lower > 0
  double upper = 1.0;
  ParameterScale scale = ParameterScale::linear;
  std::optional<Prior> prior = {};
};

struct FitProblem {
  std::vector<FitParameter> parameters;
  /// Residuals of the data at the parameters' values, always as many. Throws an Error where they cannot be computed: the
  /// step is then shortened. Called from several threads.
  std::function<Vector(const Vector& values)> residuals;
};

struct FitProgress {
  int start = 0;         ///< number of the start, from 0
  int starts = 1;        ///< how many there are
  int finished = 0;      ///< starts that have ended
  int iterations = 0;    ///< of this start
  int evaluations = 0;   ///< of the residuals, all starts together
  double cost = 0.0;     ///< of this start
  double seconds = 0.0;  ///< since the first start began
};

struct FitOptions {
  int starts = 1;           ///< ≥ 1
  std::uint64_t seed = 1;   ///< of the starts behind the first
  int max_iterations = 50;  ///< of each start
  double step = 1e-3;       ///< of the differences, a share of the (scaled) range; see the error of what is computed
  double cost_tolerance = 1e-9;       ///< a start ends when a step lowers the cost by less than this share
  double parameter_tolerance = 1e-7;  ///< … or moves the scaled parameters by less than this share
  double gradient_tolerance = 1e-9;   ///< … or when no entry of the projected gradient exceeds this
  int threads = 1;
  /// Called after every iteration, from several threads; false ends the fit.
  std::function<bool(const FitProgress&)> progress = {};
};

/// What became of one start.
struct FitStart {
  Vector begin;
  Vector end;
  double begin_cost = std::numeric_limits<double>::infinity();
  double cost = std::numeric_limits<double>::infinity();
  int iterations = 0;
  int evaluations = 0;
  bool usable = false;     ///< the end is a point whose residuals could be computed
  bool converged = false;  ///< one of the tolerances was met
  std::string message;     ///< why it ended
};

/// A combination of parameters over which the data say nothing: along it their standard deviation exceeds the range.
struct UndecidedDirection {
  Vector direction;  ///< of length 1, in parameters scaled to [0, 1]
  double deviation;  ///< in the same; infinite: the data do not feel it at all
};

struct FitResult {
  std::vector<FitStart> starts;
  Index best = -1;  ///< the start with the least cost; -1: none is usable
  bool converged = false;
  std::string message = "nothing was computed yet";

  Vector values;                 ///< of the best start
  Vector residuals;              ///< of the data there
  double chi_squared = 0.0;      ///< their sum of squares
  Index degrees_of_freedom = 0;  ///< residuals less free parameters; may be negative
  std::vector<bool> at_bound;
  /// In the unit of each parameter; NaN for one at a bound, infinite for one that neither data nor priors decide.
  Vector standard_errors;
  Matrix correlation;  ///< NaN where there is no standard error
  std::vector<UndecidedDirection> undecided;
  int evaluations = 0;
  int failed_evaluations = 0;  ///< of these, where the residuals could not be computed
  double seconds = 0.0;

  bool usable() const { return best >= 0; }
};

/// Throws ModelError for bounds, starts, priors or options that make no sense, before anything is computed. That no start
/// can be evaluated is a result: usable() is false, `message` and those of the starts say why.
FitResult fit_parameters(const FitProblem& problem, const FitOptions& options = {});

}  // namespace masing
