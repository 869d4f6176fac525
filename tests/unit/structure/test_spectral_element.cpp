#include "masing/structure/spectral_element.hpp"
#include "spectral_support.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <catch2/catch.hpp>
#include <random>

using namespace masing;
using test::relative;
using test::steel;

namespace {

// Closed expressions of a few operations.
constexpr double rounding = 1e-13;
// The closed forms of the tests lose digits of their own (tan near a pole, differences of large terms).
constexpr double closed_form = 1e-10;
// Central differences with relative step 1e-5 and resonances of relative width 0.05: truncation (1e-5/0.05)² and a
// factor of ten.
constexpr double difference_step = 1e-5;
constexpr double difference_tolerance = 4e-7;

SpectralPiece piece(BeamTheory theory, double length, double loss = 0.0) {
  BeamSection section = steel(0.0, 1.0);
  section.loss_factor = loss;
  return spectral_piece(section, theory, length);
}

/// Translations and rotations made comparable: rotations in units of 1/ℓ.
Eigen::Matrix4cd scaled(const Eigen::Matrix4cd& z, double length) {
  const Eigen::Vector4d scale(1.0, 1.0 / length, 1.0, 1.0 / length);
  return scale.asDiagonal() * z * scale.asDiagonal();
}

// The reference below sums large terms of both signs; with the digits of long double enough of them are left.
using Long = std::complex<long double>;
using LongMatrix = Eigen::Matrix<Long, 4, 4>;

/// e^A of the first-order system (w, φ, Q, M)' = A (w, φ, Q, M) over the piece, by its plain series. Forces in units of
/// EI/ℓ³, moments of EI/ℓ², rotations of 1/ℓ, x of ℓ.
LongMatrix transfer(const SpectralPiece& p, const Long& omega) {
  const Long loss(1.0L, p.loss_factor);
  const long double l = p.length, ei = p.bending_stiffness;
  LongMatrix a = LongMatrix::Zero();
  a(0, 1) = 1.0L;
  a(0, 2) = p.shear_compliance * ei / (l * l) / loss;
  a(1, 3) = 1.0L / loss;
  a(2, 0) = -omega * omega * (p.mass_per_length * l * l * l * l / ei);
  a(3, 1) = -omega * omega * (p.rotary_per_length * l * l / ei);
  a(3, 2) = -1.0L;
  LongMatrix sum = LongMatrix::Identity();
  LongMatrix term = sum;
  for (int n = 1; n < 120; ++n) {
    term = term * a / Long(static_cast<long double>(n));
    sum += term;
  }
  return sum;
}

/// The dynamic stiffness from the transfer matrix, in units of EI/ℓ³ and scaled like `scaled`.
LongMatrix from_transfer(const SpectralPiece& p, const Long& omega) {
  using Block = Eigen::Matrix<Long, 2, 2>;
  const LongMatrix t = transfer(p, omega);
  const Block uu = t.topLeftCorner<2, 2>(), fu = t.bottomLeftCorner<2, 2>(), ff = t.bottomRightCorner<2, 2>();
  const Block inverse = Block(t.topRightCorner<2, 2>()).inverse();  // forces on the left end are −(Q, M)
  LongMatrix z;
  z << inverse * uu, -inverse, fu - ff * inverse * uu, ff * inverse;
  return z;
}

/// Z of the piece in the same units.
Eigen::Matrix4cd in_units(const SpectralPiece& p, const Eigen::Matrix4cd& z) {
  return scaled(z, p.length) * std::pow(p.length, 3) / p.bending_stiffness;
}

}  // namespace

TEST_CASE("rod: the closed form", "[spectral]") {
  const SpectralPiece p = piece(BeamTheory::rod, 0.7);
  for (const double omega : {3.0, 400.0, 5e3, 3e4, 2.1e5}) {
    const double k = omega * std::sqrt(p.mass_per_length / p.axial_stiffness);
    const double same = p.axial_stiffness * k / std::tan(k * p.length);
    const double other = -p.axial_stiffness * k / std::sin(k * p.length);
    const RodStiffness rod = rod_stiffness(p, omega);
    Eigen::Matrix2cd expected;
    expected << same, other, other, same;
    CHECK(relative(rod.z, expected) < closed_form);
  }
}

TEST_CASE("Euler-Bernoulli: the closed form", "[spectral]") {
  const SpectralPiece p = piece(BeamTheory::euler_bernoulli, 0.5);
  for (const double kl : {1.3, 2.9, 3.1, 5.0, 11.0}) {
    const double k = kl / p.length;
    const double omega = k * k * std::sqrt(p.bending_stiffness / p.mass_per_length);
    const double c = std::cos(kl), s = std::sin(kl), ch = std::cosh(kl), sh = std::sinh(kl);
    const double d = p.bending_stiffness * k / (1.0 - c * ch);
    const double ww = d * k * k * (s * ch + c * sh), wphi = d * k * s * sh, phiphi = d * (s * ch - c * sh);
    const double ww2 = -d * k * k * (s + sh), wphi2 = d * k * (ch - c), phiphi2 = d * (sh - s);
    Eigen::Matrix4cd expected;
    expected << ww, wphi, ww2, wphi2, wphi, phiphi, -wphi2, phiphi2, ww2, -wphi2, ww, -wphi, wphi2, phiphi2, -wphi,
        phiphi;
    CHECK(relative(scaled(bending_stiffness(p, omega).z, p.length), scaled(expected, p.length)) < closed_form);
  }
}

TEST_CASE("bending: the matrix exponential of the equations of motion, damped or not", "[spectral]") {
  const auto theory = GENERATE(BeamTheory::euler_bernoulli, BeamTheory::timoshenko);
  const double loss = GENERATE(0.0, 0.02, 0.5);
  const SpectralPiece p = piece(theory, 0.04, loss);
  for (const double omega : {1.0, 1e3, 2e4, 8e4, 1.5e5, 4e5, 1.0e6}) {
    const Eigen::Matrix4cd expected = from_transfer(p, omega).cast<Complex>();
    CHECK(relative(in_units(p, bending_stiffness(p, omega).z), expected) < closed_form);
  }
}

TEST_CASE("the static stiffness is exact and is the limit", "[spectral]") {
  const SpectralPiece p = piece(BeamTheory::timoshenko, 0.06, 0.1);
  const double l = p.length;
  const double phi = 12.0 * p.bending_stiffness * p.shear_compliance / (l * l);
  const double b = p.bending_stiffness / (l * l * l * (1.0 + phi));
  Eigen::Matrix4cd expected;
  expected << 12.0, 6.0 * l, -12.0, 6.0 * l, 6.0 * l, (4.0 + phi) * l * l, -6.0 * l, (2.0 - phi) * l * l, -12.0,
      -6.0 * l, 12.0, -6.0 * l, 6.0 * l, (2.0 - phi) * l * l, -6.0 * l, (4.0 + phi) * l * l;
  expected *= b;
  const BendingStiffness rest = bending_stiffness(p, 0.0);
  CHECK(relative(scaled(rest.z, l), scaled(expected, l)) < 4.0 * std::numeric_limits<double>::epsilon());
  CHECK(rest.z.imag().isZero(0.0));
  CHECK(rest.derivative.isZero(0.0));
  SpectralPiece undamped = p;
  undamped.loss_factor = 0.0;
  CHECK(relative(scaled(bending_stiffness(undamped, 1e-3).z, l), scaled(expected, l)) < rounding);

  const RodStiffness rod = rod_stiffness(p, 0.0);
  Eigen::Matrix2cd rod_expected;
  rod_expected << 1.0, -1.0, -1.0, 1.0;
  CHECK(relative(rod.z, p.axial_stiffness / l * rod_expected) < 4.0 * std::numeric_limits<double>::epsilon());
  CHECK(rod.derivative.isZero(0.0));
}

TEST_CASE("at low frequency the derivative is that of the consistent mass", "[spectral]") {
  const SpectralPiece p = piece(BeamTheory::euler_bernoulli, 0.5);
  const double l = p.length;
  Eigen::Matrix4cd mass;
  mass << 156.0, 22.0 * l, 54.0, -13.0 * l, 22.0 * l, 4.0 * l * l, 13.0 * l, -3.0 * l * l, 54.0, 13.0 * l, 156.0,
      -22.0 * l, -13.0 * l, -3.0 * l * l, -22.0 * l, 4.0 * l * l;
  mass *= p.mass_per_length * l / 420.0;
  const double omega = 1e-4;  // (ω/ω₁)² is 1e-14
  CHECK(relative(scaled(bending_stiffness(p, omega).derivative, l), scaled(-2.0 * omega * mass, l)) < rounding);
}

TEST_CASE("series and waves meet invisibly, their derivatives too", "[spectral]") {
  // Through the switch near |ka| = 1.5. The derivative of the reference is a complex step: no difference.
  const auto theory = GENERATE(BeamTheory::euler_bernoulli, BeamTheory::timoshenko);
  constexpr double step = 1e-30;
  constexpr double seam = 1e-12;
  const SpectralPiece p = piece(theory, 0.05);
  double stiffness = 0.0, derivative = 0.0;
  for (double kl = 2.0; kl < 4.0; kl += 0.02) {
    const double omega = kl * kl / (p.length * p.length) * std::sqrt(p.bending_stiffness / p.mass_per_length);
    const BendingStiffness bending = bending_stiffness(p, omega);
    const Eigen::Matrix4cd expected = from_transfer(p, Long(omega, step * omega)).cast<Complex>();
    stiffness = std::max(stiffness, relative(in_units(p, bending.z), expected.real().cast<Complex>()));
    derivative = std::max(derivative,
                          relative(omega * in_units(p, bending.derivative), (expected.imag() / step).cast<Complex>()));
  }
  CHECK(stiffness < seam);
  CHECK(derivative < seam);
}

TEST_CASE("derivatives agree with differences", "[spectral]") {
  const auto theory = GENERATE(BeamTheory::euler_bernoulli, BeamTheory::timoshenko);
  const SpectralPiece p = piece(theory, 0.05, 0.05);
  for (const double omega : {50.0, 3e3, 5e4, 2e5, 7e5, 1.7e6, 4e6}) {
    const double step = difference_step * omega;
    const Eigen::Matrix4cd difference =
        (bending_stiffness(p, omega + step).z - bending_stiffness(p, omega - step).z) / (2.0 * step);
    const Eigen::Matrix4cd derivative = bending_stiffness(p, omega).derivative;
    // At low frequency the difference of two nearly equal stiffnesses rounds.
    const double noise = rounding * scaled(bending_stiffness(p, omega).z, p.length).norm() / step;
    CHECK((scaled(derivative, p.length) - scaled(difference, p.length)).norm() <
          difference_tolerance * scaled(derivative, p.length).norm() + noise);
    const RodStiffness rod = rod_stiffness(p, omega);
    const Eigen::Matrix2cd rod_difference =
        (rod_stiffness(p, omega + step).z - rod_stiffness(p, omega - step).z) / (2.0 * step);
    CHECK((rod.derivative - rod_difference).norm() <
          difference_tolerance * rod.derivative.norm() + rounding * rod.z.norm() / step);
  }
}

TEST_CASE("reciprocity and dissipation", "[spectral]") {
  const auto theory = GENERATE(BeamTheory::euler_bernoulli, BeamTheory::timoshenko);
  const SpectralPiece p = piece(theory, 0.3, 0.01);
  for (double omega = 10.0; omega < 1e7; omega *= 1.37) {
    const Eigen::Matrix4cd z = scaled(bending_stiffness(p, omega).z, p.length);
    CHECK((z - z.transpose()).norm() == 0.0);
    CHECK(z.imag().selfadjointView<Eigen::Lower>().eigenvalues().minCoeff() > -rounding * z.norm());
    CHECK(rod_stiffness(p, omega).z.imag().selfadjointView<Eigen::Lower>().eigenvalues().minCoeff() >
          -rounding * rod_stiffness(p, omega).z.norm());
  }
}

TEST_CASE("nothing happens at the cut-off of the second spectrum", "[spectral]") {
  const SpectralPiece p = piece(BeamTheory::timoshenko, 0.05);
  const double cut_off = 1.0 / std::sqrt(p.rotary_per_length * p.shear_compliance);
  const Eigen::Matrix4cd at = scaled(bending_stiffness(p, cut_off).z, p.length);
  REQUIRE(at.allFinite());
  CHECK(relative(in_units(p, bending_stiffness(p, cut_off).z), from_transfer(p, cut_off).cast<Complex>()) <
        closed_form);
  for (const double offset : {1e-4, 1e-7, 1e-10, 1e-13}) {
    const Eigen::Matrix4cd above = scaled(bending_stiffness(p, cut_off * (1.0 + offset)).z, p.length);
    const Eigen::Matrix4cd below = scaled(bending_stiffness(p, cut_off * (1.0 - offset)).z, p.length);
    // Second differences of a smooth function: its curvature over ω² is of the order of (kℓ)² = 400 times Z.
    CHECK((above + below - 2.0 * at).norm() < (1e4 * offset * offset + closed_form) * at.norm());
  }
}

TEST_CASE("high frequency and low damping do not overflow: far ends part", "[spectral]") {
  const SpectralPiece p = piece(BeamTheory::timoshenko, 1.0, 1e-4);
  const SpectralPiece eb = piece(BeamTheory::euler_bernoulli, 10.0, 1e-4);
  const double omega = 2.0 * pi * 1e6;
  for (const BendingStiffness& bending : {bending_stiffness(p, omega), bending_stiffness(eb, omega)}) {
    CHECK(bending.z.allFinite());
    CHECK(bending.derivative.allFinite());
  }
  // With heavy damping the wave of one end does not reach the other: a half-infinite beam, k = (ω²ρA/EI)^¼.
  const SpectralPiece heavy = piece(BeamTheory::euler_bernoulli, 10.0, 0.5);
  const Complex ei = heavy.bending_stiffness * Complex(1.0, 0.5);
  const Complex k = std::pow(omega * omega * heavy.mass_per_length / ei, 0.25);
  const BendingStiffness far = bending_stiffness(heavy, omega);
  const Complex i(0.0, 1.0);
  CHECK(std::abs(far.z(0, 0) / (ei * k * k * k * (i - 1.0)) - 1.0) < rounding);
  CHECK(std::abs(far.z(0, 1) / (ei * k * k * i) - 1.0) < rounding);
  CHECK(std::abs(far.z(1, 1) / (ei * k * (1.0 + i)) - 1.0) < rounding);
  CHECK(far.z.topRightCorner<2, 2>().norm() < rounding * far.z.norm());
}

TEST_CASE("two pieces are one: the motion and the forces in between", "[spectral]") {
  const auto theory = GENERATE(BeamTheory::rod, BeamTheory::euler_bernoulli, BeamTheory::timoshenko);
  const double omega = GENERATE(0.0, 700.0, 2.3e4, 9e5);
  const double length = 0.2, x = 0.065;
  const SpectralPiece whole = piece(theory, length, 0.03);
  const SpectralPiece left = piece(theory, x, 0.03), right = piece(theory, length - x, 0.03);
  if (theory == BeamTheory::rod) {
    const Eigen::Vector2cd ends(1.0, Complex(0.3, -0.7));
    const Complex here = rod_motion(whole, omega, ends, x);
    const Eigen::Vector2cd first = rod_stiffness(left, omega).z * Eigen::Vector2cd(ends[0], here);
    const Eigen::Vector2cd second = rod_stiffness(right, omega).z * Eigen::Vector2cd(here, ends[1]);
    const Eigen::Vector2cd both = rod_stiffness(whole, omega).z * ends;
    CHECK(std::abs(first[1] + second[0]) < closed_form * rod_stiffness(left, omega).z.norm());
    CHECK((Eigen::Vector2cd(first[0], second[1]) - both).norm() < closed_form * both.norm());
    return;
  }
  const Eigen::Vector4cd ends(1.0, Complex(2.0, 3.0), Complex(0.3, -0.7), -5.0);
  const Eigen::Vector2cd here = bending_motion(whole, omega, ends, x);
  const BendingStiffness z_left = bending_stiffness(left, omega), z_right = bending_stiffness(right, omega);
  Eigen::Vector4cd left_ends, right_ends;
  left_ends << ends.head<2>(), here;
  right_ends << here, ends.tail<2>();
  const Eigen::Vector4cd first = z_left.z * left_ends, second = z_right.z * right_ends;
  const Eigen::Vector4cd both = bending_stiffness(whole, omega).z * ends;
  const double size = scaled(z_left.z, length).norm();
  CHECK(std::abs(first[2] + second[0]) < closed_form * size);
  CHECK(std::abs(first[3] + second[1]) < closed_form * size * length);
  CHECK((first.head<2>() - both.head<2>()).norm() < closed_form * size);
  CHECK((second.tail<2>() - both.tail<2>()).norm() < closed_form * size);
}

TEST_CASE("frequencies of held pieces are counted", "[spectral]") {
  const SpectralPiece p = piece(BeamTheory::euler_bernoulli, 0.5);
  const auto characteristic = [](double kl) { return std::cos(kl) - 1.0 / std::cosh(kl); };
  const std::vector<double> clamped = test::roots(characteristic, 100.0, 2000);
  REQUIRE(clamped.size() == 31);
  for (std::size_t i = 0; i < clamped.size(); ++i) {
    const double k = clamped[i] / p.length;
    const double omega = k * k * std::sqrt(p.bending_stiffness / p.mass_per_length);
    CHECK(clamped_bending_frequencies_below(p, omega * (1.0 - 1e-9)) == static_cast<Index>(i));
    CHECK(clamped_bending_frequencies_below(p, omega * (1.0 + 1e-9)) == static_cast<Index>(i) + 1);
    const double rod = static_cast<double>(i + 1) * pi / p.length * std::sqrt(p.axial_stiffness / p.mass_per_length);
    CHECK(clamped_rod_frequencies_below(p, rod * (1.0 - 1e-9)) == static_cast<Index>(i));
    CHECK(clamped_rod_frequencies_below(p, rod * (1.0 + 1e-9)) == static_cast<Index>(i) + 1);
  }
}
