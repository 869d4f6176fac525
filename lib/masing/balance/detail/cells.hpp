// Where samples are too few to interpolate over.
//
// Between two instants at which a joint's slopes jump or its memory is set, the slopes are smooth: parabolas over samples tell
// them to third order. Where fewer than three samples lie between two instants, the stretch is a *cell*: the law is evaluated at
// three nodes of its own. Beside some instants slopes go with a root of time (Hertz's contact that closes, the onset of gross slip
// of a rounded contact), which no parabola follows: instants are added there whose distances shrink by a constant factor,
// so that a root looks alike in every cell.
#pragma once

#include "masing/core/types.hpp"

#include <array>
#include <span>
#include <vector>

namespace masing::detail {

struct Cell {
  static constexpr std::size_t nodes = 3;

  double begin = 0.0, end = 0.0;       ///< τ
  std::array<Index, nodes> rows = {};  ///< of the nodes, in whatever holds them

  double node(std::size_t i) const;  ///< τ
  /// How the nodes' values make up that at τ, by a parabola.
  std::array<double, nodes> weights(double time) const;
};

/// The cells between ascending instants in [0, 2π), both ends of the period included, for so many equidistant samples.
/// Instants that rounding hardly tells apart have none between them.
std::vector<Cell> find_cells(std::span<const double> instants, Index samples);

/// Instants to add to these (ascending) beside `root`, on both sides: within eight samples, and not beyond the middle to the
/// next instant.
std::vector<double> graded_instants(double root, std::span<const double> instants, Index samples);

}  // namespace masing::detail
