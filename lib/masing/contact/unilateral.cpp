#include "masing/contact/unilateral.hpp"

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
  const auto piece = [&](double begin, double end, bool closed) {
    if (closed) return LinearPiece{.begin = begin, .end = end, .offset = -stiffness_ * gap_, .stiffness = stiffness_};
    return LinearPiece{.begin = begin, .end = end};
  };
  if (turns.empty()) {
    result.push_back(piece(0.0, 2.0 * pi, signal.at(0.0).value > gap_));
    return;
  }
  const auto count = static_cast<Index>(turns.size());
  bool closed = turns.front().value > gap_;
  double begin = turns.front().time;
  double section = begin;
  for (Index i = 1; i <= count; ++i) {
    const TurningPoint& turn = turns[static_cast<std::size_t>(i % count)];
    const double time = turn.time + (i >= count ? 2.0 * pi : 0.0);
    if ((turn.value > gap_) != closed) {
      const double crossing = find_crossing(signal, section, time, gap_);
      result.push_back(piece(begin, crossing, closed));
      begin = crossing;
      closed = !closed;
    }
    section = time;
  }
  result.push_back(piece(begin, section, closed));
}

}  // namespace masing
