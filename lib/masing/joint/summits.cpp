#include "masing/joint/summits.hpp"

#include "masing/core/error.hpp"
#include "masing/core/types.hpp"

#include <cmath>

namespace masing {
namespace {

void check_positive(const char* name, double value, const char* unit) {
  require(value > 0.0 && std::isfinite(value), "roughness: {} = {} {} must be > 0.", name, value, unit);
}

void check(const ProfileRoughness& profile) {
  check_positive("Rq", profile.Rq, "m");
  check_positive("Rsm", profile.Rsm, "m");
  check_positive("Rpc", profile.Rpc, "1/m");
  require(profile.Rku >= profile.Rsk * profile.Rsk + 1.0,
          "roughness: Rku = {} must be >= Rsk² + 1 = {}: no distribution of heights has a smaller kurtosis.",
          profile.Rku, profile.Rsk * profile.Rsk + 1.0);
}

}  // namespace

Summits two_alike(const Summits& each) { return {std::sqrt(2.0) * each.sigma, 0.5 * each.radius, each.density}; }

SpectralMoments two_alike(const SpectralMoments& each) { return {2.0 * each.m0, 2.0 * each.m2, 2.0 * each.m4}; }

SpectralMoments spectral_moments(const ProfileRoughness& profile) {
  check(profile);
  const auto squared = [](double v) { return v * v; };
  const double m0 = squared(profile.Rq);
  const double m2 = m0 * squared(2.0 * pi / profile.Rsm);
  const SpectralMoments moments{m0, m2, m2 * squared(2.0 * pi * profile.Rpc)};
  require(moments.bandwidth() >= 1.5,
          "roughness: Rpc Rsm = {:.4g} must be >= 1.225 (bandwidth m0 m4/m2² >= 1.5, as every isotropic Gaussian "
          "surface has). "
          "Rpc is in peaks a metre: 51 a centimetre are 5100.",
          profile.Rpc * profile.Rsm);
  return moments;
}

Summits summits(const SpectralMoments& moments) {
  return {.sigma = std::sqrt((1.0 - 0.8968 / moments.bandwidth()) * moments.m0),
          .radius = 0.375 * std::sqrt(pi / moments.m4),
          .density = moments.m4 / (6.0 * pi * std::sqrt(3.0) * moments.m2)};
}

}  // namespace masing
