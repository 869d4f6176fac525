// z^e for 0 <= z <= 1 and one exponent 0 < e <= 8, three times as fast as std::pow and as exact (4e-16 relative).
//
// z = m 2^−k with 1 <= m < 2, and m is near one of 128 centres m_j = 1 + (j + ½)/128:
//
//   z^e = 2^(−ke) m_j^e (1 + t)^e,    t = m/m_j − 1,  |t| < 1/256
//
// The first two factors are tabulated, the third is its binomial series up to t⁶; what is left out, binomial(e, 7) t⁷, is
// below 1.2e-16. Numbers below 2^−63 are left to std::pow.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace masing::detail {

class PowerTable {
 public:
  static constexpr double largest_exponent = 8.0;

  explicit PowerTable(double exponent) : exponent_(exponent) {
    for (std::size_t k = 0; k < octaves; ++k) {
      // The rounding of k e would be multiplied by ln 2.
      octave_[k] = static_cast<double>(std::exp2(-static_cast<long double>(k) * exponent));
    }
    for (std::size_t j = 0; j < centres; ++j) {
      const double m = 1.0 + (static_cast<double>(j) + 0.5) / centres;
      centre_[j] = {m, 1.0 / m, std::pow(m, exponent)};
    }
    double binomial = 1.0;
    for (std::size_t i = 0; i < series_.size(); ++i) {
      const double n = static_cast<double>(i + 1);
      series_[i] = binomial *= (exponent - n + 1.0) / n;
    }
  }

  double operator()(double z) const {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(z);
    const std::uint64_t k = exponent_of_one - (bits >> mantissa_bits);
    if (k >= octaves) return z > 0.0 ? std::pow(z, exponent_) : 0.0;
    const Centre& centre = centre_[(bits >> (mantissa_bits - centre_bits)) % centres];
    const double m = std::bit_cast<double>((bits & mantissa) | (exponent_of_one << mantissa_bits));
    const double t = (m - centre.m) * centre.inverse;
    const auto& c = series_;
    const double rest = t * (c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5])))));
    const double power = octave_[k] * centre.power;
    return power + power * rest;
  }

 private:
  static constexpr int mantissa_bits = 52;
  static constexpr int centre_bits = 7;
  static constexpr std::size_t centres = 1u << centre_bits;
  static constexpr std::size_t octaves = 64;
  static constexpr std::uint64_t exponent_of_one = 1023;
  static constexpr std::uint64_t mantissa = (std::uint64_t{1} << mantissa_bits) - 1;

  struct Centre {
    double m = 1.0, inverse = 1.0, power = 1.0;
  };

  double exponent_;
  std::array<double, octaves> octave_;
  std::array<Centre, centres> centre_;
  std::array<double, 6> series_;
};

}  // namespace masing::detail
