// What piecewise linear laws are made of, sliders and stops: the periodic force of each in linear pieces, with reversals, the
// onset of slip and the closing of gaps located. Each adds pieces that cover one period.
#pragma once

#include "masing/contact/piecewise.hpp"

namespace masing::detail {

/// A spring in series with a slider that lets go at x − z = ±slip_displacement.
struct SliderSpring {
  double stiffness = 0.0;          ///< [N/m], negative ones too (populations on backbones with a maximum)
  double slip_displacement = 0.0;  ///< > 0 [m]
};

/// A slider that sticks throughout was virgin before the vibration built up.
void add_slider_pieces(const SliderSpring& slider, const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                       std::vector<LinearPiece>& result);

/// A spring that only pushes, against motion beyond a wall: f = k (x − wall) where side · (x − wall) > 0.
struct Stop {
  double stiffness = 0.0;  ///< [N/m]
  double wall = 0.0;       ///< [m]
  double side = 1.0;       ///< ±1
};
void add_stop_pieces(const Stop& stop, const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                     std::vector<LinearPiece>& result);

}  // namespace masing::detail
