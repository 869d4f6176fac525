#include "masing/analysis/results.hpp"

#include <algorithm>

namespace masing {

Index BranchHeader::find_quantity(const std::string& name) const {
  const auto found = std::find_if(quantities.begin(), quantities.end(),
                                  [&](const PointQuantity& quantity) { return quantity.name == name; });
  return found == quantities.end() ? -1 : found - quantities.begin();
}

bool is_bifurcation(const std::string& kind) {
  constexpr std::string_view twice = "double-";
  const std::string_view what = kind.starts_with(twice) ? std::string_view(kind).substr(twice.size()) : kind;
  return what == "fold" || what == "branch-point" || what == "period-doubling" || what == "neimark-sacker" ||
         what == "jump";
}

bool is_level_extremum(const std::string& kind) {
  return kind == "cusp" || kind == "isola birth" || kind == "isola merging";
}

bool ResponseCurves::complete() const {
  return std::all_of(branches.begin(), branches.end(),
                     [](const ResponseBranch& branch) { return branch.end.complete; });
}

}  // namespace masing
