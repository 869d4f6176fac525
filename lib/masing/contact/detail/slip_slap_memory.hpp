// Writes what a slip/slap contact remembers as sources of a CycleResult.
//
// A scalar is set at an instant t that may itself move with the motion:
//
//   dm = by_u δu(t) + by_w δw(t) + by_u_rate δ(du/dτ)(t) + Σ_parents weight · dm_parent
//
// Where only samples are known, δu(t) is interpolated between the two neighbouring samples: a source each.
#pragma once

#include "masing/contact/detail/memory_graph.hpp"
#include "masing/contact/detail/slip_slap_events.hpp"

#include <array>

namespace masing::detail {

struct MemorySetting {
  double position = 0.0;
  double by_u = 0.0, by_w = 0.0, by_u_rate = 0.0;
  std::array<MemoryParent, 3> parents = {{{constant, 0.0}, {constant, 0.0}, {constant, 0.0}}};
};

class SlipSlapMemory {
 public:
  /// `open`: see CycleOptions.
  SlipSlapMemory(const SlipSlapPath& path, bool open, CycleResult& result) : path_(path), open_(open), result_(result) {
    result_.clear_memory();
  }
  bool open() const { return open_; }

  /// The number of the new source.
  Index set(const MemorySetting& setting);
  /// Source `place` is set as source `other` is.
  void set_like(Index place, Index other) {
    result_.sources[static_cast<std::size_t>(place)] = MemorySource(result_.sources[static_cast<std::size_t>(other)]);
  }
  /// A scalar that equals the mean of an input over all samples; one that keeps its value if the period is open.
  Index set_to_mean(int input);
  /// Force derivatives of a sample by the scalar of a source; ignored for `constant`.
  void use(Index sample, Index source, double tangential, double normal);

 private:
  using Two = SmallVector<Eigen::Dynamic>;

  Index add(Index sample, double by_u, double by_w, Index first_parent);

  const SlipSlapPath& path_;
  bool open_;
  CycleResult& result_;
};

}  // namespace masing::detail
