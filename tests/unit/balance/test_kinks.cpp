// Laws with a normal load, a velocity or many sliders whose kinks are located: the coefficients of their forces have no error of
// sampling, and their derivatives none either. The march over a very fine sampling, which locates nothing, is the witness.
#include "masing/balance/joint_forces.hpp"
#include "masing/contact/backbones.hpp"
#include "masing/contact/binning.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/hertz_spring.hpp"
#include "masing/contact/iwan_stribeck.hpp"
#include "masing/contact/parallel_springs.hpp"
#include "masing/contact/slider_population.hpp"
#include "masing/contact/slip_slap.hpp"
#include "masing/contact/variable_load_iwan.hpp"
#include "masing/fourier/transform.hpp"
#include "support/models.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace masing;

namespace {

using Element = std::shared_ptr<const ContactElement>;

struct Case {
  std::string name;
  Element element;
  bool jumps = false;
};

constexpr double omega = 1.7;
const std::vector<int> harmonics = {0, 1, 2, 3};

std::vector<Case> cases() {
  const BackbonePointer backbone = uniform_backbone({.stiffness = 1.5, .slip_force = 0.3});
  const NormalContact linear({.stiffness = 0.8, .preload = 1.0});
  const NormalContact hertz({.stiffness = 0.8, .exponent = 1.5, .preload = 1.0});
  const NormalContact gap({.stiffness = 0.8, .gap = 0.2});
  const auto friction = [](const NormalContact& normal) {
    return make_element(Friction2d({.stiffness = 1.5, .friction = 0.3, .normal = normal}));
  };
  const auto iwan = [&](LoadScaling scaling, const NormalContact& normal, int elements) {
    return make_element(VariableLoadIwan(bin_backbone(*backbone, elements), std::move(scaling), normal));
  };
  const LoadScaling polynomial = LoadScaling::polynomial(1.0, {0.0, 1.3, -0.3, 0.05});
  IwanStribeckParameters stribeck{
      .iwan = {.stiffness = 2.0, .slip_force = 0.6, .chi = -0.5, .beta = 0.1, .theta = 0.75}, .stribeck_velocity = 4.0};
  const auto slip_slap = [](double unloading, bool smooth) {
    return make_slip_slap({.normal_exponent = 1.3,
                           .friction_exponent = 1.16,
                           .normal_coefficient = 0.8,
                           .friction_coefficient = 0.26,
                           .unloading_rate = unloading,
                           .stiffness_ratio = 0.7,
                           .approach = 1.0,
                           .smooth_refresh = smooth});
  };
  return {{"hertz-spring", make_element(HertzSpring({.stiffness = 1.5, .gap = 0.2}))},
          {"slip-slap", slip_slap(0.5, false), true},
          {"slip-slap, elastic", slip_slap(0.0, false)},
          {"slip-slap, smooth", slip_slap(0.5, true)},
          {"friction-2d", friction(linear)},
          {"friction-2d, Hertz", friction(hertz)},
          {"friction-2d, gap", friction(gap)},
          {"variable-load-iwan", iwan(LoadScaling::constant(1.0), linear, 10)},
          {"variable-load-iwan, proportional", iwan(LoadScaling::proportional(1.0), hertz, 10)},
          {"variable-load-iwan, polynomial", iwan(polynomial, linear, 40)},
          {"iwan-population", make_element(SliderPopulation(bin_backbone(*backbone, 100)))},
          {"iwan-stribeck", make_iwan_stribeck(stribeck)},
          {"pinned iwan-stribeck",
           with_springs(make_iwan_stribeck(stribeck), {.pinning_gap = 0.4, .pinning_stiffness = 1.0})}};
}

/// One joint and its forces; the joint stays where it is.
struct Setup {
  std::vector<Joint> joints;
  JointForces forces;

  Setup(const Element& element, Index samples, Events events)
      : joints{attached(element)},
        forces(joints, HarmonicSet(harmonics), {.harmonics = harmonics, .samples = samples, .events = events}) {}

  static Joint attached(const Element& element) {
    std::vector<std::map<Index, double>> directions;
    for (Index i = 0; i < element->inputs(); ++i) directions.push_back({{i, 1.0}});
    return test::joint("joint", element, element->inputs(), directions);
  }

  Matrix coefficients(const Matrix& motion) {
    forces.evaluate(motion, omega);
    return forces.coefficients();
  }
};

/// Motions from stick to slip and, with a normal load, from pressed to open half of the time.
Matrix random_motion(Index inputs, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> size(0.1, 1.0);
  Matrix motion = Matrix::NullaryExpr(inputs, 7, [&] { return normal(generator); });
  motion.row(0) *= size(generator);
  if (inputs > 1) motion.row(1) *= size(generator);
  return motion;
}

double largest(const Matrix& matrix) { return matrix.cwiseAbs().maxCoeff(); }

}  // namespace

/// Of the law at very fine equidistant samples; what it remembers from between them it locates itself.
Matrix finely_sampled(const Element& element, const Matrix& motion, Index samples) {
  const HarmonicSet set(harmonics);
  const Matrix basis = sampled_basis(set, samples);
  const Matrix rows = motion.transpose();
  std::vector<detail::CoefficientSignal> signals;
  for (Index i = 0; i < motion.rows(); ++i) signals.emplace_back(set, rows.col(i));
  std::vector<const PeriodicSignal*> views;
  for (const auto& signal : signals) views.push_back(&signal);
  const Matrix displacement = basis.transpose() * rows;
  CycleResult result;
  element->steady_cycle({.displacement = displacement, .velocity = displacement, .signals = views}, {}, result);
  return (inverse_weights(set, samples).asDiagonal() * (basis * result.force)).transpose();
}

TEST_CASE("forces with located kinks are those of very fine samples") {
  // Sampling errs by 1/N² times the slopes that jump; 2^15 samples leave some 1e-8 of the largest force.
  constexpr Index fine = 1 << 15;
  constexpr double usual = 1e-7;
  // Where the published slip/slap begins to slide its force jumps by up to 1 %, at the next sample.
  constexpr double with_jumps = 0.01 * 4.0 / fine;
  std::mt19937_64 generator(17);
  for (const Case& law : cases()) {
    Setup located(law.element, 256, Events::located), sampled(law.element, fine, Events::sampled);
    const bool locates_memory = law.name.starts_with("slip-slap");  // on a polygon its contact would stick too early
    for (int trial = 0; trial < 6; ++trial) {
      const Matrix motion = random_motion(law.element->inputs(), generator);
      const Matrix expected = locates_memory ? finely_sampled(law.element, motion, fine) : sampled.coefficients(motion);
      INFO(law.name << ", motion " << trial);
      const double tolerance = law.jumps ? with_jumps : usual;
      CHECK(largest(located.coefficients(motion) - expected) <= tolerance * largest(expected));
    }
  }
}

TEST_CASE("samples that bracket located kinks do not show in the forces") {
  // Both are converged: what is left are the ends of Gauss's rule in panels that begin with roots (Hertz, χ = −1/2).
  constexpr double tolerance = 1e-9;
  std::mt19937_64 generator(18);
  for (const Case& law : cases()) {
    Setup few(law.element, 256, Events::located), many(law.element, 1024, Events::located);
    for (int trial = 0; trial < 6; ++trial) {
      const Matrix motion = random_motion(law.element->inputs(), generator);
      const Matrix expected = many.coefficients(motion);
      INFO(law.name << ", motion " << trial);
      CHECK(largest(few.coefficients(motion) - expected) <= tolerance * largest(expected));
    }
  }
}

TEST_CASE("derivatives with located kinks are those of central differences, also where kinks pass samples") {
  // Second order in the step: 1e-5 squared times curvatures that grow near touches, and rounding of 1e-16/1e-5.
  constexpr double step = 1e-5, tolerance = 1e-6;
  std::mt19937_64 generator(19);
  for (const Case& law : cases()) {
    const auto inputs = static_cast<Index>(law.element->inputs());
    Setup setup(law.element, 256, Events::located);
    for (int trial = 0; trial < 4; ++trial) {
      const Matrix motion = random_motion(inputs, generator);
      Matrix block(7, 7);
      for (int b = 0; b < inputs; ++b) {
        for (Index column = 0; column < 7; ++column) {
          Matrix plus = motion, minus = motion;
          plus(b, column) += step;
          minus(b, column) -= step;
          const Matrix difference = (setup.coefficients(plus) - setup.coefficients(minus)) / (2.0 * step);
          setup.coefficients(motion);
          setup.forces.prepare_derivatives(0);
          for (int a = 0; a < inputs; ++a) {
            setup.forces.derivative_block(0, a, b, block);
            INFO(law.name << ", motion " << trial << ": force " << a << " by input " << b << ", column " << column);
            CHECK(largest(block.col(column) - difference.row(a).transpose()) < tolerance);
          }
        }
      }
    }
  }
}
