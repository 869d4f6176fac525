#include "masing/transient/detail/marching.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <functional>
#include <limits>

namespace masing::detail {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double event_resolution = 1e-12;     // of the reference period: how well a change of phase is located
constexpr double quiet_coordinate = 1e-4;      // coordinates below this share of the largest are measured by it
constexpr double interpolation_margin = 1e-6;  // of a step: the bracket is widened by more than the interpolation errs
constexpr double just_beyond = 1e-3;           // of a step: where it shows which phase has ended
constexpr double safety = 0.9;
constexpr double error_order = 8.0;  // the estimate falls with h⁸
constexpr double smallest_factor = 0.2;
constexpr double largest_factor = 5.0;
constexpr int max_location_steps = 80;       // bisection alone needs about 40
constexpr int max_switches_at_instant = 20;  // of all joints; more never settle

void check_options(const IntegratorOptions& options) {
  require(options.relative_tolerance >= 1e-14 && options.relative_tolerance <= 1e-2,
          "Time integration: relative_tolerance = {:g} must be in [1e-14, 0.01].", options.relative_tolerance);
  require(options.steps_per_period >= 4, "Time integration: steps_per_period = {} must be >= 4.",
          options.steps_per_period);
  require(options.max_step >= 0.0, "Time integration: max_step = {:g} s must be >= 0.", options.max_step);
  require(options.max_switches_per_period >= 2, "Time integration: max_switches_per_period = {} must be >= 2.",
          options.max_switches_per_period);
}

double find_reference_period(const EquationOfMotion& equation, const IntegratorOptions& options) {
  const double omega = equation.omega() > 0.0 ? equation.omega() : equation.fastest_frequency();
  if (omega > 0.0) return 2.0 * pi / omega;
  if (options.max_step > 0.0) return options.max_step * options.steps_per_period;
  require(!equation.any_switches(),
          "Time integration: nothing sets a time scale (no excitation frequency, no stiffness at rest), so a change of "
          "contact could be stepped over. Give max_step in seconds.");
  return infinity;
}

}  // namespace

struct Marching::Stepper {
  boost::numeric::odeint::runge_kutta_fehlberg78<StateVector> method;
};

Marching::Marching(const SecondOrderStructure& structure, std::span<const Joint> joints, std::span<const Load> loads,
                   const Drive& drive, const IntegratorOptions& options)
    : equation_(structure, joints, loads, drive.level, drive.omega),
      options_((check_options(options), options)),
      watch_(equation_),
      stepper_(std::make_unique<Stepper>()),
      reference_period_(find_reference_period(equation_, options)),
      switches_in_window_(joints.size(), 0) {
  max_step_ = reference_period_ / options.steps_per_period;
  if (options.max_step > 0.0) max_step_ = std::min(max_step_, options.max_step);
  const std::size_t size = 2 * static_cast<std::size_t>(equation_.size());
  for (StateVector* vector : {&x_, &dxdt_, &trial_, &trial_derivative_, &error_, &largest_}) vector->assign(size, 0.0);
  const Vector zero = Vector::Zero(equation_.size());
  set_state(zero, zero, 0.0);
}

Marching::~Marching() = default;

void Marching::set_state(const Vector& q, const Vector& v, double t) {
  const Index n = equation_.size();
  require(
      q.size() == n && v.size() == n,
      "Time integration: initial conditions have {} displacements and {} velocities; the structure has {} coordinates.",
      q.size(), v.size(), n);
  require(q.allFinite() && v.allFinite() && std::isfinite(t), "Time integration: initial conditions must be finite.");
  std::copy(q.begin(), q.end(), x_.begin());
  std::copy(v.begin(), v.end(), x_.begin() + n);
  time_ = window_start_ = last_switch_time_ = t;
  step_ = max_step_;
  switches_at_instant_ = 0;
  std::fill(switches_in_window_.begin(), switches_in_window_.end(), 0);
  std::transform(x_.begin(), x_.end(), largest_.begin(), [](double x) { return std::abs(x); });
  equation_.reset_joints(x_);
  watch_.set_all_fresh();
  watch_.settle(x_);
  evaluate_derivative();
  restart_extent();
}

void Marching::advance_to(double t) {
  require(std::isfinite(t), "Time integration: the end of the integration is {:g} s; it must be finite.", t);
  require(t >= time_, "Time integration: cannot go back from {:g} s to {:g} s.", time_, t);
  while (time_ < t) {
    const double remaining = t - time_;
    const bool last = std::min(step_, max_step_) >= remaining * (1.0 - 1e-10);
    try_step(last ? remaining : std::min(step_, max_step_), t);
    if (std::abs(t - time_) <= 2.0 * std::numeric_limits<double>::epsilon() * std::abs(t)) time_ = t;
  }
}

void Marching::try_step(double h, double target) {
  stage_step(h);
  const double error = error_of_trial();
  if (!(error <= 1.0)) return reject(h, error);
  equation_(trial_, trial_derivative_, time_ + h);
  ++counters_.evaluations;
  const StepEnds ends{x_, dxdt_, trial_, trial_derivative_, h};
  const auto crossing = watch_.first_crossing(ends, 100.0 * time_resolution());
  if (!crossing) {
    const double factor = error > 0.0 ? safety * std::pow(error, -1.0 / error_order) : largest_factor;
    const double proposal = h * std::clamp(factor, smallest_factor, largest_factor);
    step_ = std::min(max_step_, time_ + h < target ? proposal : std::max(step_, proposal));
    accept(h);
    dxdt_.swap(trial_derivative_);
    return update_extent();
  }
  if (crossing->at_start) {
    switch_joint(crossing->joint, JointPath(equation_, crossing->joint, ends).at(crossing->after));
    watch_.settle(x_);
    return evaluate_derivative();
  }
  locate(*crossing, h);
}

void Marching::stage_step(double h) {
  stepper_->method.do_step(std::ref(equation_), x_, dxdt_, time_, trial_, h, error_);
  counters_.evaluations += 12;
}

double Marching::error_of_trial() const {
  const std::size_t n = static_cast<std::size_t>(equation_.size());
  double worst = 0.0;
  for (const std::size_t begin : {std::size_t{0}, n}) {
    double block = 0.0;
    for (std::size_t i = begin; i < begin + n; ++i) block = std::max({block, largest_[i], std::abs(trial_[i])});
    for (std::size_t i = begin; i < begin + n; ++i) {
      if (!std::isfinite(trial_[i]) || !std::isfinite(error_[i])) return infinity;
      const double scale = std::max({largest_[i], std::abs(trial_[i]), quiet_coordinate * block});
      if (scale > 0.0) worst = std::max(worst, std::abs(error_[i]) / (options_.relative_tolerance * scale));
    }
  }
  return worst;
}

void Marching::reject(double h, double error) {
  ++counters_.rejected;
  const double factor = std::isfinite(error) ? safety * std::pow(error, -1.0 / error_order) : smallest_factor;
  step_ = h * std::clamp(factor, smallest_factor, safety);
  if (step_ > 10.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(time_), h)) return;
  throw NumericalError(fmt::format(
      "Time integration stopped at t = {:.9g} s: {} with a step of {:.3g} s. Check the model for forces that are not "
      "finite, "
      "or raise relative_tolerance = {:g}.",
      time_,
      std::isfinite(error) ? fmt::format("the error is {:.3g} times its tolerance", error) : "the motion is not finite",
      h, options_.relative_tolerance));
}

void Marching::accept(double h) {
  time_ += h;
  x_.swap(trial_);
  ++counters_.steps;
  for (std::size_t i = 0; i < x_.size(); ++i) largest_[i] = std::max(largest_[i], std::abs(x_[i]));
  for (Index j = 0; j < equation_.joints(); ++j) {
    ContactPoint& point = equation_.point(j);
    point.switches() ? point.note_scales(equation_.motion(j, x_)) : void(point.advance(equation_.motion(j, x_)));
  }
  watch_.settle(x_);
}

// The interpolated instant is good to the sixth order of the step. From there Newton's method on exact partial steps,
// kept inside a bracket, to the resolution of time.
void Marching::locate(const Crossing& crossing, double h) {
  const StepEnds ends{x_, dxdt_, trial_, trial_derivative_, h};
  const JointPath path(equation_, crossing.joint, ends);  // of the whole step; the trials below are shorter
  const InterpolatedRoot root = interpolated_root(equation_, ends, crossing);
  double before = std::max(crossing.before - interpolation_margin, 0.0) * h;
  double after = std::min(crossing.after + interpolation_margin, 1.0) * h;
  double tau = std::clamp(root.theta * h, time_resolution(), h);
  for (int i = 0; i < max_location_steps; ++i) {
    stage_step(tau);
    const double next = correct(crossing, tau, root.slope / h, before, after);
    if (std::abs(next - tau) <= time_resolution()) break;
    tau = next;
  }
  accept(tau);
  switch_joint(crossing.joint, path.at(tau / h + just_beyond));
  switch_others(crossing.joint);
  watch_.settle(x_);
  evaluate_derivative();
  update_extent();
}

double Marching::correct(const Crossing& crossing, double tau, double slope, double& before, double& after) {
  const double distance = equation_.point(crossing.joint).distance_to_switch(equation_.motion(crossing.joint, trial_));
  (distance > 0.0 ? before : after) = tau;
  const double newton = tau - distance / slope;
  if (newton > before && newton < after) return newton;
  if (std::abs(newton - tau) <= time_resolution()) return tau;
  return 0.5 * (before + after);
}

void Marching::switch_others(Index joint) {
  for (Index j = 0; j < equation_.joints(); ++j) {
    if (j == joint || watch_.is_fresh(j) || !equation_.point(j).switches()) continue;
    if (equation_.point(j).distance_to_switch(equation_.motion(j, x_)) <= 0.0) switch_joint(j, equation_.motion(j, x_));
  }
}

void Marching::switch_joint(Index joint, const JointMotion& beyond) {
  ContactPoint& point = equation_.point(joint);
  const std::string left(point.phase_name());
  point.switch_phase_towards(equation_.motion(joint, x_), beyond);
  watch_.set_fresh(joint);
  ++counters_.switches;
  guard_switching(joint, left);
}

void Marching::guard_switching(Index joint, std::string_view left) {
  if (time_ > window_start_ + reference_period_) {
    window_start_ = time_;
    std::fill(switches_in_window_.begin(), switches_in_window_.end(), 0);
  }
  switches_at_instant_ = time_ - last_switch_time_ <= 2.0 * time_resolution() ? switches_at_instant_ + 1 : 1;
  last_switch_time_ = time_;
  const bool stuck = switches_at_instant_ > max_switches_at_instant + 2 * static_cast<int>(equation_.joints());
  if (++switches_in_window_[joint] <= options_.max_switches_per_period && !stuck) return;
  throw NumericalError(fmt::format(
      "Time integration stopped at t = {:.9g} s: joint '{}' changes its phase without end, last from '{}' to '{}' ({} "
      "changes in the last {:.3g} s). Give the joint a little damping or a lower stiffness, or raise "
      "max_switches_per_period = {}.",
      time_, equation_.joint_name(joint), left, equation_.point(joint).phase_name(), switches_in_window_[joint],
      time_ - window_start_, options_.max_switches_per_period));
}

void Marching::evaluate_derivative() {
  equation_(x_, dxdt_, time_);
  ++counters_.evaluations;
}

void Marching::restart_extent() {
  const Index n = equation_.size();
  extent_.lowest = Vector::Constant(3 * n, infinity);
  extent_.highest = Vector::Constant(3 * n, -infinity);
  update_extent();
}

void Marching::update_extent() {
  const Index n = equation_.size();
  const auto include = [&](Index begin, const double* values, Index count) {
    const Eigen::Map<const Vector> now(values, count);
    extent_.lowest.segment(begin, count) = extent_.lowest.segment(begin, count).cwiseMin(now);
    extent_.highest.segment(begin, count) = extent_.highest.segment(begin, count).cwiseMax(now);
  };
  include(0, x_.data(), 2 * n);
  include(2 * n, dxdt_.data() + n, n);
}

double Marching::time_resolution() const {
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * std::abs(time_);
  return std::max(event_resolution * reference_period_, rounding);
}

}  // namespace masing::detail
