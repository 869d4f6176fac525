#include "masing/contact/detail/memory_graph.hpp"

#include <Eigen/SVD>

#include <algorithm>
#include <array>
#include <cassert>

namespace masing::detail {
namespace {

constexpr Index unmarked = -1;
constexpr Index marked = 0;

/// M × M and M entries, on the stack.
using GainMatrix = SmallMatrix<Eigen::Dynamic, Eigen::Dynamic>;
static_assert(max_law_memory <= max_law_dimension);
using Numbers = std::array<Index, max_law_memory>;

/// Marks the sources that `final` comes from. Links from this period into the prologue are not followed.
void mark_ancestors(CycleResult& result, Index prologue, std::span<const Index> final) {
  std::vector<Index>& number = result.workspace.new_number;
  number.assign(result.sources.size(), unmarked);
  for (const Index source : final) {
    if (source != constant) number[source] = marked;
  }
  for (Index s = static_cast<Index>(result.sources.size()) - 1; s >= 0; --s) {
    if (number[s] == unmarked) continue;
    for (Index p = result.sources[s].first_parent; p < result.sources[s].end_parent; ++p) {
      const Index parent = result.parents[p].source;
      if (s < prologue || parent >= prologue) number[parent] = marked;
    }
  }
}

/// Copies the marked sources to the workspace, in order, and leaves their new numbers in new_number.
void copy_marked(CycleResult& result, Index prologue) {
  CycleWorkspace& w = result.workspace;
  w.sources.clear();
  w.parents.clear();
  for (Index s = 0; s < static_cast<Index>(result.sources.size()); ++s) {
    if (w.new_number[s] == unmarked) continue;
    MemorySource copy = result.sources[s];
    copy.first_parent = static_cast<Index>(w.parents.size());
    for (Index p = result.sources[s].first_parent; p < result.sources[s].end_parent; ++p) {
      const MemoryParent& parent = result.parents[p];
      if (s < prologue || parent.source >= prologue) {
        w.parents.push_back({w.new_number[parent.source], parent.weight});
      }
    }
    copy.end_parent = static_cast<Index>(w.parents.size());
    w.new_number[s] = static_cast<Index>(w.sources.size());
    w.sources.push_back(copy);
  }
}

/// Scalar i ended the period with what another one began it with.
bool taken_over(Index i, Index prologue, std::span<const Index> initial, std::span<const Index> final) {
  return final[i] != constant && final[i] < prologue && final[i] != initial[i];
}

/// Φ_q: influence of the memory before the period on the memory after it; rows of held scalars are left zero, because
/// these are known.
GainMatrix memory_gain(CycleResult& result, Index prologue, std::span<const Index> initial,
                       std::span<const Index> final) {
  const Index m = static_cast<Index>(initial.size());
  const Index in_period = static_cast<Index>(result.sources.size()) - prologue;
  std::vector<double>& gain = result.workspace.gain;  // in_period × m, row after row
  gain.assign(static_cast<std::size_t>(in_period * m), 0.0);
  for (Index s = 0; s < in_period; ++s) {
    const MemorySource& source = result.sources[prologue + s];
    for (Index p = source.first_parent; p < source.end_parent; ++p) {
      const MemoryParent& parent = result.parents[p];
      if (parent.source >= prologue) {
        for (Index j = 0; j < m; ++j) gain[s * m + j] += parent.weight * gain[(parent.source - prologue) * m + j];
      } else {
        const Index j = std::find(initial.begin(), initial.end(), parent.source) - initial.begin();
        assert(j < m);
        gain[s * m + j] += parent.weight;
      }
    }
  }
  GainMatrix phi = GainMatrix::Zero(m, m);
  for (Index i = 0; i < m; ++i) {
    if (taken_over(i, prologue, initial, final)) {
      phi(i, std::find(initial.begin(), initial.end(), final[i]) - initial.begin()) = 1.0;
    } else if (final[i] >= prologue) {
      for (Index j = 0; j < m; ++j) phi(i, j) = gain[(final[i] - prologue) * m + j];
    }
  }
  return phi;
}

/// Adds the sources of dq = (I − Φ_q)⁻¹ h to the workspace; h are the new numbers of the final sources. Returns the
/// number of each scalar's source.
Numbers add_fixed_point(CycleWorkspace& w, const GainMatrix& phi, const Numbers& h, Index inputs) {
  const Index m = phi.rows();
  const GainMatrix identity = GainMatrix::Identity(m, m);
  const Eigen::JacobiSVD<GainMatrix> decomposition(identity - phi, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const GainMatrix weights = decomposition.solve(identity);
  Numbers start;
  start.fill(constant);
  for (Index i = 0; i < m; ++i) {
    MemorySource source;
    source.by_displacement.setZero(inputs);
    source.by_velocity.setZero(inputs);
    source.first_parent = static_cast<Index>(w.parents.size());
    for (Index j = 0; j < m; ++j) {
      if (h[j] != constant && weights(i, j) != 0.0) w.parents.push_back({h[j], weights(i, j)});
    }
    source.end_parent = static_cast<Index>(w.parents.size());
    start[i] = static_cast<Index>(w.sources.size());
    w.sources.push_back(source);
  }
  return start;
}

/// Appends this period's sources to the workspace, their links into the old prologue turned to `start`; same for uses.
void append_period(CycleResult& result, Index prologue, std::span<const Index> initial, const Numbers& start) {
  CycleWorkspace& w = result.workspace;
  const Index shift = static_cast<Index>(w.sources.size()) - prologue;
  const auto renumbered = [&](Index source) {
    if (source >= prologue) return source + shift;
    return start[std::find(initial.begin(), initial.end(), source) - initial.begin()];
  };
  for (Index s = prologue; s < static_cast<Index>(result.sources.size()); ++s) {
    MemorySource copy = result.sources[s];
    copy.first_parent = static_cast<Index>(w.parents.size());
    for (Index p = result.sources[s].first_parent; p < result.sources[s].end_parent; ++p) {
      const Index parent = renumbered(result.parents[p].source);
      if (parent != constant) w.parents.push_back({parent, result.parents[p].weight});
    }
    copy.end_parent = static_cast<Index>(w.parents.size());
    w.sources.push_back(copy);
  }
  for (MemoryUse& use : result.uses) use.source = renumbered(use.source);
  std::erase_if(result.uses, [](const MemoryUse& use) { return use.source == constant; });
}

}  // namespace

Index carry_over(CycleResult& result, Index prologue, std::span<Index> final) {
  mark_ancestors(result, prologue, final);
  copy_marked(result, prologue);
  for (Index& source : final) {
    if (source != constant) source = result.workspace.new_number[source];
  }
  result.sources.swap(result.workspace.sources);
  result.parents.swap(result.workspace.parents);
  result.uses.clear();
  return static_cast<Index>(result.sources.size());
}

SmallVector<Eigen::Dynamic> closing_memory(CycleResult& result, Index prologue, std::span<const Index> initial,
                                           std::span<const Index> final, const SmallVector<Eigen::Dynamic>& start,
                                           const SmallVector<Eigen::Dynamic>& end) {
  const GainMatrix phi = memory_gain(result, prologue, initial, final);
  const GainMatrix identity = GainMatrix::Identity(phi.rows(), phi.cols());
  const Eigen::JacobiSVD<GainMatrix> decomposition(identity - phi, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return start + decomposition.solve(end - start);
}

void close_cycle(CycleResult& result, Index prologue, std::span<const Index> initial, std::span<const Index> final) {
  const GainMatrix phi = memory_gain(result, prologue, initial, final);
  mark_ancestors(result, prologue, final);
  copy_marked(result, prologue);
  Numbers start;
  start.fill(constant);
  for (Index i = 0; i < static_cast<Index>(final.size()); ++i) {
    if (final[i] == constant || taken_over(i, prologue, initial, final)) continue;
    start[i] = result.workspace.new_number[final[i]];
  }
  if (!phi.isZero(0.0)) start = add_fixed_point(result.workspace, phi, start, result.force.cols());
  append_period(result, prologue, initial, start);
  result.sources.swap(result.workspace.sources);
  result.parents.swap(result.workspace.parents);
}

}  // namespace masing::detail
