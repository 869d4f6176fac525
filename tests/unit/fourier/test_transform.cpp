#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"
#include "masing/fourier/multiplication.hpp"
#include "masing/fourier/transform.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace masing;

namespace {

// Sums of at most a few hundred products of order one: rounding stays far below.
constexpr double rounding = 1e-13;

Matrix random_matrix(Index rows, Index cols, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return Matrix::NullaryExpr(rows, cols, [&] { return uniform(generator); });
}

// The definition, written out: x(τ) for one coordinate.
double evaluate(const HarmonicSet& set, const Vector& row, double tau) {
  double value = 0.0;
  for (Index i = 0; i < set.count(); ++i) {
    value += row[set.cosine(i)] * std::cos(set[i] * tau);
    if (set[i] != 0) value += row[set.sine(i)] * std::sin(set[i] * tau);
  }
  return value;
}

const std::vector<std::vector<int>> harmonic_sets = {
    {0}, {1}, {0, 1, 3, 6}, {1, 3, 5, 7}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};

}  // namespace

TEST_CASE("transforms follow the definition, both methods, odd and even numbers of samples") {
  for (const auto& harmonics : harmonic_sets) {
    for (const Index samples : {19, 24, 64}) {
      for (const TransformMethod method : {TransformMethod::fft, TransformMethod::matrix}) {
        const HarmonicSet set(harmonics);
        Transform transform(set, samples, 3, method);
        const Matrix coefficients = random_matrix(3, set.positions(), 7);
        Matrix values(samples, 3);
        transform.to_samples(coefficients, values);
        for (Index c = 0; c < 3; ++c) {
          for (Index s = 0; s < samples; ++s) {
            const double tau = 2.0 * pi * static_cast<double>(s) / static_cast<double>(samples);
            CHECK(values(s, c) == Approx(evaluate(set, coefficients.row(c), tau)).margin(rounding));
          }
        }
        Matrix back(3, set.positions());
        transform.to_coefficients(values, back);
        CHECK((back - coefficients).cwiseAbs().maxCoeff() < rounding);
      }
    }
  }
}

TEST_CASE("harmonics outside the set do not leak into it") {
  const HarmonicSet rich = HarmonicSet::up_to(9);
  const HarmonicSet poor({0, 1, 3, 6});
  Transform from(rich, 32, 1);
  Matrix values(32, 1);
  const Matrix coefficients = random_matrix(1, rich.positions(), 11);
  from.to_samples(coefficients, values);
  for (const TransformMethod method : {TransformMethod::fft, TransformMethod::matrix}) {
    Transform to(poor, 32, 1, method);
    Matrix projected(1, poor.positions());
    to.to_coefficients(values, projected);
    for (Index i = 0; i < poor.count(); ++i) {
      CHECK(projected(0, poor.cosine(i)) == Approx(coefficients(0, rich.cosine(poor[i]))).margin(rounding));
    }
  }
}

TEST_CASE("too few samples are refused with the rule") {
  CHECK_THROWS_WITH(Transform(HarmonicSet::up_to(9), 18, 1),
                    "18 samples a period cannot resolve harmonic 9: samples must be > 18. Use at least 72.");
}

TEST_CASE("derivative coefficients against central differences of the definition") {
  const HarmonicSet set({0, 1, 3, 6});
  const double omega = 3.7;
  const Matrix x = random_matrix(2, set.positions(), 3);
  Matrix rate(2, set.positions());
  differentiate(set, omega, x, rate);
  constexpr double h = 1e-5;
  constexpr double difference_error = 1e-6;  // h²·(kΩ)³/6 with kΩ = 22 is 2e-7
  for (const double t : {0.1, 0.7, 1.3}) {
    const double difference =
        (evaluate(set, x.row(1), omega * (t + h)) - evaluate(set, x.row(1), omega * (t - h))) / (2.0 * h);
    CHECK(evaluate(set, rate.row(1), omega * t) == Approx(difference).margin(difference_error));
  }
}

TEST_CASE("amplitude, phase, rms and complex amplitude describe the same signal") {
  const HarmonicSet set({0, 1, 3});
  const Vector row = random_matrix(1, set.positions(), 5).row(0);
  const Vector amplitude = amplitudes(set, row);
  const Vector phase = phases(set, row);
  const Index samples = 50;
  double sum = 0.0;
  for (Index s = 0; s < samples; ++s) {
    const double tau = 2.0 * pi * static_cast<double>(s) / static_cast<double>(samples);
    double value = amplitude[0];
    for (Index i = 1; i < set.count(); ++i) value += amplitude[i] * std::cos(set[i] * tau + phase[i]);
    CHECK(value == Approx(evaluate(set, row, tau)).margin(rounding));
    sum += value * value;
  }
  CHECK(root_mean_square(set, row) == Approx(std::sqrt(sum / static_cast<double>(samples))).epsilon(rounding));

  ComplexVector x1;
  complex_amplitude(set, row.transpose(), 1, x1);
  CHECK(std::abs(x1[0]) == Approx(amplitude[1]));
  CHECK(std::arg(x1[0]) == Approx(phase[1]));
  Matrix again = Matrix::Zero(1, set.positions());
  for (Index i = 0; i < set.count(); ++i) {
    complex_amplitude(set, row.transpose(), i, x1);
    set_complex_amplitude(set, i, x1, again);
  }
  CHECK((again.row(0).transpose() - row).cwiseAbs().maxCoeff() == 0.0);
}

TEST_CASE("the truncation indicator is the share of the last harmonics") {
  const HarmonicSet set = HarmonicSet::up_to(4);
  Matrix x = Matrix::Zero(1, set.positions());
  x(0, 0) = 100.0;  // a mean does not count
  x(0, set.cosine(1)) = 3.0;
  x(0, set.sine(4)) = 4.0;
  CHECK(truncation(set, x) == Approx(0.8));
  CHECK(truncation(set, x, 1) == Approx(0.8));
  x(0, set.sine(4)) = 0.0;
  CHECK(truncation(set, x) == 0.0);
  CHECK(truncation(set, Matrix::Zero(1, set.positions())) == 0.0);
}

TEST_CASE("multiplication by a periodic gain is the triple product of the sampled matrices") {
  for (const auto& harmonics : harmonic_sets) {
    for (const Index samples : {19, 20, 64}) {
      const HarmonicSet set(harmonics);
      const Matrix basis = sampled_basis(set, samples);
      const Vector gain = random_matrix(samples, 1, 13).col(0);
      const Matrix expected =
          inverse_weights(set, samples).asDiagonal() * basis * gain.asDiagonal() * basis.transpose();
      Multiplication multiplication(set, samples);
      Matrix result(set.positions(), set.positions());
      multiplication.matrix(gain, result);
      CHECK((result - expected).cwiseAbs().maxCoeff() < rounding);
    }
  }
}

TEST_CASE("the tail of a set is the share of its last two harmonics, the lowest one never among them") {
  // 0, 1, 3, 5 with a mean of 9 and amplitudes 12, 4 and 3: the total is 13.
  const HarmonicSet set({0, 1, 3, 5});
  Matrix x(1, 7);
  x << 9.0, 12.0, 0.0, 0.0, 4.0, 3.0, 0.0;
  CHECK(tail(set, x, set) == Approx(5.0 / 13.0));
  CHECK(tail(set, x, HarmonicSet({0, 1, 3})) == Approx(4.0 / 13.0));
  CHECK(tail(set, x, HarmonicSet({1, 3})) == Approx(4.0 / 13.0));
  CHECK(tail(set, x, HarmonicSet({0, 1})) == 0.0);
  CHECK(tail(set, Matrix::Zero(1, 7), set) == 0.0);
  CHECK(tail(set, Matrix::Zero(0, 7), set) == 0.0);
}

TEST_CASE("a motion is carried over to another set: new harmonics are zero, others dropped, the rest is kept") {
  const HarmonicSet odd({1, 3}), all = HarmonicSet::up_to(3);
  Vector x(9);  // two motions, and a frequency behind them
  x << 1, 2, 3, 4, 5, 6, 7, 8, 0.5;
  Vector padded(15);
  padded << 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8, 0.5;
  CHECK(carried_over(x, 2, odd, all) == padded);
  CHECK(carried_over(padded, 2, all, odd) == x);
  Vector first(5);
  first << 1, 2, 3, 4, 0.5;
  CHECK(carried_over(x, 2, odd, HarmonicSet({1})) == first);
  Vector doubled = carried_over(x, 2, odd, HarmonicSet({2, 6}), 2);
  CHECK(doubled == x);
}
