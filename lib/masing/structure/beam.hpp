// A straight beam or rod as an engineer describes it: sections with their own properties, supports, lumped masses,
// springs, and the points that matter. How it becomes Z(ω) is another question: finite_element_beam.hpp and
// spectral_beam.hpp both start from this description.
//
//   u axial, w lateral, phi rotation of the section (counter-clockwise), x along the beam
//   N = EA u',   Q = κGA (w' − phi),   M = EI phi';   Euler-Bernoulli: phi = w'
//
// Each position where something is (an end of a section, a support, a mass, a spring, a named point) is a node with the
// motions of its theory: rod {u}, beams {u, w, phi}. Coordinates are called "tip.w"; nodes without a name of their own
// are called "x0.3" after their position [m].
#pragma once

#include <array>
#include <string>
#include <vector>

namespace masing {

enum class BeamTheory { rod, euler_bernoulli, timoshenko };

/// The motions of a node, in this order.
enum class BeamMotion { u = 0, w = 1, phi = 2 };
inline constexpr std::array<const char*, 3> beam_motion_names = {"u", "w", "phi"};
/// 1 for a rod, 3 for beams.
int motions_per_node(BeamTheory theory);

/// A piece of the beam with constant properties. Sections follow each other without gap.
struct BeamSection {
  double begin = 0.0;               ///< [m]
  double end = 0.0;                 ///< [m], > begin
  double youngs_modulus = 0.0;      ///< E [Pa]
  double density = 0.0;             ///< ρ [kg/m³]
  double poisson_ratio = 0.3;       ///< ν, for G = E / (2 (1 + ν)); Timoshenko only
  double area = 0.0;                ///< A [m²]
  double inertia = 0.0;             ///< I [m⁴]; beams only
  double shear_factor = 5.0 / 6.0;  ///< κ; Timoshenko only
  double loss_factor = 0.0;         ///< η: E (1 + iη), G (1 + iη) for ω > 0

  double length() const { return end - begin; }
  double shear_modulus() const { return youngs_modulus / (2.0 * (1.0 + poisson_ratio)); }
};

struct BeamPoint {
  std::string name;
  double at = 0.0;  ///< [m]
};

/// Clamped: all fixed. Pinned: u and w. Guided: u and phi … A motion that is not fixed may be held by a spring.
struct BeamSupport {
  double at = 0.0;                       ///< [m]
  std::array<bool, 3> fixed = {};        ///< u, w, phi
  std::array<double, 3> stiffness = {};  ///< to the ground [N/m, N/m, N m/rad]
  std::array<double, 3> damping = {};    ///< to the ground [N s/m, …]
};

struct BeamMass {
  double at = 0.0;              ///< [m]
  double mass = 0.0;            ///< [kg]
  double rotary_inertia = 0.0;  ///< [kg m²], about the axis of phi
};

/// A spring and dashpot between two points of the beam.
struct BeamSpring {
  double from = 0.0;                     ///< [m]
  double to = 0.0;                       ///< [m]
  std::array<double, 3> stiffness = {};  ///< on the difference of u, w, phi
  std::array<double, 3> damping = {};
};

/// A spring and dashpot that feels a combination Σ weight · motion of any motions of the beam.
struct BeamCoupling {
  struct Term {
    double at = 0.0;  ///< [m]
    BeamMotion motion = BeamMotion::w;
    double weight = 1.0;
  };
  std::vector<Term> terms;
  double stiffness = 0.0;  ///< [N/m] for a combination in m; a negative one drives the combination away
  double damping = 0.0;    ///< [N s/m], >= 0
};

struct Beam {
  BeamTheory theory = BeamTheory::euler_bernoulli;
  std::vector<BeamSection> sections;
  std::vector<BeamPoint> points;
  std::vector<BeamSupport> supports;
  std::vector<BeamMass> masses;
  std::vector<BeamSpring> springs;
  std::vector<BeamCoupling> couplings = {};

  double begin() const { return sections.front().begin; }
  double end() const { return sections.back().end; }
};

/// Throws ModelError: what is wrong, the value, the rule.
void check_beam(const Beam& beam);

/// A place along the beam with a name.
struct BeamNode {
  double at = 0.0;
  std::string name;
};

/// Every place where something is, ascending; two closer than 1e-9 of the length are one. A named point gives its name.
std::vector<BeamNode> beam_nodes(const Beam& beam);

/// The node at a position of the description.
std::size_t node_at(const std::vector<BeamNode>& nodes, double at);

/// The section between two neighbouring nodes.
const BeamSection& section_between(const Beam& beam, double left, double right);

}  // namespace masing
