// How a frictional interface scales with its normal load N.
//
//   α = N / N_ref              every slip force is α times its value at the reference load (Coulomb)
//   κ = k(N) / k(N_ref)        every stiffness is κ times its value there
//   β = α / κ                  so every slip displacement is β times its value there
//
// k(N) is constant, proportional to N, a polynomial or a table (linear between its rows, constant outside). Only its
// ratio to k(N_ref) counts, so any unit will do. Under a proportional stiffness β = 1: no spring notices the load.
//
// Reference: M. Rajaei, H. Ahmadian, Development of generalized Iwan model to simulate frictional contacts with
// variable normal loads, Applied Mathematical Modelling 38 (2014) 4006-4018.
#pragma once

#include <vector>

namespace masing {

class LoadScaling {
 public:
  /// Factors and their derivatives with respect to N, for N > 0.
  struct Factors {
    double stiffness = 1.0;  ///< κ
    double reach = 1.0;      ///< β
    double stiffness_by_load = 0.0;
    double reach_by_load = 0.0;
  };
  struct Row {
    double load = 0.0;       ///< N [N]
    double stiffness = 0.0;  ///< k > 0 [N/m]
  };

  static LoadScaling constant(double reference_load);
  static LoadScaling proportional(double reference_load);
  /// k = c₀ + c₁ N + c₂ N² + …; must be positive wherever the contact goes, and is refused (NumericalError) where not.
  static LoadScaling polynomial(double reference_load, std::vector<double> coefficients);
  static LoadScaling tabulated(double reference_load, std::vector<Row> rows);

  Factors at(double load) const;
  bool is_proportional() const { return kind_ == Kind::proportional; }
  bool is_tabulated() const { return kind_ == Kind::table; }

 private:
  enum class Kind { constant, proportional, polynomial, table };
  LoadScaling(Kind kind, double reference_load);

  /// k and dk/dN as given.
  Row given(double load, double& slope) const;
  void set_reference();

  Kind kind_;
  double reference_load_;
  double reference_stiffness_ = 1.0;
  std::vector<double> coefficients_;
  std::vector<Row> rows_;
};

}  // namespace masing
