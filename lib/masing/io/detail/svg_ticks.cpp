#include "masing/io/detail/svg.hpp"

#include <algorithm>
#include <cmath>

namespace masing::svg {

std::vector<double> round_ticks(double low, double high, int wanted) {
  constexpr double rounding = 1e-12;  // a range narrower than that has no ticks that differ
  if (!(high - low > rounding * std::max(std::abs(low), std::abs(high))) || wanted < 1) return {low};
  const double raw = (high - low) / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double mantissa = raw / power;
  const double step = power * (mantissa < 1.5 ? 1.0 : mantissa < 3.5 ? 2.0 : mantissa < 7.5 ? 5.0 : 10.0);
  const double slack = 1e-9;  // of a step: a tick that is at the end but for rounding belongs inside
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - slack); i <= std::floor(high / step + slack); ++i) ticks.push_back(i * step);
  return ticks;
}

std::vector<double> decade_ticks(double low, double high) {
  const auto multiples = [&](const std::vector<double>& factors) {
    std::vector<double> ticks;
    for (int decade = static_cast<int>(std::floor(std::log10(low))); decade <= std::ceil(std::log10(high)); ++decade)
      for (const double factor : factors) {
        const double tick = factor * std::pow(10.0, decade);
        if (tick >= low * (1.0 - 1e-9) && tick <= high * (1.0 + 1e-9)) ticks.push_back(tick);
      }
    return ticks;
  };
  const std::vector<double> decades = multiples({1.0});
  return decades.size() >= 3 ? decades : multiples({1.0, 2.0, 5.0});
}

std::string escape(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace masing::svg
