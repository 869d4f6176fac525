#include "masing/analysis/detail/augmented_problem.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

const double ln10 = std::log(10.0);
// Damping ratios below this are small changes, whatever they are relative to themselves.
constexpr double noticeable_damping = 1e-2;

}  // namespace

AugmentedProblem::AugmentedProblem(HarmonicBalance& balance, Parameter parameter, std::vector<Control> unknown,
                                   const Controls& fixed, std::vector<std::unique_ptr<Condition>> conditions)
    : balance_(&balance),
      parameter_(parameter),
      unknown_(std::move(unknown)),
      fixed_(fixed),
      conditions_(std::move(conditions)),
      oscillating_(balance.set().has_zero() ? balance.motions() : 0),
      values_(conditions_.size()) {
  require(unknown_.size() == conditions_.size(), "{} unknown controls need as many conditions, not {}.",
          unknown_.size(), conditions_.size());
}

void AugmentedProblem::use(HarmonicBalance& balance) {
  balance_ = &balance;
  oscillating_ = balance.set().has_zero() ? balance.motions() : 0;
  forget();
}

const AugmentedProblem::State& AugmentedProblem::state(const Vector& z, double lambda) const {
  const Index n = balance_->size();
  state_.controls = fixed_;
  state_.scale = scaled() ? std::pow(10.0, lambda) : 1.0;
  if (parameter_ == Parameter::frequency) state_.controls.frequency = lambda;
  if (parameter_ == Parameter::level) state_.controls.level = state_.scale;
  for (std::size_t i = 0; i < unknown_.size(); ++i) {
    const double value = z[n + static_cast<Index>(i)];
    if (unknown_[i] == Control::frequency) state_.controls.frequency = value;
    if (unknown_[i] == Control::level) state_.controls.level = state_.scale * value;
    if (unknown_[i] == Control::damping) state_.controls.damping = value;
  }
  if (!(state_.controls.frequency > 0.0)) {
    throw NumericalError("Newton's method strayed to a frequency below zero: it found no solution nearby.");
  }
  state_.x = z.head(n);
  state_.x.tail(n - oscillating_) *= state_.scale;
  balance_->set_level(state_.controls.level);
  balance_->set_mass_damping(-2.0 * state_.controls.damping * state_.omega());
  return state_;
}

Vector AugmentedProblem::unknowns(const Vector& x, const Controls& controls, double lambda) const {
  const double scale = scaled() ? std::pow(10.0, lambda) : 1.0;
  const Index n = balance_->size();
  Vector z(size());
  z.head(n) = x;
  z.segment(oscillating_, n - oscillating_) /= scale;
  for (std::size_t i = 0; i < unknown_.size(); ++i) {
    double& value = z[n + static_cast<Index>(i)];
    if (unknown_[i] == Control::frequency) value = controls.frequency;
    if (unknown_[i] == Control::level) value = controls.level / scale;
    if (unknown_[i] == Control::damping) value = controls.damping;
  }
  return z;
}

void AugmentedProblem::to_scaled_equations(Eigen::Ref<Vector> balance_part) const {
  balance_part.tail(balance_part.size() - oscillating_) /= state_.scale;
}

void AugmentedProblem::residual(const Vector& z, double lambda, Vector& r) {
  state(z, lambda);
  const Index n = balance_->size();
  balance_->residual(state_.x, state_.omega(), r_);
  r.resize(size());
  r.head(n) = r_;
  to_scaled_equations(r.head(n));
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    conditions_[i]->evaluate({*balance_, state_.x, state_.omega(), state_.scale}, values_[i]);
    r[n + static_cast<Index>(i)] = values_[i].value;
  }
  evaluated_.resize(size() + 1);
  evaluated_ << z, lambda;
}

void AugmentedProblem::forget() {
  evaluated_.resize(0);
  memory_ = {};
}

AugmentedProblem::Rates AugmentedProblem::rates_of(Control control) const {
  const double turn = 2.0 * pi;
  if (control == Control::frequency) return {.omega = turn, .mass_damping = -2.0 * state_.controls.damping * turn};
  if (control == Control::level) return {.level = state_.scale};
  return {.mass_damping = -2.0 * state_.omega()};
}

AugmentedProblem::Rates AugmentedProblem::rates_of_parameter() const {
  if (parameter_ == Parameter::frequency) return rates_of(Control::frequency);
  const bool level_grows =
      parameter_ == Parameter::level || std::find(unknown_.begin(), unknown_.end(), Control::level) != unknown_.end();
  return {.level = level_grows ? ln10 * state_.controls.level : 0.0, .log_scale = ln10};
}

// With x = s ψ: d(R/s)/d ln s = J x_osc/s − R/s.
void AugmentedProblem::fill_column(const Rates& rates, Vector& column) const {
  const Index n = balance_->size();
  column.resize(size());
  column.head(n) = rates.omega * by_omega_ + rates.level * by_level_;
  if (rates.mass_damping != 0.0) column.head(n) += rates.mass_damping * by_mass_damping_;
  if (rates.log_scale != 0.0) column.head(n) += rates.log_scale * by_log_scale_;
  to_scaled_equations(column.head(n));
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const ConditionValue& value = values_[i];
    column[n + static_cast<Index>(i)] =
        rates.omega * value.by_omega + rates.level * value.by_level + rates.mass_damping * value.by_mass_damping +
        rates.log_scale * (value.by_log_scale + value.by_x.tail(n - oscillating_).dot(state_.x.tail(n - oscillating_)));
  }
}

void AugmentedProblem::derivatives(const Vector& z, double lambda, Matrix& j, Vector& r_lambda) {
  const bool known = evaluated_.size() > 0 && evaluated_.head(size()) == z && evaluated_[size()] == lambda;
  if (!known) residual(z, lambda, r_lambda);
  const Index n = balance_->size();
  const Index oscillating = n - oscillating_;
  balance_->derivatives(state_.x, state_.omega(), jacobian_, by_omega_);
  balance_->derivative_by_level(by_level_);
  const bool damped =
      state_.controls.damping != 0.0 || std::find(unknown_.begin(), unknown_.end(), Control::damping) != unknown_.end();
  if (damped) balance_->derivative_by_mass_damping(state_.x, by_mass_damping_);
  by_log_scale_.noalias() = jacobian_.rightCols(oscillating) * state_.x.tail(oscillating);
  by_log_scale_.tail(oscillating) -= r_.tail(oscillating);
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    conditions_[i]->differentiate({*balance_, state_.x, state_.omega(), state_.scale}, values_[i]);
  }

  j.resize(size(), size());
  j.topLeftCorner(n, n) = jacobian_;
  j.block(0, oscillating_, n, oscillating) *= state_.scale;
  j.block(oscillating_, 0, oscillating, n) /= state_.scale;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    auto row = j.row(n + static_cast<Index>(i)).head(n);
    row = values_[i].by_x.transpose();
    row.tail(oscillating) *= state_.scale;
  }
  for (std::size_t i = 0; i < unknown_.size(); ++i) {
    fill_column(rates_of(unknown_[i]), column_);
    j.col(n + static_cast<Index>(i)) = column_;
  }
  fill_column(rates_of_parameter(), r_lambda);
}

Scaling AugmentedProblem::scaling(const Vector& z, double lambda) const {
  return memory_.at(z, lambda, [&] { return compute_scaling(z, lambda); });
}

Scaling AugmentedProblem::compute_scaling(const Vector& z, double lambda) const {
  const Index n = balance_->size();
  evaluated_.resize(0);
  state(z, lambda);
  const Scaling physical = balance_scaling(*balance_, state_.x, state_.omega());
  Scaling scaling{.unknown = Vector(size()), .residual = Vector(size())};
  scaling.unknown.head(n) = physical.unknown;
  scaling.residual.head(n) = physical.residual;
  if (std::find(unknown_.begin(), unknown_.end(), Control::frequency) != unknown_.end()) {
    // At the resonance of a structure whose stiffness is known to all digits nothing else is left of small motions.
    constexpr double roundings_in_a_residual = 4.0 / 1e-9;
    auto oscillating = scaling.residual.segment(oscillating_, n - oscillating_).array();
    oscillating = oscillating.max(roundings_in_a_residual * balance_->frequency_rounding());
  }
  to_scaled_equations(scaling.unknown.head(n));
  to_scaled_equations(scaling.residual.head(n));
  for (std::size_t i = 0; i < unknown_.size(); ++i) {
    const Index at = n + static_cast<Index>(i);
    const double least = unknown_[i] == Control::damping ? noticeable_damping : 1e-30;
    scaling.unknown[at] = std::max(std::abs(z[at]), least);
    scaling.residual[at] = size_of(i);
  }
  return scaling;
}

/// Of a condition at the present state; one where it has no value.
double AugmentedProblem::size_of(std::size_t condition) const {
  try {
    conditions_[condition]->evaluate({*balance_, state_.x, state_.omega(), state_.scale}, values_[condition]);
    return values_[condition].size;
  } catch (const NumericalError&) {
    return 1.0;
  }
}

}  // namespace masing::detail
