// Natural frequencies, damping and mode shapes of a model with its joints linearised, in up to three states:
//
//   stuck     each law with its tangent at rest: where small vibrations of a joint that was never loaded begin
//   free      without the joints
//   preload   each law with its tangent where the model rests under its static loads and preloads; a law that remembers
//             has its stick tangent there (contact/small_motion.hpp)
//
// What a frequency and a damping ratio are is said in structure/natural_modes.hpp. Of a reduced structure
// (structure/reduction.hpp) the modes are its own, their shapes those of the full structure.
//
//   const auto sets = linear_modes(model, {.range = {.count = 6}});
#pragma once

#include "masing/analysis/model.hpp"
#include "masing/structure/natural_modes.hpp"

#include <string_view>

namespace masing {

enum class JointState { stuck, free, preload };
std::string_view to_string(JointState state);  ///< "stuck", "free", "preload"

struct ModesRequest {
  std::vector<JointState> states = {};  ///< empty: all that differ
  ModeRange range = {};
  Index places = 201;  ///< at which modes of a spectral beam are drawn
};

struct LinearMode {
  NaturalMode mode;
  /// What moves most: a coordinate, or "w at x = 0.25 m" between the nodes of a spectral beam. A rotation of a beam counts by
  /// r phi, r the radius of gyration, against u and w: as their kinetic energies do. Coordinates with hardly any kinetic
  /// energy do not count.
  std::string largest;
  double largest_motion = 0.0;  ///< of it, in the shape of unit modal mass [1/√kg; a rotation rad/(m √kg)]
  double modal_mass = 0.0;      ///< of the shape in which it moves by 1 [kg; a rotation kg m²]

  bool turns() const;  ///< what moves most is a rotation
};

struct ModeSet {
  JointState state = JointState::stuck;
  std::vector<JointState> same = {};     ///< further states that were asked for and have the same joints
  std::vector<std::string> coordinates;  ///< of the full structure, where the model has a reduced one
  std::vector<LinearMode> modes;
  Vector equilibrium;        ///< preload: one entry a coordinate [m, rad]
  bool complete = true;      ///< computed as asked for
  std::string message = {};  ///< why not
};

/// A state that cannot be computed (no equilibrium, a tangent that is not symmetric) is a set with complete = false; the others
/// are there. Throws ModelError for a wrong range.
std::vector<ModeSet> linear_modes(const Model& model, const ModesRequest& request);

}  // namespace masing
