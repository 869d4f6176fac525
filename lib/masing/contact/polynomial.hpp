// Polynomial springs: the cubic spring and general polynomials that may couple several coordinates.
//
//   cubic        f = k u + c u³                              k [N/m], c [N/m³]
//   polynomial   f_a = Σ_terms coefficient · Π_b u_b^(e_b)     for D = 1 … 8 inputs; each term names its force a
//
// Polynomials describe geometric nonlinearity (membrane stretching, von Kármán beams in modal coordinates) when the
// terms come from a potential, ∂f_a/∂u_b = ∂f_b/∂u_a; that is not required here, so circulatory forces can be described
// too. A polynomial of degree p makes products alias-free with N > (p + 1) H samples.
//
// Reference: A. H. Nayfeh, D. T. Mook, Nonlinear Oscillations, Wiley, 1979.
#pragma once

#include "masing/contact/law.hpp"

#include <vector>

namespace masing {

class CubicSpring {
 public:
  static constexpr int dimension = 1;
  static constexpr int memory = 0;
  static constexpr bool uses_velocity = false;
  static constexpr std::string_view name = "cubic";
  struct State {};
  struct Parameters {
    double cubic_stiffness = 0.0;  ///< c [N/m³], any sign
    double stiffness = 0.0;        ///< k [N/m], any sign
  };

  explicit CubicSpring(const Parameters& parameters);

  int inputs() const { return 1; }
  State virgin() const { return {}; }
  SmallVector<0> memory_of(const State&) const { return {}; }

  Response<1, 0> advance(const Motion<1>& motion, State&) const {
    const double u = motion.displacement[0];
    Response<1, 0> r;
    r.force[0] = (parameters_.stiffness + parameters_.cubic_stiffness * u * u) * u;
    r.by_displacement(0, 0) = parameters_.stiffness + 3.0 * parameters_.cubic_stiffness * u * u;
    return r;
  }

 private:
  Parameters parameters_;
};

/// One term: coefficient · u_1^e_1 … u_D^e_D, added to one of the forces.
struct PolynomialTerm {
  int force = 0;               ///< which force, counted from 0
  double coefficient = 0.0;    ///< [N/m^Σe], any sign
  std::vector<int> exponents;  ///< D entries >= 0; all zero: a constant force
};

class Polynomial {
 public:
  static constexpr int dimension = Eigen::Dynamic;
  static constexpr int memory = 0;
  static constexpr bool uses_velocity = false;
  static constexpr std::string_view name = "polynomial";
  struct State {};

  Polynomial(int inputs, std::vector<PolynomialTerm> terms);

  int inputs() const { return inputs_; }
  State virgin() const { return {}; }
  SmallVector<0> memory_of(const State&) const { return {}; }
  Response<Eigen::Dynamic, 0> advance(const Motion<Eigen::Dynamic>& motion, State&) const;

 private:
  int inputs_;
  std::vector<PolynomialTerm> terms_;
};

}  // namespace masing
