// The tangential memory of a slip/slap contact over a period: a branch from each reversal or re-contact to the next.
//
// It does not depend on w_max, so it is found first. The map of Δ₀ over a period is affine; without separation its fixed
// point is the periodic state (see slip_slap.hpp).
#pragma once

#include "masing/contact/detail/slip_slap_memory.hpp"
#include "masing/contact/slip_slap.hpp"

#include <vector>

namespace masing::detail {

struct SlipSlapBranch {
  bool contact = true;
  SlipSlap::Branch law;
  Index origin_source = constant;  ///< of u₀
  Index start_source = constant;   ///< of Δ₀
};

class SlipSlapBranches {
 public:
  /// Fills the branch that begins at each event, or continues there.
  void find(const SlipSlap& law, const SlipSlapPath& path, const SlipSlapEvents& events, SlipSlapMemory& memory);
  /// After event e; −1: before the first one, which is after the last one of the period.
  const SlipSlapBranch& after(Index e) const;

 private:
  void fill_at_rest(const SlipSlapPath& path, SlipSlapMemory& memory);
  /// Sets Δ₀ of the branch that begins at reversal `first`, and 1 − B; false when the contact is not stirred.
  bool find_fixed_point(const SlipSlap& law, const SlipSlapEvents& events, Index first, SlipSlapBranch& branch,
                        double& forgotten) const;

  std::vector<SlipSlapBranch> branches_;
  SlipSlapBranch only_;  // of a period without events
};

}  // namespace masing::detail
