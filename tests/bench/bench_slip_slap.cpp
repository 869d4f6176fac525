// One period of the slip/slap law with its sensitivities, events located between samples or on the polygon through them.
// Goal for N = 256: at most 60 µs.
#include "masing/contact/slip_slap.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cmath>

namespace masing {
namespace {

/// offset + a cos(τ + φ) + b sin 3τ
class TwoHarmonics final : public PeriodicSignal {
 public:
  TwoHarmonics(double offset, double a, double phase, double b) : offset_(offset), a_(a), phase_(phase), b_(b) {}
  Jet at(double tau) const override {
    const double c = a_ * std::cos(tau + phase_);
    const double s = a_ * std::sin(tau + phase_);
    const double c3 = b_ * std::cos(3.0 * tau);
    const double s3 = b_ * std::sin(3.0 * tau);
    return {offset_ + c + s3, -s + 3.0 * c3, -c - 9.0 * s3, s - 27.0 * c3};
  }

 private:
  double offset_, a_, phase_, b_;
};

void BM_slip_slap_period(benchmark::State& state, bool located, double mean_penetration) {
  const Index samples = state.range(0);
  const TwoHarmonics u(0.0, 2.0, 0.4, 0.3);
  const TwoHarmonics w(mean_penetration, 1.0, 1.1, 0.1);
  Matrix displacement(samples, 2);
  for (Index i = 0; i < samples; ++i) {
    const double tau = 2.0 * pi * static_cast<double>(i) / static_cast<double>(samples);
    displacement.row(i) << u.at(tau).value, w.at(tau).value;
  }
  const Matrix velocity = Matrix::Zero(samples, 2);
  const std::array<const PeriodicSignal*, 2> signals = {&u, &w};
  PeriodicMotion motion{displacement, velocity};
  if (located) motion.signals = signals;
  const auto element = make_slip_slap({.normal_exponent = 1.01,
                                       .friction_exponent = 1.16,
                                       .normal_coefficient = 4.0,
                                       .friction_coefficient = 0.26,
                                       .unloading_rate = 0.5,
                                       .stiffness_ratio = 0.7});
  CycleResult result;
  for (auto _ : state) {
    element->steady_cycle(motion, {}, result);
    benchmark::DoNotOptimize(result.force.data());
  }
  state.counters["sources"] = static_cast<double>(result.sources.size());
}
BENCHMARK_CAPTURE(BM_slip_slap_period, located, true, 2.0)->ArgName("N")->Arg(256)->Arg(1024);
BENCHMARK_CAPTURE(BM_slip_slap_period, located_with_separation, true, 0.5)->ArgName("N")->Arg(256);
BENCHMARK_CAPTURE(BM_slip_slap_period, sampled, false, 2.0)->ArgName("N")->Arg(256)->Arg(1024);
BENCHMARK_CAPTURE(BM_slip_slap_period, sampled_with_separation, false, 0.5)->ArgName("N")->Arg(256);

}  // namespace
}  // namespace masing
