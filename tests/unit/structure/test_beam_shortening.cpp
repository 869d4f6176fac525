#include "masing/core/error.hpp"
#include "masing/structure/beam_shortening.hpp"
#include "masing/structure/detail/beam_shapes.hpp"
#include "masing/structure/finite_element_beam.hpp"
#include "unit/structure/spectral_support.hpp"

#include <catch2/catch.hpp>

using namespace masing;

namespace {

constexpr double length = 0.5;
// Sums of a few dozen products.
constexpr double rounding = 1e-12;

// Nodes at every `1/pieces` of the length.
Beam cut(Beam beam, int pieces) {
  for (int i = 1; i < pieces; ++i) beam.points.push_back({"", length * i / pieces});
  return beam;
}

// q of a field: w and its rotation at every node.
template <class Deflection, class Rotation>
Vector sampled(const Structure& structure, const BeamStructure& beam, const Deflection& w, const Rotation& phi) {
  Matrix nodal = Matrix::Zero(static_cast<Index>(beam.nodes().size()), 3);
  for (std::size_t i = 0; i < beam.nodes().size(); ++i) {
    nodal(static_cast<Index>(i), 1) = w(beam.nodes()[i].at);
    nodal(static_cast<Index>(i), 2) = phi(beam.nodes()[i].at);
  }
  Vector q = beam.to_coordinates(nodal);
  REQUIRE(q.size() == structure.size());
  return q;
}

double lost(const SparseMatrix& g, const Vector& q) { return 0.5 * q.dot(g * q); }

}  // namespace

TEST_CASE("slopes of the static shapes are their derivatives") {
  for (const BeamTheory theory : {BeamTheory::euler_bernoulli, BeamTheory::timoshenko}) {
    const detail::BeamShapes shapes(test::steel(0.0, 0.03), theory, 0.03);
    for (const double xi : {0.0, 0.2, 0.5, 0.9, 1.0}) {
      // Cubic: a central difference errs by step² times the third derivative (12/ℓ² in ξ) at most.
      const double step = 1e-4;
      const Eigen::Matrix<double, 1, 6> difference =
          (shapes.at(xi + step).row(1) - shapes.at(xi - step).row(1)) / (2.0 * step * 0.03);
      CHECK((shapes.slope_at(xi) - difference).cwiseAbs().maxCoeff() < 12.0 / 0.03 * step * step);
    }
  }
}

TEST_CASE("a rigid rotation shortens by half its square, the deflection of a loaded cantilever by its closed form") {
  for (const BeamTheory theory : {BeamTheory::euler_bernoulli, BeamTheory::timoshenko}) {
    const Beam free = test::uniform_beam(theory, length, test::unsupported, test::unsupported);
    for (const int pieces : {1, 3}) {
      const SpectralBeam beam(cut(free, pieces));
      const Shortening made = shortening(beam, 0.0, length);
      CHECK(made.pieces == pieces);
      const double angle = 1e-3;
      const Vector turned = sampled(
          beam, beam, [&](double x) { return angle * x; }, [&](double) { return angle; });
      CHECK(lost(made.matrix, turned) == Approx(0.5 * angle * angle * length).epsilon(rounding));

      // Tip load F: phi = F (Lx − x²/2)/EI, w' = phi + F/κGA. With p = F/EI and s = F/κGA (0 for Euler-Bernoulli)
      // ∫ w'² = p² 2L⁵/15 + 2 p s L³/3 + s² L. Static shapes are exact, whatever the number of pieces.
      const BeamSection section = test::steel(0.0, length);
      const double p = 3.0 / (section.youngs_modulus * section.inertia);
      const double s = theory == BeamTheory::timoshenko
                           ? 3.0 / (section.shear_factor * section.shear_modulus() * section.area)
                           : 0.0;
      const double l = length;
      const Vector loaded = sampled(
          beam, beam, [&](double x) { return p * (l * x * x / 2.0 - x * x * x / 6.0) + s * x; },
          [&](double x) { return p * (l * x - x * x / 2.0); });
      const double exact = p * p * 2.0 * std::pow(l, 5) / 15.0 + 2.0 * p * s * l * l * l / 3.0 + s * s * l;
      CHECK(lost(made.matrix, loaded) == Approx(0.5 * exact).epsilon(rounding));
    }
  }
}

TEST_CASE("the shortening of a mode is ∫w'²/2 up to the stated error (f/f_h)²") {
  // w = sin(nπx/L) between pins: ½∫w'² = n²π²/(4L).
  const Beam pinned = test::uniform_beam(BeamTheory::euler_bernoulli, length, test::pinned, {false, true, false});
  for (const int mode : {1, 2}) {
    for (const int pieces : {8, 16}) {
      const SpectralBeam beam(cut(pinned, pieces));
      const Shortening made = shortening(beam, 0.0, length);
      const double k = mode * pi / length;
      const Vector q = sampled(
          beam, beam, [&](double x) { return std::sin(k * x); }, [&](double x) { return k * std::cos(k * x); });
      const double exact = mode * mode * pi * pi / (4.0 * length);
      const double share = 1.0 - lost(made.matrix, q) / exact;
      const BeamSection section = test::steel(0.0, length);
      const double frequency =
          k * k * std::sqrt(section.youngs_modulus * section.inertia / (section.density * section.area)) / (2.0 * pi);
      const double stated = std::pow(frequency / made.resolved_frequency, 2);
      // The next term of the expansion is a share (kh)² of the first with a factor below 1.
      const double kh = k * length / pieces;
      CHECK(std::abs(std::abs(share) - stated) < kh * kh * stated);
    }
  }
}

TEST_CASE("a mesh may be thinned: the places of the description stay, the shortening of smooth motions too") {
  Beam clamped = test::uniform_beam(BeamTheory::euler_bernoulli, length, test::clamped, {false, true, false});
  clamped.points = {{"drive", 0.45}, {"tip", length}};
  const auto fine = finite_element_beam(clamped, {.elements = 40});
  const Shortening all = shortening(*fine, 0.0, length);
  const Shortening thin = shortening(*fine, 0.0, length, 5);
  CHECK(all.pieces == 40);
  CHECK(thin.pieces == 6);  // five of 0.1 m, the last of which is cut at the drive point
  CHECK(thin.matrix.nonZeros() < all.matrix.nonZeros() / 5);
  CHECK(thin.matrix.col(fine->find("drive.w")).nonZeros() > 0);
  const auto w = [](double x) { return x * x * (length - x) * (length - 0.8 * x); };
  const auto phi = [&](double x) { return (w(x + 1e-6) - w(x - 1e-6)) / 2e-6; };
  const Vector q = sampled(*fine, *fine, w, phi);
  // Hermite's shapes miss e = w'''' x²(h − x)²/24 of a fourth-order polynomial; ∫(w' − e')² with w'''' = 19.2 and
  // h = 0.1 m differs from ∫w'² by −2∫w''e: at most 2 · 0.5 · max|w''| · 19.2 h⁴/720.
  const double bound = 0.5 * 2.0 * length * 0.8 * 19.2 * 1e-4 / 720.0;
  CHECK(std::abs(lost(thin.matrix, q) - lost(all.matrix, q)) < bound);
  CHECK(std::abs(lost(thin.matrix, q) - lost(all.matrix, q)) > 0.0);
}

TEST_CASE("shortening refuses what cannot bend and places that are no nodes") {
  const Beam beam = test::uniform_beam(BeamTheory::euler_bernoulli, length, test::clamped, test::unsupported);
  const SpectralBeam bends(beam);
  CHECK_THROWS_WITH(shortening(bends, 0.0, 0.3), Catch::Contains("has no node") && Catch::Contains("x0.5"));
  CHECK_THROWS_WITH(shortening(bends, 0.5, 0.5), Catch::Contains("must differ"));
  Beam rod = beam;
  rod.theory = BeamTheory::rod;
  CHECK_THROWS_WITH(shortening(SpectralBeam(rod), 0.0, length), Catch::Contains("bends"));
}
