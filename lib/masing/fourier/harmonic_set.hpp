// Which harmonics a periodic motion is made of, and where their coefficients stand.
//
//   x(t) = a_0 + Σ_k (a_k cos kΩt + b_k sin kΩt),   k in an arbitrary ascending set such as {0, 1, 3, 6}
//
// A set of harmonics has P "positions": one for harmonic 0, two (cos, sin) for every other. The coefficients of m
// coordinates are a matrix m × P; its column-major storage is the order used everywhere in Masing: by harmonic, then cos
// before sin, then coordinate.
#pragma once

#include "masing/core/types.hpp"

#include <vector>

namespace masing {

class HarmonicSet {
 public:
  /// Ascending and distinct, each >= 0, at least one. Throws ModelError otherwise.
  explicit HarmonicSet(std::vector<int> harmonics);
  /// {0, 1, …, highest}
  static HarmonicSet up_to(int highest);

  const std::vector<int>& harmonics() const { return harmonics_; }
  Index count() const { return static_cast<Index>(harmonics_.size()); }
  int operator[](Index i) const { return harmonics_[static_cast<std::size_t>(i)]; }
  int highest() const { return harmonics_.back(); }
  bool has_zero() const { return harmonics_.front() == 0; }

  /// P, the number of real coefficients of one coordinate.
  Index positions() const { return 2 * count() - (has_zero() ? 1 : 0); }
  /// Position of the cosine coefficient of the i-th harmonic of the set (of the constant, for harmonic 0).
  Index cosine(Index i) const { return has_zero() ? (i == 0 ? 0 : 2 * i - 1) : 2 * i; }
  /// Position of the sine coefficient; harmonic 0 has none.
  Index sine(Index i) const { return cosine(i) + 1; }
  /// Where harmonic k is in the set, or -1.
  Index find(int k) const;
  bool operator==(const HarmonicSet&) const = default;

 private:
  std::vector<int> harmonics_;
};

}  // namespace masing
