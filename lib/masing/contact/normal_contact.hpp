// Normal contact: the load N that an approach w of the two surfaces makes. Shared by all laws with a normal input.
//
//   N(w) = k max(w − w_c, 0)^n        n = 1: linear spring; n = 3/2: Hertz (bodies of revolution)
//
// w > 0 presses the surfaces together [m]; below w_c they are open and N = 0. There are two situations:
//
//   gap g > 0        open at w = 0, touches at w_c = g
//   preload P > 0    pressed together at w = 0 with the load P, so that k (−w_c)^n = P
//
// Convention: w counts from the preloaded equilibrium. Whoever applies the preload (a bolt, a weight) balances it, so
// the force that a law returns is N(w) − P: zero at w = 0, and −P when the contact is open.
//
// Reference: K. L. Johnson, Contact Mechanics, Cambridge University Press, 1985, chapter 4.
#pragma once

namespace masing {

class NormalContact {
 public:
  struct Parameters {
    double stiffness = 0.0;  ///< k > 0 [N/m^n]
    double exponent = 1.0;   ///< n >= 1
    double preload = 0.0;    ///< P >= 0 [N]
    double gap = 0.0;        ///< g >= 0 [m]; only without preload
  };
  struct Value {
    double load = 0.0;       ///< N [N]
    double stiffness = 0.0;  ///< dN/dw [N/m]
  };

  explicit NormalContact(const Parameters& parameters);

  double preload() const { return preload_; }
  double contact_approach() const { return contact_; }  ///< w_c [m]
  bool is_open(double w) const { return w <= contact_; }

  Value at(double w) const;
  /// N continued below zero (odd about w_c), for time integration across a lift-off that is still to be located.
  Value continued(double w) const;
  /// The approach at which the load is the given one, > 0 [N]; w_c for zero.
  double approach_for_load(double load) const;

 private:
  Value closed(double indentation) const;

  double stiffness_;
  double exponent_;
  double preload_;
  double contact_;
};

}  // namespace masing
