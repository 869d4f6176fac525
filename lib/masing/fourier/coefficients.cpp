#include "masing/fourier/coefficients.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace masing {

void differentiate(const HarmonicSet& set, double omega, const MatrixView& x, Eigen::Ref<Matrix> result) {
  assert(x.cols() == set.positions() && result.cols() == x.cols() && result.rows() == x.rows());
  for (Index i = 0; i < set.count(); ++i) {
    if (set[i] == 0) {
      result.col(0).setZero();
      continue;
    }
    const double rate = set[i] * omega;
    result.col(set.cosine(i)) = rate * x.col(set.sine(i));
    result.col(set.sine(i)) = -rate * x.col(set.cosine(i));
  }
}

void complex_amplitude(const HarmonicSet& set, const MatrixView& x, Index i, ComplexVector& amplitude) {
  amplitude.resize(x.rows());
  amplitude.real() = x.col(set.cosine(i));
  if (set[i] == 0) {
    amplitude.imag().setZero();
  } else {
    amplitude.imag() = -x.col(set.sine(i));
  }
}

void set_complex_amplitude(const HarmonicSet& set, Index i, const ComplexVector& amplitude, Eigen::Ref<Matrix> x) {
  x.col(set.cosine(i)) = amplitude.real();
  if (set[i] != 0) x.col(set.sine(i)) = -amplitude.imag();
}

Vector amplitudes(const HarmonicSet& set, const Vector& row) {
  Vector result(set.count());
  for (Index i = 0; i < set.count(); ++i) {
    result[i] = set[i] == 0 ? row[0] : std::hypot(row[set.cosine(i)], row[set.sine(i)]);
  }
  return result;
}

Vector phases(const HarmonicSet& set, const Vector& row) {
  Vector result = Vector::Zero(set.count());
  for (Index i = 0; i < set.count(); ++i) {
    if (set[i] != 0) result[i] = std::atan2(-row[set.sine(i)], row[set.cosine(i)]);
  }
  return result;
}

Vector carried_over(const Vector& x, Index m, const HarmonicSet& from, const HarmonicSet& to, int factor) {
  const Index others = x.size() - m * from.positions();
  assert(others >= 0);
  Vector result = Vector::Zero(m * to.positions() + others);
  for (Index i = 0; i < from.count(); ++i) {
    const Index there = to.find(factor * from[i]);
    if (there < 0) continue;
    const Index width = (from[i] == 0 ? 1 : 2) * m;
    result.segment(to.cosine(there) * m, width) = x.segment(from.cosine(i) * m, width);
  }
  result.tail(others) = x.tail(others);
  return result;
}

double root_mean_square(const HarmonicSet& set, const Vector& row) {
  const double mean = set.has_zero() ? row[0] : 0.0;
  return std::sqrt(mean * mean + 0.5 * (row.squaredNorm() - mean * mean));
}

double truncation(const HarmonicSet& set, const MatrixView& x, Index last) {
  double total = 0.0;
  double tail = 0.0;
  for (Index i = set.has_zero() ? 1 : 0; i < set.count(); ++i) {
    const double energy = x.col(set.cosine(i)).squaredNorm() + x.col(set.sine(i)).squaredNorm();
    total += energy;
    if (i >= set.count() - last) tail += energy;
  }
  return total > 0.0 ? std::sqrt(tail / total) : 0.0;
}

double tail(const HarmonicSet& set, const MatrixView& x, const HarmonicSet& smaller) {
  const Index lowest = smaller.has_zero() ? 1 : 0;
  const Index first_of_tail = std::max(lowest + 1, smaller.count() - 2);
  double total = 0.0, last = 0.0;
  for (Index i = set.has_zero() ? 1 : 0; i < set.count(); ++i) {
    const double energy = x.col(set.cosine(i)).squaredNorm() + x.col(set.sine(i)).squaredNorm();
    total += energy;
    if (smaller.find(set[i]) >= first_of_tail) last += energy;
  }
  return total > 0.0 ? std::sqrt(last / total) : 0.0;
}

}  // namespace masing
