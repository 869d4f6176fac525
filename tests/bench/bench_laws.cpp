// One period of a joint law with sensitivities. Goal for the exact four-parameter Iwan law, N = 1024: at most 60 µs.
#include "masing/contact/backbones.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/iwan_stribeck.hpp"
#include "masing/contact/ripp.hpp"

#include <benchmark/benchmark.h>

#include <cmath>

namespace masing {
namespace {

constexpr Index samples = 1024;

/// A motion with a minor loop, in partial slip.
struct Period {
  Matrix displacement = Matrix(samples, 1);
  Matrix velocity = Matrix(samples, 1);

  Period() {
    for (Index i = 0; i < samples; ++i) {
      const double tau = 2.0 * pi * static_cast<double>(i) / static_cast<double>(samples);
      displacement(i, 0) = 0.4 * std::sin(tau) + 0.25 * std::sin(3.0 * tau + 0.4);
      velocity(i, 0) = 0.4 * std::cos(tau) + 0.75 * std::cos(3.0 * tau + 0.4);
    }
  }
};

void period(benchmark::State& state, const std::shared_ptr<const ContactElement>& element) {
  const Period motion;
  CycleResult result;
  for (auto _ : state) {
    element->steady_cycle({.displacement = motion.displacement, .velocity = motion.velocity}, {}, result);
    benchmark::DoNotOptimize(result.force.data());
  }
  state.counters["uses"] = static_cast<double>(result.uses.size());
}

BackbonePointer backbone(double chi) {
  return four_parameter_backbone({.stiffness = 2.0, .slip_force = 1.0, .chi = chi, .beta = 0.3});
}

BENCHMARK_CAPTURE(period, iwan_chi_half, make_iwan(backbone(-0.5)))->Name("BM_iwan_period/chi=-0.5");
BENCHMARK_CAPTURE(period, iwan_chi, make_iwan(backbone(-0.37)))->Name("BM_iwan_period/chi=-0.37");
BENCHMARK_CAPTURE(period, ripp, make_ripp(backbone(-0.37)))->Name("BM_ripp_period/chi=-0.37");
BENCHMARK_CAPTURE(period, stribeck,
                  make_iwan_stribeck({.iwan = {2.0, 1.0, -0.37, 0.3, 0.75}, .stribeck_velocity = 0.3, .viscous = 0.02}))
    ->Name("BM_iwan_stribeck_period/chi=-0.37");

}  // namespace
}  // namespace masing
