// A linear structure as its joints see it: a matrix-valued function of frequency.
//
//   Z(ω) q = p,   Z = K − ω²M + iωC (+ iH, hysteretic)      for a structure with matrices, e^{+iωt}
//
// `Structure` is the constant description. `condense` looks at it through a few kept motions y = Eᵀq (the joints'): the
// rest is eliminated exactly at every frequency and recovered afterwards. The result is a workspace for one thread.
#pragma once

#include "masing/core/types.hpp"

#include <memory>
#include <string>
#include <vector>

namespace masing {

/// Which motions are kept. `touched` are the coordinates that joints act on; `range` (touched × kept) has orthonormal
/// columns that span the joint directions, `complement` completes it to an orthogonal matrix. When joints need all
/// touched coordinates, range is the identity and complement is empty.
struct InterfaceBasis {
  std::vector<Index> touched;
  Matrix range;
  Matrix complement;

  Index kept() const { return range.cols(); }
};

/// Basis for the joint directions B (coordinates × relative motions): relative motion = Bᵀq.
InterfaceBasis interface_basis(const SparseMatrix& directions);

/// Kept motions through shapes that depend on the frequency: y = V(ω) c, forces Vᴴf, so that cᴴVᴴf is the work yᴴf.
struct MotionShapes {
  ComplexMatrix value;       ///< V: motions of the basis × unknowns c; real at ω = 0
  ComplexMatrix derivative;  ///< dV/dω
};

/// The structure condensed on the kept motions y. One frequency at a time; not shared between threads.
class CondensedStructure {
 public:
  virtual ~CondensedStructure() = default;
  virtual Index size() const = 0;  ///< number of kept motions

  /// Null: the kept motions are those of the basis. Otherwise "kept motions" are, everywhere below, the unknowns c.
  virtual const MotionShapes* shapes() const { return nullptr; }

  /// Goes to ω [rad/s]. ω = 0 is the static case: real, no damping. Throws NumericalError naming the motion that floats
  /// when the eliminated part is singular.
  virtual void set_frequency(double omega) = 0;
  virtual const ComplexMatrix& stiffness() const = 0;             ///< S(ω), size × size
  virtual const ComplexMatrix& stiffness_derivative() const = 0;  ///< dS/dω

  /// Size of the terms whose difference S(ω) is, [N/m] like S: its rounding errors are a few ε times this.
  virtual double cancelling_terms() const = 0;

  /// Load on all coordinates -> equivalent load on the kept motions, and its derivative to ω.
  virtual void condense_load(const ComplexVector& load, ComplexVector& kept, ComplexVector& derivative) = 0;
  /// All coordinates q from the kept motions and the load.
  virtual void recover(const ComplexVector& kept, const ComplexVector& load, ComplexVector& all) = 0;
  /// Rate of change of all coordinates along a path on which the kept motions change at `kept_rate` and ω at
  /// `omega_rate` while the load stays; `all` is what recover() gave.
  virtual void recover_rate(const ComplexVector& all, const ComplexVector& kept_rate, double omega_rate,
                            ComplexVector& all_rate) = 0;
};

/// A condensed structure that can be given artificial damping in proportion to its mass, C + cM in place of C: c < 0 feeds
/// energy in, as the extended periodic motion concept wants it. Those of structures with matrices are of this sort.
class MassDamped {
 public:
  virtual ~MassDamped() = default;
  /// c [1/s], from the next set_frequency() on; the static case stays as it is.
  virtual void set_mass_damping(double c) = 0;
  /// dS/dc at the present frequency.
  virtual void stiffness_by_mass_damping(ComplexMatrix& result) = 0;
  /// Rate of change of all coordinates with c while kept motions, frequency and load stay; `all` is what recover() gave.
  virtual void recover_rate_by_mass_damping(const ComplexVector& all, ComplexVector& all_rate) = 0;
};

class Structure {
 public:
  virtual ~Structure() = default;
  virtual const std::vector<std::string>& coordinates() const = 0;
  Index size() const { return static_cast<Index>(coordinates().size()); }
  /// Position of a coordinate, or -1.
  Index find(std::string_view name) const;

  /// Coefficients of a named motion, one a coordinate: of a coordinate itself, or of a combination of coordinates that
  /// the structure has a name for. Empty when there is none of that name.
  virtual Vector motion(std::string_view name) const;
  /// All such names: the coordinates first.
  virtual std::vector<std::string> motion_names() const { return coordinates(); }

  virtual std::unique_ptr<CondensedStructure> condense(const InterfaceBasis& basis) const = 0;
  /// The same for a balance of harmonics, where a structure may put a few shapes of its own in place of the motions of the
  /// basis (CondensedStructure::shapes).
  virtual std::unique_ptr<CondensedStructure> condense_in_shapes(const InterfaceBasis& basis) const {
    return condense(basis);
  }

  /// Load for a unit acceleration of the base along `direction` (one entry a coordinate), coordinates then being
  /// relative to the base: p = −M direction.
  virtual Vector base_acceleration_load(const Vector& direction) const = 0;
};

/// The second, smaller interface: structures that have matrices and can be integrated in time.
class SecondOrderStructure : public Structure {
 public:
  virtual const SparseMatrix& mass() const = 0;
  virtual const SparseMatrix& damping() const = 0;  ///< viscous part, Rayleigh and modal damping included
  virtual const SparseMatrix& stiffness() const = 0;
  /// H [N/m], hysteretic damping: K + iH for ω > 0. It has no time-domain form.
  virtual const SparseMatrix& hysteretic() const = 0;
  virtual double loss_factor() const = 0;  ///< η, the part of H that is ηK
  bool has_hysteretic_damping() const { return hysteretic().nonZeros() > 0; }
};

}  // namespace masing
