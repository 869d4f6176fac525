// Curves whose frequency is an unknown, where what holds the motion softens to nothing: the frequency falls to zero.
//
//   oscillator on a softening cubic    ω² = k − ¾ |k₃| a² (one harmonic): zero at a finite amplitude, with a vertical slope. On
//                                      paper the curve has a fold there and goes back as its mirror image with −ω.
//   oscillator on a slider alone       ω² ~ slip force / a: ever slower as the amplitude grows, without an end
//
// Neither has anything to tell beyond: periods that grow without bound, artificial damping ratios likewise, equations whose
// dynamic part is lost in rounding. The curve ends where the frequency is 10⁻⁴ of the highest one that it had, if the motion is
// larger than there: of what held it a part in 10⁸ is left. A curve that is followed downwards to ever smaller motions of a
// spring without a linear part falls as far, and rightly; it goes on.
#pragma once

#include "masing/analysis/results.hpp"

namespace masing::detail {

class FrequencyFall {
 public:
  static constexpr double lowest_share = 1e-4;   ///< of the highest frequency: what counts as zero
  static constexpr double falling_share = 1e-2;  ///< … and as on the way there, for a curve that ends early

  /// `mean` coefficients of a point come before those of its vibration.
  explicit FrequencyFall(Index mean) : mean_(mean) {}
  /// A point of the curve, in any order.
  void note(const ResponsePoint& point);

  /// [Hz] What counts as zero.
  double lowest() const { return lowest_share * highest_; }
  /// A point at (or below) the lowest frequency whose motion has grown on the way.
  bool has_fallen(const ResponsePoint& point) const { return has_fallen_to(point, lowest_share); }
  /// Why a curve ends there; `place` is that of the point: "level 3 N".
  std::string reason(const ResponsePoint& last, const std::string& place) const;
  /// What is added where it ended for another reason, but was on its way there; empty: it was not. Begins with a space.
  std::string remark(const ResponsePoint& last) const;

 private:
  bool has_fallen_to(const ResponsePoint& point, double share) const;
  double vibration(const ResponsePoint& point) const;

  Index mean_;
  double highest_ = 0.0;               // frequency [Hz]
  double vibration_at_highest_ = 0.0;  // norm of the coefficients
};

}  // namespace masing::detail
