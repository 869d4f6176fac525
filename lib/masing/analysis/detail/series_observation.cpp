#include "masing/analysis/detail/series_observation.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

double refined_peak(const VectorView& values) {
  const Index n = values.size();
  Index at = 0;
  values.cwiseAbs().maxCoeff(&at);
  const double sign = values[at] < 0.0 ? -1.0 : 1.0;
  const double before = sign * values[(at + n - 1) % n];
  const double peak = sign * values[at];
  const double after = sign * values[(at + 1) % n];
  const double curvature = before - 2.0 * peak + after;
  if (curvature >= 0.0) return peak;
  const double slope = 0.5 * (after - before);
  return peak - 0.5 * slope * slope / curvature;
}

}  // namespace

Observation observe_series(const VectorView& values, double angle, const std::vector<int>& harmonics) {
  const Index n = values.size();
  const Index count = static_cast<Index>(harmonics.size());
  Observation result;
  result.amplitude = Vector::Zero(count);
  result.phase = Vector::Zero(count);
  for (Index h = 0; h < count; ++h) {
    const int k = harmonics[h];
    if (k == 0) {
      result.amplitude[h] = values.mean();
      continue;
    }
    Complex sum = 0.0;
    for (Index i = 0; i < n; ++i) {
      const double position = static_cast<double>((k * i) % n) / static_cast<double>(n);
      sum += values[i] * std::polar(1.0, -(2.0 * pi * position + k * angle));
    }
    sum *= 2.0 / static_cast<double>(n);
    result.amplitude[h] = std::abs(sum);
    result.phase[h] = std::arg(sum);
  }
  result.rms = std::sqrt(values.squaredNorm() / static_cast<double>(n));
  result.peak = refined_peak(values);
  return result;
}

}  // namespace masing::detail
