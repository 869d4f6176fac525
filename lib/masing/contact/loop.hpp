// Loops of one law alone: force along a given history, work, and the energy of a hysteresis loop.
//
//   work       W = ∫ f · du     trapezoidal between samples: exact while the force is linear in u from one sample to
//                               the next, second order in the step where a phase changes in between
//   loop area  E = ∮ f · du     the same over a closed cycle, including the way back from the last sample to the first
//
// A joint force resists, so E >= 0 is energy taken from the structure [J].
#pragma once

#include "masing/contact/element.hpp"

namespace masing {

/// A law marched from rest along a sampled history.
struct History {
  Matrix force;  ///< samples × D [N]
  Vector work;   ///< work done on the contact since the first sample [J]
};

/// `displacement` and `velocity`: samples × D; the velocity may be empty for a law that does not use it.
History march_history(const ContactElement& element, MatrixView displacement, MatrixView velocity);

/// Energy of one closed cycle, samples × D; sample N would be sample 0 again.
double loop_area(MatrixView displacement, MatrixView force);

}  // namespace masing
