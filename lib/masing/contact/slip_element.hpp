// A spring in series with a Coulomb slider: what a Maxwell-slip model is a parallel set of.
#pragma once

namespace masing {

struct SlipElement {
  double stiffness = 0.0;   ///< [N/m]
  double slip_force = 0.0;  ///< [N]; of the stiffness's sign, so that slip_force / stiffness > 0
};

}  // namespace masing
