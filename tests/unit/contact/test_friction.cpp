// Friction with a normal load that varies: reductions to simpler laws, lift-off, energy, sensitivities, phases.
#include "masing/contact/element.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/jenkins.hpp"
#include "masing/contact/loop.hpp"
#include "masing/core/error.hpp"
#include "unit/contact/phases.hpp"
#include "unit/contact/sensitivity.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <string>
#include <vector>

using namespace masing;
using support::Samples;

namespace {

using Any = SmallVector<Eigen::Dynamic>;
using AnyMotion = Motion<Eigen::Dynamic>;

constexpr double rounding = 1e-12;
constexpr double most_kinks = 5e-3;

FrictionParameters parameters(double exponent = 1.0) {
  return {.stiffness = 2.0,
          .friction = 0.4,
          .normal = NormalContact({.stiffness = 1.5, .exponent = exponent, .preload = 1.0})};
}

/// Marched period after period, without Newton's help.
class MarchedFriction3d : public Friction3d {
 public:
  using Friction3d::Friction3d;
  State with_memory(const State& state, const SmallVector<5>& scalars) const = delete;
};

const CycleOptions patient{.max_cycles = 1000};

}  // namespace

TEST_CASE("friction-2d under constant load is the Jenkins element", "[contact]") {
  std::mt19937_64 random(331);
  const auto friction = make_element(Friction2d(parameters()));
  const auto jenkins = make_element(Jenkins({.stiffness = 2.0, .slip_force = 0.4}));
  for (int trial = 0; trial < 200; ++trial) {
    Samples s = support::random_history(random, 48, 2, 0.005 * (trial + 1));
    s.displacement.col(1).setZero();
    const Samples tangential{s.displacement.leftCols(1), s.velocity.leftCols(1)};
    CycleResult one, two;
    jenkins->steady_cycle(tangential.view(), {}, one);
    friction->steady_cycle(s.view(), {}, two);
    REQUIRE(two.report.closed);
    REQUIRE(two.report.cycles <= 3);
    REQUIRE((one.force - two.force.col(0)).isZero(rounding));
    const Matrix difference = support::dense_jacobian(one).by_displacement -
                              support::dense_jacobian(two).by_displacement.topLeftCorner(48, 48);
    REQUIRE(difference.isZero(rounding));
  }
}

TEST_CASE("friction-3d along a line is friction-2d, and turns with the motion", "[contact]") {
  std::mt19937_64 random(332);
  const auto plane = make_element(Friction3d(parameters(1.5)));
  const auto line = make_element(Friction2d(parameters(1.5)));
  const double angle = 0.7;
  const Eigen::Rotation2Dd turn(angle);
  for (int trial = 0; trial < 100; ++trial) {
    const Samples s = support::random_history(random, 48, 2, 0.6);
    Matrix along(48, 3);
    along << std::cos(angle) * s.displacement.col(0), std::sin(angle) * s.displacement.col(0), s.displacement.col(1);
    CycleResult one, two;
    line->steady_cycle(s.view(), {}, one);
    plane->steady_cycle({along, along}, patient, two);
    REQUIRE(two.report.closed);
    Matrix expected(48, 3);
    expected << std::cos(angle) * one.force.col(0), std::sin(angle) * one.force.col(0), one.force.col(1);
    REQUIRE((two.force - expected).isZero(rounding));

    const Samples any = support::random_history(random, 48, 3, 0.6);
    Matrix turned = any.displacement;
    turned.leftCols(2) = any.displacement.leftCols(2) * turn.toRotationMatrix().transpose();
    plane->steady_cycle(any.view(), patient, one);
    plane->steady_cycle({turned, turned}, patient, two);
    REQUIRE(one.report.closed);
    REQUIRE(two.report.closed);
    // Both are closed to 1e-10 of the largest force, from different directions of approach.
    const double closure = 1e-8;
    REQUIRE((two.force.leftCols(2) - one.force.leftCols(2) * turn.toRotationMatrix().transpose()).isZero(closure));
  }
}

namespace {

/// An ellipse under a load that varies, and lifts off if `lift` > 1.
Matrix elliptic_motion(Index samples, double amplitude, double ratio, double lift) {
  Matrix motion(samples, 3);
  for (Index i = 0; i < samples; ++i) {
    const double t = 2.0 * pi * static_cast<double>(i) / static_cast<double>(samples);
    // N = 1 + 1.5 w of `parameters()`
    motion.row(i) << amplitude * std::cos(t), ratio * amplitude * std::sin(t), lift / 1.5 * std::cos(t + 1.0);
  }
  return motion;
}

/// First harmonic of both tangential forces.
Eigen::Vector4d fundamental(const Matrix& force) {
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  const double count = static_cast<double>(force.rows());
  for (Index i = 0; i < force.rows(); ++i) {
    const double t = 2.0 * pi * static_cast<double>(i) / count;
    sum.head<2>() += 2.0 / count * std::cos(t) * force.row(i).head<2>().transpose();
    sum.tail<2>() += 2.0 / count * std::sin(t) * force.row(i).head<2>().transpose();
  }
  return sum;
}

/// Brute force: radial return in very many steps, marched for three periods.
Eigen::Vector4d by_radial_return(const Matrix& motion) {
  Matrix force(motion.rows(), 2);
  Eigen::Vector2d slider = Eigen::Vector2d::Zero();
  for (int period = 0; period < 3; ++period) {
    for (Index i = 0; i < motion.rows(); ++i) {
      const Eigen::Vector2d u = motion.row(i).head<2>().transpose();
      const double load = std::max(1.0 + 1.5 * motion(i, 2), 0.0);
      Eigen::Vector2d pull = 2.0 * (u - slider);
      if (pull.norm() > 0.4 * load) pull *= 0.4 * load / pull.norm();
      slider = u - pull / 2.0;
      force.row(i) = pull.transpose();
    }
  }
  return fundamental(force);
}

}  // namespace

TEST_CASE("friction-3d along ellipses converges with the square of the step to brute force", "[contact]") {
  const auto element = make_element(Friction3d(parameters()));
  for (const double lift : {0.6, 1.5}) {
    for (const double amplitude : {0.5, 2.0}) {  // the contact sticks within 0.2
      const auto with = [&](Index samples) {
        CycleResult cycle;
        const Matrix motion = elliptic_motion(samples, amplitude, 0.7, lift);
        element->steady_cycle({motion, motion}, patient, cycle);
        REQUIRE(cycle.report.closed);
        return fundamental(cycle.force);
      };
      // First order in 2^17 and 2^18 steps, extrapolated: some 1e-7 are left.
      const Eigen::Vector4d exact = 2.0 * by_radial_return(elliptic_motion(262144, amplitude, 0.7, lift)) -
                                    by_radial_return(elliptic_motion(131072, amplitude, 0.7, lift));
      const double coarse = (with(128) - exact).norm() / exact.norm();
      const double middle = (with(256) - exact).norm() / exact.norm();
      const double fine = (with(1024) - exact).norm() / exact.norm();
      WARN("friction-3d, amplitude " << amplitude << ", load 1 + " << lift << " cos: errors " << coarse << ", "
                                     << middle << ", " << fine << " with 128, 256 and 1024 samples");
      CHECK(middle < 1e-3);  // documented; radial return errs by 1e-2
      CHECK(fine <
            middle / 8.0);  // second order gives 16; where slip begins and contact is made, samples do not fall alike
    }
  }
}

TEST_CASE("friction stays in its cone, never pulls, and never creates energy", "[contact]") {
  std::mt19937_64 random(333);
  const auto plane = make_element(Friction3d(parameters()));
  const auto line = make_element(Friction2d(parameters(1.5)));
  int opened = 0;
  for (int trial = 0; trial < 200; ++trial) {
    for (const auto& element : {line, plane}) {
      const int tangential = element->inputs() - 1;
      const Samples s = support::random_history(random, 128, tangential + 1, 0.5);
      CycleResult cycle;
      element->steady_cycle(s.view(), patient, cycle);
      REQUIRE(cycle.report.closed);
      for (Index i = 0; i < 128; ++i) {
        const double load = cycle.force(i, tangential) + 1.0;
        REQUIRE(load >= -rounding);
        REQUIRE(cycle.force.row(i).head(tangential).norm() <= 0.4 * load + rounding);
        opened += load == 0.0 ? 1 : 0;
      }
      REQUIRE(loop_area(s.displacement.leftCols(tangential), cycle.force.leftCols(tangential)) >= -rounding);
    }
  }
  CHECK(opened > 1000);
}

TEST_CASE("a contact that opens forgets where it stuck", "[contact]") {
  const auto element = make_element(Friction2d(parameters()));
  Matrix motion(4, 2);
  motion << 0.1, 0.0, 0.9, -1.0, 0.9, 0.0, 1.0, 0.0;
  const Matrix force = march_history(*element, motion, Matrix()).force;
  CHECK(force(0, 0) == Approx(0.2));
  CHECK(force(1, 0) == 0.0);
  CHECK(force(1, 1) == -1.0);
  CHECK(force(2, 0) == 0.0);
  CHECK(force(3, 0) == Approx(0.2));
}

TEST_CASE("friction-3d: cycles that close slowly are found by Newton's method", "[contact]") {
  std::mt19937_64 random(335);
  const auto aided = make_element(Friction3d(parameters()));
  const auto plain = make_element(MarchedFriction3d(parameters()));
  int slow = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Samples s = support::random_history(random, 64, 3, 0.1);
    CycleResult one, two;
    aided->steady_cycle(s.view(), {}, one);
    plain->steady_cycle(s.view(), {.max_cycles = 20000, .closure_tolerance = 1e-12}, two);
    REQUIRE(one.report.closed);
    REQUIRE(two.report.closed);
    slow += two.report.cycles > 50 ? 1 : 0;
    // Both are closed to 1e-10 of the largest force or better; what is left to go is more where each period goes
    // little.
    const double same_state = 1e-7;
    REQUIRE((one.force - two.force).cwiseAbs().maxCoeff() < same_state);
  }
  CHECK(slow >= 5);
}

TEST_CASE("friction-3d: the periodic state depends on the motion alone, not on where the period begins", "[contact]") {
  std::mt19937_64 random(336);
  const auto element = make_element(Friction3d(parameters()));
  const Index samples = 64, shift = 23;
  int stuck = 0, sliding = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Samples s = support::random_history(random, samples, 3, 0.0005 * (trial + 1));
    Matrix later(samples, 3);
    later << s.displacement.bottomRows(samples - shift), s.displacement.topRows(shift);
    CycleResult one, two;
    element->steady_cycle(s.view(), {}, one);
    element->steady_cycle({later, later}, {}, two);
    REQUIRE(one.report.closed);
    REQUIRE(two.report.closed);
    (one.report.cycles == 1 ? stuck : sliding) += 1;
    Matrix expected(samples, 3);
    expected << one.force.bottomRows(samples - shift), one.force.topRows(shift);
    // Both memories are closed to 1e-10 of the largest displacement, which is below 2.
    const double closure = 1e-9;
    REQUIRE((two.force - expected).cwiseAbs().maxCoeff() < closure);
  }
  CHECK(stuck > 50);
  CHECK(sliding > 50);
}

TEST_CASE("sensitivities of friction on a thousand random histories", "[contact]") {
  std::mt19937_64 random(334);
  for (const double exponent : {1.0, 1.5}) {
    const auto line = make_element(Friction2d(parameters(exponent)));
    const auto plane = make_element(Friction3d(parameters(exponent)));
    for (const auto& element : {line, plane}) {
      const auto findings = support::study_sensitivities(
          *element, {.histories = 1000, .columns = 4}, random,
          [&](int h) { return support::random_history(random, 32, element->inputs(), 0.001 * (h + 1)); });
      WARN("friction-" << element->inputs() << "d, exponent " << exponent << ": " << findings);
      // Step² times third derivatives, which the normal contact has close to lift-off and radial return at small
      // forces.
      CHECK(findings.worst < 1e-6);
      CHECK(findings.kink_share() < most_kinks);
    }
  }
}

namespace {

/// Two incommensurate harmonics in the plane of u and w, with several lift-offs.
AnyMotion motion_at(double t) {
  return {Any{{1.2 * std::sin(t) + 0.6 * std::sin(2.7 * t + 0.4), 0.8 * std::cos(1.9 * t) - 0.1}},
          Any{{1.2 * std::cos(t) + 0.6 * 2.7 * std::cos(2.7 * t + 0.4), -0.8 * 1.9 * std::sin(1.9 * t)}}};
}

double largest_difference(const ContactElement& element, int steps, std::vector<std::string>& phases) {
  const double dt = 20.0 / steps;
  const auto sampled = element.at_rest();
  const auto phased = element.at_rest();
  sampled->advance(motion_at(0.0));
  phased->advance(motion_at(0.0));
  double largest = 0.0;
  for (int i = 0; i < steps; ++i) {
    support::follow(*phased, motion_at, i * dt, (i + 1) * dt, phases);
    const AnyMotion motion = motion_at((i + 1) * dt);
    largest =
        std::max(largest, (phased->force_in_phase(motion) - sampled->advance(motion).force).cwiseAbs().maxCoeff());
  }
  return largest;
}

}  // namespace

TEST_CASE("friction-2d: located phases agree with fine sampling", "[contact]") {
  for (const double exponent : {1.0, 1.5}) {
    const auto element = make_element(Friction2d(parameters(exponent)));
    std::vector<std::string> coarse_phases, fine_phases;
    const double coarse = largest_difference(*element, 4000, coarse_phases);
    const double fine = largest_difference(*element, 40000, fine_phases);
    // Re-contact between samples: the slider starts at the last open sample, an error of first order in dt, which the
    // next slip removes.
    CHECK(fine < coarse / 5.0);
    CHECK(fine < 2e-3);
    CHECK(fine_phases == coarse_phases);
    for (const char* phase : {"stick", "slip+", "slip-", "open"}) {
      CAPTURE(phase);
      CHECK(std::count(fine_phases.begin(), fine_phases.end(), phase) >= 2);
    }
  }
}

TEST_CASE("friction-2d: slip ends when the slider would move back, the limit's rate included", "[contact]") {
  const Friction2d law(parameters());
  const Friction2d::State slip{.slider = 0.0, .phase = Friction2d::Phase::slip_forward};
  // μ k_n / k = 0.3: the limit grows with 0.3 ẇ.
  const Motion<2> motion{{0.5, 0.1}, {0.4, 1.0}};
  CHECK(law.distance_to_switch(motion, slip) == Approx(0.4 - 0.3));
  CHECK(law.distance_to_switch({{0.5, 0.1}, {0.2, 1.0}}, slip) == Approx(0.2 - 0.3));
  CHECK(law.force_in_phase(motion, slip)[0] == Approx(0.4 * 1.15));
  Friction2d::State state = slip;
  law.switch_phase({{0.5, 0.1}, {0.3, 1.0}}, state);
  CHECK(law.phase_name(state) == "stick");
  CHECK(law.force_in_phase(motion, state)[0] == Approx(0.4 * 1.15));
}

TEST_CASE("wrong friction parameters are refused", "[contact]") {
  FrictionParameters wrong = parameters();
  wrong.friction = -0.1;
  CHECK_THROWS_WITH(Friction2d(wrong), "friction-2d: friction = -0.1 must be >= 0.");
  CHECK_THROWS_WITH(Friction3d(wrong), "friction-3d: friction = -0.1 must be >= 0.");
  wrong = parameters();
  wrong.stiffness = 0.0;
  CHECK_THROWS_WITH(Friction2d(wrong), "friction-2d: stiffness = 0 N/m must be > 0.");
}
