// Laws whose branches after a reversal are the first loading curve, scaled (ripp.hpp, iwan_stribeck.hpp):
//
//   F = F₀ + d g C( d (x − x₀) / g, d v ),    g = 1 − d F₀ / F_g
//
// F_g scales the branches; usually it is what C(u, 0) tends to. A curve with a maximum lets |F₀| exceed F_g. Against F₀ the
// rule holds unchanged: g > 2, and the branch still ends at d F_g. Along F₀, g would be negative: it is set to 0, which
// leaves the excess e = d F₀ − F_g, and that goes back to nothing, linearly over the macroslip displacement u_slip:
//
//   F = d ( F_g + e max(1 − d (x − x₀) / u_slip, 0) )        for d F₀ >= F_g
//
// Only the last reversal (x₀, F₀) is remembered; at a reversal v = 0. A `Curve` C(u, speed) offers
//
//   at(u, speed) -> CurveValue for u, speed >= 0,   scale() -> F_g,   macroslip() -> u from which on C(u, 0) is constant,
//   uses_speed and name (both static), and where it uses the speed: speeds() between which it changes.
//
// Over a period the force at a reversal returns as F₀ -> Φ(F₀), one scalar equation whatever the motion. From one reversal
// to the next, with u = d Δx / g,
//
//   ∂F₁/∂F₀ = 1 − (C − u ∂C/∂u) / F_g,      ∂F₁/∂x₁ = −∂F₁/∂x₀ = ∂C/∂u,
//
// so Φ' is a product of such factors. With 0 <= C − u ∂C/∂u <= 2 F_g, which every curve has to keep at speed 0, each lies
// within ±1: Φ(F) − F never rises, marching does not diverge, and the fixed point is found by Newton's method. Its
// sensitivity is that of Φ divided by 1 − Φ'. Where nothing slides Φ' = 1: the motion does not determine F₀, Φ(F) − F is
// rounding, and the joint counts as virgin.
#pragma once

#include "masing/contact/detail/reversals.hpp"
#include "masing/contact/element.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace masing::detail {

struct CurveValue {
  double force = 0.0;      ///< C [N]
  double stiffness = 0.0;  ///< ∂C/∂u [N/m]
  double by_speed = 0.0;   ///< ∂C/∂speed [N s/m]
};

/// Where a branch starts. A virgin joint starts at (0, 0).
struct BranchStart {
  double x = 0.0;
  double force = 0.0;
};

struct BranchResult {
  double force = 0.0;
  double by_displacement = 0.0;  ///< by x, and −by x₀
  double by_velocity = 0.0;
  double by_start = 0.0;  ///< by F₀
};

/// Along a force that exceeds F_g by `excess`, which falls over the displacement `way`.
inline BranchResult return_to_limit(double limit, double excess, double d, double distance, double way) {
  const double left = std::clamp(1.0 - distance / way, 0.0, 1.0);
  return {.force = d * (limit + excess * left), .by_displacement = left > 0.0 ? -excess / way : 0.0, .by_start = left};
}

template <class Curve>
BranchResult scaled_branch(const Curve& curve, const BranchStart& start, double d, double x, double v) {
  const double g = 1.0 - d * start.force / curve.scale();
  if (g <= 0.0) {
    const double excess = d * start.force - curve.scale();
    return return_to_limit(curve.scale(), excess, d, d * (x - start.x), curve.macroslip());
  }
  const double u = d * (x - start.x) / g;
  const double speed = std::max(d * v, 0.0);
  CurveValue value = curve.at(std::abs(u), speed);
  if (u < 0.0) {  // rounding only: the motion goes away from the start
    value.force = -value.force;
    value.by_speed = -value.by_speed;
  }
  return {.force = start.force + d * g * value.force,
          .by_displacement = value.stiffness,
          .by_velocity = speed > 0.0 ? g * value.by_speed : 0.0,
          .by_start = 1.0 - (value.force - u * value.stiffness) / curve.scale()};
}

template <class Curve>
class ScaledPoint final : public ContactPoint {
 public:
  using Input = Motion<Eigen::Dynamic>;
  using Output = SmallVector<Eigen::Dynamic>;

  explicit ScaledPoint(std::shared_ptr<const Curve> curve) : curve_(std::move(curve)) {}

  std::unique_ptr<ContactPoint> clone() const override { return std::make_unique<ScaledPoint>(*this); }

  /// A reversal between two samples is taken to be at the farther one.
  PointResponse advance(const Input& motion) override {
    const double x = motion.displacement[0];
    if (direction_ * (x - x_) < 0.0) reverse(x_);
    x_ = x;
    slips_ = false;
    slips_ = !(way_to_slip(x) > 0.0);
    const BranchResult result = at(motion);
    using Block = SmallMatrix<Eigen::Dynamic, Eigen::Dynamic>;
    return {Output::Constant(1, result.force), Block::Constant(1, 1, result.by_displacement),
            Block::Constant(1, 1, result.by_velocity)};
  }

  bool switches() const override { return true; }
  /// The first to come: a reversal (velocity in the direction of motion) or macroslip (way left).
  double distance_to_switch(const Input& motion) const override {
    return std::min(direction_ * motion.velocity[0], way_to_slip(motion.displacement[0]));
  }
  void switch_phase(const Input& motion) override {
    x_ = motion.displacement[0];
    if (direction_ * motion.velocity[0] < way_to_slip(x_)) {
      reverse(x_);
    } else {
      slips_ = true;
    }
  }
  Output force_in_phase(const Input& motion) const override { return Output::Constant(1, at(motion).force); }
  std::string_view phase_name() const override { return direction_ > 0.0 ? "forward" : "backward"; }

  Output memory() const override {
    Output scalars(2);
    scalars << start_.x, start_.force;
    return scalars;
  }

 private:
  BranchResult at(const Input& motion) const {
    return scaled_branch(*curve_, start_, direction_, motion.displacement[0], motion.velocity[0]);
  }

  /// How far the branch, or an excess over F_g, reaches beyond x until everything slides; infinite when it does already.
  double way_to_slip(double x) const {
    if (slips_) return std::numeric_limits<double>::infinity();
    const double g = 1.0 - direction_ * start_.force / curve_->scale();
    return (g > 0.0 ? g : 1.0) * curve_->macroslip() - direction_ * (x - start_.x);
  }

  void reverse(double x) {
    start_ = {x, scaled_branch(*curve_, start_, direction_, x, 0.0).force};
    direction_ = -direction_;
    slips_ = false;
  }

  std::shared_ptr<const Curve> curve_;
  BranchStart start_;
  double direction_ = 1.0;  // a joint at rest waits for forward motion
  bool slips_ = false;
  double x_ = 0.0;
};

struct ScaledRoom final : ElementWorkspace {
  std::vector<TurningPoint> located;
  std::vector<Reversal> reversals;
  std::vector<double> by_reversal;   ///< ∂Φ/∂x_k
  std::vector<BranchResult> branch;  ///< from the reversal before to reversal k
  std::vector<MemoryParent> parents;
};

/// The force at one reversal that returns after a period.
struct FixedPoint {
  double force = 0.0;
  double slope = 0.0;    ///< Φ'
  double error = 0.0;    ///< Φ(force) − force
  double largest = 0.0;  ///< |force| at any reversal

  double relative_error() const { return largest > 0.0 ? std::abs(error) / largest : 0.0; }
};

template <class Curve>
class ScaledCycle {
 public:
  ScaledCycle(const Curve& curve, ScaledRoom& room, const CycleOptions& options, CycleResult& result)
      : curve_(curve),
        options_(options),
        room_(room),
        result_(result),
        first_(farthest_reversal(room.reversals)),
        count_(room.reversals.size()) {
    room_.branch.resize(count_);
    room_.by_reversal.resize(count_);
  }

  void run(const PeriodicMotion& motion) {
    const double x = reversal(0).value;
    virgin_ = curve_.at(std::abs(x), 0.0);
    const FixedPoint fixed = solve(x < 0.0 ? -virgin_.force : virgin_.force);
    BranchStart start{x, fixed.force};
    add_sources(fixed);
    locate_corners(motion, fixed.force);
    const double* displacement = motion.displacement.col(0).data();
    const double* velocity = Curve::uses_speed ? motion.velocity.col(0).data() : nullptr;
    std::size_t place = 0;  // of the last reversal, counted from the first
    UseWriter uses(result_.uses);
    walk_period(
        motion.displacement.rows(), room_.reversals, first_,
        [&](Index i, double d) {
          const double v = Curve::uses_speed ? velocity[i] : 0.0;
          const BranchResult branch = scaled_branch(curve_, start, d, displacement[i], v);
          result_.force.data()[i] = branch.force;
          result_.by_displacement.data()[i] = branch.by_displacement;
          if constexpr (Curve::uses_speed) result_.by_velocity.data()[i] = branch.by_velocity;
          uses.add(i, force_source(place), branch.by_start);
          uses.add(i, x_source(place), -branch.by_displacement);
        },
        [&](std::size_t number, double) {
          if (++place == count_) return;
          start = {room_.reversals[number].value, room_.branch[place].force};
        });
    const double error = fixed.relative_error();
    result_.report = {.closed = error <= options_.closure_tolerance, .cycles = 1, .closure_error = error};
  }

 private:
  const Reversal& reversal(std::size_t place) const { return room_.reversals[(first_ + place) % count_]; }
  Index x_source(std::size_t place) const { return static_cast<Index>(place); }
  Index force_source(std::size_t place) const { return static_cast<Index>(count_ + place); }

  /// Φ; leaves the branches from reversal to reversal in the room, branch 0 being the one that ends the period.
  FixedPoint return_map(double force) {
    BranchStart start{reversal(0).value, force};
    FixedPoint point{.force = force, .slope = 1.0, .largest = std::abs(force)};
    for (std::size_t place = 1; place <= count_; ++place) {
      const Reversal& next = reversal(place);
      const BranchResult branch = scaled_branch(curve_, start, next.maximum ? 1.0 : -1.0, next.value, 0.0);
      room_.branch[place % count_] = branch;
      start = {next.value, branch.force};
      point.slope *= branch.by_start;
      point.largest = std::max(point.largest, std::abs(branch.force));
    }
    point.error = start.force - force;
    return point;
  }

  /// Newton steps inside a shrinking bracket, as long as Φ(F) − F and 1 − Φ' are more than rounding.
  FixedPoint solve(double guess) {
    constexpr int most_steps = 100;  // bisection alone needs 56
    constexpr double widest = 8.0;   // in F_g; no force at a reversal goes that far
    const double resolution = 2.0 * epsilon * static_cast<double>(count_);
    double low = -widest * curve_.scale();
    double high = widest * curve_.scale();
    FixedPoint point = return_map(guess);
    for (int i = 0; i < most_steps && point.relative_error() > resolution && determines(point); ++i) {
      (point.error > 0.0 ? low : high) = point.force;
      double next = point.force + point.error / (1.0 - point.slope);
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      if (next == point.force) break;
      point = return_map(next);
    }
    return point;
  }

  /// Whether the motion determines F₀: 1 − Φ' is not rounding alone.
  bool determines(const FixedPoint& point) const {
    constexpr double single = 1e-13;
    return 1.0 - point.slope > single + 4.0 * epsilon * static_cast<double>(count_);
  }

  /// Where branches pass the curve's corners or reach macroslip, or an excess over F_g is gone.
  void locate_corners(const PeriodicMotion& motion, double first_force) {
    Corners corners(motion, options_.corners, result_.corners);
    for (std::size_t place = 1; place <= count_; ++place) {
      const Reversal &last = reversal(place - 1), &next = reversal(place);
      const double d = next.maximum ? 1.0 : -1.0;
      const double g = 1.0 - d * (place > 1 ? room_.branch[place - 1].force : first_force) / curve_.scale();
      corners.pass(last.value + d * (g > 0.0 ? g : 1.0) * curve_.macroslip(), last.time, next.time);
      if (g <= 0.0) continue;
      for (const double u : curve_.corners()) corners.pass(last.value + d * g * u, last.time, next.time);
    }
  }

  /// First the displacements of the reversals, then the forces.
  void add_sources(const FixedPoint& fixed) {
    for (std::size_t place = 0; place < count_; ++place) add_source(result_, reversal(place), 1.0);
    add_first_force(fixed);
    for (std::size_t place = 1; place < count_; ++place) add_force(place);
  }

  /// The force at a reversal, at the end of the branch from the one before.
  void add_force(std::size_t place) {
    const BranchResult& branch = room_.branch[place];
    const std::size_t before = (place > 0 ? place : count_) - 1;
    const std::array<MemoryParent, 2> parents = {MemoryParent{force_source(before), branch.by_start},
                                                 MemoryParent{x_source(before), -branch.by_displacement}};
    add_source(result_, reversal(place), branch.by_displacement, parents);
  }

  void add_first_force(const FixedPoint& fixed) {
    if (!determines(fixed)) {
      add_source(result_, reversal(0), virgin_.stiffness);
      return;
    }
    if (options_.open) return add_force(0);
    std::fill(room_.by_reversal.begin(), room_.by_reversal.end(), 0.0);
    double carried = 1.0 / (1.0 - fixed.slope);
    for (std::size_t place = count_; place >= 1; --place) {
      const BranchResult& branch = room_.branch[place % count_];
      room_.by_reversal[place % count_] += carried * branch.by_displacement;
      room_.by_reversal[place - 1] -= carried * branch.by_displacement;
      carried *= branch.by_start;
    }
    room_.parents.clear();
    for (std::size_t place = 1; place < count_; ++place) {
      room_.parents.push_back({x_source(place), room_.by_reversal[place]});
    }
    add_source(result_, reversal(0), room_.by_reversal[0], room_.parents);
  }

  static constexpr double epsilon = std::numeric_limits<double>::epsilon();

  const Curve& curve_;
  const CycleOptions& options_;
  ScaledRoom& room_;
  CycleResult& result_;
  std::size_t first_;
  std::size_t count_;
  CurveValue virgin_;
};

template <class Curve>
class ScaledElement final : public ContactElement {
 public:
  explicit ScaledElement(Curve curve) : curve_(std::make_shared<const Curve>(std::move(curve))) {}

  int inputs() const override { return 1; }
  bool uses_velocity() const override { return Curve::uses_speed; }
  bool locates_kinks() const override { return true; }
  void find_kinks(const PeriodicMotion& motion, CycleResult& room, Kinks& kinks) const override {
    find_turns_and_corners(*this, motion, room, kinks);
    if constexpr (Curve::uses_speed) add_speeds(motion, kinks);
  }
  std::unique_ptr<ContactPoint> at_rest() const override { return std::make_unique<ScaledPoint<Curve>>(curve_); }
  bool is_piecewise_linear() const override { return false; }
  void linear_pieces(const PeriodicSignal&, std::span<const TurningPoint>, std::vector<LinearPiece>&) const override {}

  void steady_cycle(const PeriodicMotion& motion, const CycleOptions& options, CycleResult& result) const override {
    check_motion(Curve::name, 1, Curve::uses_speed, motion);
    result.resize(motion.displacement.rows(), 1, Curve::uses_speed);
    result.sources.clear();
    result.parents.clear();
    result.corners.clear();
    auto& room = result.workspace.of<ScaledRoom>();
    find_reversals(motion, room.located, room.reversals);
    if (room.reversals.empty()) {
      stay(motion, result);
    } else {
      ScaledCycle<Curve>(*curve_, room, options, result).run(motion);
    }
    if (!result.force.allFinite()) throw_not_finite(Curve::name, motion, result);
  }

 private:
  /// A force that changes with the speed may do so in a small part of the time between two reversals: ends of panels at the
  /// speeds between which it changes. Nothing happens there, so between two samples the speed is taken as linear.
  void add_speeds(const PeriodicMotion& motion, Kinks& kinks) const {
    constexpr int resolving = 24;
    const Index count = motion.velocity.rows();
    const double spacing = 2.0 * pi / static_cast<double>(count);
    kinks.nodes = resolving;
    for (Index i = 0; i < count; ++i) {
      const double from = std::abs(motion.velocity(i, 0)), to = std::abs(motion.velocity((i + 1) % count, 0));
      for (const double speed : curve_->speeds()) {
        if ((from < speed) == (to < speed)) continue;
        kinks.ends.push_back(spacing * (static_cast<double>(i) + (speed - from) / (to - from)));
      }
    }
  }

  void stay(const PeriodicMotion& motion, CycleResult& result) const {
    result.uses.clear();
    for (Index i = 0; i < motion.displacement.rows(); ++i) {
      const double x = motion.displacement(i, 0);
      const BranchResult branch = scaled_branch(*curve_, {}, x < 0.0 ? -1.0 : 1.0, x, 0.0);
      result.force(i, 0) = branch.force;
      result.by_displacement(i, 0) = branch.by_displacement;
    }
    result.by_velocity.setZero();
    result.report = {.closed = true, .cycles = 1, .closure_error = 0.0};
  }

  std::shared_ptr<const Curve> curve_;
};

}  // namespace masing::detail
