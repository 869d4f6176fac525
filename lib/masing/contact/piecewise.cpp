#include "masing/contact/piecewise.hpp"

#include <cmath>

namespace masing {

SampleRange samples_in(const LinearPiece& piece, Index count) {
  constexpr double dust = 1e-9;  // an instant at a sample is its time but for rounding
  const double per_time = static_cast<double>(count) / (2.0 * pi);
  return {.first = static_cast<Index>(std::floor(piece.begin * per_time + dust)) + 1,
          .last = static_cast<Index>(std::floor(piece.end * per_time + dust))};
}

}  // namespace masing
