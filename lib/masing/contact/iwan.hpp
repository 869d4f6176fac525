// The exact Iwan law: any density of sliders, with the memory that Masing's rules give it. No slider is stored.
//
//   never reversed      F = sgn(x) F̂(|x|)                          the backbone (backbone.hpp)
//   after a reversal    F = F_r + 2 d F̂( d (x − x_r) / 2 )         d = ±1: direction since the reversal (x_r, F_r)
//   memory              a stack of reversals. Passing the one before the last closes a minor loop: both are forgotten,
//                       and the motion continues on the branch it was on before (wiping-out). Passing the largest |x| so
//                       far, to either side, leads back to the backbone and forgets everything.
//
// These rules are what a parallel population of Jenkins elements does, without error from the number of elements. The
// energy of a symmetric loop of amplitude A is 8 ∫₀ᴬ F̂ du − 4 A F̂(A).
//
// Periodic state: at the reversal of largest |x| the force is sgn(x) F̂(|x|), so one pass around the period from there is
// exact, with O(1) work a sample on average. Convention: the joint is virgin before the vibration builds up. A vibration
// about an offset in partial slip therefore hangs on the backbone by its end that is farther from zero, and a motion
// that is constant has the force sgn(x) F̂(|x|). In gross slip the convention has no influence.
// Reversals are located between samples where the motion is known there. In the derivative of the force,
//
//   dF = dF_r + F̂'(ξ) (dx − dx_r),    ξ = d (x − x_r) / 2,
//
// x_r is an extreme value: to first order it changes by the motion's change at a fixed instant, so nothing is lost by
// treating the instant as given. The force and the derivatives are continuous where max x = −min x and where loops close.
//
// Limits: constant normal load, one direction, rate-independent. Exact for sliders whose friction does not depend on
// sliding; with a backbone that has a maximum (five-parameter) the rules are an assumption.
//
// References: G. Masing, Eigenspannungen und Verfestigung beim Messing, Proc. 2nd Int. Congress of Applied Mechanics,
// Zurich, 1926, 332-335. W. D. Iwan, A distributed-element model for hysteresis and its steady-state dynamic response,
// Journal of Applied Mechanics 33 (1966) 893-900. D. J. Segalman, A four-parameter Iwan model for lap-type joints,
// Journal of Applied Mechanics 72 (2005) 752-760.
#pragma once

#include "masing/contact/backbone.hpp"
#include "masing/contact/element.hpp"

namespace masing {

/// One input [m], one force [N]. In time integration its phases are named by the direction of motion, "forward" and
/// "backward"; the closure of a loop and macroslip are located, too, because the stiffness jumps there.
std::shared_ptr<const ContactElement> make_iwan(BackbonePointer backbone);

}  // namespace masing
