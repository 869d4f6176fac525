// Steady cycles of discretised populations with sensitivities: what the exact Iwan law is measured against.
#include "masing/contact/backbones.hpp"
#include "masing/contact/binning.hpp"
#include "masing/contact/slider_population.hpp"
#include "masing/contact/variable_load_iwan.hpp"

#include <benchmark/benchmark.h>

#include <cmath>

namespace masing {
namespace {

/// Four-parameter joint moved through half of its way to macroslip; the load varies by a third.
constexpr double share_of_macroslip = 0.5;

BackbonePointer joint() {
  return four_parameter_backbone({.stiffness = 1.5e7, .slip_force = 4e3, .chi = -0.5, .beta = 0.005});
}

Matrix motion(Index samples, double amplitude, int inputs) {
  Matrix displacement(samples, inputs);
  for (Index i = 0; i < samples; ++i) {
    const double tau = 2.0 * pi * static_cast<double>(i) / static_cast<double>(samples);
    displacement(i, 0) = amplitude * std::sin(tau);
    if (inputs > 1) displacement(i, 1) = std::cos(tau) / 3.0;
  }
  return displacement;
}

void march(benchmark::State& state, const ContactElement& element, double amplitude) {
  const Matrix displacement = motion(state.range(1), amplitude, element.inputs());
  const Matrix velocity = Matrix::Zero(displacement.rows(), displacement.cols());
  CycleResult result;
  for (auto _ : state) {
    element.steady_cycle({.displacement = displacement, .velocity = velocity}, {}, result);
    benchmark::DoNotOptimize(result.force.data());
  }
  state.counters["uses"] = static_cast<double>(result.uses.size());
  state.counters["sources"] = static_cast<double>(result.sources.size());
}

void population_period(benchmark::State& state) {
  const BackbonePointer backbone = joint();
  const auto elements = bin_backbone(*backbone, static_cast<int>(state.range(0)));
  march(state, *make_element(SliderPopulation(elements)), share_of_macroslip * backbone->macroslip());
}
BENCHMARK(population_period)
    ->Name("BM_population_period")
    ->ArgNames({"elements", "N"})
    ->Args({100, 256})
    ->Args({1000, 1024})
    ->Unit(benchmark::kMicrosecond);

void variable_load_period(benchmark::State& state) {
  const BackbonePointer backbone = joint();
  const auto elements = bin_backbone(*backbone, static_cast<int>(state.range(0)));
  const VariableLoadIwan law(elements, LoadScaling::constant(1.0), NormalContact({.stiffness = 1.0, .preload = 1.0}));
  march(state, *make_element(law), share_of_macroslip * backbone->macroslip());
}
BENCHMARK(variable_load_period)
    ->Name("BM_variable_load_period")
    ->ArgNames({"elements", "N"})
    ->Args({100, 256})
    ->Args({1000, 1024})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace masing
