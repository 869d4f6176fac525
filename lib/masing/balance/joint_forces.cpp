#include "masing/balance/joint_forces.hpp"

#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <cassert>
#include <cmath>

namespace masing {

namespace {

Index count_inputs(std::span<const Joint> joints) {
  Index count = 0;
  for (const Joint& joint : joints) count += joint.element->inputs();
  return count;
}

// Columns of M belonging to coefficient derivatives: M D, D: (a_k, b_k) -> (k b_k, −k a_k).
void add_times_derivative(const HarmonicSet& set, double omega, const Matrix& m, Eigen::Ref<Matrix> result) {
  for (Index i = 0; i < set.count(); ++i) {
    if (set[i] == 0) continue;
    const double rate = omega * set[i];
    result.col(set.cosine(i)) -= rate * m.col(set.sine(i));
    result.col(set.sine(i)) += rate * m.col(set.cosine(i));
  }
}

}  // namespace

JointForces::JointForces(std::span<const Joint> joints, const HarmonicSet& set, const BalanceOptions& options)
    : inputs_(count_inputs(joints)),
      set_(set),
      options_(options.cycle),
      transform_(set, options.samples, inputs_),
      multiplication_(set, options.samples),
      basis_(sampled_basis(set, options.samples)),
      rate_basis_(set.positions(), options.samples),
      projection_(inverse_weights(set, options.samples).asDiagonal() * basis_) {
  const Index samples = options.samples;
  locates_events_ = options.events == Events::located;
  Index first = 0;
  for (const Joint& joint : joints) {
    elements_.push_back(joint.element);
    names_.push_back(joint.name);
    first_.push_back(first);
    first += joint.element->inputs();
    any_velocity_ = any_velocity_ || joint.element->uses_velocity();
  }
  const Index positions = set.positions();
  rate_basis_.setZero();
  for (Index i = 0; i < set.count(); ++i) {
    if (set[i] == 0) continue;
    rate_basis_.row(set.cosine(i)) = -set[i] * basis_.row(set.sine(i));
    rate_basis_.row(set.sine(i)) = set[i] * basis_.row(set.cosine(i));
  }
  rate_coefficients_.setZero(inputs_, positions);
  displacement_.setZero(samples, inputs_);
  velocity_.setZero(samples, inputs_);
  force_.setZero(samples, inputs_);
  coefficients_.setZero(inputs_, positions);
  cycles_.resize(elements_.size());
  located_.resize(elements_.size());
  panels_.resize(elements_.size());
  visited_.resize(elements_.size());
  cells_.resize(elements_.size());
  for (std::size_t j = 0; j < elements_.size(); ++j) {
    if (locates_events_ && elements_[j]->is_piecewise_linear()) {
      located_[j] = std::make_unique<detail::LocatedForce>(set);
    } else if (locates_events_ && !options.cycle.open && elements_[j]->locates_kinks()) {
      panels_[j] = std::make_unique<detail::PanelSampling>(set, samples);
    } else {
      // Laws of one input locate what they remember themselves.
      const bool has_kinks = locates_events_ && elements_[j]->locates_kinks();
      if (has_kinks && elements_[j]->inputs() > 1) visited_[j] = std::make_unique<detail::VisitedCycle>();
      if (has_kinks && elements_[j]->inputs() == 1) cells_[j] = std::make_unique<detail::CellCycle>();
      cycles_[j].resize(samples, elements_[j]->inputs(), elements_[j]->uses_velocity());
    }
  }
  motion_.setZero(positions, inputs_);
  signals_.reserve(static_cast<std::size_t>(inputs_));
  for (Index row = 0; row < inputs_; ++row) signals_.emplace_back(set_, motion_.col(row));
  for (const detail::CoefficientSignal& signal : signals_) signal_views_.push_back(&signal);
  instant_.setZero(positions);
  rate_instant_.setZero(positions);
  scratch_.setZero(positions, positions);
  by_omega_.setZero(inputs_, positions);
}

void JointForces::evaluate(const MatrixView& motion, double omega) {
  omega_ = omega;
  motion_ = motion.transpose();
  transform_.to_samples(motion, displacement_);
  if (any_velocity_) {
    differentiate(set_, omega, motion, rate_coefficients_);
    transform_.to_samples(rate_coefficients_, velocity_);
  }
  bool any_sampled = false;
  for (Index j = 0; j < joints(); ++j) {
    if (is_located(j) || panels_[static_cast<std::size_t>(j)]) continue;
    evaluate_sampled(j);
    any_sampled = true;
  }
  if (any_sampled) transform_.to_coefficients(force_, coefficients_);
  for (Index j = 0; j < joints(); ++j) {
    if (is_located(j)) evaluate_located(j, motion);
    if (panels_[static_cast<std::size_t>(j)]) evaluate_panels(j);
  }
}

PeriodicMotion JointForces::history(Index j) const {
  const Index first = first_input(j);
  const Index count = inputs_of(j);
  PeriodicMotion result{displacement_.middleCols(first, count), velocity_.middleCols(first, count)};
  if (locates_events_) result.signals = signals_of(j);
  return result;
}

std::span<const PeriodicSignal* const> JointForces::signals_of(Index j) const {
  return std::span(signal_views_)
      .subspan(static_cast<std::size_t>(first_input(j)), static_cast<std::size_t>(inputs_of(j)));
}

void JointForces::evaluate_sampled(Index j) {
  const auto at = static_cast<std::size_t>(j);
  CycleResult& result = cycles_[at];
  if (visited_[at]) {
    visited_[at]->evaluate(*elements_[at], history(j), options_, result);
  } else {
    elements_[at]->steady_cycle(history(j), options_, result);
  }
  check_closed(j);
  if (cells_[at]) resolve_kinks(j);
  force_.middleCols(first_input(j), inputs_of(j)) = result.force;
}

void JointForces::evaluate_panels(Index j) {
  const Index first = first_input(j), count = inputs_of(j);
  const auto at = static_cast<std::size_t>(j);
  panels_[at]->evaluate(*elements_[at], options_, motion_.middleCols(first, count), history(j), omega_, cycles_[at]);
  check_closed(j);
  coefficients_.middleRows(first, count).transpose().noalias() = panels_[at]->projection() * cycles_[at].force;
}

void JointForces::check_closed(Index j) const {
  const CycleResult& result = cycle(j);
  if (!result.report.closed) {
    throw NumericalError(fmt::format(
        "Joint '{}' did not settle into a periodic cycle at {:.6g} Hz: after {} periods its force still "
        "changes by {:.2e} of "
        "its largest value (closure_tolerance {:.2e}). Raise max_cycles; if that does not help, its motion here has no "
        "periodic state that marching finds: look at the motion (does it drift?) and at the law's limits.",
        names_[static_cast<std::size_t>(j)], omega_ / (2.0 * pi), result.report.cycles, result.report.closure_error,
        options_.closure_tolerance));
  }
}

void JointForces::evaluate_located(Index j, const MatrixView& motion) {
  const Index row = first_input(j);
  const auto at = static_cast<std::size_t>(j);
  located_[at]->evaluate(*elements_[at], multiplication_, motion, row, displacement_.col(row), coefficients_);
}

// Laws without memory do not tell corners themselves.
void JointForces::resolve_kinks(Index j) {
  const auto at = static_cast<std::size_t>(j);
  const ContactElement& element = *elements_[at];
  CycleResult& result = cycles_[at];
  if (result.sources.empty() && result.corners.empty()) {
    Kinks kinks;
    element.find_kinks(history(j), room_, kinks);
    result.corners = kinks.ends;
  }
  cells_[at]->evaluate({.element = element, .samples = history(j), .omega = omega_, .options = options_}, result);
}

std::span<const detail::Cell> JointForces::cells(Index j) const {
  const auto at = static_cast<std::size_t>(j);
  if (visited_[at]) return visited_[at]->cells();
  if (cells_[at]) return cells_[at]->cells();
  return {};
}

const CycleResult& JointForces::cell_rows(Index j) const {
  const auto at = static_cast<std::size_t>(j);
  return visited_[at] ? visited_[at]->march() : cells_[at]->rows();
}

Matrix JointForces::force_samples() const {
  Matrix force = force_;
  const Index samples = force.rows();
  for (Index j = 0; j < joints(); ++j) {
    const Index column = first_input(j);
    if (panels_[static_cast<std::size_t>(j)]) {
      CycleResult sampled;
      elements_[static_cast<std::size_t>(j)]->steady_cycle(history(j), options_, sampled);
      force.middleCols(column, inputs_of(j)) = sampled.force;
    }
    if (!is_located(j)) continue;
    force.col(column).setZero();
    for (const LinearPiece& piece : pieces(j)) {
      const SampleRange range = samples_in(piece, samples);
      for (Index i = range.first; i <= range.last; ++i) {
        const Index row = i % samples;
        force(row, column) += piece.offset + piece.stiffness * displacement_(row, column);
      }
    }
  }
  return force;
}

// Backward sweep: a use at sample i hands Γ⁺'s column i to its source, a source hands what it has to its parents.
void JointForces::prepare_derivatives(Index j) {
  if (is_located(j)) return;
  const detail::PanelSampling* panels = panels_[static_cast<std::size_t>(j)].get();
  const Matrix& projection = panels != nullptr ? panels->projection() : projection_;
  const CycleResult& result = cycle(j);
  const Index forces = inputs_of(j);
  const Index sources = static_cast<Index>(result.sources.size());
  if (carried_.cols() < forces * sources) carried_.resize(set_.positions(), forces * sources);
  carried_.leftCols(forces * sources).setZero();
  for (const MemoryUse& use : result.uses) {
    for (Index a = 0; a < forces; ++a) {
      carried_.col(forces * use.source + a) += use.weight[a] * projection.col(use.sample);
    }
  }
  for (const ForceJump& jump : result.jumps) {
    if (panels == nullptr) break;
    for (Index a = 0; a < forces; ++a) {
      panels->add_pulse(jump.time, jump.weight[a], carried_.col(forces * jump.source + a));
    }
  }
  for (Index s = sources - 1; s >= 0; --s) {
    const MemorySource& source = result.sources[static_cast<std::size_t>(s)];
    for (Index p = source.first_parent; p < source.end_parent; ++p) {
      const MemoryParent& parent = result.parents[static_cast<std::size_t>(p)];
      carried_.middleCols(forces * parent.source, forces) += parent.weight * carried_.middleCols(forces * s, forces);
    }
  }
}

// The motion at the instant of a source is instant_ · U, its derivative with respect to τ rate_instant_ · U.
void JointForces::fill_instant(Index j, const MemorySource& source) {
  const detail::PanelSampling* panels = panels_[static_cast<std::size_t>(j)].get();
  const bool is_sample = source.sample != MemorySource::between_samples;
  if (is_sample && panels == nullptr) {
    instant_ = basis_.col(source.sample);
    rate_instant_ = rate_basis_.col(source.sample);
    return;
  }
  const double time = is_sample ? panels->times()[static_cast<std::size_t>(source.sample)] : source.time;
  for (Index i = 0; i < set_.count(); ++i) {
    const double angle = set_[i] * time;
    instant_[set_.cosine(i)] = std::cos(angle);
    if (set_[i] == 0) continue;
    instant_[set_.sine(i)] = std::sin(angle);
    rate_instant_[set_.cosine(i)] = -set_[i] * std::sin(angle);
    rate_instant_[set_.sine(i)] = set_[i] * std::cos(angle);
  }
}

void JointForces::derivative_block(Index j, int a, int b, Eigen::Ref<Matrix> block) {
  if (is_located(j)) {
    located_[static_cast<std::size_t>(j)]->derivative(block);
    return;
  }
  const CycleResult& result = cycle(j);
  const Index forces = inputs_of(j);
  const Index column = a + forces * b;
  const auto multiply = [&](const VectorView& slopes, Eigen::Ref<Matrix> product) {
    if (panels_[static_cast<std::size_t>(j)]) return panels_[static_cast<std::size_t>(j)]->derivative(slopes, product);
    multiplication_.matrix(slopes, product);
  };
  multiply(result.by_displacement.col(column), block);
  if (result.by_velocity.cols() > 0) {
    multiply(result.by_velocity.col(column), scratch_);
    add_times_derivative(set_, omega_, scratch_, block);
  }
  const bool velocity_memory = result.by_velocity.cols() > 0;
  for (std::size_t s = 0; s < result.sources.size(); ++s) {
    const MemorySource& source = result.sources[s];
    const auto carried = carried_.col(forces * static_cast<Index>(s) + a);
    fill_instant(j, source);
    block.noalias() += carried * (source.by_displacement[b] * instant_).transpose();
    if (velocity_memory) {
      block.noalias() += carried * (omega_ * source.by_velocity[b] * rate_instant_).transpose();
    }
    if (source.by_rate.size() > 0) block.noalias() += carried * (source.by_rate[b] * rate_instant_).transpose();
  }
}

// ∂f/∂Ω at the samples, or at the nodes of a joint that has its own.
void JointForces::derive_samples_by_omega(Index j) {
  const CycleResult& result = cycle(j);
  const Index first = first_input(j);
  const Index count = inputs_of(j);
  const detail::PanelSampling* panels = panels_[static_cast<std::size_t>(j)].get();
  const Matrix rate = (panels != nullptr ? panels->velocity() : velocity_.middleCols(first, count)) / omega_;
  samples_by_omega_.setZero(result.force.rows(), count);
  for (Index b = 0; b < count; ++b) {
    for (Index a = 0; a < count; ++a) {
      samples_by_omega_.col(a) += result.by_velocity.col(a + count * b).cwiseProduct(rate.col(b));
    }
  }
  source_by_omega_.setZero(static_cast<Index>(result.sources.size()));
  for (std::size_t s = 0; s < result.sources.size(); ++s) {
    const MemorySource& source = result.sources[s];
    double& value = source_by_omega_[static_cast<Index>(s)];
    fill_instant(j, source);
    for (Index b = 0; b < count; ++b) value += source.by_velocity[b] * rate_instant_.dot(motion_.col(first + b));
    for (Index p = source.first_parent; p < source.end_parent; ++p) {
      const MemoryParent& parent = result.parents[static_cast<std::size_t>(p)];
      value += parent.weight * source_by_omega_[parent.source];
    }
  }
  for (const MemoryUse& use : result.uses) {
    for (Index a = 0; a < count; ++a) {
      samples_by_omega_(use.sample, a) += use.weight[a] * source_by_omega_[use.source];
    }
  }
}

const Matrix& JointForces::derivative_by_omega() {
  if (!any_velocity_) return by_omega_;
  assert(omega_ > 0.0);
  by_omega_.setZero();
  for (Index j = 0; j < joints(); ++j) {
    if (!elements_[static_cast<std::size_t>(j)]->uses_velocity()) continue;
    derive_samples_by_omega(j);
    const detail::PanelSampling* panels = panels_[static_cast<std::size_t>(j)].get();
    const Matrix& projection = panels != nullptr ? panels->projection() : projection_;
    by_omega_.middleRows(first_input(j), inputs_of(j)).transpose().noalias() = projection * samples_by_omega_;
  }
  return by_omega_;
}

}  // namespace masing
