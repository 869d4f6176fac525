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
  // A curve that only leads to the first point must get on by the share of its way in so many points.
  static constexpr Index patience = 400;
  static constexpr double least_share = 0.05;

  bool go_on(const std::string& trying);
  std::function<bool()> asking(const std::string& trying) {
    return [this, trying] { return go_on(trying); };
  }
  /// Why an attempt failed; the last one of a kind is kept.
  void note(const std::string& attempt, const std::string& reason);
  Solution solve(const Vector& guess, double frequency);
  Vector static_rest(double frequency);
  Solution solve_directly(double frequency);
  Solution lead(ContinuationProblem& problem, const ParameterRange& way, const Vector& guess,
                const std::string& attempt, const std::string& trying,
                const std::function<std::string(double)>& parameter_text);
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

/// Follows a curve to the end of its way, as long as it gets on.
FirstSearch::Solution FirstSearch::lead(ContinuationProblem& problem, const ParameterRange& way, const Vector& guess,
                                        const std::string& attempt, const std::string& trying,
                                        const std::function<std::string(double)>& parameter_text) {
  ContinuationOptions options;
  options.locate_folds = false;
  Continuation curve(problem, way, options, newton_);
  bool crawls = false;
  double furthest = way.from;
  ContinuationHooks hooks;
  hooks.on_point = [&](const BranchPoint& point, Index index) {
    if (index > 0 && index % patience == 0) {
      crawls = (point.lambda - furthest) / (way.to - way.from) < least_share;
      furthest = point.lambda;
    }
    return !crawls && go_on(trying);
  };
  hooks.parameter_text = parameter_text;
  const Branch path = curve.follow(guess, hooks);
  if (path.summary.stop == ContinuationStop::reached_end) return path.points.back().x;
  note(attempt, crawls ? fmt::format("it got on by less than {:.0f} % of the way in {} points, at {}.",
                                     100.0 * least_share, patience, parameter_text(furthest))
                       : path.summary.message);
  return std::nullopt;
}

/// From a thousandth of the load, where joints hardly leave their state at rest, up to the whole of it.
FirstSearch::Solution FirstSearch::raise_load(double frequency) {
  constexpr double first_share = 1e-3;
  const double level = balance_.level();
  const double omega = 2.0 * pi * frequency;
  balance_.set_level(first_share * level);
  const Vector guess = linear_answer_about(balance_, static_rest(frequency), omega);
  LevelProblem problem(balance_, omega);
  const Solution found =
      lead(problem, {.from = first_share * level, .to = level}, guess, "By raising the load", "raising the load",
           [&](double lambda) { return fmt::format("{:.3g} of the load", lambda / level); });
  balance_.set_level(level);
  return found;
}

/// Along the response from another frequency to the first one.
FirstSearch::Solution FirstSearch::follow_back(const Vector& x, double frequency) {
  FrequencyProblem problem(balance_);
  return lead(problem, {.from = frequency, .to = frequency_}, x, "From another frequency",
              fmt::format("from {:.4g} Hz", frequency), [](double lambda) { return fmt::format("{:.6g} Hz", lambda); });
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
