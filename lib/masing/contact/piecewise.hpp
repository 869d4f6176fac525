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
// dependence on the motion at the instant where it was set (source_time).
#pragma once

#include "masing/core/types.hpp"

#include <concepts>
#include <span>
#include <vector>

namespace masing {

/// x(τ) with its first three derivatives; τ in [0, 2π) is the period, other values continue it.
struct Jet {
  double value = 0.0, slope = 0.0, curvature = 0.0, third = 0.0;
};

class PeriodicSignal {
 public:
  virtual ~PeriodicSignal() = default;
  virtual Jet at(double tau) const = 0;
};

struct TurningPoint {
  double time = 0.0;
  double value = 0.0;
  bool maximum = false;
};

/// The turning points of the signal, ascending in time within one period; maxima and minima alternate. Empty for a constant.
/// Equidistant samples bracket them; each is then located by a safeguarded Newton iteration on the slope. A maximum and a
/// minimum between the same two samples are found too, where the signal is flattest. Samples must resolve the highest
/// harmonic (8 or more in its period).
void find_turning_points(const PeriodicSignal& signal, const VectorView& samples, std::vector<TurningPoint>& turns);

/// The instant in [begin, end] where the signal, monotone there, takes a value that its ends enclose.
double find_crossing(const PeriodicSignal& signal, double begin, double end, double value);

struct LinearPiece {
  double begin = 0.0, end = 0.0;  ///< τ; the pieces of a law cover one period without gap or overlap
  double offset = 0.0;            ///< [N]
  double stiffness = 0.0;         ///< [N/m]
  double source_time = 0.0;       ///< where the offset was set
  double source_weight = 0.0;     ///< ∂offset/∂x(source_time) [N/m]; 0: it is constant
};

/// A law of one input with this form offers pieces(signal, turning points, result).
template <class L>
concept PiecewiseLinearLaw = requires(const L law, const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                                      std::vector<LinearPiece>& result) {
  { law.pieces(signal, turns, result) } -> std::same_as<void>;
};

}  // namespace masing
