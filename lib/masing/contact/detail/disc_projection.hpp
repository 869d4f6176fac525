// The point of an intersection of discs that is nearest to a given point.
//
// It lies on the rim of no disc (the point itself), of one, or at the corner of two. Discs are taken in one after the
// other, the most violated first; the distance grows with every one of them, so that the search ends after a few.
#pragma once

#include "masing/contact/law.hpp"

#include <array>
#include <span>

namespace masing::detail {

struct Disc {
  SmallVector<2> centre;
  double radius = 0.0;  ///< > 0
};

struct DiscProjection {
  bool exists = false;   ///< false: no point lies in all discs
  SmallVector<2> point;  ///< the nearest one; if there is none, one between the discs that have no point in common
  int count = 0;         ///< of the discs on whose rim it lies
  std::array<Index, 2> on_rim = {};
};

DiscProjection project_onto_discs(const SmallVector<2>& from, std::span<const Disc> discs);

}  // namespace masing::detail
