#include "masing/analysis/detail/frequency_fall.hpp"

#include <fmt/core.h>

namespace masing::detail {

double FrequencyFall::vibration(const ResponsePoint& point) const {
  return point.coefficients.tail(point.coefficients.size() - mean_).norm();
}

void FrequencyFall::note(const ResponsePoint& point) {
  if (point.frequency <= highest_) return;
  highest_ = point.frequency;
  vibration_at_highest_ = vibration(point);
}

bool FrequencyFall::has_fallen_to(const ResponsePoint& point, double share) const {
  constexpr double rounding = 1e-9;  // of a point that was located at the share
  return point.frequency <= (1.0 + rounding) * share * highest_ && vibration(point) > vibration_at_highest_;
}

std::string FrequencyFall::reason(const ResponsePoint& last, const std::string& place) const {
  return fmt::format(
      "The frequency has fallen to zero at {}: to {:.3g} Hz from {:.6g} Hz, while the motion grew. What holds it has "
      "softened to nothing; beyond it nothing oscillates.",
      place, last.frequency, highest_);
}

std::string FrequencyFall::remark(const ResponsePoint& last) const {
  if (!has_fallen_to(last, falling_share)) return {};
  return fmt::format(
      " The frequency is falling to zero there, {:.3g} Hz after {:.6g} Hz, while the motion grows: what holds it "
      "softens to nothing, and beyond that nothing oscillates.",
      last.frequency, highest_);
}

}  // namespace masing::detail
