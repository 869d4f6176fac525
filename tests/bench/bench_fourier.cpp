// Coefficients <-> samples: FFT against the precomputed matrix. Where they cross decides TransformMethod::automatic.
#include "masing/fourier/multiplication.hpp"
#include "masing/fourier/transform.hpp"

#include <benchmark/benchmark.h>

#include <utility>

namespace masing {
namespace {

void transform_round_trip(benchmark::State& state, TransformMethod method) {
  const HarmonicSet set = HarmonicSet::up_to(static_cast<int>(state.range(0)));
  const Index samples = state.range(1);
  const Index coordinates = state.range(2);
  Transform transform(set, samples, coordinates, method);
  Matrix coefficients = Matrix::Ones(coordinates, set.positions());
  Matrix values(samples, coordinates);
  for (auto _ : state) {
    transform.to_samples(coefficients, values);
    transform.to_coefficients(values, coefficients);
    benchmark::DoNotOptimize(coefficients.data());
  }
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"H", "N", "coordinates"});
  for (const long coordinates : {1, 20}) {
    for (const auto& [harmonics, samples] : {std::pair{3, 64}, {7, 128}, {9, 256}, {15, 512}, {31, 1024}, {63, 4096}}) {
      benchmark->Args({harmonics, samples, coordinates});
    }
  }
}

BENCHMARK_CAPTURE(transform_round_trip, fft, TransformMethod::fft)->Apply(sizes);
BENCHMARK_CAPTURE(transform_round_trip, matrix, TransformMethod::matrix)->Apply(sizes);

void multiplication(benchmark::State& state) {
  const HarmonicSet set = HarmonicSet::up_to(static_cast<int>(state.range(0)));
  Multiplication multiplication(set, state.range(1));
  const Vector gain = Vector::LinSpaced(state.range(1), 0.0, 1.0);
  Matrix result(set.positions(), set.positions());
  for (auto _ : state) {
    multiplication.matrix(gain, result);
    benchmark::DoNotOptimize(result.data());
  }
}
BENCHMARK(multiplication)->ArgNames({"H", "N"})->Args({7, 128})->Args({9, 256})->Args({31, 1024});

}  // namespace
}  // namespace masing
