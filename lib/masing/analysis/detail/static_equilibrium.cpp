#include "masing/analysis/detail/static_equilibrium.hpp"

#include "masing/analysis/detail/first_solution.hpp"
#include "masing/contact/small_motion.hpp"
#include "masing/solve/newton.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace masing::detail {
namespace {

constexpr double any_frequency = 1.0;  // harmonic 0 does not depend on it

/// The balance of harmonic 0, with springs on all kept motions that help over a start where nothing resists.
class StaticBalance final : public NonlinearSystem {
 public:
  explicit StaticBalance(HarmonicBalance& balance) : balance_(balance) {}

  void set_spring(double stiffness) { spring_ = stiffness; }
  Index size() const override { return balance_.size(); }
  void residual(const Vector& x, Vector& r) override {
    balance_.residual(x, any_frequency, r);
    r += spring_ * x;
  }
  void jacobian(const Vector& x, Matrix& j) override {
    balance_.derivatives(x, any_frequency, j, by_omega_);
    j.diagonal().array() += spring_;
  }

 private:
  HarmonicBalance& balance_;
  double spring_ = 0.0;
  Vector by_omega_;
};

/// Rounding of stiff structures may leave more than the tolerance.
bool is_usable(const NewtonSummary& summary) {
  constexpr double acceptable = 1e-9;
  return summary.converged() || (summary.residual >= 0.0 && summary.residual <= acceptable);
}

/// Springs that become weaker, each start where the one before has come to rest; the last one is none.
NewtonSummary solve_with_help(StaticBalance& system, NewtonSolver& solver, double stiffness, const Scaling& scaling,
                              Vector& x) {
  constexpr int decades = 14;
  NewtonSummary summary;
  x.setZero();
  for (int i = 0; i <= decades; ++i) {
    system.set_spring(i == decades ? 0.0 : stiffness * std::pow(10.0, -i));
    summary = solver.solve(system, x, scaling);
    if (!x.allFinite()) break;
  }
  return summary;
}

/// Whether nothing pushes: then the model rests where it is, even if nothing holds it there.
bool is_unloaded(const Model& model, const std::vector<Load>& loads) {
  return std::all_of(loads.begin(), loads.end(), [](const Load& load) { return load.shape.isZero(0.0); }) &&
         std::all_of(model.joints.begin(), model.joints.end(), [](const Joint& joint) {
           return small_motion(*joint.element, Vector::Zero(joint.element->inputs())).force.isZero(0.0);
         });
}

}  // namespace

StaticEquilibrium static_equilibrium(const Model& model) {
  std::vector<Load> loads;
  std::copy_if(model.loads.begin(), model.loads.end(), std::back_inserter(loads),
               [](const Load& load) { return load.harmonic == 0; });
  if (is_unloaded(model, loads)) {
    return {.found = true, .message = {}, .coordinates = Vector::Zero(model.structure->size())};
  }
  BalanceOptions options;
  options.harmonics = {0};
  options.samples = 16;
  HarmonicBalance balance(*model.structure, model.joints, loads, options);
  StaticBalance system(balance);
  Vector x = Vector::Zero(system.size()), r(system.size());
  Matrix j(system.size(), system.size());
  system.residual(x, r);
  system.jacobian(x, j);
  // A preload that its joints hold already leaves no more than rounding at rest: the loads say what is large.
  const double load = std::accumulate(loads.begin(), loads.end(), 0.0, [](double most, const Load& one) {
    return std::max(most, one.shape.cwiseAbs().maxCoeff());
  });
  const double force = r.size() > 0 ? std::max(load, r.lpNorm<Eigen::Infinity>()) : 0.0;
  if (force > 0.0) {
    constexpr double stiff = 1e6;  // [1/m]: a structure that nothing holds at first moves by micrometres
    const double largest = j.cwiseAbs().maxCoeff();
    const double stiffness = largest > 0.0 ? largest : stiff * force;
    const Scaling scaling{.unknown = Vector::Constant(x.size(), force / stiffness),
                          .residual = Vector::Constant(r.size(), force)};
    NewtonSolver solver(system.size(), {.residual_tolerance = 1e-11, .max_iterations = 100});
    NewtonSummary summary = solver.solve(system, x, scaling);
    if (!is_usable(summary)) summary = solve_with_help(system, solver, stiffness, scaling, x);
    if (!is_usable(summary)) {
      system.set_spring(0.0);
      x = descend(balance, linear_answer(balance, any_frequency), any_frequency);
      summary = solver.solve(system, x, scaling);
    }
    if (!is_usable(summary)) return {.found = false, .message = summary.message, .coordinates = {}};
  }
  return {.found = true, .message = {}, .coordinates = balance.recover(x, any_frequency).col(0)};
}

Vector kept_motions(const HarmonicBalance& balance, const Vector& coordinates) {
  const InterfaceBasis& basis = balance.basis();
  return basis.range.transpose() * coordinates(basis.touched);
}

StaticStart static_start(const Model& model, const HarmonicBalance& balance) {
  StaticStart start{
      .found = true, .message = {}, .x = Vector::Zero(balance.size()), .mean = Vector::Zero(model.structure->size())};
  if (!balance.set().has_zero()) return start;
  StaticEquilibrium rest = static_equilibrium(model);
  if (!rest.found) {
    start.found = false;
    start.message = fmt::format("No equilibrium was found under the static loads. {}", rest.message);
    return start;
  }
  start.mean = std::move(rest.coordinates);
  start.x.head(balance.motions()) = kept_motions(balance, start.mean);
  return start;
}

}  // namespace masing::detail
