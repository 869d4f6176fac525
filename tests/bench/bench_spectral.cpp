// Z(ω) and dZ/dω of spectral elements, assembled and condensed.
// Goal: a Timoshenko beam of six sections at one frequency in at most 100 µs.
#include "masing/structure/natural_frequencies.hpp"
#include "masing/structure/spectral_beam.hpp"
#include "masing/structure/spectral_element.hpp"

#include <benchmark/benchmark.h>

namespace masing {
namespace {

BeamSection steel(double begin, double end, double loss) {
  return {.begin = begin,
          .end = end,
          .youngs_modulus = 210e9,
          .density = 7850.0,
          .area = 2e-4,
          .inertia = 1.6667e-9,
          .loss_factor = loss};
}

Beam cantilever(int sections) {
  Beam beam;
  beam.theory = BeamTheory::timoshenko;
  for (int i = 0; i < sections; ++i) beam.sections.push_back(steel(0.1 * i, 0.1 * (i + 1), 0.01));
  beam.points = {{"tip", beam.end()}};
  beam.supports = {{.at = 0.0, .fixed = {true, true, true}}};
  return beam;
}

void spectral_element(benchmark::State& state) {
  const SpectralPiece piece = spectral_piece(steel(0.0, 0.1, 0.01), BeamTheory::timoshenko, 0.1);
  double omega = static_cast<double>(state.range(0));
  for (auto _ : state) {
    omega *= 1.0 + 1e-9;
    benchmark::DoNotOptimize(bending_stiffness(piece, omega));
  }
}
BENCHMARK(spectral_element)->ArgName("omega")->Arg(100)->Arg(100000);

void spectral_assembly(benchmark::State& state) {
  const SpectralBeam beam(cantilever(static_cast<int>(state.range(0))));
  double omega = static_cast<double>(state.range(1));
  ComplexMatrix z, derivative;
  for (auto _ : state) {
    omega *= 1.0 + 1e-9;
    beam.dynamic_stiffness(omega, z, derivative);
    benchmark::DoNotOptimize(derivative.data());
  }
}
BENCHMARK(spectral_assembly)->ArgNames({"sections", "omega"})->Args({6, 100})->Args({6, 100000})->Args({24, 100000});

void spectral_condensation(benchmark::State& state) {
  const SpectralBeam beam(cantilever(static_cast<int>(state.range(0))));
  SparseMatrix directions(beam.size(), 1);
  directions.insert(beam.find("tip.w"), 0) = 1.0;
  const auto condensed = beam.condense(interface_basis(directions));
  double omega = static_cast<double>(state.range(1));
  for (auto _ : state) {
    omega *= 1.0 + 1e-9;
    condensed->set_frequency(omega);
    benchmark::DoNotOptimize(condensed->stiffness_derivative().data());
  }
}
BENCHMARK(spectral_condensation)
    ->ArgNames({"sections", "omega"})
    ->Args({6, 100})
    ->Args({6, 100000})
    ->Args({24, 100000});

void fifty_natural_frequencies(benchmark::State& state) {
  const SpectralBeam beam(cantilever(static_cast<int>(state.range(0))));
  for (auto _ : state) benchmark::DoNotOptimize(lowest_natural_frequencies(beam, 50));
}
BENCHMARK(fifty_natural_frequencies)->ArgName("sections")->Arg(1)->Arg(6)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace masing
