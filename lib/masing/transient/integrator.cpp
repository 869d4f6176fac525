#include "masing/transient/integrator.hpp"

#include "masing/transient/detail/marching.hpp"

namespace masing {

struct TimeIntegrator::Implementation {
  detail::Marching marching;
};

TimeIntegrator::TimeIntegrator(const SecondOrderStructure& structure, std::span<const Joint> joints,
                               std::span<const Load> loads, const Drive& drive, const IntegratorOptions& options)
    : implementation_(new Implementation{detail::Marching(structure, joints, loads, drive, options)}) {}
TimeIntegrator::~TimeIntegrator() = default;
TimeIntegrator::TimeIntegrator(TimeIntegrator&&) noexcept = default;
TimeIntegrator& TimeIntegrator::operator=(TimeIntegrator&&) noexcept = default;

void TimeIntegrator::set_state(const Vector& q, const Vector& v, double t) {
  implementation_->marching.set_state(q, v, t);
}

void TimeIntegrator::advance_to(double t) { implementation_->marching.advance_to(t); }

double TimeIntegrator::time() const { return implementation_->marching.time(); }

double TimeIntegrator::period() const {
  const double omega = implementation_->marching.equation().omega();
  return omega > 0.0 ? 2.0 * pi / omega : 0.0;
}

Eigen::Map<const Vector> TimeIntegrator::displacement() const {
  const auto& marching = implementation_->marching;
  return {marching.state().data(), marching.equation().size()};
}

Eigen::Map<const Vector> TimeIntegrator::velocity() const {
  const auto& marching = implementation_->marching;
  return {marching.state().data() + marching.equation().size(), marching.equation().size()};
}

Eigen::Map<const Vector> TimeIntegrator::acceleration() const {
  const auto& marching = implementation_->marching;
  return {marching.derivative().data() + marching.equation().size(), marching.equation().size()};
}

Index TimeIntegrator::joints() const { return implementation_->marching.equation().joints(); }

int TimeIntegrator::joint_inputs(Index joint) const { return implementation_->marching.equation().joint_inputs(joint); }

SmallVector<Eigen::Dynamic> TimeIntegrator::joint_force(Index joint) const {
  return implementation_->marching.equation().point(joint).force_in_phase(joint_motion(joint));
}

Motion<Eigen::Dynamic> TimeIntegrator::joint_motion(Index joint) const {
  const auto& marching = implementation_->marching;
  return marching.equation().motion(joint, marching.state());
}

std::string_view TimeIntegrator::joint_phase(Index joint) const {
  return implementation_->marching.equation().point(joint).phase_name();
}

Vector TimeIntegrator::joint_memory() const {
  std::vector<double> memory;
  for (Index j = 0; j < joints(); ++j) {
    const auto scalars = implementation_->marching.equation().point(j).memory();
    memory.insert(memory.end(), scalars.begin(), scalars.end());
  }
  return Eigen::Map<const Vector>(memory.data(), static_cast<Index>(memory.size()));
}

void TimeIntegrator::restart_extent() { implementation_->marching.restart_extent(); }
const MotionExtent& TimeIntegrator::extent() const { return implementation_->marching.extent(); }
const IntegratorCounters& TimeIntegrator::counters() const { return implementation_->marching.counters(); }

}  // namespace masing
