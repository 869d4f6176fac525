// When sliders under a varying normal load begin and cease to slide.
//
//   closed   z = clamp(z before, u − x̄ ρ, u + x̄ ρ)      ρ(w) >= 0: how far the load of the approach w lets a spring stretch;
//   open     z = u                                       x̄: the slider's own factor
//
// With u and w known at every instant, z rests until one of its bounds reaches it and then rides on that bound until the
// bound turns round. Both instants are located, as are those at which the surfaces touch and part. A bound that rises over
// a resting slider and falls back between two samples is seen where its slopes at both tell. Between samples u and w are polynomials
// of seventh degree through their values and first three derivatives.
//
// The force of the slider has a kink at each of them. Where the bound turns round, and where the surfaces touch or part, the
// slider's place for the time after is decided: a march over samples needs a visit there. Just before an onset it is visited for
// those who follow disturbances: what a resting slider remembers counts until then.
// Visits of the first period count too: they may have dragged a slider that rests for good. Those who follow disturbances see it
// dragged again in every period, from just before the place at which it came to rest.
#pragma once

#include "masing/contact/cycle.hpp"
#include "masing/contact/detail/bracketed_root.hpp"
#include "masing/contact/detail/crossings.hpp"
#include "masing/contact/kinks.hpp"
#include "masing/contact/normal_contact.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace masing::detail {

/// ρ and dρ/dw.
struct Reach {
  double value = 0.0;
  double by_approach = 0.0;
};

/// A polynomial of seventh degree on [0, 1] that has given jets at its ends.
class Septic {
 public:
  Septic(const Jet& from, const Jet& to, double step) : step_(step) {
    const double v = step * from.slope, a = 0.5 * step * step * from.curvature,
                 j = step * step * step * from.third / 6.0;
    // What a cubic with the jet of the first end misses at the other one.
    const double r0 = to.value - (from.value + v + a + j);
    const double r1 = step * to.slope - (v + 2.0 * a + 3.0 * j);
    const double r2 = step * step * to.curvature - (2.0 * a + 6.0 * j);
    const double r3 = step * step * step * to.third - 6.0 * j;
    c_ = {from.value,
          v,
          a,
          j,
          35.0 * r0 - 15.0 * r1 + 2.5 * r2 - r3 / 6.0,
          -84.0 * r0 + 39.0 * r1 - 7.0 * r2 + 0.5 * r3,
          70.0 * r0 - 34.0 * r1 + 6.5 * r2 - 0.5 * r3,
          -20.0 * r0 + 10.0 * r1 - 2.0 * r2 + r3 / 6.0};
  }
  /// Value and rate at the share s of the step.
  std::pair<double, double> at(double s) const {
    double value = 0.0, slope = 0.0;
    for (auto c = c_.rbegin(); c != c_.rend(); ++c) {
      slope = slope * s + value;
      value = value * s + *c;
    }
    return {value, slope / step_};
  }

 private:
  std::array<double, 8> c_;
  double step_;
};

struct SliderKinkRoom final : ElementWorkspace {
  struct Stop {
    double time = 0.0;  ///< τ
    double u = 0.0, u_rate = 0.0, reach = 0.0, reach_rate = 0.0;
    Jet u_jet, w_jet;
    bool open = false;     ///< the surfaces are apart from here on
    bool touches = false;  ///< they were, until just before
  };
  struct Way {
    double begin = 0.0, step = 1.0;  ///< τ
    Septic u, w;
  };
  std::vector<Stop> stops;
  std::vector<Way> ways;  ///< from each stop to the next
  std::vector<TurningPoint> turns;
};

/// `reach(w)` returns a Reach, for closed contacts. One object a motion; add() once a slider.
template <class ReachLaw>
class SliderKinks {
 public:
  SliderKinks(const PeriodicMotion& motion, const NormalContact& normal, ReachLaw reach, SliderKinkRoom& room,
              Kinks& kinks)
      : motion_(motion),
        normal_(normal),
        reach_(std::move(reach)),
        stops_(room.stops),
        ways_(room.ways),
        kinks_(kinks) {
    constexpr int resolving = 16;  // friction that sets in with a root of time
    kinks_.nodes = resolving;
    list_samples();
    find_turning_points(*motion.signals[1], motion.displacement.col(1), room.turns);
    add_touches(room.turns);
    std::sort(stops_.begin(), stops_.end(), [](const Stop& a, const Stop& b) { return a.time < b.time; });
    again_ = stops_.front();
    again_.time += period;
    ways_.clear();
    for (std::size_t i = 0; i < stops_.size(); ++i) {
      const Stop &from = stops_[i], &to = i + 1 < stops_.size() ? stops_[i + 1] : again_;
      const double step = to.time - from.time;
      ways_.push_back({from.time, step, Septic(from.u_jet, to.u_jet, step), Septic(from.w_jet, to.w_jet, step)});
    }
  }

  void add(double limit) {
    limit_ = limit;
    side_ = 0.0;
    rest_ = 0.0;
    if (stops_.front().open) {
      rest_ = stops_.front().u;
    } else {
      for (const double side : {1.0, -1.0}) {
        if (side * (bound(stops_.front(), side) - rest_) > 0.0) side_ = side;
      }
    }
    for (const bool last : {false, true}) {
      is_last_ = last;
      for (std::size_t i = 0; i + 1 < stops_.size(); ++i) go(i, stops_[i + 1]);
      go(stops_.size() - 1, again_);
    }
  }

 private:
  using Stop = SliderKinkRoom::Stop;
  using Way = SliderKinkRoom::Way;
  static constexpr double period = 2.0 * pi;
  static constexpr double beside = 1e-8;       // of a touch: where it is told from both sides
  static constexpr double resolution = 1e-12;  // of an instant: kinks shift integrals by the square of their error
  static constexpr double just_before = 1e-9;  // an onset: certainly at rest
  static constexpr double before_rest = 1e-6;  // certainly on its way

  double bound(const Stop& at, double side) const { return at.u - side * limit_ * at.reach; }
  double bound_rate(const Stop& at, double side) const { return at.u_rate - side * limit_ * at.reach_rate; }

  Stop exact_stop(double time, bool open = false) const {
    Stop stop{.time = time, .u_jet = motion_.signals[0]->at(time), .w_jet = motion_.signals[1]->at(time), .open = open};
    set_motion(stop.u_jet.value, stop.u_jet.slope, stop.w_jet.value, stop.w_jet.slope, stop);
    return stop;
  }

  void set_motion(double u, double u_rate, double w, double w_rate, Stop& stop) const {
    stop.u = u;
    stop.u_rate = u_rate;
    if (stop.open) return;
    const Reach reach = reach_(w);
    stop.reach = reach.value;
    stop.reach_rate = reach.by_approach * w_rate;
  }

  /// Between the two stops of go().
  Stop stop_at(double time) const {
    const double s = (time - way_->begin) / way_->step;
    const auto [u, u_rate] = way_->u.at(s);
    const auto [w, w_rate] = way_->w.at(s);
    Stop stop{.time = time};
    set_motion(u, u_rate, w, w_rate, stop);
    return stop;
  }

  void list_samples() {
    stops_.clear();
    const Index count = motion_.displacement.rows();
    for (Index i = 0; i < count; ++i) {
      stops_.push_back(exact_stop(period * static_cast<double>(i) / static_cast<double>(count),
                                  normal_.is_open(motion_.displacement(i, 1))));
    }
  }

  void add_touches(std::span<const TurningPoint> turns) {
    for_crossings(*motion_.signals[1], turns, normal_.contact_approach(), [&](double time, bool closes) {
      Stop stop = exact_stop(closes ? time + beside : time - beside);
      stop.touches = closes;
      stop.open = !closes;
      stops_.push_back(stop);
      kinks_.ends.push_back(time);
      kinks_.roots.push_back(time);
      visit(time - beside);
      visit(time + beside);
    });
  }

  void visit(double time) { kinks_.visits.push_back(time - period * std::floor(time / period)); }

  void note(double time) {
    if (is_last_) kinks_.ends.push_back(time - period * std::floor(time / period));
  }

  void go(std::size_t from, const Stop& to) {
    if (to.touches || stops_[from].open) {
      side_ = 0.0;
      rest_ = to.touches ? to.u - beside * to.u_rate : to.u;
      return;
    }
    way_ = &ways_[from];
    Stop here = stops_[from];
    constexpr int most_changes = 8;
    for (int i = 0; i < most_changes; ++i) {
      const bool changes = side_ == 0.0 ? start_sliding(here, to) : stop_sliding(here, to);
      if (!changes) return;
    }
  }

  bool start_sliding(Stop& here, const Stop& to) {
    for (const double side : {1.0, -1.0}) {
      if (side * (bound(to, side) - rest_) > 0.0) return slide_from(here, to.time, side);
      const double crest = hidden_crest(here, to, side);
      if (crest > here.time) return slide_from(here, crest, side);
    }
    return false;
  }

  bool slide_from(Stop& here, double end, double side) {
    side_ = side;
    if (side * (bound(here, side) - rest_) >= 0.0) return true;  // it rests at its bound
    here = stop_at(find_root(here.time, end, side > 0.0, resolution, [&](double time) {
      const Stop at = stop_at(time);
      return std::pair(bound(at, side) - rest_, bound_rate(at, side));
    }));
    note(here.time);
    visit(here.time - just_before);
    return true;
  }

  /// Where a bound reaches beyond the resting slider between two instants at which it does not; else the first of them.
  double hidden_crest(const Stop& here, const Stop& to, double side) const {
    constexpr double dust = 1e-9;  // a bound that has just turned round rises no more, but for rounding
    const double rise = side * bound_rate(here, side), fall = -side * bound_rate(to, side);
    if (!(fall > 0.0 && rise > dust * fall)) return here.time;
    const double highest = 0.5 * (to.time - here.time) * rise;  // no crest is higher while the slope falls
    if (side * (bound(here, side) - rest_) + highest <= 0.0) return here.time;
    const double crest = turning_point(here, to.time, side);
    return side * (bound(stop_at(crest), side) - rest_) > 0.0 ? crest : here.time;
  }

  bool stop_sliding(Stop& here, const Stop& to) {
    if (side_ * bound_rate(to, side_) >= 0.0) return false;
    if (side_ * bound_rate(here, side_) > 0.0) here = stop_at(turning_point(here, to.time, side_));
    note(here.time);
    if (!is_last_) visit(here.time - before_rest);
    visit(here.time);
    rest_ = bound(here, side_);
    side_ = 0.0;
    return true;
  }

  /// Where the rate of a bound, times its side, falls through zero. Secant steps in the bracket.
  double turning_point(const Stop& from, double end, double side) const {
    double last_time = from.time;
    double last_rate = side * bound_rate(from, side);
    return find_root(from.time, end, false, resolution, [&](double time) {
      const double rate = side * bound_rate(stop_at(time), side);
      const double slope = time != last_time ? (rate - last_rate) / (time - last_time) : 0.0;
      last_time = time;
      last_rate = rate;
      return std::pair(rate, slope);
    });
  }

  const PeriodicMotion& motion_;
  const NormalContact& normal_;
  ReachLaw reach_;
  std::vector<Stop>& stops_;
  Stop again_;  // the first stop, a period later
  std::vector<Way>& ways_;
  const Way* way_ = nullptr;  // that go() goes
  Kinks& kinks_;
  double limit_ = 1.0;  // x̄
  double side_ = 0.0;   // it rides on u − side x̄ ρ; 0: it rests
  double rest_ = 0.0;   // z, while it rests
  bool is_last_ = false;
};

}  // namespace masing::detail
