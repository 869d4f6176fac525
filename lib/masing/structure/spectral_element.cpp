#include "masing/structure/spectral_element.hpp"

#include "masing/structure/detail/dual.hpp"

#include <cmath>

namespace masing {
namespace {

using detail::Dual;

// Largest |ka|² of the power series, and its terms: 2.25¹³ · 14 / 26! is below the rounding error.
constexpr double series_limit = 2.25;
constexpr int series_terms = 13;

struct Material {
  Dual ea, ei;  // stiffnesses with loss
  Dual shear;   // σ with loss
  Dual mass;    // ω²ρA
  Dual rotary;  // ω²ρI
};

Material material(const SpectralPiece& piece, Complex omega) {
  const Complex loss(1.0, omega.real() > 0.0 ? piece.loss_factor : 0.0);
  const Dual square(omega * omega, 2.0 * omega);
  return {.ea = piece.axial_stiffness * loss,
          .ei = piece.bending_stiffness * loss,
          .shear = piece.shear_compliance / loss,
          .mass = piece.mass_per_length * square,
          .rotary = piece.rotary_per_length * square};
}

/// cos kx and sin(kx)/k of one wave pair, both scaled by the same factor.
struct WavePair {
  Dual c, s;
};

WavePair wave_pair_series(const Dual& k2, double x) {
  const Dual z = (x * x) * k2;
  Dual term(1.0);
  WavePair pair{.c = 1.0, .s = 1.0};
  for (int n = 1; n < series_terms; ++n) {
    term = (-1.0 / ((2 * n - 1) * (2 * n))) * (term * z);
    pair.c += term;
    pair.s += (1.0 / (2 * n + 1)) * term;
  }
  pair.s = x * pair.s;
  return pair;
}

/// On [−a, a]; the scale depends on a, not on x.
WavePair wave_pair(const Dual& k2, double a, double x) {
  if (std::abs(k2.value) * a * a < series_limit) return wave_pair_series(k2, x);
  Dual k = sqrt(k2);
  if (k.value.imag() > 0.0) k = -k;
  const Dual ik = Complex(0.0, 1.0) * k;
  const Dual right = exp((x - a) * ik);
  const Dual left = exp((-x - a) * ik);
  return {.c = 0.5 * (right + left), .s = 0.5 * ((right - left) / ik)};
}

/// Solutions of c'''' + p c'' + q c = 0 with unit initial values: the j-th derivative of c_j is 1 at x = 0.
struct UnitSolutions {
  Dual c0, c1, c2, c3;
};

UnitSolutions unit_solutions(const Dual& p, const Dual& q, double x) {
  const double square = x * x;
  const Dual minus_p = (-square) * p;
  const Dual minus_q = (-square * square) * q;
  // Derivatives of order 2n at 0 times x²ⁿ, of c₀ and c₂: each follows from the two before it.
  Dual zero_before(1.0), zero(0.0), two_before(0.0), two(square);
  UnitSolutions sum{.c0 = 1.0, .c1 = 1.0, .c2 = 0.0, .c3 = 0.0};
  double factorial = 1.0;
  for (int n = 1; n <= series_terms; ++n) {
    factorial *= (2 * n - 1) * (2 * n);
    const double even = 1.0 / factorial;
    const double odd = even / (2 * n + 1);
    sum.c0 += even * zero;
    sum.c1 += odd * zero;
    sum.c2 += even * two;
    sum.c3 += odd * two;
    const Dual zero_next = minus_p * zero + minus_q * zero_before;
    const Dual two_next = minus_p * two + minus_q * two_before;
    zero_before = zero, zero = zero_next;
    two_before = two, two = two_next;
  }
  sum.c1 = x * sum.c1;
  sum.c3 = x * sum.c3;
  return sum;
}

struct Solution {
  Dual w, phi, shear, moment;
};

/// Two solutions with w even and two with w odd, at one place.
struct Solutions {
  Solution even[2], odd[2];
};

class Bending {
 public:
  Bending(const SpectralPiece& piece, Complex omega)
      : material_(material(piece, omega)),
        half_(0.5 * piece.length),
        p_(material_.mass * material_.shear + material_.rotary / material_.ei),
        q_((material_.mass / material_.ei) * (material_.rotary * material_.shear - 1.0)) {
    // |k|² <= |p| + √|q|
    by_series_ = (std::abs(p_.value) + std::sqrt(std::abs(q_.value))) * half_ * half_ < series_limit;
    if (by_series_) return;
    k2_[0] = 0.5 * (p_ + sqrt(p_ * p_ - 4.0 * q_));
    k2_[1] = q_ / k2_[0];
  }

  double half() const { return half_; }
  Solutions at(double x) const { return by_series_ ? series_at(x) : waves_at(x); }

 private:
  Solutions series_at(double x) const {
    const auto& [ea, ei, shear, mass, rotary] = material_;
    const auto [c0, c1, c2, c3] = unit_solutions(p_, q_, x);
    const Dual strain = mass * shear;  // φ' = w'' + ω²ρA σ w
    const Dual c2_rate = c1 - p_ * c3;
    const Dual c2_curvature = c0 - p_ * c2;
    const Dual q2 = q_ * c2;
    const Dual q3 = q_ * c3;
    Solutions s;
    s.even[0] = {c0, strain * c1 - q3, -(mass * c1), ei * (strain * c0 - q2)};
    s.even[1] = {c2, c2_rate + strain * c3, -(mass * c3), ei * (c2_curvature + strain * c2)};
    // φ = c₀ or c₂; Q = −EI φ'' − ω²ρI φ, w' = φ + σQ
    s.odd[0] = {c1 + shear * (ei * q3 - rotary * c1), c0, ei * q2 - rotary * c0, -(ei * q3)};
    s.odd[1] = {c3 - shear * (ei * c2_rate + rotary * c3), c2, -(ei * c2_curvature + rotary * c2), ei * c2_rate};
    return s;
  }

  Solutions waves_at(double x) const {
    const auto& [ea, ei, shear, mass, rotary] = material_;
    const Dual strain = mass * shear;
    Solutions solutions;
    for (int i = 0; i < 2; ++i) {
      const auto [c, s] = wave_pair(k2_[i], half_, x);
      const Dual phi = strain - k2_[i];  // w = cos kx
      solutions.even[i] = {c, phi * s, -(mass * s), ei * (phi * c)};
      const Dual force = ei * k2_[i] - rotary;  // φ = cos kx
      solutions.odd[i] = {(Dual(1.0) + shear * force) * s, c, force * c, -(ei * (k2_[i] * s))};
    }
    return solutions;
  }

  Material material_;
  double half_;
  Dual p_, q_;
  bool by_series_ = true;
  Dual k2_[2];
};

/// (Q, M) = Z (w, φ): three entries of a symmetric matrix.
struct EndStiffness {
  Dual ww, wphi, phiphi;
};

EndStiffness end_stiffness(const Solution (&s)[2]) {
  const Dual inverse = Dual(1.0) / (s[0].w * s[1].phi - s[1].w * s[0].phi);
  return {.ww = (s[0].shear * s[1].phi - s[1].shear * s[0].phi) * inverse,
          .wphi = (s[1].shear * s[0].w - s[0].shear * s[1].w) * inverse,
          .phiphi = (s[1].moment * s[0].w - s[0].moment * s[1].w) * inverse};
}

/// The two solutions in the shares that give (w, φ) at the right end, evaluated elsewhere.
Eigen::Vector2cd combine(const Solution (&end)[2], const Solution (&here)[2], Complex w, Complex phi) {
  const Complex determinant = end[0].w.value * end[1].phi.value - end[1].w.value * end[0].phi.value;
  const Complex first = (w * end[1].phi.value - end[1].w.value * phi) / determinant;
  const Complex second = (end[0].w.value * phi - w * end[0].phi.value) / determinant;
  return {first * here[0].w.value + second * here[1].w.value, first * here[0].phi.value + second * here[1].phi.value};
}

void put(BendingStiffness& result, Index row, Index column, const Dual& entry) {
  result.z(row, column) = result.z(column, row) = entry.value;
  result.derivative(row, column) = result.derivative(column, row) = entry.slope;
}

/// Number of n >= 1 with nπ/ℓ < k.
Index half_waves(double k2, double length) {
  if (k2 <= 0.0) return 0;
  return static_cast<Index>(std::ceil(std::sqrt(k2) * length / pi)) - 1;
}

}  // namespace

SpectralPiece spectral_piece(const BeamSection& section, BeamTheory theory, double length) {
  SpectralPiece piece{.length = length,
                      .axial_stiffness = section.youngs_modulus * section.area,
                      .mass_per_length = section.density * section.area,
                      .loss_factor = section.loss_factor};
  if (theory == BeamTheory::rod) return piece;
  piece.bending_stiffness = section.youngs_modulus * section.inertia;
  if (theory == BeamTheory::euler_bernoulli) return piece;
  piece.shear_compliance = 1.0 / (section.shear_factor * section.shear_modulus() * section.area);
  piece.rotary_per_length = section.density * section.inertia;
  return piece;
}

RodStiffness rod_stiffness(const SpectralPiece& piece, Complex omega) {
  const Material m = material(piece, omega);
  const double a = 0.5 * piece.length;
  const auto [c, s] = wave_pair(m.mass / m.ea, a, a);
  const Dual even = -(m.mass * s / c);  // N = EA u' of u = cos kx
  const Dual odd = m.ea * c / s;
  const Dual same = 0.5 * (even + odd);
  const Dual other = 0.5 * (even - odd);
  RodStiffness result;
  result.z << same.value, other.value, other.value, same.value;
  result.derivative << same.slope, other.slope, other.slope, same.slope;
  return result;
}

BendingStiffness bending_stiffness(const SpectralPiece& piece, Complex omega) {
  const Bending bending(piece, omega);
  const Solutions end = bending.at(bending.half());
  const EndStiffness s = end_stiffness(end.even);
  const EndStiffness a = end_stiffness(end.odd);
  // Right end: (w, φ) = even + odd; left end: (w, −φ) = even − odd.
  BendingStiffness result;
  const Dual ww = 0.5 * (s.ww + a.ww);
  const Dual wphi = 0.5 * (s.wphi + a.wphi);
  const Dual phiphi = 0.5 * (s.phiphi + a.phiphi);
  const Dual cross = 0.5 * (s.wphi - a.wphi);
  put(result, 0, 0, ww);
  put(result, 2, 2, ww);
  put(result, 1, 1, phiphi);
  put(result, 3, 3, phiphi);
  put(result, 0, 1, -wphi);
  put(result, 2, 3, wphi);
  put(result, 0, 2, 0.5 * (s.ww - a.ww));
  put(result, 1, 3, 0.5 * (a.phiphi - s.phiphi));
  put(result, 0, 3, cross);
  put(result, 1, 2, -cross);
  return result;
}

RodLoad rod_base_acceleration(const SpectralPiece& piece, double omega) {
  const Material m = material(piece, omega);
  const double a = 0.5 * piece.length;
  const auto [c, s] = wave_pair(m.mass / m.ea, a, a);
  const Dual even = (-piece.mass_per_length) * (s / c);
  RodLoad result;
  result.load.setConstant(even.value);
  result.derivative.setConstant(even.slope);
  return result;
}

BendingLoad bending_base_acceleration(const SpectralPiece& piece, double omega) {
  const Bending bending(piece, omega);
  const EndStiffness s = end_stiffness(bending.at(bending.half()).even);
  const Dual square(omega * omega, 2.0 * omega);
  const Dual force = s.ww / square;
  const Dual moment = s.wphi / square;
  BendingLoad result;
  result.load << force.value, -moment.value, force.value, moment.value;
  result.derivative << force.slope, -moment.slope, force.slope, moment.slope;
  return result;
}

Complex rod_motion(const SpectralPiece& piece, double omega, const Eigen::Vector2cd& ends, double x) {
  const Material m = material(piece, omega);
  const double a = 0.5 * piece.length;
  const Dual k2 = m.mass / m.ea;
  const WavePair end = wave_pair(k2, a, a);
  const WavePair here = wave_pair(k2, a, x - a);
  const Complex even = 0.5 * (ends[1] + ends[0]);
  const Complex odd = 0.5 * (ends[1] - ends[0]);
  return even * here.c.value / end.c.value + odd * here.s.value / end.s.value;
}

Eigen::Vector2cd bending_motion(const SpectralPiece& piece, double omega, const Eigen::Vector4cd& ends, double x) {
  const Bending bending(piece, omega);
  const Solutions end = bending.at(bending.half());
  const Solutions here = bending.at(x - bending.half());
  return combine(end.even, here.even, 0.5 * (ends[2] + ends[0]), 0.5 * (ends[3] - ends[1])) +
         combine(end.odd, here.odd, 0.5 * (ends[2] - ends[0]), 0.5 * (ends[3] + ends[1]));
}

Index clamped_rod_frequencies_below(const SpectralPiece& piece, double omega) {
  return half_waves(omega * omega * piece.mass_per_length / piece.axial_stiffness, piece.length);
}

Index clamped_bending_frequencies_below(const SpectralPiece& piece, double omega) {
  // Pinned-pinned modes are half waves of either wavenumber, and above ω_c the uniform shear w = 0, φ = 1. The count of
  // Wittrick and Williams for this case, turned round, gives the clamped one.
  const double square = omega * omega;
  const double p =
      square * (piece.mass_per_length * piece.shear_compliance + piece.rotary_per_length / piece.bending_stiffness);
  const double above = square * piece.rotary_per_length * piece.shear_compliance - 1.0;
  const double q = square * piece.mass_per_length / piece.bending_stiffness * above;
  const double first = 0.5 * (p + std::sqrt(p * p - 4.0 * q));
  Index pinned = half_waves(first, piece.length);
  if (above > 0.0) pinned += 1 + half_waves(q / first, piece.length);
  SpectralPiece undamped = piece;
  undamped.loss_factor = 0.0;
  const BendingStiffness end = bending_stiffness(undamped, omega);
  const double even = end.z(3, 3).real() - end.z(1, 3).real();
  const double odd = end.z(3, 3).real() + end.z(1, 3).real();
  return pinned - (even < 0.0 ? 1 : 0) - (odd < 0.0 ? 1 : 0);
}

}  // namespace masing
