// Craig-Bampton reduction of a solid: a lattice of 10⁵ unknowns with 300 kept coordinates and 20 modes, free to fly.
// Goal: less than two minutes on one core and less than 4 GB.
#include "masing/structure/reduction.hpp"
#include "support/lattice.hpp"

#include <benchmark/benchmark.h>
#include <sys/resource.h>

namespace masing {
namespace {

void craig_bampton(benchmark::State& state) {
  const int width = static_cast<int>(state.range(0));
  const test::Lattice lattice{.nx = width, .ny = width, .nz = static_cast<int>(state.range(1))};
  for (auto _ : state) {
    const auto solid = std::make_shared<const MatrixStructure>(
        MatrixStructureOptions{.mass = lattice.mass_matrix(), .stiffness = lattice.stiffness_matrix()});
    ReductionOptions options{.modes = 20, .highest_frequency = 100.0};
    for (Index i = 0; i < state.range(2); ++i) options.boundary.push_back(i);
    benchmark::DoNotOptimize(reduce(solid, options));
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["unknowns"] = static_cast<double>(lattice.size());
  state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024.0;
}
BENCHMARK(craig_bampton)
    ->ArgNames({"width", "length", "kept"})
    ->Args({10, 30, 60})
    ->Args({22, 69, 300})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace masing
