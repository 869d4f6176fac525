// The sparse sensitivities of a CycleResult as a dense matrix, for comparison with finite differences.
#pragma once

#include "masing/contact/cycle.hpp"

namespace masing::support {

/// G = ∂f/∂u and G_v = ∂f/∂v; row i + N a is force a at sample i, column j + N b is input b at sample j.
struct CycleJacobian {
  Matrix by_displacement;
  Matrix by_velocity;
};

/// Row s: total derivative of remembered scalar s with respect to every sample of every input.
inline CycleJacobian source_derivatives(const CycleResult& result) {
  const Index samples = result.force.rows();
  const Index inputs = result.force.cols();
  const Index count = static_cast<Index>(result.sources.size());
  CycleJacobian total{Matrix::Zero(count, samples * inputs), Matrix::Zero(count, samples * inputs)};
  for (Index s = 0; s < count; ++s) {
    const MemorySource& source = result.sources[s];
    for (Index b = 0; b < inputs; ++b) {
      total.by_displacement(s, source.sample + samples * b) += source.by_displacement[b];
      total.by_velocity(s, source.sample + samples * b) += source.by_velocity[b];
    }
    for (Index p = source.first_parent; p < source.end_parent; ++p) {
      const MemoryParent& parent = result.parents[p];
      total.by_displacement.row(s) += parent.weight * total.by_displacement.row(parent.source);
      total.by_velocity.row(s) += parent.weight * total.by_velocity.row(parent.source);
    }
  }
  return total;
}

inline CycleJacobian dense_jacobian(const CycleResult& result) {
  const Index samples = result.force.rows();
  const Index inputs = result.force.cols();
  const Index size = samples * inputs;
  CycleJacobian jacobian{Matrix::Zero(size, size), Matrix::Zero(size, size)};
  for (Index i = 0; i < samples; ++i) {
    for (Index a = 0; a < inputs; ++a) {
      for (Index b = 0; b < inputs; ++b) {
        const Index column = a + inputs * b;
        jacobian.by_displacement(i + samples * a, i + samples * b) = result.by_displacement(i, column);
        if (result.by_velocity.cols() > 0) {
          jacobian.by_velocity(i + samples * a, i + samples * b) = result.by_velocity(i, column);
        }
      }
    }
  }
  const CycleJacobian source = source_derivatives(result);
  for (const MemoryUse& use : result.uses) {
    for (Index a = 0; a < inputs; ++a) {
      const Index row = use.sample + samples * a;
      jacobian.by_displacement.row(row) += use.weight[a] * source.by_displacement.row(use.source);
      jacobian.by_velocity.row(row) += use.weight[a] * source.by_velocity.row(use.source);
    }
  }
  return jacobian;
}

}  // namespace masing::support
