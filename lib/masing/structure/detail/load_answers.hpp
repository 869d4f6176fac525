// What a few eigenvectors of a complex symmetric matrix A leave out of the answers to loads, as further shapes:
//
//   r = (1 − T (TᵀT)⁻¹ Tᵀ) A⁻¹ b,     shape = r / ‖r‖
//
// T spans the eigenvectors that are kept (detail/invariant_span.hpp). With the shape beside T the answer A⁻¹b to the load is
// in the span. It matters most near a frequency at which what is condensed resonates: an eigenvalue of A and the load b then
// grow together beyond all limits and prescribe a motion that no eigenvector of small |λ| contains.
#pragma once

#include "masing/structure/detail/invariant_span.hpp"

namespace masing::detail {

struct LoadAnswers {
  ComplexMatrix value;       ///< a column of unit length for each load
  ComplexMatrix derivative;  ///< along A', b'
};

/// b and b' have a column for each load. Returns false when A is singular or an answer lies in the span of T.
bool load_answers(const ComplexMatrix& a, const ComplexMatrix& a_derivative, const InvariantSpan& span,
                  const ComplexMatrix& loads, const ComplexMatrix& loads_derivative, LoadAnswers& result);

}  // namespace masing::detail
