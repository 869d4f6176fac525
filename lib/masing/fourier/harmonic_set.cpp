#include "masing/fourier/harmonic_set.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <numeric>

namespace masing {

HarmonicSet::HarmonicSet(std::vector<int> harmonics) : harmonics_(std::move(harmonics)) {
  require(!harmonics_.empty(), "The list of harmonics is empty; give at least one, such as [1].");
  require(harmonics_.front() >= 0, "Harmonic {} is negative; harmonics are counted 0, 1, 2, …", harmonics_.front());
  for (std::size_t i = 1; i < harmonics_.size(); ++i) {
    require(harmonics_[i] > harmonics_[i - 1],
            "Harmonics must ascend without repetition, but {} follows {}; sort the list.", harmonics_[i],
            harmonics_[i - 1]);
  }
}

HarmonicSet HarmonicSet::up_to(int highest) {
  require(highest >= 0, "The highest harmonic is {}; it must be >= 0.", highest);
  std::vector<int> all(static_cast<std::size_t>(highest) + 1);
  std::iota(all.begin(), all.end(), 0);
  return HarmonicSet(std::move(all));
}

Index HarmonicSet::find(int k) const {
  const auto it = std::lower_bound(harmonics_.begin(), harmonics_.end(), k);
  return it != harmonics_.end() && *it == k ? static_cast<Index>(it - harmonics_.begin()) : -1;
}

}  // namespace masing
