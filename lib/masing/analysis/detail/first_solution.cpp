#include "masing/analysis/detail/first_solution.hpp"

#include "masing/analysis/detail/balance_problem.hpp"
#include "masing/core/error.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <optional>
#include <utility>
#include <vector>

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

Vector descend(HarmonicBalance& balance, Vector x, double omega, const std::function<bool()>& go_on) {
  constexpr int most_steps = 200;
  constexpr double good_enough = 1e-12;  // of the first |R|²
  Vector r, trial_r, by_omega;
  Matrix jacobian;
  balance.residual(x, omega, r);
  const double first = r.squaredNorm();
  double damping = 1e-3;
  for (int i = 0; i < most_steps && r.squaredNorm() > good_enough * first && damping < 1e12; ++i) {
    if (go_on && !go_on()) break;
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

/// The attempts of first_solution, and what became of each.
class FirstSearch {
 public:
  FirstSearch(HarmonicBalance& balance, double frequency, const NewtonOptions& newton, const StartSearch& search)
      : balance_(balance), frequency_(frequency), newton_(newton), search_(search) {}

  FirstSolution find();

 private:
  using Solution = std::optional<Vector>;
  static constexpr int most_points = 400;  // of a curve that only leads to the first point

  bool go_on(const std::string& trying);
  std::function<bool()> asking(const std::string& trying) {
    return [this, trying] { return go_on(trying); };
  }
  /// Why an attempt failed; the last one of a kind is kept.
  void note(const std::string& attempt, const std::string& reason);
  Solution solve(const Vector& guess, double frequency);
  Vector static_rest(double frequency);
  Solution solve_directly(double frequency);
  Solution raise_load(double frequency);
  Solution follow_back(const Vector& x, double frequency);
  Solution search_elsewhere(bool by_raising);
  FirstSolution result(const Solution& solution) const;

  HarmonicBalance& balance_;
  double frequency_;
  const NewtonOptions& newton_;
  const StartSearch& search_;
  bool stopped_ = false;
  std::vector<std::pair<std::string, std::string>> reasons_;
};

bool FirstSearch::go_on(const std::string& trying) {
  if (!stopped_ && search_.go_on && !search_.go_on(trying)) stopped_ = true;
  return !stopped_;
}

void FirstSearch::note(const std::string& attempt, const std::string& reason) {
  for (auto& [known, why] : reasons_) {
    if (known == attempt) {
      why = reason;
      return;
    }
  }
  reasons_.emplace_back(attempt, reason);
}

FirstSearch::Solution FirstSearch::solve(const Vector& guess, double frequency) {
  FrequencyProblem problem(balance_);
  Continuation solver(problem, {.from = frequency, .to = 2.0 * frequency}, {}, newton_);
  const auto point = solver.start(guess, frequency);
  if (!point) note("Directly", solver.last_message());
  return point ? Solution(point->x) : std::nullopt;
}

/// Under the loads that do not oscillate; rest itself when nothing else is found.
Vector FirstSearch::static_rest(double frequency) {
  const double level = balance_.level();
  balance_.set_level(0.0);
  const Vector rest = Vector::Zero(balance_.size());
  Vector r;
  balance_.residual(rest, 2.0 * pi * frequency, r);
  const Solution found = r.isZero(0.0) ? Solution(rest) : solve(rest, frequency);
  balance_.set_level(level);
  return found.value_or(rest);
}

FirstSearch::Solution FirstSearch::solve_directly(double frequency) {
  const double omega = 2.0 * pi * frequency;
  const Vector linear = linear_answer(balance_, omega);
  if (Solution found = solve(linear, frequency)) return found;
  const Vector rest = static_rest(frequency);
  if (!rest.isZero(0.0)) {
    if (Solution found = solve(linear_answer_about(balance_, rest, omega), frequency)) return found;
  }
  const Vector lowest = descend(balance_, linear, omega, asking("a damped descent"));
  return stopped_ ? std::nullopt : solve(lowest, frequency);
}

/// From a thousandth of the load, where joints hardly leave their state at rest, up to the whole of it.
FirstSearch::Solution FirstSearch::raise_load(double frequency) {
  constexpr double first_share = 1e-3;
  const double level = balance_.level();
  const double omega = 2.0 * pi * frequency;
  balance_.set_level(first_share * level);
  const Vector guess = linear_answer_about(balance_, static_rest(frequency), omega);
  LevelProblem problem(balance_, omega);
  ContinuationOptions options;
  options.max_points = most_points;
  options.locate_folds = false;
  Continuation raise(problem, {.from = first_share * level, .to = level}, options, newton_);
  ContinuationHooks hooks;
  hooks.on_point = [&](const BranchPoint&, Index) { return go_on("raising the load"); };
  hooks.parameter_text = [&](double lambda) { return fmt::format("{:.3g} of the load", lambda / level); };
  const Branch path = raise.follow(guess, hooks);
  balance_.set_level(level);
  if (path.summary.stop == ContinuationStop::reached_end) return path.points.back().x;
  note("By raising the load", path.summary.message);
  return std::nullopt;
}

/// Along the response from another frequency to the first one.
FirstSearch::Solution FirstSearch::follow_back(const Vector& x, double frequency) {
  FrequencyProblem problem(balance_);
  ContinuationOptions options;
  options.max_points = most_points;
  options.locate_folds = false;
  Continuation back(problem, {.from = frequency, .to = frequency_}, options, newton_);
  ContinuationHooks hooks;
  hooks.on_point = [&](const BranchPoint&, Index) { return go_on(fmt::format("from {:.4g} Hz", frequency)); };
  hooks.parameter_text = [](double lambda) { return fmt::format("{:.6g} Hz", lambda); };
  const Branch path = back.follow(x, hooks);
  if (path.summary.stop == ContinuationStop::reached_end) return path.points.back().x;
  note("From another frequency", path.summary.message);
  return std::nullopt;
}

/// From near to far; the far ones are passed with the load of resonances behind them.
FirstSearch::Solution FirstSearch::search_elsewhere(bool by_raising) {
  if (search_.towards <= 0.0) return std::nullopt;
  for (const double share : {0.02, 0.1, 0.3, 0.6, 1.0}) {
    const double frequency = frequency_ + share * (search_.towards - frequency_);
    if (!go_on(fmt::format("from {:.4g} Hz", frequency))) return std::nullopt;
    const Solution there = by_raising ? raise_load(frequency) : solve_directly(frequency);
    if (!there || stopped_) continue;
    if (Solution here = follow_back(*there, frequency)) return here;
  }
  return std::nullopt;
}

FirstSolution FirstSearch::result(const Solution& solution) const {
  if (solution) return {.x = *solution, .found = true, .message = {}};
  FirstSolution none{.x = {}, .found = false, .message = {}, .stopped = stopped_};
  if (stopped_) {
    none.message = fmt::format("Stopped by the user before a solution was found at {:.6g} Hz.", frequency_);
    return none;
  }
  none.message = fmt::format("No solution was found at the first frequency, {:.6g} Hz.", frequency_);
  for (const auto& [attempt, reason] : reasons_) none.message += fmt::format(" {}: {}", attempt, reason);
  none.message +=
      " Begin where the response is small (from above the resonances: from > to), at a smaller level, or with more "
      "samples.";
  return none;
}

FirstSolution FirstSearch::find() {
  Solution found = solve_directly(frequency_);
  if (!found && !stopped_) found = raise_load(frequency_);
  for (const bool by_raising : {false, true}) {
    if (!found && !stopped_) found = search_elsewhere(by_raising);
  }
  return result(found);
}

}  // namespace

FirstSolution first_solution(HarmonicBalance& balance, double frequency, const NewtonOptions& newton,
                             const StartSearch& search) {
  return FirstSearch(balance, frequency, newton, search).find();
}

}  // namespace masing::detail
