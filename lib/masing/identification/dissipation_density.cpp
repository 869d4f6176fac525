#include "masing/identification/dissipation_density.hpp"

#include "masing/core/error.hpp"
#include "masing/identification/detail/penalised_spline.hpp"

#include <cmath>

namespace masing {
namespace {

void check(const Vector& amplitude, const Vector& energy, double stiffness) {
  constexpr Index fewest = 8;
  require(amplitude.size() == energy.size(), "there are {} amplitudes and {} energies.", amplitude.size(),
          energy.size());
  require(amplitude.size() >= fewest, "{} points are too few for a density; at least {} are needed.", amplitude.size(),
          fewest);
  require(std::isfinite(stiffness) && stiffness > 0.0, "stiffness = {:g} must be > 0.", stiffness);
  for (Index i = 0; i < amplitude.size(); ++i) {
    require(amplitude[i] > 0.0 && energy[i] > 0.0,
            "point {}: amplitude {:g} and energy {:g} must both be > 0: their logarithms are used.", i + 1,
            amplitude[i], energy[i]);
    require(i == 0 || amplitude[i] > amplitude[i - 1], "point {}: amplitude {:g} does not rise above {:g}.", i + 1,
            amplitude[i], amplitude[i - 1]);
  }
}

/// By the trapezoidal rule; what slides below the first force is left out.
double integral(const Vector& x, const Vector& y) {
  double sum = 0.0;
  for (Index i = 1; i < x.size(); ++i) sum += 0.5 * (x[i] - x[i - 1]) * (y[i] + y[i - 1]);
  return sum;
}

}  // namespace

DissipationDensity density_from_dissipation(const Vector& amplitude, const Vector& energy, double stiffness) {
  check(amplitude, energy, stiffness);
  const Vector s = amplitude.array().log(), y = energy.array().log();
  const detail::PenalisedSpline spline(s, y);
  DissipationDensity result;
  const Index count = s.size();
  result.amplitude = amplitude;
  result.force = stiffness * amplitude;
  result.density.resize(count);
  result.relative_error.resize(count);
  result.energy.resize(count);
  for (Index i = 0; i < count; ++i) {
    const double value = spline.value(s[i]), slope = spline.derivative(s[i], 1), bend = spline.derivative(s[i], 2);
    const double shape = slope * slope - slope + bend;
    result.energy[i] = std::exp(value);
    result.density[i] = result.energy[i] * shape / (4.0 * std::pow(amplitude[i], 3) * stiffness * stiffness);
    // d ln φ = dg + ((2g' − 1) dg' + dg'')/(g'² − g' + g'')
    const Vector weights =
        spline.row(s[i], 0) + ((2.0 * slope - 1.0) * spline.row(s[i], 1) + spline.row(s[i], 2)) / shape;
    result.relative_error[i] = spline.deviation(weights);
  }
  result.scatter = spline.scatter();
  result.effective = spline.effective_parameters();
  result.penalty = spline.penalty();
  result.slip_share = integral(result.force, result.density);
  return result;
}

}  // namespace masing
