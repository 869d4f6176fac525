// Laws that forget older reversals: how much their force jumps where a motion gets a new pair of them.
//
// An exact hysteresis law closes a small inner loop and goes on as if it had not been. The reduced laws (`ripp`, `iwan-stribeck`,
// `variable-load-iwan-closed`) remember one reversal: behind an inner loop, however small, they follow another branch. Where a
// superharmonic grows until the relative motion hesitates, turns and turns again, their force is not continuous in the motion, and
// a response curve ends or has a gap.
//
// No law needs to say so of itself: an inner loop of a millionth of the motion is put into it, at several instants, and the force
// of the steady cycle is compared with that without the loop. It is the same for a law that is continuous there.
#pragma once

#include "masing/contact/element.hpp"

namespace masing::detail {

/// The largest change of the first force by such a loop, relative to the largest force: 0 for laws that forget nothing, about
/// 0.1 for those that remember one reversal. `motion`: N equidistant samples × inputs [m]; omega [rad/s] of its period.
double jump_at_new_reversals(const ContactElement& element, const Matrix& motion, double omega);

}  // namespace masing::detail
