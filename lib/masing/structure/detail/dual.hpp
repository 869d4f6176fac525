// A complex number with its derivative to the frequency, carried through the analytic expressions (forward mode).
//
//   (a, a') (b, b') = (ab, a'b + ab'),   f(a, a') = (f(a), f'(a) a')
//
// Products are written out: the operator of std::complex checks for infinities that do not occur here.
#pragma once

#include "masing/core/types.hpp"

namespace masing::detail {

inline Complex product(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

struct Dual {
  Complex value = 0.0;
  Complex slope = 0.0;

  Dual() = default;
  Dual(double real) : value(real) {}
  Dual(const Complex& constant) : value(constant) {}
  Dual(const Complex& number, const Complex& derivative) : value(number), slope(derivative) {}

  Dual& operator+=(const Dual& b) {
    value += b.value;
    slope += b.slope;
    return *this;
  }
};

inline Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
inline Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
inline Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
inline Dual operator*(double a, const Dual& b) { return {a * b.value, a * b.slope}; }
inline Dual operator*(const Complex& a, const Dual& b) { return {product(a, b.value), product(a, b.slope)}; }
inline Dual operator*(const Dual& a, const Dual& b) {
  return {product(a.value, b.value), product(a.slope, b.value) + product(a.value, b.slope)};
}
inline Dual operator/(const Dual& a, const Dual& b) {
  const Complex inverse = 1.0 / b.value;
  const Complex ratio = product(a.value, inverse);
  return {ratio, product(a.slope - product(ratio, b.slope), inverse)};
}
inline Dual sqrt(const Dual& a) {
  const Complex root = std::sqrt(a.value);
  return {root, 0.5 * a.slope / root};
}
inline Dual exp(const Dual& a) {
  const Complex power = std::exp(a.value);
  return {power, product(power, a.slope)};
}

}  // namespace masing::detail
