#include "masing/analysis/results.hpp"

#include <algorithm>

namespace masing {

Index BranchHeader::find_quantity(const std::string& name) const {
  const auto found = std::find_if(quantities.begin(), quantities.end(),
                                  [&](const PointQuantity& quantity) { return quantity.name == name; });
  return found == quantities.end() ? -1 : found - quantities.begin();
}

bool is_bifurcation(const std::string& kind) {
  return kind == "fold" || kind == "branch-point" || kind == "period-doubling" || kind == "neimark-sacker" ||
         kind == "jump";
}

bool is_level_extremum(const std::string& kind) {
  return kind == "cusp" || kind == "isola birth" || kind == "isola merging";
}

bool ResponseCurves::complete() const {
  return std::all_of(branches.begin(), branches.end(),
                     [](const ResponseBranch& branch) { return branch.end.complete; });
}

}  // namespace masing
