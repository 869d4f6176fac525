#include "masing/continuation/detail/corrector.hpp"

#include "masing/core/error.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <limits>

namespace masing::detail {

namespace {

/// Special points are solved to this fraction of the residual tolerance when rounding permits.
constexpr double high_accuracy = 0.01;
/// Their guesses lie between two solutions and are good: one Jacobian serves for several iterations.
constexpr int iterations_a_jacobian = 4;

NewtonOptions with_high_accuracy(NewtonOptions options) {
  options.residual_tolerance *= high_accuracy;
  options.jacobian_every = std::max(options.jacobian_every, iterations_a_jacobian);
  return options;
}

}  // namespace

/// R(x, λ) = 0 and normal·(z − z₀)/unit = 0 for z = (x, λ).
class Corrector::PlaneSystem final : public NonlinearSystem {
 public:
  PlaneSystem(Corrector& owner, const Metric& metric, const Vector& normal, const Vector& origin)
      : my_(owner), row_(normal.cwiseQuotient(metric.unit)), origin_(origin), r_(origin.size() - 1) {}

  Index size() const override { return origin_.size(); }
  void residual(const Vector& z, Vector& r) override {
    const Index n = size() - 1;
    my_.x_ = z.head(n);
    my_.problem_.residual(my_.x_, z(n), r_);
    r.head(n) = r_;
    r(n) = row_.dot(z - origin_);
  }
  void jacobian(const Vector& z, Matrix& j) override {
    const Index n = size() - 1;
    my_.derivatives_at(z);
    j.topLeftCorner(n, n) = my_.j_;
    j.topRightCorner(n, 1) = my_.r_lambda_;
    j.bottomRows(1) = row_.transpose();
  }

 private:
  Corrector& my_;
  Vector row_, origin_, r_;
};

/// R(x, λ) = 0 for x.
class Corrector::FixedSystem final : public NonlinearSystem {
 public:
  FixedSystem(Corrector& owner, double lambda) : my_(owner), lambda_(lambda) {}

  Index size() const override { return my_.problem_.size(); }
  void residual(const Vector& x, Vector& r) override { my_.problem_.residual(x, lambda_, r); }
  void jacobian(const Vector& x, Matrix& j) override { my_.problem_.derivatives(x, lambda_, j, my_.r_lambda_); }

 private:
  Corrector& my_;
  double lambda_;
};

Corrector::Corrector(ContinuationProblem& problem, const NewtonOptions& newton, double lambda_unit)
    : problem_(problem),
      lambda_unit_(lambda_unit),
      tolerance_(newton.residual_tolerance),
      plane_solver_(problem.size() + 1, newton),
      precise_plane_solver_(problem.size() + 1, with_high_accuracy(newton)),
      fixed_solver_(problem.size(), newton),
      bordered_(problem.size()),
      j_(problem.size(), problem.size()),
      r_lambda_(problem.size()),
      x_(problem.size()),
      right_(Vector::Unit(problem.size() + 1, problem.size())) {}

/// Runs `work`; a NumericalError counts as failure, other exceptions pass.
bool Corrector::guard(const std::function<bool()>& work) {
  try {
    return work();
  } catch (const NumericalError& error) {
    failure_ = error.what();
    last_.residual = std::numeric_limits<double>::quiet_NaN();
    return false;
  }
}

bool Corrector::run(NewtonSolver& solver, NonlinearSystem& system, Vector& unknowns, const Scaling& scaling) {
  return guard([&] {
    if (exhausted()) throw NumericalError(fmt::format("All {} Newton iterations are spent.", iteration_limit_));
    last_ = solver.solve(system, unknowns, scaling);
    newton_iterations += last_.iterations;
    residual_evaluations += last_.residual_evaluations;
    jacobian_evaluations += last_.jacobian_evaluations;
    failure_ = last_.message;
    return last_.residual <= tolerance_;
  });
}

bool Corrector::solve_in_plane(const Metric& metric, const Vector& normal, Vector& z, Accuracy accuracy) {
  PlaneSystem system(*this, metric, normal, z);
  plane_scaling_.unknown = metric.unit;
  plane_scaling_.residual = joined(metric.scaling.residual, 1.0);
  NewtonSolver& solver = accuracy == Accuracy::high ? precise_plane_solver_ : plane_solver_;
  last_plane_ = &solver;
  last_row_ = normal.cwiseQuotient(metric.unit);
  return run(solver, system, z, plane_scaling_);
}

bool Corrector::solve_at_lambda(const Metric& metric, Vector& z) {
  const Index n = problem_.size();
  FixedSystem system(*this, z(n));
  last_plane_ = nullptr;
  x_ = z.head(n);
  const bool solved = run(fixed_solver_, system, x_, metric.scaling);
  z.head(n) = x_;
  return solved;
}

void Corrector::derivatives_at(const Vector& z) {
  const Index n = problem_.size();
  x_ = z.head(n);
  problem_.derivatives(x_, z(n), j_, r_lambda_);
}

bool Corrector::find_tangent(const Metric& metric, const Vector& z, const Vector& reference, Vector& tangent) {
  return guard([&] {
    ++jacobian_evaluations;
    derivatives_at(z);
    const Vector row = reference.cwiseQuotient(metric.unit);
    if (!tangent_from_newton(metric, row, tangent) && !tangent_from_scratch(metric, row, tangent)) return false;
    tangent = metric.unit_vector(tangent);
    return tangent.allFinite();
  });
}

/// [∂R/∂x ∂R/∂λ; row] tangent = (0, 1) with the factors that Newton's method left, which belong to its last iterate but
/// one: iterative refinement with the exact matrix makes up for that at a fraction of the cost of new factors. It has to
/// contract strongly, which also proves that the determinant has the same sign.
bool Corrector::tangent_from_newton(const Metric& metric, const Vector& row, Vector& tangent) {
  constexpr double strong_contraction = 0.1;
  constexpr double exact = 1e-14;
  constexpr int most_refinements = 8;
  if (last_plane_ == nullptr || !last_plane_->has_factors() || row != last_row_) return false;
  const Index n = problem_.size();
  last_plane_->solve_with_factors(right_, tangent);
  double size = metric.scaled(tangent).norm();
  for (int i = 0; i < most_refinements; ++i) {
    defect_.resize(n + 1);
    defect_.head(n).noalias() = -(j_ * tangent.head(n));
    defect_.head(n) -= r_lambda_ * tangent(n);
    defect_(n) = 1.0 - row.dot(tangent);
    last_plane_->solve_with_factors(defect_, correction_);
    const double change = metric.scaled(correction_).norm();
    if (!(change <= strong_contraction * size)) return false;
    tangent += correction_;
    if (change <= exact * metric.scaled(tangent).norm()) break;
    size = std::max(change, exact * size);
  }
  orientation_ = last_plane_->factors_determinant_sign();
  return true;
}

bool Corrector::tangent_from_scratch(const Metric& metric, const Vector& row, Vector& tangent) {
  const Index n = problem_.size();
  if (!bordered_.factor(j_, r_lambda_, row.head(n), row(n), metric.scaling.residual)) {
    failure_ = "The branch has no unique tangent here: the bordered Jacobian is singular.";
    return false;
  }
  bordered_.solve(right_, tangent);
  orientation_ = bordered_.determinant_sign();
  return true;
}

int Corrector::orientation_at(const BranchPoint& point) {
  Vector tangent, r(problem_.size());
  const bool found = guard([&] {
    ++residual_evaluations;
    problem_.residual(point.x, point.lambda, r);
    return find_tangent(metric(point), joined(point), point.tangent, tangent);
  });
  return found ? orientation() : 0;
}

bool Corrector::find_first_tangent(const Metric& metric, const Vector& z, Vector& tangent) {
  return guard([&] {
    const Index n = problem_.size();
    ++jacobian_evaluations;
    derivatives_at(z);
    Matrix transposed(n + 1, n);  // of the scaled [∂R/∂x ∂R/∂λ]; the tangent is what all its columns are normal to
    transposed.topRows(n) = j_.transpose();
    transposed.bottomRows(1) = r_lambda_.transpose();
    transposed = metric.unit.asDiagonal() * transposed * metric.scaling.residual.cwiseInverse().asDiagonal();
    const Eigen::ColPivHouseholderQR<Matrix> qr(transposed);
    if (!transposed.allFinite() || qr.rank() < n) {
      failure_ =
          fmt::format("The branch has no unique direction there: its {} equations have {} independent derivatives.", n,
                      transposed.allFinite() ? qr.rank() : 0);
      return false;
    }
    tangent = qr.householderQ() * right_;
    return true;
  });
}

BranchPoint Corrector::make_point(const Metric& metric, const Vector& z, const Vector& tangent, double step) const {
  const Index n = problem_.size();
  BranchPoint point;
  point.x = z.head(n);
  point.lambda = z(n);
  point.tangent = this->metric(point).unit_vector(metric.physical(tangent));
  point.step = step;
  point.iterations = last_.iterations;
  point.residual = last_.residual;
  return point;
}

}  // namespace masing::detail
