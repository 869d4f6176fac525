// The motion of a slip/slap contact over a period, and the instants at which its memory is set anew.
//
// Instants are counted in samples: position 2.25 is a quarter of the way from sample 2 to sample 3 of equidistant ones, and
// position N the end of the period whatever the samples are. Between samples the motion is that of the signals
// (PeriodicMotion::signals), or the polygon through the samples where there are none.
#pragma once

#include "masing/contact/cycle.hpp"

#include <vector>

namespace masing::detail {

struct Instant {
  double position = 0.0;
  double u = 0.0, w = 0.0;
  double u_rate = 0.0, w_rate = 0.0;  ///< by τ; on a polygon by position
  double u_curvature = 0.0;           ///< by τ; zero on a polygon
};

class SlipSlapPath {
 public:
  SlipSlapPath(const PeriodicMotion& motion, double approach) : motion_(motion), approach_(approach) {}

  Index samples() const { return motion_.displacement.rows(); }
  double u(Index sample) const { return motion_.displacement(sample, 0); }
  double w(Index sample) const { return motion_.displacement(sample, 1) + approach_; }
  double approach() const { return approach_; }
  const PeriodicMotion& motion() const { return motion_; }

  bool is_known_between_samples() const { return !motion_.signals.empty(); }
  /// Samples at instants of somebody's choice, with turning points that he has found.
  bool has_chosen_instants() const { return !motion_.times.empty(); }
  double position_of(Index sample) const {
    return has_chosen_instants() ? position(motion_.times[static_cast<std::size_t>(sample)])
                                 : static_cast<double>(sample);
  }
  double time(double position) const { return 2.0 * pi * position / static_cast<double>(samples()); }
  double position(double time) const { return time * static_cast<double>(samples()) / (2.0 * pi); }
  Instant at(double position) const;
  /// Over equidistant samples.
  double mean_u() const;

 private:
  const PeriodicMotion& motion_;
  double approach_;
};

enum class SlipSlapEventKind {
  reversal,  ///< u turns round
  crest,     ///< w has a maximum
  opening,   ///< separation
  closing    ///< re-contact
};

struct SlipSlapEvent {
  SlipSlapEventKind kind = SlipSlapEventKind::reversal;
  Instant at;
  double direction = 0.0;  ///< sgn(u̇) from here on, for reversals
};

struct SlipSlapEvents {
  std::vector<SlipSlapEvent> list;  ///< ascending in position, within [0, N)
  bool any_contact = false;
  bool w_rests = false;  ///< constant penetration
  double highest = 0.0;  ///< position of the largest penetration

  std::vector<TurningPoint> turns, normal_turns;  ///< of u and w
};

void find_events(const SlipSlapPath& path, SlipSlapEvents& events);

}  // namespace masing::detail
