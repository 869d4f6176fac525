#include "masing/analysis/detail/branch_switch.hpp"

#include "masing/core/error.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

class OtherBranch {
 public:
  OtherBranch(ContinuationProblem& problem, const Vector& x, double lambda)
      : problem_(problem), x_(x), lambda_(lambda), scaling_(problem.scaling(x, lambda)), n_(x.size()) {
    Matrix jacobian;
    Vector by_lambda;
    derivatives(x, lambda, jacobian, by_lambda);
    const Eigen::JacobiSVD<Matrix> decomposition(jacobian, Eigen::ComputeFullV);
    null_vector_ = decomposition.matrixV().col(n_ - 1);
    smallest_ = decomposition.singularValues()[n_ - 1] / decomposition.singularValues()[0];
    size_ = std::max(1.0, x.cwiseQuotient(scaling_.unknown).norm());
  }

  double smallest_singular_value() const { return smallest_; }
  /// How a direction leads away from the branch point; negative: back to it.
  double outward(const Vector& direction) const {
    return null_vector_.dot(direction.head(n_).cwiseQuotient(scaling_.unknown));
  }

  /// Newton's method for the point at ε; empty when it fails.
  std::optional<Vector> at(double share) {
    try {
      return solve(share);
    } catch (const NumericalError&) {  // it strayed to where the equations have no meaning
      return std::nullopt;
    }
  }

 private:
  std::optional<Vector> solve(double share) {
    constexpr int most_iterations = 15;
    constexpr double converged = 1e-11;
    const double way = share * size_;
    Vector z(n_ + 1);
    z << x_ + way * scaling_.unknown.cwiseProduct(null_vector_), lambda_;
    Matrix system(n_ + 1, n_ + 1), jacobian;
    Vector r, by_lambda, right(n_ + 1);
    for (int i = 0; i < most_iterations && z.allFinite(); ++i) {
      problem_.residual(z.head(n_), z[n_], r);
      right << r.cwiseQuotient(scaling_.residual),
          null_vector_.dot((z.head(n_) - x_).cwiseQuotient(scaling_.unknown)) - way;
      if (right.cwiseAbs().maxCoeff() < converged) return z;
      derivatives(z.head(n_), z[n_], jacobian, by_lambda);
      system << jacobian, by_lambda, null_vector_.transpose(), 0.0;
      const Vector change = system.partialPivLu().solve(right);
      z.head(n_) -= scaling_.unknown.cwiseProduct(change.head(n_));
      z[n_] -= std::abs(lambda_) * change[n_];
    }
    return std::nullopt;
  }

  // In scaled unknowns and equations; λ in units of λ₀.
  void derivatives(const Vector& x, double lambda, Matrix& jacobian, Vector& by_lambda) {
    Vector r;
    problem_.residual(x, lambda, r);
    problem_.derivatives(x, lambda, jacobian, by_lambda);
    jacobian.array().rowwise() *= scaling_.unknown.transpose().array();
    jacobian.array().colwise() /= scaling_.residual.array();
    by_lambda = std::abs(lambda_) * by_lambda.cwiseQuotient(scaling_.residual);
  }

  ContinuationProblem& problem_;
  const Vector& x_;
  double lambda_;
  Scaling scaling_;
  Index n_;
  Vector null_vector_;
  double smallest_ = 0.0;
  double size_ = 1.0;
};

}  // namespace

std::optional<BranchPoint> leave_branch_point(ContinuationProblem& problem, Continuation& continuation, const Vector& x,
                                              double lambda, std::string& message) {
  OtherBranch other(problem, x, lambda);
  for (const double share : {0.02, 0.05, 0.1, 0.2}) {
    const std::optional<Vector> z = other.at(share);
    if (!z) continue;
    const Vector found = z->head(x.size());
    const double found_lambda = (*z)[x.size()];
    // λ does not tell which sense leads away: the new branch may turn round soon.
    std::optional<BranchPoint> point = continuation.start(found, found_lambda, true);
    if (point && other.outward(continuation.direction(*point)) < 0.0) {
      point = continuation.start(found, found_lambda, false);
    }
    if (point && (point->x - found).norm() < 1e-6 * found.norm()) return point;
  }
  message = fmt::format(
      "No other branch was found by a step along the null vector (smallest singular value {:.1e} of the largest). {}",
      other.smallest_singular_value(), continuation.last_message());
  return std::nullopt;
}

}  // namespace masing::detail
