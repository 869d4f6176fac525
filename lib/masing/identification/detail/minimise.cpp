#include "masing/identification/detail/minimise.hpp"

#include "masing/core/error.hpp"

#include <ceres/ceres.h>

#include <algorithm>
#include <limits>

namespace masing::detail {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A scaled parameter this close to 0 or 1 is on its bound.
constexpr double on_bound = 1e-6;

/// What the evaluations of one start have seen, whatever way it ends.
struct Seen {
  Vector best;
  double least_cost = std::numeric_limits<double>::infinity();
  std::string failure;  ///< of the last evaluation that failed
};

/// All residuals as one function of the free parameters; the others stay where they are. Where they cannot be computed, the
/// step is shortened.
class Residuals final : public ceres::CostFunction {
 public:
  Residuals(const ScaledProblem& problem, Index count, std::vector<Index> free, Seen& seen)
      : problem_(problem), free_(std::move(free)), rest_(seen.best), seen_(seen) {
    set_num_residuals(static_cast<int>(count));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(free_.size()));
  }

  bool Evaluate(const double* const* parameters, double* residuals, double** jacobians) const override {
    Vector z = rest_;
    for (std::size_t k = 0; k < free_.size(); ++k) z[free_[k]] = parameters[0][k];
    try {
      const Vector at = problem_.residuals(z);
      Eigen::Map<Vector>(residuals, num_residuals()) = at;
      if (const double cost = 0.5 * at.squaredNorm(); cost < seen_.least_cost) {
        seen_.least_cost = cost;
        seen_.best = z;
      }
      if (jacobians == nullptr || jacobians[0] == nullptr) return true;
      Eigen::Map<RowMajor>(jacobians[0], num_residuals(), static_cast<Index>(free_.size())) =
          problem_.jacobian(z, at, free_);
      return true;
    } catch (const Error& error) {
      seen_.failure = error.what();
      return false;
    }
  }

 private:
  const ScaledProblem& problem_;
  std::vector<Index> free_;
  Vector rest_;
  Seen& seen_;
};

class Reporter final : public ceres::IterationCallback {
 public:
  Reporter(const IterationReport& report, int before) : report_(report), before_(before) {}
  ceres::CallbackReturnType operator()(const ceres::IterationSummary& summary) override {
    return report_(before_ + summary.iteration, summary.cost) ? ceres::SOLVER_CONTINUE : ceres::SOLVER_ABORT;
  }

 private:
  const IterationReport& report_;
  int before_;  // iterations of earlier rounds
};

ceres::Solver::Options solver_options(const FitOptions& options, int iterations, Reporter& reporter) {
  ceres::Solver::Options chosen;
  chosen.linear_solver_type = ceres::DENSE_QR;
  chosen.logging_type = ceres::SILENT;
  chosen.num_threads = 1;
  chosen.max_num_iterations = iterations;
  chosen.function_tolerance = options.cost_tolerance;
  chosen.parameter_tolerance = options.parameter_tolerance;
  chosen.gradient_tolerance = options.gradient_tolerance;
  chosen.max_num_consecutive_invalid_steps = 12;
  chosen.callbacks.push_back(&reporter);
  return chosen;
}

std::string message_of(const ceres::Solver::Summary& summary, const std::string& failure) {
  if (summary.termination_type == ceres::USER_FAILURE) return "Interrupted.";
  if (summary.termination_type != ceres::FAILURE || failure.empty()) return summary.message;
  return fmt::format("{} The last evaluation that failed: {}", summary.message, failure);
}

/// Rounds of the trust-region method. With an active bound it projects its steps and then hardly gets on; so parameters that
/// press against a bound are held there, the others minimised again, until no other bound becomes active.
class Rounds {
 public:
  Rounds(const ScaledProblem& problem, const FitOptions& options, const IterationReport& report, Index count,
         Seen& seen)
      : problem_(problem), options_(options), report_(report), count_(count), seen_(seen) {}

  void run(FitStart& result) {
    std::vector<Index> held;
    for (Index round = 0; round <= problem_.parameters(); ++round) {
      solve(held, result);
      if (!result.converged || result.iterations >= options_.max_iterations) return;
      const std::vector<Index> pressing = pressing_parameters();
      if (pressing == held || static_cast<Index>(pressing.size()) == problem_.parameters()) return;
      held = pressing;
    }
  }

 private:
  void solve(const std::vector<Index>& held, FitStart& result) {
    std::vector<Index> free;
    for (Index j = 0; j < problem_.parameters(); ++j) {
      if (std::find(held.begin(), held.end(), j) == held.end()) free.push_back(j);
    }
    Vector at = seen_.best(free);
    ceres::Problem minimised;
    minimised.AddResidualBlock(new Residuals(problem_, count_, free, seen_), nullptr, at.data());
    for (int k = 0; k < static_cast<int>(free.size()); ++k) {
      minimised.SetParameterLowerBound(at.data(), k, 0.0);
      minimised.SetParameterUpperBound(at.data(), k, 1.0);
    }
    Reporter reporter(report_, result.iterations);
    ceres::Solver::Summary summary;
    ceres::Solve(solver_options(options_, options_.max_iterations - result.iterations, reporter), &minimised, &summary);
    result.iterations += std::max(0, static_cast<int>(summary.iterations.size()) - 1);
    result.converged = summary.termination_type == ceres::CONVERGENCE;
    result.message = message_of(summary, seen_.failure);
  }

  /// On a bound, with a cost that falls beyond it.
  std::vector<Index> pressing_parameters() const {
    const Vector& z = seen_.best;
    if (z.minCoeff() > on_bound && z.maxCoeff() < 1.0 - on_bound) return {};
    const Vector at = problem_.residuals(z);
    const Vector gradient = problem_.jacobian(z, at).transpose() * at;
    std::vector<Index> pressing;
    for (Index j = 0; j < z.size(); ++j) {
      const bool low = z[j] <= on_bound && gradient[j] > 0.0;
      const bool high = z[j] >= 1.0 - on_bound && gradient[j] < 0.0;
      if (low || high) pressing.push_back(j);
    }
    return pressing;
  }

  const ScaledProblem& problem_;
  const FitOptions& options_;
  const IterationReport& report_;
  Index count_;
  Seen& seen_;
};

}  // namespace

FitStart minimise(const ScaledProblem& problem, const Vector& z, const Vector& residuals, const FitOptions& options,
                  const IterationReport& report) {
  FitStart result;
  result.begin_cost = 0.5 * residuals.squaredNorm();
  Seen seen{.best = z, .least_cost = result.begin_cost, .failure = {}};
  try {
    Rounds(problem, options, report, residuals.size(), seen).run(result);
  } catch (const Error& error) {
    result.converged = false;
    result.message = error.what();
  }
  result.end = seen.best;
  result.cost = seen.least_cost;
  result.usable = true;
  return result;
}

}  // namespace masing::detail
