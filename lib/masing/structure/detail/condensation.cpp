#include "masing/structure/detail/condensation.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/describe_motion.hpp"
#include "masing/structure/detail/matrix_checks.hpp"

#include <algorithm>
#include <cassert>

namespace masing::detail {
Condensation::Condensation(const MatrixStructure& structure, const InterfaceBasis& basis, Evaluation evaluation)
    : partition_(make_partition(structure.size(), basis)), coordinates_(structure.coordinates()), current_(&dynamic_) {
  Blocks m = split(structure.mass(), partition_);
  Blocks c = split(structure.damping(), partition_);
  Blocks k = split(structure.stiffness(), partition_);
  Blocks h = split(structure.hysteretic(), partition_);
  mass_ = {std::move(m.nn), Matrix(m.ln)};
  damping_ = {std::move(c.nn), Matrix(c.ln)};
  stiffness_ = {std::move(k.nn), Matrix(k.ln)};
  hysteretic_ = {std::move(h.nn), Matrix(h.ln)};
  const Index n = partition_.kept;
  const Index l = partition_.rest();
  if (n > 0) {
    largest_mass_ = mass_.nn.cwiseAbs().maxCoeff();
    largest_stiffness_ = stiffness_.nn.cwiseAbs().maxCoeff();
  }
  for (State* state : {&dynamic_, &static_}) {
    state->s.setZero(n, n), state->ds.setZero(n, n);
    state->x.setZero(l, n), state->y.setZero(l, n);
  }
  coupling_.resize(l, n);
  parts_.resize(structure.size());
  rest_motion_.resize(l);
  rest_force_.resize(l);
  if (l == 0) return;
  rest_stiffness_ = k.ll;
  stiffness_diagonal_ = k.ll.diagonal().cwiseAbs();
  mass_diagonal_ = m.ll.diagonal().cwiseAbs();
  rest_scaling_ = diagonal_scaling(uncancelled_diagonal(structure.stiffness(), partition_));
  Pencil pencil{std::move(m.ll), std::move(c.ll), std::move(k.ll), std::move(h.ll), rest_scaling_};
  // Long sums are slow: where they would be many, plain ones must do.
  constexpr Index most_products = 4000000;
  if (l <= most_products / std::max<Index>(n * n, 1)) {
    extended_ = std::make_unique<ExtendedElimination>(mass_, damping_, stiffness_, hysteretic_, pencil);
  }
  rest_ = make_eliminated_part(std::move(pencil), evaluation);
}

void Condensation::set_frequency(double omega) {
  assert(!(omega < 0.0));
  if (omega == 0.0) {
    if (static_.omega != 0.0) evaluate_static();
    current_ = &static_;
  } else {
    if (dynamic_.omega != omega) evaluate_dynamic(omega);
    current_ = &dynamic_;
  }
}

void Condensation::evaluate_dynamic(double omega) {
  dynamic_.omega = -1.0;
  dynamic_.s.real() = stiffness_.nn - (omega * omega) * mass_.nn;
  dynamic_.s.imag() = hysteretic_.nn + omega * damping_.nn;
  dynamic_.ds.real() = (-2.0 * omega) * mass_.nn;
  dynamic_.ds.imag() = damping_.nn;
  if (mass_damping_ != 0.0) {
    dynamic_.s.imag() += (omega * mass_damping_) * mass_.nn;
    dynamic_.ds.imag() += mass_damping_ * mass_.nn;
  }
  if (rest_) eliminate_dynamic(omega);
  if (!dynamic_.s.allFinite()) {
    throw NumericalError(fmt::format("The dynamic stiffness at ω = {:.10g} rad/s ({:.10g} Hz) is not finite.", omega,
                                     omega / (2.0 * pi)));
  }
  dynamic_.omega = omega;
}

void Condensation::eliminate_dynamic(double omega) {
  if (!rest_->factorise(omega, mass_damping_)) {
    throw NumericalError(
        fmt::format("ω = {:.10g} rad/s ({:.10g} Hz) is exactly an undamped natural frequency of the structure with its "
                    "joints held. Add "
                    "damping or move the frequency.",
                    omega, omega / (2.0 * pi)));
  }
  State& state = dynamic_;
  coupling_.real() = stiffness_.ln - (omega * omega) * mass_.ln;
  coupling_.imag() = hysteretic_.ln + omega * damping_.ln + (omega * mass_damping_) * mass_.ln;
  if (extended_) extended_->go_to(omega, mass_damping_);
  if (partition_.kept == 0) return;
  rest_->solve(coupling_, state.x);
  if (extended_) {
    extended_->evaluate(state.x, state.s, state.y);
    rest_->solve(state.y, coupling_);
    state.x += coupling_;
  } else {
    state.s.noalias() -= coupling_.transpose() * state.x;
  }

  coupling_.real() = (-2.0 * omega) * mass_.ln;
  coupling_.imag() = damping_.ln + mass_damping_ * mass_.ln;
  rest_->apply_derivative(state.x, state.y);
  state.y = coupling_ - state.y;
  state.ds.noalias() -= coupling_.transpose() * state.x;
  state.ds.noalias() -= state.x.transpose() * state.y;
}

void Condensation::evaluate_static() {
  static_.s = stiffness_.nn.cast<Complex>();
  if (rest_) {
    if (!rest_->factorise_static()) reject_floating();
    if (partition_.kept > 0) {
      coupling_ = stiffness_.ln.cast<Complex>();
      rest_->solve_static(coupling_, static_.x);
      static_.s.noalias() -= coupling_.transpose() * static_.x;
    }
  }
  static_.omega = 0.0;
}

// Eliminating is exact for a block that differs from Z_ll by E, a few ε of its entries: S is wrong by XᵀEX. The entries of E
// are independent of each other, so their sum grows as the root of the sum of squares. With many small elements it is this,
// not the entries beside the kept motions, that counts. With extended sums only their rounding is left of it.
double Condensation::cancelling_terms() const {
  const double square = current_->omega * current_->omega;
  double eliminated = 0.0;
  for (Index j = 0; j < current_->x.cols() && stiffness_diagonal_.size() > 0; ++j) {
    const auto moved = current_->x.col(j).cwiseAbs2();
    eliminated = std::max(eliminated, (stiffness_diagonal_ + square * mass_diagonal_).cwiseProduct(moved).norm());
  }
  const double kept = largest_stiffness_ + square * largest_mass_;
  if (!extended_ || size() == 0 || current_ == &static_) return kept + eliminated;
  return extended_rounding * (kept + eliminated) + current_->s.cwiseAbs().maxCoeff();
}

void Condensation::condense_load(const ComplexVector& load, ComplexVector& kept, ComplexVector& derivative) {
  assert(current_->omega >= 0.0 && load.size() == partition_.transformation.rows());
  const Index l = partition_.rest();
  partition_.to_parts(load, parts_);
  kept = parts_.head(size());
  derivative.setZero(size());
  if (l == 0 || parts_.tail(l).isZero(0.0)) return;
  kept.noalias() -= current_->x.transpose() * parts_.tail(l);
  if (current_ == &static_) return;
  rest_->solve(parts_.tail(l), rest_motion_);
  derivative.noalias() -= current_->y.transpose() * rest_motion_;
}

void Condensation::recover(const ComplexVector& kept, const ComplexVector& load, ComplexVector& all) {
  assert(current_->omega >= 0.0 && kept.size() == size());
  const Index l = partition_.rest();
  if (l > 0) {
    partition_.to_parts(load, parts_);
    if (parts_.tail(l).isZero(0.0)) {
      rest_motion_.setZero();
    } else {
      solve_rest(parts_.tail(l), rest_motion_);
    }
    rest_motion_.noalias() -= current_->x * kept;
    if (extended_ && current_ == &dynamic_) improve_rest(kept);
    parts_.tail(l) = rest_motion_;
  }
  parts_.head(size()) = kept;
  partition_.to_coordinates(parts_, all);
}

// The load is in parts_ still.
void Condensation::improve_rest(const ComplexVector& kept) {
  rest_load_ = parts_.tail(partition_.rest());
  extended_->evaluate(rest_load_, kept, rest_motion_, rest_force_);
  rest_->solve(rest_force_, rest_load_);
  rest_motion_ += rest_load_;
}

void Condensation::recover_rate(const ComplexVector& all, const ComplexVector& kept_rate, double omega_rate,
                                ComplexVector& all_rate) {
  assert(current_->omega >= 0.0 && kept_rate.size() == size());
  const Index l = partition_.rest();
  partition_.to_parts(all, parts_);
  rest_motion_.setZero();
  if (l > 0 && omega_rate != 0.0 && current_ == &dynamic_) {
    const double omega = dynamic_.omega;
    rest_->apply_derivative(parts_.tail(l), rest_force_);
    rest_force_.noalias() += Complex(-2.0 * omega, mass_damping_) * (mass_.ln * parts_.head(size()));
    rest_force_.noalias() += Complex(0.0, 1.0) * (damping_.ln * parts_.head(size()));
    rest_->solve(rest_force_, rest_motion_);
    rest_motion_ *= -omega_rate;
  }
  rest_motion_.noalias() -= current_->x * kept_rate;
  parts_.head(size()) = kept_rate;
  parts_.tail(l) = rest_motion_;
  partition_.to_coordinates(parts_, all_rate);
}

void Condensation::set_mass_damping(double c) {
  if (c == mass_damping_) return;
  mass_damping_ = c;
  dynamic_.omega = -1.0;
}

void Condensation::stiffness_by_mass_damping(ComplexMatrix& result) {
  result = mass_.nn.cast<Complex>();
  if (current_ == &static_) {
    result.setZero();
    return;
  }
  if (rest_ && partition_.kept > 0) {
    rest_->apply_mass(dynamic_.x, coupling_);
    coupling_ = mass_.ln - coupling_;
    result.noalias() -= mass_.ln.transpose() * dynamic_.x;
    result.noalias() -= dynamic_.x.transpose() * coupling_;
  }
  result *= Complex(0.0, dynamic_.omega);
}

void Condensation::recover_rate_by_mass_damping(const ComplexVector& all, ComplexVector& all_rate) {
  const Index l = partition_.rest();
  partition_.to_parts(all, parts_);
  rest_motion_.setZero();
  if (l > 0 && current_ == &dynamic_) {
    rest_->apply_mass(parts_.tail(l), rest_force_);
    rest_force_.noalias() += mass_.ln * parts_.head(size());
    rest_->solve(rest_force_, rest_motion_);
    rest_motion_ *= Complex(0.0, -dynamic_.omega);
  }
  parts_.head(size()).setZero();
  parts_.tail(l) = rest_motion_;
  partition_.to_coordinates(parts_, all_rate);
}

void Condensation::solve_rest(const EliminatedPart::Input& right, EliminatedPart::Output solution) const {
  if (current_ == &static_) {
    rest_->solve_static(right, solution);
  } else {
    rest_->solve(right, solution);
  }
}

void Condensation::reject_floating() const {
  ComplexVector parts = ComplexVector::Zero(parts_.size());
  parts.tail(partition_.rest()) = floating_motion(rest_stiffness_, rest_scaling_).cast<Complex>();
  ComplexVector motion;
  partition_.to_coordinates(parts, motion);
  throw NumericalError(
      fmt::format("The structure floats: no stiffness and no joint resists the static motion {}. Ground it with a "
                  "spring or a joint, "
                  "or leave harmonic 0 out.",
                  describe_motion(motion.real(), coordinates_)));
}

}  // namespace masing::detail
