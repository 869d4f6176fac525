#include "masing/contact/unilateral.hpp"

#include "masing/contact/detail/linear_parts.hpp"
#include "masing/core/error.hpp"

#include <cmath>

namespace masing {

Unilateral::Unilateral(const Parameters& parameters) : stiffness_(parameters.stiffness), gap_(parameters.gap) {
  require(std::isfinite(stiffness_) && stiffness_ > 0.0, "unilateral: stiffness = {} N/m must be > 0.", stiffness_);
  require(std::isfinite(gap_), "unilateral: gap = {} m must be finite.", gap_);
}

void Unilateral::pieces(const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                        std::vector<LinearPiece>& result) const {
  result.clear();
  detail::add_stop_pieces({.stiffness = stiffness_, .wall = gap_}, signal, turns, result);
}

}  // namespace masing
