// Piecewise linear laws on a motion that is known at every instant, not only at samples.
//
// Reversals, the onset of slip and the closing of a gap fall between samples. Where the motion x(τ) can be evaluated
// anywhere (in a harmonic balance it is a trigonometric polynomial), a law whose force is α + β x within each phase need
// not be sampled at all: its turning points and crossings are located, and a period becomes a few pieces
//
//   f(τ) = offset + stiffness · x(τ),     begin <= τ <= end,
//
// whose Fourier integrals have closed forms. The force is continuous from piece to piece, so a shift of the instants
// between them changes no integral to first order; what remains of the derivative is stiffness · δx(τ) and the offset's
// dependence on the motion at the instant where it was set (source_time). Springs and sliders side by side are lists of
// pieces one after the other, each of which covers the period: the force is their sum.
#pragma once

#include "masing/contact/signal.hpp"

#include <concepts>
#include <span>
#include <vector>

namespace masing {

struct LinearPiece {
  double begin = 0.0, end = 0.0;  ///< τ; the pieces of a spring or slider cover one period without gap or overlap
  double offset = 0.0;            ///< [N]
  double stiffness = 0.0;         ///< [N/m]
  double source_time = 0.0;       ///< where the offset was set
  double source_weight = 0.0;     ///< ∂offset/∂x(source_time) [N/m]; 0: it is constant
  bool holds = false;             ///< a slider that sticks all through the period: its offset is a free memory
};

/// The samples in [0, count) that lie in a piece: those after its beginning, up to its end, numbered on beyond the period. A
/// sample on a border is one of the piece that ends there.
struct SampleRange {
  Index first = 0, last = -1;
};
SampleRange samples_in(const LinearPiece& piece, Index count);

/// A law of one input with this form offers pieces(signal, turning points, result).
template <class L>
concept PiecewiseLinearLaw = requires(const L law, const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                                      std::vector<LinearPiece>& result) {
  { law.pieces(signal, turns, result) } -> std::same_as<void>;
};

}  // namespace masing
