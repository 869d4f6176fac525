#include "masing/contact/variable_load_closed.hpp"

#include "masing/contact/detail/normal_part.hpp"
#include "masing/contact/detail/recontact.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace masing {
namespace {

/// Places of the remembered scalars.
enum Memory {
  centre,
  reversal_position,
  reversal_force,
  reversal_reach,
  last_position,
  last_force,
  last_reach,
  open_approach
};
constexpr int reversal = reversal_position;
constexpr int last = last_position;
constexpr int reversal_size = 3;

/// How far, relatively, the opposite side must exceed the largest excursion to become the new one: more than rounding,
/// so that symmetric motions do not change sides by chance.
constexpr double side_margin = 1e-9;

bool passes_extreme(double excursion, double extreme) {
  const bool same_side = excursion * extreme >= 0.0;
  return std::abs(excursion) >= (same_side ? 1.0 : 1.0 + side_margin) * std::abs(extreme);
}

}  // namespace

/// y and its derivatives.
struct VariableLoadClosed::Branch {
  double force = 0.0;
  double by_displacement = 0.0;
  double by_reach = 0.0;
  SmallMatrix<1, 8> by_memory = SmallMatrix<1, 8>::Zero();
};

VariableLoadClosed::VariableLoadClosed(Parameters parameters)
    : backbone_(std::move(parameters.backbone)), scaling_(std::move(parameters.scaling)), normal_(parameters.normal) {
  require(backbone_ != nullptr, "variable-load-iwan-closed: there is no backbone.");
  require(
      scaling_.is_proportional() || parameters.accept_approximation,
      "variable-load-iwan-closed: its branches are exact only where the stiffness is proportional to the normal load. "
      "Use variable-load-iwan, make the stiffness proportional, or set accept_approximation = true.");
}

SmallVector<8> VariableLoadClosed::memory_of(const State& state) const {
  SmallVector<8> scalars;
  scalars << state.centre, state.reversal.position, state.reversal.force, state.reversal.reach, state.last.position,
      state.last.force, state.last.reach, state.approach;
  return scalars;
}

VariableLoadClosed::Branch VariableLoadClosed::branch(double u, double beta, const State& state, bool reverses) const {
  Branch result;
  const double origin = state.virgin ? state.centre : state.reversal.position;
  const double sign = state.virgin ? (u < origin ? -1.0 : 1.0) : state.direction;
  const double reach = state.virgin ? beta : beta + state.reversal.reach;
  const double depth = sign * (u - origin) / reach;
  const BackboneValue q = backbone_->at(depth);
  const double by_reach = sign * (q.force - depth * q.stiffness);
  result.force = sign * reach * q.force + (state.virgin ? 0.0 : state.reversal.force);
  result.by_displacement = q.stiffness;
  result.by_reach = by_reach;
  if (state.virgin) {
    result.by_memory[centre] = -q.stiffness;
  } else {
    // A branch that begins with this sample comes from the sample before, which was remembered as `last`.
    const int from = reverses ? last : reversal;
    result.by_memory.segment<reversal_size>(from) << -q.stiffness, 1.0, by_reach;
  }
  return result;
}

Response<2, 8> VariableLoadClosed::advance(const Motion<2>& motion, State& state) const {
  const double u = motion.displacement[0];
  const double w = motion.displacement[1];
  if (normal_.is_open(w)) {
    Response<2, 8> r;
    detail::set_normal_part(normal_, motion, r);
    state = {.centre = u, .open = true, .last = {.position = u}, .approach = w};
    r.memory_set = true;
    r.memory_by_displacement(centre, 0) = r.memory_by_displacement(last_position, 0) = 1.0;
    r.memory_by_displacement(open_approach, 1) = 1.0;
    return r;
  }
  if (!state.open) return closed(motion, state);
  const detail::Recontact<2, 8> touch(normal_, motion, memory_of(state));
  state = {.centre = touch.start()[0], .last = {.position = touch.start()[0]}, .approach = state.approach};
  Response<2, 8> r = closed(motion, state);
  touch.resolve(r);
  return r;
}

/// While it is closed, from the centre and the reversal of the state.
Response<2, 8> VariableLoadClosed::closed(const Motion<2>& motion, State& state) const {
  const double u = motion.displacement[0];
  Response<2, 8> r;
  const NormalContact::Value normal = detail::set_normal_part(normal_, motion, r);
  r.memory_set = true;
  const LoadScaling::Factors factors = scaling_.at(normal.load);
  const double direction = u > state.last.position ? 1.0 : u < state.last.position ? -1.0 : state.direction;
  const bool turns = direction * state.direction < 0.0;
  if (turns) state.reversal = state.last;
  state.direction = direction;
  state.virgin = passes_extreme(u - state.centre, state.extreme) || (state.virgin && !turns);
  if (state.virgin) state.extreme = u - state.centre;

  const Branch y = branch(u, factors.reach, state, turns);
  const double reach_by_approach = factors.reach_by_load * normal.stiffness;
  r.force[0] = factors.stiffness * y.force;
  r.by_displacement(0, 0) = factors.stiffness * y.by_displacement;
  r.by_displacement(0, 1) =
      factors.stiffness_by_load * normal.stiffness * y.force + factors.stiffness * y.by_reach * reach_by_approach;
  r.by_memory.row(0) = factors.stiffness * y.by_memory;

  r.memory_by_memory(centre, centre) = 1.0;
  r.memory_by_memory.block<reversal_size, reversal_size>(reversal, turns ? last : reversal).setIdentity();
  r.memory_by_displacement(last_position, 0) = 1.0;
  r.memory_by_displacement.row(last_force) << y.by_displacement, y.by_reach * reach_by_approach;
  r.memory_by_memory.row(last_force) = y.by_memory;
  r.memory_by_displacement(last_reach, 1) = reach_by_approach;
  state.last = {.position = u, .force = y.force, .reach = factors.reach};
  return r;
}

double VariableLoadClosed::reach_variation(const VectorView& approach) const {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = 0.0;
  for (const double w : approach) {
    if (normal_.is_open(w)) continue;
    const double reach = scaling_.at(normal_.at(w).load).reach;
    lowest = std::min(lowest, reach);
    highest = std::max(highest, reach);
  }
  return highest > 0.0 ? 1.0 - lowest / highest : 0.0;
}

}  // namespace masing
