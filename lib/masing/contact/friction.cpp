#include "masing/contact/friction.hpp"

#include "masing/contact/detail/disc_projection.hpp"
#include "masing/contact/detail/normal_part.hpp"
#include "masing/contact/detail/recontact.hpp"
#include "masing/contact/detail/slider_kinks.hpp"
#include "masing/core/error.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace masing {
namespace {

void check(std::string_view name, const FrictionParameters& p) {
  require(std::isfinite(p.stiffness) && p.stiffness > 0.0, "{}: stiffness = {} N/m must be > 0.", name, p.stiffness);
  require(std::isfinite(p.friction) && p.friction >= 0.0, "{}: friction = {} must be >= 0.", name, p.friction);
}

using Plane = SmallMatrix<2, 2>;

/// Derivatives by the columns u (2), r, z (2), m (2).
using SlideGradient = Eigen::Matrix<double, 2, 7>;
using SlideRow = Eigen::Matrix<double, 1, 7>;
constexpr int by_reach = 2;

/// The direction n after a step in slip, and its derivatives.
struct Slide {
  SmallVector<2> direction;
  SlideGradient by;
};

/// a(x) = 1/x − 1/(eˣ − 1) and its derivative.
std::pair<double, double> weight_of_past(double x) {
  constexpr double small = 0.05;  // the next terms of the series are below 1e-15
  if (x < small) {
    const double y = x * x;
    return {0.5 - x / 12.0 * (1.0 - y / 60.0 * (1.0 - y / 42.0)),
            -1.0 / 12.0 * (1.0 - y / 20.0 * (1.0 - 5.0 * y / 126.0))};
  }
  const double growth = std::expm1(x);
  return {1.0 / x - 1.0 / growth, -1.0 / (x * x) - 1.0 / (growth * std::expm1(-x))};
}

// With v = u − z and q = v − s a m: |q| = R = r + s (1 − a), n = q/R. The derivatives of s follow from n·dq = dR.
Slide slide_to(const SmallVector<2>& u, double r, const SmallVector<2>& z, const SmallVector<2>& m) {
  const SmallVector<2> v = u - z;
  const double length = v.norm();
  const auto [a, a_slope] = weight_of_past(length / r - 1.0);
  const double excess = (length - r) * (length + r);
  const double b = r * (1.0 - a) + a * v.dot(m);
  const double square = (1.0 - a) * (1.0 - a) - a * a * m.squaredNorm();  // >= 1 − 2a, because |m| <= 1
  const double s = excess / (b + std::sqrt(b * b + square * excess));
  const double whole = r + s * (1.0 - a);
  const SmallVector<2> n = (v - s * a * m) / whole;

  SlideGradient dv = SlideGradient::Zero(), dm = SlideGradient::Zero();
  dv.leftCols<2>().setIdentity();
  dv.middleCols<2>(by_reach + 1) = -Plane::Identity();
  dm.rightCols<2>().setIdentity();
  const SlideRow dr = SlideRow::Unit(by_reach);
  const SlideRow da = (a_slope / r) * (v.transpose() * dv / length - (length / r) * dr);
  const SlideRow ds = (n.transpose() * (dv - s * a * dm) - dr + s * (1.0 - n.dot(m)) * da) / (1.0 - a + a * n.dot(m));
  const SlideGradient dq = dv - m * (a * ds + s * da) - s * a * dm;
  const SlideRow d_whole = dr + (1.0 - a) * ds - s * da;
  return {n, (dq - n * d_whole) / whole};
}

double sign_of(Friction2d::Phase phase) { return phase == Friction2d::Phase::slip_forward ? 1.0 : -1.0; }

}  // namespace

Friction2d::Friction2d(const FrictionParameters& parameters)
    : stiffness_(parameters.stiffness), friction_(parameters.friction), normal_(parameters.normal) {
  check(name, parameters);
}

Response<2, 2> Friction2d::advance(const Motion<2>& motion, State& state) const {
  const double w = motion.displacement[1];
  if (normal_.is_open(w)) {
    Response<2, 2> r;
    detail::set_normal_part(normal_, motion, r);
    state = {.slider = motion.displacement[0], .approach = w, .phase = Phase::open};
    r.memory_set = true;
    r.memory_by_displacement.setIdentity();
    return r;
  }
  if (state.phase != Phase::open) return closed(motion, state);
  const detail::Recontact<2, 2> touch(normal_, motion, memory_of(state));
  state.slider = touch.start()[0];
  Response<2, 2> r = closed(motion, state);
  touch.resolve(r);
  return r;
}

/// While it is closed, from the slider of the state.
Response<2, 2> Friction2d::closed(const Motion<2>& motion, State& state) const {
  const double u = motion.displacement[0];
  Response<2, 2> r;
  const NormalContact::Value normal = detail::set_normal_part(normal_, motion, r);
  const double trial = stiffness_ * (u - state.slider);
  const double most = friction_ * normal.load;
  // A slider that was dragged to here in the period before rests, whatever rounding says.
  const double rounding =
      4.0 * std::numeric_limits<double>::epsilon() * stiffness_ * (std::abs(u) + std::abs(state.slider));
  if (std::abs(trial) <= most + rounding) {
    state.phase = Phase::stick;
    r.force[0] = trial;
    r.by_displacement(0, 0) = stiffness_;
    r.by_memory(0, 0) = -stiffness_;
    r.memory_by_memory.setIdentity();
    return r;
  }
  const double sign = trial > 0.0 ? 1.0 : -1.0;
  state.phase = sign > 0.0 ? Phase::slip_forward : Phase::slip_backward;
  state.slider = u - sign * most / stiffness_;
  r.force[0] = sign * most;
  r.by_displacement(0, 1) = sign * friction_ * normal.stiffness;
  r.memory_set = true;
  r.memory_by_displacement.row(0) << 1.0, -sign * friction_ * normal.stiffness / stiffness_;
  return r;
}

double Friction2d::limit_rate(const Motion<2>& motion) const {
  return friction_ * normal_.continued(motion.displacement[1]).stiffness * motion.velocity[1] / stiffness_;
}

double Friction2d::distance_to_switch(const Motion<2>& motion, const State& state) const {
  const double closed_by = motion.displacement[1] - normal_.contact_approach();
  switch (state.phase) {
    case Phase::open:
      return -closed_by;
    case Phase::stick:
      return std::min(closed_by, limit(motion.displacement[1]) - std::abs(motion.displacement[0] - state.slider));
    case Phase::slip_forward:
    case Phase::slip_backward:
      break;
  }
  return std::min(closed_by, sign_of(state.phase) * motion.velocity[0] - limit_rate(motion));
}

void Friction2d::switch_phase(const Motion<2>& motion, State& state) const {
  const double u = motion.displacement[0];
  const double w = motion.displacement[1];
  if (state.phase == Phase::open) return close(motion, state);
  const double closed_by = w - normal_.contact_approach();
  if (distance_to_switch(motion, state) == closed_by) {
    state = {.slider = u, .approach = w, .phase = Phase::open};
  } else if (state.phase == Phase::stick) {
    state.phase = u > state.slider ? Phase::slip_forward : Phase::slip_backward;
  } else {
    const double reach = std::max(limit(w), 0.0);
    state.slider = u - sign_of(state.phase) * reach;
    state.phase = Phase::stick;
    // Rounding must not leave the fresh stick phase outside its own limit.
    while (std::abs(u - state.slider) > reach) state.slider = std::nextafter(state.slider, u);
  }
}

/// The surfaces touch: the slider starts at u, and is dragged along at once if u moves faster than the limit grows.
void Friction2d::close(const Motion<2>& motion, State& state) const {
  const double velocity = motion.velocity[0];
  state.slider = motion.displacement[0];
  if (std::abs(velocity) <= limit_rate(motion)) {
    state.phase = Phase::stick;
  } else {
    state.phase = velocity > 0.0 ? Phase::slip_forward : Phase::slip_backward;
  }
}

SmallVector<2> Friction2d::force_in_phase(const Motion<2>& motion, const State& state) const {
  if (state.phase == Phase::open) return {0.0, -normal_.preload()};
  const double load = normal_.continued(motion.displacement[1]).load;
  const double tangential = state.phase == Phase::stick ? stiffness_ * (motion.displacement[0] - state.slider)
                                                        : sign_of(state.phase) * friction_ * load;
  return {tangential, load - normal_.preload()};
}

std::string_view Friction2d::phase_name(const State& state) const {
  switch (state.phase) {
    case Phase::slip_forward:
      return "slip+";
    case Phase::slip_backward:
      return "slip-";
    case Phase::open:
      return "open";
    case Phase::stick:
      break;
  }
  return "stick";
}

void Friction2d::find_kinks(const PeriodicMotion& motion, CycleWorkspace& workspace, Kinks& kinks) const {
  const auto reach = [this](double w) {
    const NormalContact::Value normal = normal_.continued(w);
    const double per_load = friction_ / stiffness_;
    return detail::Reach{per_load * std::max(normal.load, 0.0), per_load * normal.stiffness};
  };
  detail::SliderKinks(motion, normal_, reach, workspace.of<detail::SliderKinkRoom>(), kinks).add(1.0);
}

Friction3d::Friction3d(const FrictionParameters& parameters)
    : stiffness_(parameters.stiffness), friction_(parameters.friction), normal_(parameters.normal) {
  check(name, parameters);
}

Response<3, 5> Friction3d::with_normal_part(const Motion<3>& motion) const {
  Response<3, 5> r;
  detail::set_normal_part(normal_, motion, r);
  return r;
}

Response<3, 5> Friction3d::held(const Motion<3>& motion, const State& state) const {
  Response<3, 5> r = with_normal_part(motion);
  r.force.head<2>() = stiffness_ * (motion.displacement.head<2>() - state.slider);
  r.by_displacement.topLeftCorner<2, 2>() = stiffness_ * Plane::Identity();
  r.by_memory.topLeftCorner<2, 2>() = -stiffness_ * Plane::Identity();
  return r;
}

Response<3, 5> Friction3d::advance(const Motion<3>& motion, State& state) const {
  const double w = motion.displacement[2];
  Response<3, 5> r = with_normal_part(motion);
  const bool carries_nothing = friction_ * (r.force[2] + normal_.preload()) <= 0.0;
  if (normal_.is_open(w) || carries_nothing) {
    state = {.slider = motion.displacement.head<2>(), .approach = w, .open = normal_.is_open(w)};
    r.memory_set = true;
    r.memory_by_displacement.topLeftCorner<2, 2>().setIdentity();
    r.memory_by_displacement(4, 2) = 1.0;
    return r;
  }
  if (!state.open) return closed(motion, state);
  const detail::Recontact<3, 5> touch(normal_, motion, memory_of(state));
  state = {.slider = touch.start(), .approach = state.approach};
  r = closed(motion, state);
  touch.resolve(r);
  return r;
}

/// While it is closed, from the slider of the state.
Response<3, 5> Friction3d::closed(const Motion<3>& motion, State& state) const {
  const SmallVector<2> u = motion.displacement.head<2>();
  Response<3, 5> r = with_normal_part(motion);
  r.memory_set = true;
  const double most = friction_ * (r.force[2] + normal_.preload());
  const double reach = most / stiffness_;
  const double reach_by_approach = friction_ * r.by_displacement(2, 2) / stiffness_;
  if ((u - state.slider).norm() <= reach) {
    r = held(motion, state);
    r.memory_set = true;
    state.share = (u - state.slider) / reach;
    r.memory_by_displacement.block<2, 2>(2, 0) = Plane::Identity() / reach;
    r.memory_by_displacement.block<2, 1>(2, 2) = -state.share * (reach_by_approach / reach);
    r.memory_by_memory.topLeftCorner<2, 2>().setIdentity();
    r.memory_by_memory.block<2, 2>(2, 0) = -Plane::Identity() / reach;
    return r;
  }
  const Slide slide = slide_to(u, reach, state.slider, state.share);
  const auto& by = slide.by;
  const SmallVector<2> by_approach = (slide.direction + reach * by.col(by_reach)) * reach_by_approach;
  r.force.head<2>() = most * slide.direction;
  r.by_displacement.topLeftCorner<2, 2>() = most * by.leftCols<2>();
  r.by_displacement.topRightCorner<2, 1>() = stiffness_ * by_approach;
  r.by_memory.topLeftCorner<2, 4>() = most * by.rightCols<4>();
  r.memory_by_displacement.topLeftCorner<2, 2>() = Plane::Identity() - reach * by.leftCols<2>();
  r.memory_by_displacement.topRightCorner<2, 1>() = -by_approach;
  r.memory_by_displacement.block<2, 2>(2, 0) = by.leftCols<2>();
  r.memory_by_displacement.block<2, 1>(2, 2) = by.col(by_reach) * reach_by_approach;
  r.memory_by_memory.topLeftCorner<2, 4>() = -reach * by.rightCols<4>();
  r.memory_by_memory.block<2, 4>(2, 0) = by.rightCols<4>();
  state.slider = u - reach * slide.direction;
  state.share = slide.direction;
  return r;
}

Friction3d::Start Friction3d::stuck_start(const PeriodicMotion& motion, CycleWorkspace& workspace) const {
  struct Room final : ElementWorkspace {
    std::vector<detail::Disc> discs;
  };
  std::vector<detail::Disc>& discs = workspace.of<Room>().discs;
  discs.clear();
  for (Index i = 0; i < motion.displacement.rows(); ++i) {
    const double w = motion.displacement(i, 2);
    const double radius = friction_ * normal_.at(w).load / stiffness_;
    if (normal_.is_open(w) || !(radius > 0.0)) return {.stuck = false, .state = virgin()};
    discs.push_back({motion.displacement.row(i).head(2).transpose(), radius});
  }
  const detail::DiscProjection nearest = detail::project_onto_discs(virgin().slider, discs);
  Start start{.stuck = nearest.exists, .state = {.slider = nearest.point}, .count = nearest.count};
  Plane pull = Plane::Identity();  // columns: how the slider follows a shift of each rim along its normal
  if (nearest.count == 2) {
    for (int i = 0; i < 2; ++i) pull.row(i) = (nearest.point - discs[nearest.on_rim[i]].centre).normalized();
    pull = pull.completeOrthogonalDecomposition().pseudoInverse().eval();
  }
  for (int i = 0; i < nearest.count; ++i) {
    const Index sample = nearest.on_rim[i];
    const detail::Disc& disc = discs[sample];
    const SmallVector<2> normal = (nearest.point - disc.centre).normalized();
    const SmallVector<2> follow = nearest.count == 2 ? SmallVector<2>(pull.col(i)) : normal;
    auto by = start.origins[i].by_displacement.topRows<2>();  // of the slider
    start.origins[i].sample = sample;
    by.leftCols<2>() = follow * normal.transpose();
    by.col(2) = follow * (friction_ * normal_.at(motion.displacement(sample, 2)).stiffness / stiffness_);
    if (nearest.count == 1) {
      const double share = 1.0 - disc.radius / (virgin().slider - disc.centre).norm();
      by.leftCols<2>() += share * (Plane::Identity() - normal * normal.transpose());
    }
  }
  return start;
}

}  // namespace masing
