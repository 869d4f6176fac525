#include "masing/analysis/detail/condition.hpp"

#include "masing/fourier/coefficients.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

// Re(factor · functional) differentiated to the coefficients: y = a − ib.
void spread(const HarmonicBalance& balance, Index i, Complex factor, const ComplexVector& by_motion, Vector& by_x) {
  const Index motions = balance.motions();
  by_x.setZero(balance.size());
  by_x.segment(balance.set().cosine(i) * motions, motions) = (factor * by_motion).real();
  by_x.segment(balance.set().sine(i) * motions, motions) = (factor * by_motion).imag();
}

// Everything of Re(factor · functional) but its value.
void differentiate_real_part(const HarmonicBalance& balance, Index i, Complex factor,
                             const HarmonicBalance::Functional& functional, ConditionValue& result) {
  spread(balance, i, factor, functional.by_motion, result.by_x);
  result.by_omega = (factor * functional.by_omega).real();
  result.by_level = (factor * functional.by_level).real();
  result.by_mass_damping = (factor * functional.by_mass_damping).real();
}

}  // namespace

void QuadratureCondition::evaluate(const ConditionPoint& point, ConditionValue& result) {
  const Index i = point.balance.set().find(k_);
  point.balance.functional(point.x, point.omega, i, point.balance.load(i).conjugate(), functional_);
  result.value = functional_.value.real() / point.scale;
  result.size = std::max(std::abs(functional_.value) / point.scale, 1e-300);
  differentiate_real_part(point.balance, i, 1.0 / point.scale, functional_, result);
  result.by_log_scale = -result.value;
}

void AmplitudeCondition::evaluate(const ConditionPoint& point, ConditionValue& result) {
  const Index i = point.balance.set().find(k_);
  point.balance.functional(point.x, point.omega, i, weights_, functional_);
  const double wanted = amplitude_ > 0.0 ? amplitude_ : point.scale;
  const int order = static_cast<int>(quantity_);
  const double factor = std::norm(quantity_factor(quantity_, k_, point.omega)) / (wanted * wanted);
  ratio_ = factor * std::norm(functional_.value);
  result.value = ratio_ - 1.0;
  result.size = 1.0;
  differentiate_real_part(point.balance, i, 2.0 * factor * std::conj(functional_.value), functional_, result);
  result.by_omega += ratio_ * 2.0 * order / point.omega;
  result.by_log_scale = amplitude_ > 0.0 ? 0.0 : -2.0 * ratio_;
}

double AmplitudeCondition::amplitude(const ConditionPoint& point) {
  const ComplexVector& all = point.balance.recover_amplitudes(point.x, point.omega, point.balance.set().find(k_));
  return std::abs(quantity_factor(quantity_, k_, point.omega)) * std::abs((weights_.array() * all.array()).sum());
}

// d(Qᴴ M Q) = 2 Re((M Q)ᴴ dQ).
void ModalMassCondition::evaluate(const ConditionPoint& point, ConditionValue& result) {
  const Index i = point.balance.set().find(k_);
  weights_ = (mass_ * point.balance.recover_amplitudes(point.x, point.omega, i)).conjugate();
  point.balance.functional(point.x, point.omega, i, weights_, functional_);
  const double factor = 1.0 / (point.scale * point.scale);
  const double ratio = factor * functional_.value.real();
  result.value = ratio - 1.0;
  result.size = 1.0;
  differentiate_real_part(point.balance, i, 2.0 * factor, functional_, result);
  result.by_log_scale = -2.0 * ratio;
}

void PhaseCondition::evaluate(const ConditionPoint& point, ConditionValue& result) {
  const HarmonicSet& set = point.balance.set();
  const Index motions = point.balance.motions();
  const Index i = set.find(k_);
  const Index cosine = set.cosine(i) * motions + motion_, sine = set.sine(i) * motions + motion_;
  const double a = point.x[cosine], b = point.x[sine];
  // Im((cos φ − i sin φ)(a − ib)) = −(a sin φ + b cos φ)
  result.value = -(a * std::sin(angle_) + b * std::cos(angle_)) / point.scale;
  result.size = std::max(std::hypot(a, b) / point.scale, 1e-300);
  result.by_x.setZero(point.balance.size());
  result.by_x[cosine] = -std::sin(angle_) / point.scale;
  result.by_x[sine] = -std::cos(angle_) / point.scale;
  result.by_omega = result.by_level = result.by_mass_damping = 0.0;
  result.by_log_scale = -result.value;
}

bool PhaseCondition::follow_shape(const HarmonicBalance& balance, const Vector& x) {
  constexpr double faded = 0.3;  // of the largest
  const HarmonicSet& set = balance.set();
  const Index motions = balance.motions();
  const Index i = set.find(k_);
  const auto a = x.segment(set.cosine(i) * motions, motions);
  const auto b = x.segment(set.sine(i) * motions, motions);
  const auto size = [&](Index m) { return std::hypot(a[m], b[m]); };
  Index largest = motion_;
  for (Index m = 0; m < motions; ++m) {
    if (size(m) > size(largest)) largest = m;
  }
  if (size(motion_) >= faded * size(largest)) return false;
  motion_ = largest;
  angle_ = std::atan2(-b[motion_], a[motion_]);
  return true;
}

// A shift by δτ changes a_k by k b_k δτ and b_k by −k a_k δτ.
void PhaseCondition::turn(const HarmonicBalance& balance, const Vector& x, Vector& change) const {
  const HarmonicSet& set = balance.set();
  const Index motions = balance.motions();
  Vector shift = Vector::Zero(balance.size());
  for (Index i = 0; i < set.count(); ++i) {
    if (set[i] == 0) continue;
    const Index cosine = set.cosine(i) * motions, sine = set.sine(i) * motions;
    shift.segment(cosine, motions) = set[i] * x.segment(sine, motions);
    shift.segment(sine, motions) = -set[i] * x.segment(cosine, motions);
  }
  const Index i = set.find(k_);
  const auto defect = [&](const Vector& of) {
    return of[set.cosine(i) * motions + motion_] * std::sin(angle_) +
           of[set.sine(i) * motions + motion_] * std::cos(angle_);
  };
  change.head(balance.size()) -= defect(change) / defect(shift) * shift;
}

}  // namespace masing::detail
