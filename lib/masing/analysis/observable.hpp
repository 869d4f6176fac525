// What a user looks at: displacement, velocity or acceleration of a coordinate, or of a combination of coordinates.
#pragma once

#include "masing/fourier/harmonic_set.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace masing {

enum class Quantity { displacement, velocity, acceleration };
std::string_view to_string(Quantity quantity);  ///< "displacement", …
/// "m", "m/s", "m/s^2"; of a rotation "rad", "rad/s", "rad/s^2".
std::string_view unit_of(Quantity quantity, bool rotation = false);

struct Observable {
  std::string name;      ///< unique in a study; used as the group name in the result file
  Index coordinate = 0;  ///< of the structure; -1: a combination of several, `motion`
  Quantity quantity = Quantity::displacement;
  Vector motion = {};     ///< one coefficient a coordinate
  bool rotation = false;  ///< an angle: its unit is the radian

  bool is_combination() const { return coordinate < 0; }
  /// One coefficient a coordinate, for a combination or not.
  Vector weights(Index coordinates) const {
    return is_combination() ? motion : Vector(Vector::Unit(coordinates, coordinate));
  }
  /// Its row of values from the rows of all coordinates (of amplitudes, of coefficients, or a single value each).
  template <class Values>
  auto row_of(const Values& all) const {
    using Row = Eigen::Matrix<typename Values::Scalar, 1, Eigen::Dynamic>;
    return is_combination() ? Row(motion.transpose() * all) : Row(all.row(coordinate));
  }
};

inline std::string_view unit_of(const Observable& seen) { return unit_of(seen.quantity, seen.rotation); }

/// Looks at a motion; at its coordinate where it has only one, with coefficient 1.
Observable observable_of(std::string name, const Vector& motion, Quantity quantity, bool rotation = false);

/// One observable over one period of a steady state.
struct Observation {
  Vector amplitude;   ///< per harmonic of the set [unit of the quantity]; harmonic 0: the mean, with its sign
  Vector phase;       ///< per harmonic [rad]: x_k(t) = amplitude cos(kΩt + phase); 0 for harmonic 0
  double rms = 0.0;   ///< root mean square over the period, mean included
  double peak = 0.0;  ///< largest |value| over the period

  /// The same with a value for each harmonic of another set, zero where there was none.
  Observation in_set(const HarmonicSet& from, const HarmonicSet& to) const;
};

/// The factor that turns a displacement amplitude of harmonic k into that of the quantity: 1, i kΩ or −(kΩ)².
Complex quantity_factor(Quantity quantity, int k, double omega);

/// Observation of a steady state from the coefficients (coordinates × positions) of all coordinates; Ω in rad/s.
Observation observe(const Observable& observable, const HarmonicSet& set, const Matrix& coefficients, double omega);

}  // namespace masing
