// A law attached to a structure: which combination of coordinates it feels, and where its force acts.
//
//   relative motion u = Bᵀ q (D entries),   force on the coordinates B f(u) (it resists: left-hand side)
//
// An input may also feel a quadratic motion, such as the shortening of a bent beam (structure/beam_shortening.hpp):
//
//   u_i = b_iᵀ q − ½ qᵀ G q,   force on the coordinates (b_i − G q) f_i by virtual work
//
// so that the force of the joint acts back on the bending as an axial force does (geometric stiffness −f_i G).
#pragma once

#include "masing/contact/element.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace masing {

/// G of one input.
struct QuadraticMotion {
  int input = 0;
  SparseMatrix matrix;  ///< symmetric, coordinates × coordinates
};

struct Joint {
  std::string name;
  std::shared_ptr<const ContactElement> element;
  SparseMatrix directions;                      ///< B: coordinates of the structure × element->inputs()
  std::vector<QuadraticMotion> quadratic = {};  ///< at most one an input
};

/// u for the motion q of all coordinates, and the directions in which it changes there: B, less G q for an input with one.
Vector relative_motion(const Joint& joint, const Vector& q);
SparseMatrix directions_about(const Joint& joint, const Vector& q);

/// Names of all relative motions, joint after joint: "bolt" for a joint with one, "bolt.1", "bolt.2" for one with more.
std::vector<std::string> input_names(std::span<const Joint> joints);

bool any_quadratic(std::span<const Joint> joints);

/// Throws ModelError when a quadratic motion does not fit its joint.
void check_quadratic_motions(const Joint& joint, Index coordinates);

/// All motions that the joints feel, a column each: the directions of all joints side by side, then each coordinate that
/// enters a quadratic motion. Throws ModelError when one does not fit its joint.
SparseMatrix felt_directions(std::span<const Joint> joints, Index coordinates);

}  // namespace masing
