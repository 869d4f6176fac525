// Steady cycle of a Jenkins element, residual with Jacobian of the harmonic balance, and one corrector solve.
// Goals for residual with Jacobian: oscillator (H = 9, N = 256) at most 40 µs, chain of 20 (H = 7, N = 128) at most 3 ms.
#include "bench_models.hpp"
#include "masing/balance/harmonic_balance.hpp"
#include "masing/contact/element.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/solve/newton.hpp"

#include <benchmark/benchmark.h>

#include <numeric>

namespace masing {
namespace {

using namespace app;  // the models

std::vector<int> harmonics_up_to(long highest) {
  std::vector<int> harmonics(static_cast<std::size_t>(highest) + 1);
  std::iota(harmonics.begin(), harmonics.end(), 0);
  return harmonics;
}

/// A motion with large first and small higher harmonics, so that every element sticks and slips in each period.
Vector typical_motion(const HarmonicBalance& balance, double amplitude) {
  Vector x(balance.size());
  for (Index i = 0; i < x.size(); ++i) {
    const Index position = i / balance.motions();
    x[i] = amplitude * static_cast<double>(1 + i % balance.motions()) / static_cast<double>(balance.motions()) /
           static_cast<double>(1 + position * position);
  }
  return x;
}

void jenkins_cycle(benchmark::State& state) {
  const Index samples = state.range(0);
  const auto element = make_element(Jenkins({.stiffness = 1.0, .slip_force = 0.3}));
  Matrix displacement(samples, 1);
  for (Index i = 0; i < samples; ++i)
    displacement(i, 0) = std::sin(2.0 * pi * static_cast<double>(i) / static_cast<double>(samples));
  const Matrix velocity = Matrix::Zero(samples, 1);
  CycleResult result;
  for (auto _ : state) {
    element->steady_cycle({.displacement = displacement, .velocity = velocity}, {}, result);
    benchmark::DoNotOptimize(result.force.data());
  }
}
BENCHMARK(jenkins_cycle)->ArgName("N")->Arg(64)->Arg(128)->Arg(256)->Arg(1024);

void residual_with_jacobian(benchmark::State& state, const Model& model, double amplitude, double omega) {
  HarmonicBalance balance(*model.structure, model.joints, model.loads,
                          {.harmonics = harmonics_up_to(state.range(0)), .samples = state.range(1), .cycle = {}});
  Vector x = typical_motion(balance, amplitude);
  Vector r, by_omega;
  Matrix jacobian;
  for (auto _ : state) {
    omega *= 1.0 + 1e-9;  // a new frequency each time: the structure is condensed anew, as in a continuation
    x[0] += 1e-12;
    balance.residual(x, omega, r);
    balance.derivatives(x, omega, jacobian, by_omega);
    benchmark::DoNotOptimize(jacobian.data());
  }
  state.counters["unknowns"] = static_cast<double>(balance.size());
}
BENCHMARK_CAPTURE(residual_with_jacobian, duffing, duffing_model(), 0.5, 1.1)->ArgNames({"H", "N"})->Args({9, 256});
BENCHMARK_CAPTURE(residual_with_jacobian, jenkins_oscillator, jenkins_oscillator_model(), 1.0, 1.1)
    ->ArgNames({"H", "N"})
    ->Args({3, 64})
    ->Args({9, 256})
    ->Args({31, 1024});
BENCHMARK_CAPTURE(residual_with_jacobian, jenkins_chain_20, jenkins_chain_model(20), 2e-3, 500.0)
    ->ArgNames({"H", "N"})
    ->Args({3, 128})
    ->Args({7, 128})
    ->Unit(benchmark::kMicrosecond);

/// The balance at one frequency as KINSOL sees it.
class FixedFrequency final : public NonlinearSystem {
 public:
  FixedFrequency(HarmonicBalance& balance, double omega) : balance_(balance), omega_(omega) {}
  Index size() const override { return balance_.size(); }
  void residual(const Vector& x, Vector& r) override { balance_.residual(x, omega_, r); }
  void jacobian(const Vector& x, Matrix& j) override { balance_.derivatives(x, omega_, j, by_omega_); }

 private:
  HarmonicBalance& balance_;
  double omega_;
  Vector by_omega_;
};

/// A solve from rest at `level` [N]; `displacement` [m] is what "one" means for the unknowns.
void corrector(benchmark::State& state, const Model& model, double level, double displacement, double omega) {
  HarmonicBalance balance(*model.structure, model.joints, model.loads,
                          {.harmonics = harmonics_up_to(state.range(0)), .samples = state.range(1), .cycle = {}});
  balance.set_level(level);
  FixedFrequency system(balance, omega);
  NewtonSolver solver(balance.size(), {});
  const Scaling scaling{.unknown = Vector::Constant(balance.size(), displacement),
                        .residual = Vector::Constant(balance.size(), level)};
  NewtonSummary summary;
  for (auto _ : state) {
    Vector x = Vector::Zero(balance.size());
    summary = solver.solve(system, x, scaling);
    benchmark::DoNotOptimize(x.data());
  }
  if (!summary.converged()) state.SkipWithError(summary.message.c_str());
  state.counters["iterations"] = summary.iterations;
}
BENCHMARK_CAPTURE(corrector, jenkins_oscillator, jenkins_oscillator_model(), 0.3, 1.0, 1.1)
    ->ArgNames({"H", "N"})
    ->Args({9, 256});
BENCHMARK_CAPTURE(corrector, jenkins_chain_20, jenkins_chain_model(20), 12.0, 1e-3, 530.0)
    ->ArgNames({"H", "N"})
    ->Args({7, 128})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace masing
