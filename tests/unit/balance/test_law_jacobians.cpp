// Every law of the catalogue: Fourier coefficients of its force and their exact derivatives, against central differences,
// through a thousand random periodic histories. The worst case of each law is printed.
#include "masing/balance/joint_forces.hpp"
#include "support/laws.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace masing;
using support::make_law;
using support::table;

namespace {

constexpr int histories = 1000;
// What the derivatives must reach where the differences themselves are good to that.
constexpr double tolerance = 1e-6;
// Differences with steps h and h/2 that disagree by more than this share have a switching point between them (a sample
// that begins to slide, a loop that begins to close): there the force has no derivative to compare with.
constexpr double agreement = 2e-7;
// Nodes between located kinks move with the motion: derivatives are those of the sum up to the error of Gauss's rule, which
// contacts that touch with a root (Hertz) and slip/slap far in slip leave 3e-6 large with 64 and 128 samples.
constexpr Index samples = 256;
// A law may be near a switching point in so many of the histories; more would make the test empty.
constexpr double most_skipped = 0.02;

/// Size and mean of the motion for each input.
struct Scale {
  double size = 1.0;
  double mean = 0.0;
};

struct Case {
  std::string label;
  std::shared_ptr<const ContactElement> element;
  std::vector<Scale> motion;
};

Matrix random_motion(std::mt19937_64& random, const HarmonicSet& set, const std::vector<Scale>& scales) {
  std::normal_distribution<double> normal;
  Matrix motion(static_cast<Index>(scales.size()), set.positions());
  for (Index row = 0; row < motion.rows(); ++row) {
    const Scale& scale = scales[static_cast<std::size_t>(row)];
    for (Index i = 0; i < set.count(); ++i) {
      const double size = scale.size / std::max(1, set[i] * set[i]);
      motion(row, set.cosine(i)) = size * normal(random);
      if (set[i] == 0) {
        motion(row, set.cosine(i)) = scale.mean + 0.2 * motion(row, set.cosine(i));
      } else {
        motion(row, set.sine(i)) = size * normal(random);
      }
    }
  }
  return motion;
}

struct Outcome {
  double worst = 0.0;
  int skipped = 0;
};

/// Directional derivative of F along a random direction, exactly and by differences.
class Comparison {
 public:
  Comparison(const Case& tested, Events events)
      : tested_(tested),
        set_(BalanceOptions{.harmonics = {0, 1, 2, 3}}.harmonics),
        forces_(std::vector<Joint>{Joint{tested.label, tested.element, {}}}, set_,
                BalanceOptions{.harmonics = {0, 1, 2, 3}, .samples = samples, .events = events}) {}

  Outcome run(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Outcome outcome;
    for (int i = 0; i < histories; ++i) {
      const Matrix motion = random_motion(random, set_, tested_.motion);
      std::vector<Scale> small = tested_.motion;
      for (Scale& scale : small) scale.mean = 0.0;
      compare(motion, random_motion(random, set_, small), outcome);
    }
    return outcome;
  }

 private:
  Matrix force(const Matrix& motion) {
    forces_.evaluate(motion, omega_);
    return forces_.coefficients();
  }

  Matrix exact(const Matrix& motion, const Matrix& direction) {
    forces_.evaluate(motion, omega_);
    forces_.prepare_derivatives(0);
    Matrix result = Matrix::Zero(motion.rows(), motion.cols());
    Matrix block(set_.positions(), set_.positions());
    for (int a = 0; a < motion.rows(); ++a) {
      for (int b = 0; b < motion.rows(); ++b) {
        forces_.derivative_block(0, a, b, block);
        result.row(a) += (block * direction.row(b).transpose()).transpose();
      }
    }
    return result;
  }

  void compare(const Matrix& motion, const Matrix& direction, Outcome& outcome) {
    constexpr double h = 1e-6;
    const auto difference = [&](double step) -> Matrix {
      return (force(motion + step * direction) - force(motion - step * direction)) / (2.0 * step);
    };
    const Matrix coarse = difference(h);
    const Matrix fine = difference(0.5 * h);
    const double size = std::max(fine.norm(), 1e-3 * force(motion).norm());
    if ((coarse - fine).norm() > agreement * size) {
      ++outcome.skipped;
      return;
    }
    if (size > 0.0) outcome.worst = std::max(outcome.worst, (exact(motion, direction) - fine).norm() / size);
  }

  const Case& tested_;
  double omega_ = 1.7;
  HarmonicSet set_;
  JointForces forces_;
};

OptionValues term(long force, double coefficient, std::vector<long> exponents) {
  OptionValues values;
  values.set("force", force);
  values.set("coefficient", coefficient);
  values.set("exponents", std::move(exponents));
  return values;
}

std::shared_ptr<const ContactElement> slip_slap(double n, double m, double unloading, bool smooth, double depth = 0.0) {
  return make_law("slip-slap", {{"normal_exponent", n},
                                {"friction_exponent", m},
                                {"normal_coefficient", 4.0},
                                {"friction_coefficient", 0.26},
                                {"unloading_rate", unloading},
                                {"stiffness_ratio", 0.7},
                                {"smooth_refresh", smooth},
                                {"continuity_depth", depth}});
}

std::vector<Case> elementary_cases() {
  const OptionValue coupled = std::vector<OptionValues>{term(1, 0.4, {2, 1}), term(2, 0.8, {0, 3})};
  return {
      {"linear-spring", make_law("linear-spring", {{"stiffness", 1.5}}), {{1.0}}},
      {"polynomial", make_law("polynomial", {{"terms", coupled}}), {{1.0}, {0.5}}},
      {"cubic", make_law("cubic", {{"cubic_stiffness", 0.7}, {"stiffness", 1.0}}), {{1.0}}},
      {"dashpot", make_law("dashpot", {{"coefficient", 0.3}}), {{1.0}}},
      {"unilateral", make_law("unilateral", {{"stiffness", 2.0}, {"gap", 0.3}}), {{1.0}}},
      {"coulomb", make_law("coulomb", {{"slip_force", 1.0}, {"reference_velocity", 0.5}}), {{1.0}}},
      {"jenkins", make_law("jenkins", {{"stiffness", 2.0}, {"slip_force", 1.0}}), {{1.0}}},
      {"hertz-spring", make_law("hertz-spring", {{"stiffness", 2.0}, {"gap", 0.2}}), {{1.0}}},
  };
}

/// Laws with a backbone of unit slip force and stiffness 2; macroslip lies between 0.5 and 2.
Case with_density(const std::string& law, const std::string& kind, const support::LawValues& keys,
                  const support::LawValues& own = {}) {
  support::LawValues density = {{"kind", kind}};
  density.insert(density.end(), keys.begin(), keys.end());
  support::LawValues values = {{"stiffness", 2.0}, {"slip_force", 1.0}, {"density", table(density)}};
  values.insert(values.end(), own.begin(), own.end());
  return {law + ", " + kind, make_law(law, values), {{0.7}}};
}

Case in_partial_slip(Case tested) {
  tested.label += ", partial slip";
  tested.motion = {{0.2}};
  return tested;
}

std::shared_ptr<const ContactElement> iwan_stribeck(const std::string& form) {
  return make_law("iwan-stribeck", {{"stiffness", 2.0},
                                    {"slip_force", 1.0},
                                    {"chi", -0.5},
                                    {"beta", 0.3},
                                    {"theta", 0.8},
                                    {"stribeck_velocity", 0.5},
                                    {"viscous", 0.1},
                                    {"form", form}});
}

std::vector<Case> iwan_cases() {
  const OptionValue pinning = table({{"gap", 0.5}, {"stiffness", 3.0}});
  return {
      with_density("iwan", "uniform", {}),
      with_density("iwan", "four-parameter", {{"chi", -0.5}, {"beta", 0.3}}),
      with_density("iwan", "four-parameter", {{"chi", -0.3}, {"beta", 0.0}},
                   {{"residual_share", 0.1}, {"pinning", pinning}}),
      with_density("iwan", "five-parameter", {{"chi", -0.5}, {"beta", 0.3}, {"theta", 0.8}}),
      with_density("iwan", "end-singular", {{"chi", -0.4}, {"beta", 0.2}, {"exponent", 0.5}}),
      with_density("iwan", "hertz", {}),
      with_density("iwan", "flat", {{"gamma", 0.3}}),
      with_density("iwan-population", "four-parameter", {{"chi", -0.5}, {"beta", 0.3}}, {{"elements", 12L}}),
      in_partial_slip(with_density("iwan", "four-parameter", {{"chi", -0.5}, {"beta", 0.3}})),
      in_partial_slip(with_density("ripp", "four-parameter", {{"chi", -0.5}, {"beta", 0.3}})),
      with_density("ripp", "five-parameter", {{"chi", -0.5}, {"beta", 0.3}, {"theta", 0.8}}),
      {"iwan-stribeck, consistent", iwan_stribeck("consistent"), {{0.7}}},
      {"iwan-stribeck, printed", iwan_stribeck("printed"), {{0.7}}},
  };
}

std::vector<Case> normal_load_cases() {
  const OptionValue linear = table({{"kind", "linear"}, {"stiffness", 2.0}, {"preload", 1.0}});
  const OptionValue hertz = table({{"kind", "hertz"}, {"stiffness", 2.0}, {"preload", 1.0}});
  const std::vector<Scale> plane = {{1.0}, {0.3}};
  std::vector<Case> cases = {
      {"friction-2d", make_law("friction-2d", {{"stiffness", 2.0}, {"friction", 0.6}, {"normal", linear}}), plane},
      {"friction-2d, hertz", make_law("friction-2d", {{"stiffness", 2.0}, {"friction", 0.6}, {"normal", hertz}}),
       plane},
      {"friction-3d",
       make_law("friction-3d", {{"stiffness", 2.0}, {"friction", 0.6}, {"normal", linear}}),
       {{1.0}, {1.0}, {0.3}}},
      {"slip-slap", slip_slap(1.2, 0.9, 0.5, true), {{0.3}, {0.4, 1.0}}},
      {"slip-slap, linear", slip_slap(1.0, 1.0, 0.0, false), {{0.3}, {0.4, 1.0}}},
      {"slip-slap, continuous", slip_slap(1.01, 1.16, 0.5, false, 0.05), {{0.3}, {0.4, 1.0}}},
  };
  for (const std::string law : {"variable-load-iwan", "variable-load-iwan-closed"}) {
    Case tested = with_density(
        law, "uniform", {},
        {{"reference_load", 1.0}, {"normal", linear}, {"stiffness_under_load", table({{"kind", "proportional"}})}});
    tested.motion = {{0.7}, {0.15}};
    cases.push_back(tested);
  }
  return cases;
}

std::vector<Case> all_cases() {
  std::vector<Case> all = elementary_cases();
  for (const auto& family : {iwan_cases(), normal_load_cases()}) all.insert(all.end(), family.begin(), family.end());
  return all;
}

void check(const Case& tested, Events events) {
  const Outcome outcome = Comparison(tested, events).run(20261116);
  const char* mode = events == Events::located ? "located" : "sampled";
  WARN(tested.label << ", " << mode << ": worst relative error " << outcome.worst << ", " << outcome.skipped << " of "
                    << histories << " histories near a switching point");
  CHECK(outcome.worst <= tolerance);
  CHECK(outcome.skipped <= most_skipped * histories);
}

}  // namespace

TEST_CASE("derivatives of every law hold through a thousand random histories", "[jacobian]") {
  for (const Case& tested : all_cases()) {
    check(tested, Events::located);
    check(tested, Events::sampled);
  }
}

TEST_CASE("every law of the catalogue is among those tested", "[jacobian]") {
  const std::vector<Case> cases = all_cases();
  for (const LawEntry& law : law_catalogue()) {
    INFO(law.name);
    const auto is_tested = [&](const Case& tested) {
      return tested.label.substr(0, tested.label.find(',')) == law.name;
    };
    CHECK(std::any_of(cases.begin(), cases.end(), is_tested));
  }
}
