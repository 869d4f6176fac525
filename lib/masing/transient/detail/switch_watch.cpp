#include "masing/transient/detail/switch_watch.hpp"

#include <array>
#include <cmath>

namespace masing::detail {

namespace {

constexpr int checks_per_step = 8;
// Where a fresh joint is looked at first: late enough for a distance that grows with the square of time.
constexpr double first_look = 1e-3;

struct Look {
  double theta = 0.0;
  double distance = 0.0;
};

/// Vertex of the parabola through three looks, the middle one being the lowest.
double parabola_vertex(const Look& a, const Look& b, const Look& c) {
  const double left = (b.theta - a.theta) * (b.distance - c.distance);
  const double right = (b.theta - c.theta) * (b.distance - a.distance);
  const double denominator = 2.0 * (left - right);
  if (denominator == 0.0) return b.theta;
  return b.theta - ((b.theta - a.theta) * left - (b.theta - c.theta) * right) / denominator;
}

}  // namespace

JointPath::JointPath(const EquationOfMotion& equation, Index joint, const StepEnds& ends)
    : start_(equation.motion(joint, ends.x0)),
      end_(equation.motion(joint, ends.x1)),
      start_acceleration_(equation.acceleration(joint, ends.x0, ends.d0)),
      end_acceleration_(equation.acceleration(joint, ends.x1, ends.d1)),
      h_(ends.h) {}

JointMotion JointPath::at(double theta) const {
  const double s = theta;
  const double s2 = s * s;
  // u = u0 + h v0 s + ½ h² a0 s² + s³ (c3 + c4 s + c5 s²), the last three fitted to the end of the step.
  const JointVector du =
      end_.displacement - start_.displacement - h_ * start_.velocity - 0.5 * h_ * h_ * start_acceleration_;
  const JointVector dv = h_ * (end_.velocity - start_.velocity - h_ * start_acceleration_);
  const JointVector da = h_ * h_ * (end_acceleration_ - start_acceleration_);
  const JointVector c3 = 10.0 * du - 4.0 * dv + 0.5 * da;
  const JointVector c4 = -15.0 * du + 7.0 * dv - da;
  const JointVector c5 = 6.0 * du - 3.0 * dv + 0.5 * da;
  JointMotion motion;
  motion.displacement = start_.displacement + s * h_ * start_.velocity + 0.5 * s2 * h_ * h_ * start_acceleration_ +
                        s2 * s * (c3 + s * c4 + s2 * c5);
  motion.velocity =
      start_.velocity + s * h_ * start_acceleration_ + (s2 / h_) * (3.0 * c3 + 4.0 * s * c4 + 5.0 * s2 * c5);
  return motion;
}

SwitchWatch::SwitchWatch(const EquationOfMotion& equation) : equation_(equation), fresh_(equation.joints(), true) {}

void SwitchWatch::settle(const StateVector& x) {
  for (Index j = 0; j < equation_.joints(); ++j) {
    if (!fresh_[j] || !equation_.point(j).switches()) continue;
    if (equation_.point(j).distance_to_switch(equation_.motion(j, x)) > 0.0) fresh_[j] = false;
  }
}

std::optional<Crossing> SwitchWatch::first_crossing(const StepEnds& ends, double resolution) const {
  std::optional<Crossing> first;
  for (Index j = 0; j < equation_.joints(); ++j) {
    if (!equation_.point(j).switches()) continue;
    const auto crossing = crossing_of(j, JointPath(equation_, j, ends), ends.h > resolution);
    if (!crossing) continue;
    if (crossing->at_start) return crossing;
    if (!first) {
      first = crossing;
    } else if (interpolated_root(equation_, ends, *crossing).theta < interpolated_root(equation_, ends, *first).theta) {
      first = crossing;
    }
  }
  return first;
}

std::optional<Crossing> SwitchWatch::crossing_of(Index joint, const JointPath& path, bool judge_fresh) const {
  const ContactPoint& point = equation_.point(joint);
  std::array<Look, checks_per_step + 2> looks;
  std::size_t count = 0;
  const auto look = [&](double theta) { looks[count++] = {theta, point.distance_to_switch(path.at(theta))}; };
  look(fresh_[joint] ? first_look : 0.0);
  for (int i = 1; i <= checks_per_step; ++i) look(static_cast<double>(i) / checks_per_step);

  std::size_t begin = 0;
  if (fresh_[joint]) {
    if (!judge_fresh) return std::nullopt;
    if (looks[0].distance < 0.0 && looks[1].distance < 0.0) return Crossing{joint, true, 0.0, first_look};
    while (begin < count && !(looks[begin].distance > 0.0)) ++begin;
  }
  for (std::size_t i = begin + 1; i < count; ++i) {
    if (looks[i].distance < 0.0) return Crossing{joint, false, looks[i - 1].theta, looks[i].theta};
    const bool lowest =
        i + 1 < count && looks[i].distance < looks[i - 1].distance && looks[i].distance <= looks[i + 1].distance;
    if (!lowest) continue;
    const double vertex = parabola_vertex(looks[i - 1], looks[i], looks[i + 1]);
    if (point.distance_to_switch(path.at(vertex)) < 0.0) return Crossing{joint, false, looks[i - 1].theta, vertex};
  }
  return std::nullopt;
}

InterpolatedRoot interpolated_root(const EquationOfMotion& equation, const StepEnds& ends, const Crossing& crossing) {
  constexpr int bisections = 48;       // to rounding in θ
  constexpr double difference = 1e-6;  // of θ, for the slope: distances are the smallest of several, with corners
  const JointPath path(equation, crossing.joint, ends);
  const ContactPoint& point = equation.point(crossing.joint);
  double before = crossing.before;
  double after = crossing.after;
  for (int i = 0; i < bisections; ++i) {
    const double middle = 0.5 * (before + after);
    (point.distance_to_switch(path.at(middle)) > 0.0 ? before : after) = middle;
  }
  const double up = point.distance_to_switch(path.at(after + difference));
  const double down = point.distance_to_switch(path.at(after - difference));
  return {after, (up - down) / (2.0 * difference)};
}

}  // namespace masing::detail
