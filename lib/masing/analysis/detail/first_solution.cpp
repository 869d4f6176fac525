#include "masing/analysis/detail/first_solution.hpp"

#include "masing/analysis/detail/balance_problem.hpp"
#include "masing/core/error.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace masing::detail {

// One Newton step from rest: the linear answer with every joint in the state it has at rest (friction stuck).
Vector linear_answer(HarmonicBalance& balance, double omega) {
  return linear_answer_about(balance, Vector::Zero(balance.size()), omega);
}

Vector linear_answer_about(HarmonicBalance& balance, const Vector& start, double omega) {
  Vector x = start;
  Vector r, by_omega;
  Matrix jacobian;
  balance.residual(x, omega, r);
  balance.derivatives(x, omega, jacobian, by_omega);
  Vector step = jacobian.partialPivLu().solve(r);
  if (!step.allFinite()) {  // nothing resists at rest: pushed against a soft spring, loads close the contacts they can
    constexpr double soft = 1e-2;
    jacobian.diagonal().array() += soft * jacobian.cwiseAbs().maxCoeff();
    step = jacobian.partialPivLu().solve(r);
  }
  if (step.allFinite()) x -= step;
  return x;
}

Vector descend(HarmonicBalance& balance, Vector x, double omega) {
  constexpr int most_steps = 200;
  constexpr double good_enough = 1e-12;  // of the first |R|²
  Vector r, trial_r, by_omega;
  Matrix jacobian;
  balance.residual(x, omega, r);
  const double first = r.squaredNorm();
  double damping = 1e-3;
  for (int i = 0; i < most_steps && r.squaredNorm() > good_enough * first && damping < 1e12; ++i) {
    balance.derivatives(x, omega, jacobian, by_omega);
    Matrix normal = jacobian.transpose() * jacobian;
    normal.diagonal().array() += damping * normal.diagonal().maxCoeff();
    const Vector step = normal.ldlt().solve(jacobian.transpose() * r);
    const Vector trial = x - step;
    balance.residual(trial, omega, trial_r);
    const bool better = trial_r.allFinite() && trial_r.squaredNorm() < r.squaredNorm();
    damping *= better ? 0.2 : 5.0;
    if (better) x = trial, r = trial_r;
  }
  return x;
}

namespace {

// From a thousandth of the load, where joints hardly leave their state at rest, up to the whole of it.
FirstSolution raise_level(HarmonicBalance& balance, double frequency, const NewtonOptions& newton) {
  constexpr double first_share = 1e-3;
  const double level = balance.level();
  const double omega = 2.0 * pi * frequency;
  balance.set_level(first_share * level);
  const Vector guess = linear_answer(balance, omega);
  LevelProblem problem(balance, omega);
  Continuation raise(problem, {.from = first_share * level, .to = level}, {}, newton);
  const Branch path = raise.follow(guess);
  balance.set_level(level);
  const bool found = path.summary.stop == ContinuationStop::reached_end;
  return {.x = found ? path.points.back().x : guess, .found = found, .message = path.summary.message};
}

}  // namespace

FirstSolution first_solution(HarmonicBalance& balance, double frequency, const NewtonOptions& newton) {
  const double omega = 2.0 * pi * frequency;
  FrequencyProblem problem(balance);
  Continuation solver(problem, {.from = frequency, .to = 2.0 * frequency}, {}, newton);
  const Vector linear = linear_answer(balance, omega);
  auto point = solver.start(linear, frequency);
  const std::string direct = solver.last_message();
  if (!point) point = solver.start(descend(balance, linear, omega), frequency);
  if (point) return {.x = point->x, .found = true, .message = {}};
  FirstSolution first = raise_level(balance, frequency, newton);
  if (!first.found) {
    first.message =
        fmt::format("No solution was found at the first frequency, {:.6g} Hz. Directly: {} By raising the load: {}",
                    frequency, direct, first.message);
  }
  return first;
}

}  // namespace masing::detail
