#include "masing/contact/polynomial.hpp"

#include "masing/core/error.hpp"

#include <cmath>
#include <utility>

namespace masing {

CubicSpring::CubicSpring(const Parameters& parameters) : parameters_(parameters) {
  require(std::isfinite(parameters.cubic_stiffness), "cubic: cubic_stiffness = {} N/m^3 must be finite.",
          parameters.cubic_stiffness);
  require(std::isfinite(parameters.stiffness), "cubic: stiffness = {} N/m must be finite.", parameters.stiffness);
}

namespace {

void check_term(int inputs, const PolynomialTerm& term) {
  require(
      term.force >= 0 && term.force < inputs,
      "polynomial: a term acts on force {}, but there are only {} (as many as exponents in a term, counted from 1).",
      term.force + 1, inputs);
  require(std::isfinite(term.coefficient), "polynomial: coefficient = {} must be finite.", term.coefficient);
  require(static_cast<int>(term.exponents.size()) == inputs,
          "polynomial: a term has {} exponents, but there are {} inputs. Every term needs one exponent for each input.",
          term.exponents.size(), inputs);
  for (const int exponent : term.exponents) {
    require(exponent >= 0, "polynomial: exponent {} must be a whole number >= 0.", exponent);
  }
}

double integer_power(double base, int exponent) {
  double result = 1.0;
  for (; exponent > 0; exponent >>= 1, base *= base) {
    if (exponent & 1) result *= base;
  }
  return result;
}

/// ∂/∂u_b of Π u^e, without dividing by u_b, which may be zero.
double derivative_of_product(const PolynomialTerm& term, const SmallVector<Eigen::Dynamic>& u, int b) {
  const int exponent = term.exponents[b];
  if (exponent == 0) return 0.0;
  double product = exponent * integer_power(u[b], exponent - 1);
  for (int other = 0; other < u.size(); ++other) {
    if (other != b) product *= integer_power(u[other], term.exponents[other]);
  }
  return product;
}

}  // namespace

Polynomial::Polynomial(int inputs, std::vector<PolynomialTerm> terms) : inputs_(inputs), terms_(std::move(terms)) {
  require(inputs >= 1 && inputs <= max_law_dimension,
          "polynomial: {} inputs; there must be 1 to {}. Split larger couplings into several joints.", inputs,
          max_law_dimension);
  require(!terms_.empty(), "polynomial: there are no terms; give at least one.");
  for (const PolynomialTerm& term : terms_) check_term(inputs, term);
}

Response<Eigen::Dynamic, 0> Polynomial::advance(const Motion<Eigen::Dynamic>& motion, State&) const {
  Response<Eigen::Dynamic, 0> r;
  r.force.setZero(inputs_);
  r.by_displacement.setZero(inputs_, inputs_);
  r.by_velocity.setZero(inputs_, inputs_);
  for (const PolynomialTerm& term : terms_) {
    double product = term.coefficient;
    for (int b = 0; b < inputs_; ++b) {
      product *= integer_power(motion.displacement[b], term.exponents[b]);
      r.by_displacement(term.force, b) += term.coefficient * derivative_of_product(term, motion.displacement, b);
    }
    r.force[term.force] += product;
  }
  return r;
}

}  // namespace masing
