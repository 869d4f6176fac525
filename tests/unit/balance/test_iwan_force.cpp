// Fourier coefficients of the Iwan family with located reversals: closed forms, convergence and exact Jacobians.
#include "masing/balance/joint_forces.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/contact/iwan.hpp"
#include "masing/contact/iwan_stribeck.hpp"
#include "masing/contact/parallel_springs.hpp"
#include "masing/contact/ripp.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace masing;

namespace {

constexpr FourParameters parameters{.stiffness = 2.0, .slip_force = 1.0, .chi = -0.5, .beta = 0.3};

using Element = std::shared_ptr<const ContactElement>;

/// One joint and its forces; the joint stays where it is.
struct Setup {
  std::vector<Joint> joints;
  JointForces forces;

  Setup(const Element& element, std::vector<int> harmonics, Index samples, Events events = Events::located)
      : joints{test::joint("joint", element, 1, {{{0, 1.0}}})},
        forces(joints, HarmonicSet(harmonics), {.harmonics = harmonics, .samples = samples, .events = events}) {}

  Matrix coefficients(const Matrix& motion, double omega = 1.0) {
    forces.evaluate(motion, omega);
    return forces.coefficients();
  }
};

struct Differences {
  double worst = 0.0;   ///< of smooth columns, relative to the largest entry
  double median = 0.0;  ///< of all columns
  long columns = 0;
  long kinks = 0;
};

Differences compare_jacobians(const Element& element, int motions, double size, unsigned seed) {
  constexpr double relative_step = 2e-6;
  // Differences to either side that disagree by more, relative to the stiffness, betray a sample that passes a closing
  // loop or macroslip within the step: one sample of N changes its slope.
  constexpr double kink = 1e-5;
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Setup setup(element, {0, 1, 2, 3}, 128);
  Differences result;
  std::vector<double> all;
  Matrix block(7, 7);
  for (int trial = 0; trial < motions; ++trial) {
    const double scale = size * (0.1 + 0.9 * (trial + 1) / motions);
    const double step = relative_step * scale;
    const Matrix motion = Matrix::NullaryExpr(1, 7, [&] { return scale * normal(generator); });
    const Matrix base = setup.coefficients(motion);
    setup.forces.prepare_derivatives(0);
    setup.forces.derivative_block(0, 0, 0, block);
    for (Index column = 0; column < 7; ++column) {
      Matrix shifted = motion;
      shifted(0, column) += step;
      const Matrix up = setup.coefficients(shifted);
      shifted(0, column) -= 2.0 * step;
      const Matrix down = setup.coefficients(shifted);
      const double error =
          ((up - down).transpose() / (2.0 * step) - block.col(column)).cwiseAbs().maxCoeff() / parameters.stiffness;
      const double bend = ((up - base) - (base - down)).cwiseAbs().maxCoeff() / (step * parameters.stiffness);
      all.push_back(error);
      ++result.columns;
      if (bend > kink) {
        ++result.kinks;
      } else {
        result.worst = std::max(result.worst, error);
      }
    }
  }
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  result.median = all[all.size() / 2];
  return result;
}

void check_jacobians(const Element& element, int motions, double size, unsigned seed) {
  constexpr double tolerance = 1e-6;
  constexpr double usual = 1e-9;  // rounding over step; more only near kinks
  constexpr double most_kinks = 0.05;
  const Differences d = compare_jacobians(element, motions, size, seed);
  WARN(d.columns << " columns of Jacobians: worst relative difference " << d.worst << ", median " << d.median << ", "
                 << d.kinks << " at a kink");
  CHECK(d.worst < tolerance);
  CHECK(d.median < usual);
  CHECK(static_cast<double>(d.kinks) < most_kinks * static_cast<double>(d.columns));
}

}  // namespace

TEST_CASE("one harmonic of a four-parameter joint has the closed-form describing function") {
  const Element element = make_iwan(four_parameter_backbone(parameters));
  const double phi_max = four_parameter_constants(parameters).phi_max;
  // The force is smooth but for t³ at a turn: the coefficients of N samples err by about N^-4.
  constexpr double sampling = 1e-8;
  Setup setup(element, {1}, 1024);
  for (const double share : {0.01, 0.3, 0.9, 1.0}) {
    for (const double phase : {0.0, 0.7, 3.9}) {
      const double amplitude = share * phi_max;
      const Complex x = std::polar(amplitude, phase);
      Matrix motion(1, 2);
      motion << x.real(), -x.imag();
      const Matrix f = setup.coefficients(motion);
      const Complex stiffness = Complex(f(0, 0), -f(0, 1)) / x;
      const Complex expected = four_parameter_describing_function(parameters, amplitude);
      CHECK(std::abs(stiffness - expected) < sampling * parameters.stiffness);
    }
  }
}

TEST_CASE("reversals located between samples beat the extreme samples") {
  const Element element = make_iwan(four_parameter_backbone(parameters));
  std::mt19937_64 generator(7);
  std::normal_distribution<double> normal(0.0, 0.3);
  const std::vector<int> harmonics = {0, 1, 2, 3};
  Setup located(element, harmonics, 128);
  Setup sampled(element, harmonics, 128, Events::sampled);
  Setup fine(element, harmonics, 8192);
  double located_error = 0.0;
  double sampled_error = 0.0;
  for (int trial = 0; trial < 100; ++trial) {
    const Matrix motion = Matrix::NullaryExpr(1, 7, [&] { return normal(generator); });
    const Matrix exact = fine.coefficients(motion);
    located_error += (located.coefficients(motion) - exact).cwiseAbs().maxCoeff();
    sampled_error += (sampled.coefficients(motion) - exact).cwiseAbs().maxCoeff();
  }
  INFO("mean error: located " << located_error / 100.0 << ", sampled " << sampled_error / 100.0);
  CHECK(located_error < 0.2 * sampled_error);
}

TEST_CASE("kinks cost nothing: coefficients of few nodes are those of very many samples") {
  // The reference knows nothing of panels: samples of the same law, whose error falls with 1/N² at kinks: (2π/N)² times the jump
  // of df/dτ, 6 N for these motions, over 12 is 3e-10 for N = 262144; a few of this size may add up.
  constexpr double of_the_samples = 1e-9;
  const std::vector<int> harmonics = {0, 1, 2, 3};
  const std::vector<std::pair<std::string, Element>> laws = {
      {"four-parameter", make_iwan(four_parameter_backbone(parameters))},
      {"ripp", make_ripp(four_parameter_backbone(parameters))},
      {"Hertz", make_iwan(hertz_backbone({.stiffness = 2.0, .slip_force = 1.0}))},
      {"flat, edges pressed", make_iwan(flat_backbone({.stiffness = 2.0, .slip_force = 1.0, .gamma = 0.3}))},
      {"three sliders as a backbone", make_iwan(maxwell_slip_backbone({{1.0, 0.2}, {0.6, 0.3}, {0.4, 0.5}}))},
      {"springs beside", with_springs(make_iwan(four_parameter_backbone(parameters)),
                                      {.residual_stiffness = 0.1, .pinning_gap = 0.4, .pinning_stiffness = 1.0})},
  };
  for (const auto& [name, element] : laws) {
    std::mt19937_64 generator(11);
    std::normal_distribution<double> normal(0.0, 0.5);
    Setup panels(element, harmonics, 256);
    Setup sampled(element, harmonics, 262144, Events::sampled);
    for (int trial = 0; trial < 10; ++trial) {
      const Matrix motion = Matrix::NullaryExpr(1, 7, [&] { return normal(generator); });
      const double error = (panels.coefficients(motion) - sampled.coefficients(motion)).cwiseAbs().maxCoeff();
      INFO(name << ", motion " << motion);
      CHECK(error < of_the_samples);
    }
  }
}

TEST_CASE("a backbone of hundreds of pieces is integrated, one of thousands sampled") {
  const auto many = [](int pieces) {
    std::vector<SlipElement> sliders;
    for (int i = 1; i <= pieces; ++i) {
      sliders.push_back({.stiffness = 2.0 / pieces, .slip_force = 2.0 / pieces * i / pieces});
    }
    return make_iwan(maxwell_slip_backbone(sliders));
  };
  Setup located(many(3000), {1}, 512);
  Setup sampled(many(3000), {1}, 512, Events::sampled);
  Matrix motion(1, 2);
  motion << 0.8, 0.0;  // turns at samples: both see the same
  CHECK((located.coefficients(motion) - sampled.coefficients(motion)).cwiseAbs().maxCoeff() < 1e-13);
  check_jacobians(many(300), 100, 0.5, 12);
}

TEST_CASE("Iwan coefficients and Jacobian against differences on a thousand random motions") {
  check_jacobians(make_iwan(four_parameter_backbone(parameters)), 1000, 0.5, 8);
}

TEST_CASE("RIPP coefficients and Jacobian against differences on a thousand random motions") {
  check_jacobians(make_ripp(four_parameter_backbone(parameters)), 1000, 0.5, 9);
}

TEST_CASE("Iwan-Stribeck coefficients and Jacobian against differences on a thousand random motions") {
  check_jacobians(make_iwan_stribeck({.iwan = {2.0, 1.0, -0.5, 0.3, 0.75},
                                      .stribeck_velocity = 0.3,
                                      .exponent = 2.0,
                                      .viscous = 0.02,
                                      .form = StribeckForm::consistent}),
                  1000, 0.5, 10);
}

TEST_CASE("coefficients and derivatives of the Iwan law are continuous where maximum and minimum tie") {
  Setup setup(make_iwan(four_parameter_backbone(parameters)), {0, 1, 3}, 128);
  constexpr double shift = 1e-9;
  Matrix above(5, 5);
  Matrix below(5, 5);
  Matrix motion(1, 5);
  motion << shift, 0.3, 0.1, 0.05, 0.02;
  const Matrix force_above = setup.coefficients(motion);
  setup.forces.prepare_derivatives(0);
  setup.forces.derivative_block(0, 0, 0, above);
  motion(0, 0) = -shift;
  const Matrix force_below = setup.coefficients(motion);
  setup.forces.prepare_derivatives(0);
  setup.forces.derivative_block(0, 0, 0, below);
  // Stiffness times the shift; the derivative changes by curvature times the shift.
  CHECK((force_above - force_below).cwiseAbs().maxCoeff() < 10.0 * shift);
  CHECK((above - below).cwiseAbs().maxCoeff() < 1000.0 * shift);
}

TEST_CASE("derivative of Iwan-Stribeck forces by the frequency") {
  for (const StribeckForm form : {StribeckForm::printed, StribeckForm::consistent}) {
    Setup setup(make_iwan_stribeck({.iwan = {2.0, 1.0, -0.5, 0.3, 0.75},
                                    .stribeck_velocity = 0.3,
                                    .exponent = 2.0,
                                    .viscous = 0.02,
                                    .form = form}),
                {0, 1, 2, 3}, 128);
    Matrix motion(1, 7);
    motion << 0.05, 0.3, 0.1, -0.05, 0.02, 0.04, 0.0;
    const double step = 1e-6;
    const Matrix up = setup.coefficients(motion, 1.3 + step);
    const Matrix down = setup.coefficients(motion, 1.3 - step);
    setup.coefficients(motion, 1.3);
    const Matrix difference = (up - down) / (2.0 * step);
    constexpr double tolerance = 1e-9;  // rounding over step
    CHECK((setup.forces.derivative_by_omega() - difference).cwiseAbs().maxCoeff() < tolerance);
  }
}
