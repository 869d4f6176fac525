// A law linearised about a constant motion, for vibrations too small to change its contact:
//
//   f(u₀ + δu, δv) ≈ f₀ + stiffness · δu + damping · δv
//
// The law is loaded from rest to u₀, all inputs in proportion. A law without memory has its tangent there. A law that
// remembers has two: one for going on, one for turning back, and a vibration about u₀ turns back twice a period. Its small
// loops therefore have the second one, that of stick: the stick stiffness of a Jenkins element also in slip, F̂'(0) of an Iwan
// law. It is read after a step back by a few rounding errors, one input after the other, the last (normal) one first.
#pragma once

#include "masing/contact/element.hpp"

namespace masing {

struct SmallMotion {
  Vector force;      ///< f₀ [N]
  Matrix stiffness;  ///< [N/m]; not symmetric where friction follows a normal load
  Matrix damping;    ///< [N s/m]
};

/// `displacement` has one entry an input; zero: the law at rest, never loaded.
SmallMotion small_motion(const ContactElement& element, const Vector& displacement);

}  // namespace masing
