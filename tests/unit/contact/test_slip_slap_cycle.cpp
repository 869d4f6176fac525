// Steady cycles of the slip/slap law: against the naive law in fine steps, near stick, in derivatives, smooth variant.
#include "masing/contact/loop.hpp"
#include "support/cycle_jacobian.hpp"
#include "unit/contact/slip_slap_oracle.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

using namespace masing;
using namespace masing::support;

namespace {

SlipSlap::Parameters smoothed(SlipSlap::Parameters p) {
  p.smooth_refresh = true;
  return p;
}

/// The value that a given share of all samples does not exceed, over the largest force. Jumps of the published model shift
/// by up to a step: single samples there say nothing.
double typical_difference(const Matrix& a, const Matrix& b) {
  std::vector<double> differences;
  for (Index i = 0; i < a.rows(); ++i) differences.push_back((a.row(i) - b.row(i)).cwiseAbs().maxCoeff());
  const auto nearly_worst = differences.begin() + static_cast<Index>(0.97 * static_cast<double>(a.rows()));
  std::nth_element(differences.begin(), nearly_worst, differences.end());
  return *nearly_worst / std::max(a.cwiseAbs().maxCoeff(), 1e-3);
}

}  // namespace

TEST_CASE("slip/slap cycles equal the naive law in fine steps, with first order", "[contact][slip-slap]") {
  std::mt19937_64 random(61);
  double coarse_sum = 0.0;
  double fine_sum = 0.0;
  double worst = 0.0;
  int separated = 0;
  for (int trial = 0; trial < 40; ++trial) {
    SlipSlap::Parameters p = trial % 2 == 0 ? rough() : example(0.5);
    p.smooth_refresh = trial % 4 >= 2;
    const SlipSlapMotion motion = random_slip_slap_motion(random, trial);
    const Matrix located = located_forces(*make_slip_slap(p), motion, 64);
    // Thirty periods: the past fades by exp(−Σ k_T |Δu|) in each, by more than a third with these motions.
    const double coarse = typical_difference(located, naive_forces(p, motion, 64, 30, 10));
    const double fine = typical_difference(located, naive_forces(p, motion, 64, 30, 100));
    coarse_sum += coarse;
    fine_sum += fine;
    worst = std::max(worst, fine);
    if ((located.col(1).array() == 0.0).any()) ++separated;
  }
  INFO("mean difference " << coarse_sum / 40 << " and " << fine_sum / 40 << ", worst " << worst);
  CHECK(separated > 5);
  CHECK(separated < 35);
  CHECK(worst < 2e-2);
  CHECK(fine_sum / 40 < 1e-3);
  CHECK(fine_sum < coarse_sum / 5.0);
}

TEST_CASE("slip/slap near stick: the direct periodic state equals a million periods", "[contact][slip-slap]") {
  // Reversals at τ = 0 and π with penetrations 2.6 and 1.4, iterated as they are; B = 1 − 2e-5.
  const double amplitude = 2e-6;
  SlipSlapMotion motion;
  motion.u.a = {amplitude};
  motion.u.b = {0.0};
  motion.w.mean = 2.0;
  motion.w.a = {0.6};
  motion.w.b = {0.3};
  const auto fading = [&](double w) { return std::exp(-0.7 / (0.26 * w) * 2.0 * amplitude); };
  const double at_bottom = fading(1.4);
  const double at_top = fading(2.6);
  double start = 0.0;  // Δ₀ after the maximum
  for (int period = 0; period < 4000000; ++period) {
    const double bottom = -1.0 + (1.0 + start) * at_bottom;
    start = 1.0 - (1.0 - bottom) * at_top;
  }
  const Matrix force = located_forces(*make_slip_slap(example()), motion, 64);
  // Marching has lost 4e6 rounding errors by then.
  CHECK(force(0, 0) == Approx(0.26 * 4.0 * 2.6 * start).epsilon(1e-8));
  CHECK(std::abs(start) > 0.1);
  // Two periods from a virgin contact are nowhere near.
  CHECK(std::abs(naive_forces(example(), motion, 64, 2, 10)(0, 0)) < 0.01 * std::abs(force(0, 0)));
}

TEST_CASE("slip/slap sampled cycles equal many sampled periods of one point", "[contact][slip-slap]") {
  std::mt19937_64 random(62);
  for (int trial = 0; trial < 60; ++trial) {
    CAPTURE(trial);
    SlipSlap::Parameters p = trial % 2 == 0 ? rough() : example(0.5);
    p.smooth_refresh = trial % 3 == 0;
    const auto element = make_slip_slap(p);
    const Samples s = random_slip_slap_motion(random, trial).sampled(48);
    const auto point = element->at_rest();
    Matrix marched(48, 2);
    for (int period = 0; period < 100; ++period) {
      for (Index i = 0; i < 48; ++i) {
        const auto response = point->advance({s.displacement.row(i).transpose(), s.velocity.row(i).transpose()});
        marched.row(i) = response.force.transpose();
      }
    }
    const double tolerance = 1e-9;  // what is left of the first period, and the roots' rounding
    CHECK((marched - sampled_forces(*element, s)).cwiseAbs().maxCoeff() < tolerance * marched.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("slip/slap: sampled cycles converge to located ones", "[contact][slip-slap]") {
  for (const SlipSlap::Parameters& p : {example(), smoothed(rough())}) {
    const auto element = make_slip_slap(p);
    SlipSlapMotion motion = example_motion();
    motion.u.shift = motion.w.shift = 0.1234;  // no event at a sample
    std::vector<double> errors;
    for (const Index count : {64, 1024, 16384}) {
      const Matrix located = located_forces(*element, motion, count);
      const Matrix sampled = sampled_forces(*element, motion.sampled(count));
      errors.push_back((located - sampled).cwiseAbs().maxCoeff() / located.cwiseAbs().maxCoeff());
    }
    INFO("relative errors " << errors[0] << ", " << errors[1] << ", " << errors[2]);
    CHECK(errors[1] < errors[0] / 4.0);  // first order gives 16 on average; it depends on where the samples are
    CHECK(errors[2] < errors[1] / 4.0);
    CHECK(errors[2] < 1e-4);
  }
}

TEST_CASE("slip/slap: what sampling costs, located or not", "[contact][slip-slap]") {
  const auto element = make_slip_slap(example());
  struct Errors {
    double least = 1.0, naive = 0.0, sampled = 0.0, located = 0.0;
  };
  // Over sixteen positions of the samples relative to the motion, as a share of the largest tangential force.
  const auto errors_of = [&](Index count) {
    Errors errors;
    for (int i = 0; i < 16; ++i) {
      SlipSlapMotion motion = example_motion();
      motion.u.shift = motion.w.shift = 2.0 * pi / static_cast<double>(count) * (i + 0.5) / 16.0;
      const Vector exact = located_forces(*element, motion, 16 * count).col(0);
      const auto error = [&](const Matrix& force) {
        double largest = 0.0;
        for (Index k = 0; k < count; ++k) largest = std::max(largest, std::abs(force(k, 0) - exact[16 * k]));
        return largest / exact.cwiseAbs().maxCoeff();
      };
      const double naive = error(naive_forces(example(), motion, count, 4, 1));
      errors.least = std::min(errors.least, naive);
      errors.naive = std::max(errors.naive, naive);
      errors.sampled = std::max(errors.sampled, error(sampled_forces(*element, motion.sampled(count))));
      errors.located = std::max(errors.located, error(located_forces(*element, motion, count)));
    }
    WARN("slip/slap, " << count << " samples, errors of Q: plain " << errors.least << " to " << errors.naive
                       << ", sampled cycle up to " << errors.sampled << ", located cycle " << errors.located);
    return errors;
  };
  const Errors few = errors_of(256);
  const Errors many = errors_of(1024);
  CHECK(few.naive == Approx(3e-3).margin(0.5e-3));
  // First order: w, and Δ_T with it, goes on while a reversal waits for the next sample.
  CHECK(few.naive / many.naive == Approx(4.0).margin(0.4));
  CHECK(many.least < 1e-4);  // and much less where a sample happens to lie at the reversal
  CHECK(few.sampled < 1.01 * few.naive);
  CHECK(many.sampled < 1.01 * many.naive);
  CHECK(std::max(few.located, many.located) < 1e-10);  // rounding, amplified by the root finding
}

TEST_CASE("slip/slap: the rate form is another model", "[contact][slip-slap]") {
  // dΔ_T = k_T(w) (s − Δ_T) |du| with the k_T of each instant, by Heun's rule; the law takes the present k_T for the whole way
  // since the reversal.
  const SlipSlapMotion motion = example_motion();
  constexpr int steps = 20000;
  constexpr double h = 2.0 * pi / steps;
  const auto stiffness = [&](double tau) { return 0.7 / (0.26 * motion.w.at(tau).value); };
  const auto rate = [&](double tau, double slip) {
    const double speed = motion.u.at(tau).slope;
    return stiffness(tau) * (std::copysign(1.0, speed) - slip) * std::abs(speed);
  };
  const auto power = [&](double tau, double slip) {
    return 0.26 * 4.0 * motion.w.at(tau).value * slip * motion.u.at(tau).slope;
  };
  double slip = 0.0;
  double energy = 0.0;
  for (int period = 0; period < 4; ++period) {
    energy = 0.0;
    for (int i = 0; i < steps; ++i) {
      const double first = rate(h * i, slip);
      const double next = slip + 0.5 * h * (first + rate(h * (i + 1), slip + h * first));
      energy += 0.5 * h * (power(h * i, slip) + power(h * (i + 1), next));
      slip = next;
    }
  }
  CHECK(energy == Approx(9.17).margin(0.005));
  const Index count = 4096;
  const Matrix x = motion.sampled(count).displacement;
  const double ours = loop_area(x.leftCols(1), located_forces(*make_slip_slap(example()), motion, count).leftCols(1));
  CHECK(ours == Approx(7.04).margin(0.005));
}

TEST_CASE("slip/slap: located forces do not depend on the number of samples", "[contact][slip-slap]") {
  std::mt19937_64 random(63);
  for (int trial = 0; trial < 100; ++trial) {
    CAPTURE(trial);
    SlipSlap::Parameters p = trial % 2 == 0 ? rough() : example(0.5);
    p.smooth_refresh = trial % 3 == 0;
    const auto element = make_slip_slap(p);
    const SlipSlapMotion motion = random_slip_slap_motion(random, trial);
    const Matrix few = located_forces(*element, motion, 64);
    const Matrix many = located_forces(*element, motion, 2048);
    // Rounding of located instants, amplified by slopes. Sliding that begins and ends between the same two of the 64
    // samples would be missed: it does not happen here.
    double difference = 0.0;
    for (Index i = 0; i < 64; ++i)
      difference = std::max(difference, (few.row(i) - many.row(32 * i)).cwiseAbs().maxCoeff());
    CHECK(difference < 1e-9 * many.cwiseAbs().maxCoeff());
  }
}

namespace {

struct Comparison {
  double worst = 0.0;
  long columns = 0;
  long kinks = 0;
};

/// Central differences of two steps; where they disagree the motion is at a switch and the column is left out.
void compare_derivatives(const ContactElement& element, const Samples& s, Comparison& comparison) {
  CycleResult cycle;
  element.steady_cycle(s.view(), {}, cycle);
  const Matrix exact = dense_jacobian(cycle).by_displacement;
  const auto difference = [&](Index column, double step) {
    Samples moved = s;
    moved.displacement.data()[column] += step;
    const Matrix up = sampled_forces(element, moved);
    moved.displacement.data()[column] -= 2.0 * step;
    return Matrix((up - sampled_forces(element, moved)) / (2.0 * step));
  };
  const double scale = std::max(exact.cwiseAbs().maxCoeff(), 1.0);
  for (Index column = 0; column < exact.cols(); ++column) {
    const Matrix coarse = difference(column, 2e-5);
    const Matrix fine = difference(column, 1e-5);
    ++comparison.columns;
    if ((coarse - fine).cwiseAbs().maxCoeff() > 1e-6 * scale) {
      ++comparison.kinks;
      continue;
    }
    const Matrix extrapolated = fine + (fine - coarse) / 3.0;
    const double error = (extrapolated.reshaped() - exact.col(column)).cwiseAbs().maxCoeff() / scale;
    comparison.worst = std::max(comparison.worst, error);
  }
}

}  // namespace

TEST_CASE("slip/slap: sensitivities of a thousand sampled cycles", "[contact][slip-slap]") {
  std::mt19937_64 random(64);
  Comparison comparison;
  for (int trial = 0; trial < 1000; ++trial) {
    SlipSlap::Parameters p = trial % 2 == 0 ? rough() : example(0.5);
    p.smooth_refresh = trial % 3 == 0;
    compare_derivatives(*make_slip_slap(p), random_slip_slap_motion(random, trial).sampled(20), comparison);
  }
  WARN("slip/slap, sampled: " << comparison.columns << " columns, " << comparison.kinks
                              << " at a switch, worst relative difference " << comparison.worst);
  CHECK(comparison.worst < 1e-6);
  CHECK(static_cast<double>(comparison.kinks) < 0.02 * static_cast<double>(comparison.columns));
}

TEST_CASE("slip/slap at rest: the tangent of a stuck contact that follows its mean", "[contact][slip-slap]") {
  const Index count = 8;
  Samples s{Matrix::Zero(count, 2), Matrix::Zero(count, 2)};
  s.displacement.col(1).setConstant(2.0);
  CycleResult cycle;
  make_slip_slap(example(0.5))->steady_cycle(s.view(), {}, cycle);
  const Matrix jacobian = dense_jacobian(cycle).by_displacement;
  // Tangential stiffness C_k C_p; normal: C_p along the loading curve, C_p + k_N P for a vibration about the mean.
  const Matrix about_mean = Matrix::Identity(count, count) - Matrix::Constant(count, count, 1.0 / count);
  CHECK((jacobian.topLeftCorner(count, count) - 2.8 * about_mean).isZero(1e-12));
  const Matrix normal = 4.0 * Matrix::Identity(count, count) + 0.5 * 8.0 * about_mean;
  CHECK((jacobian.bottomRightCorner(count, count) - normal).isZero(1e-12));
  CHECK(jacobian.topRightCorner(count, count).isZero(1e-12));
}

namespace {

/// The largest jump of P and of Q along a family of motions, over their largest values: between two members that differ by
/// 2^-30 of the range, found by halving the interval where the force changes most.
std::array<double, 2> largest_jump(const SlipSlap::Parameters& p, double from, double to,
                                   const std::function<SlipSlapMotion(double)>& motion) {
  const auto element = make_slip_slap(p);
  const auto forces = [&](double at) { return located_forces(*element, motion(at), 256); };
  const Matrix middle = forces(0.5 * (from + to));
  std::array<double, 2> jumps = {};
  for (const Index force : {0, 1}) {
    const auto change = [&](const Matrix& a, const Matrix& b) { return (a - b).col(force).cwiseAbs().sum(); };
    double low = from, high = to;
    Matrix at_low = forces(low), at_high = forces(high);
    for (int halving = 0; halving < 30; ++halving) {
      const Matrix half = forces(0.5 * (low + high));
      const bool first = change(at_low, half) > change(half, at_high);
      (first ? high : low) = 0.5 * (low + high);
      (first ? at_high : at_low) = half;
    }
    jumps[static_cast<std::size_t>(force)] = change(at_low, at_high) / 256.0 / middle.col(force).cwiseAbs().maxCoeff();
  }
  return jumps;
}

}  // namespace

TEST_CASE("slip/slap: a brief slide changes the published force for good, the smooth one continuously",
          "[contact][slip-slap]") {
  // Larger and larger slip: one of the two branches of a period comes to slide while the contact is nearly open.
  const auto slips = [](double amplitude) {
    SlipSlapMotion motion = example_motion();
    for (double& a : motion.u.a) a *= amplitude;
    for (double& b : motion.u.b) b *= amplitude;
    return motion;
  };
  const auto published = largest_jump(example(0.5), 0.05, 2.0, slips);
  const auto smooth = largest_jump(smoothed(example(0.5)), 0.05, 2.0, slips);
  WARN("brief slide, mean jumps of Q and P: published " << published[0] << ", " << published[1] << "; smooth "
                                                        << smooth[0] << ", " << smooth[1]);
  CHECK(published[1] > 0.005);
  // 2^-30 of the range moves a smooth force by some 1e-9.
  CHECK(smooth[0] < 1e-7);
  CHECK(smooth[1] < 1e-7);
}

TEST_CASE("slip/slap: the deepest penetration does not jump where the contact first opens, friction does",
          "[contact][slip-slap]") {
  constexpr double little = 1e-9;
  const Index count = 256;
  const auto forces = [&](double lowest) {
    SlipSlapMotion motion = example_motion();
    motion.w.mean = 2.5 + lowest;
    return located_forces(*make_slip_slap(smoothed(rough())), motion, count);
  };
  const Matrix closed = forces(little), opened = forces(-little);
  // w rises in the first and the last quarter: P depends on w_max there, and on friction only if w < w_max.
  Matrix change = (closed - opened).cwiseAbs();
  const double normal =
      std::max(change.col(1).head(count / 4).maxCoeff(), change.col(1).tail(count / 4 - 1).maxCoeff());
  INFO("P changes by " << normal << " N while w rises, Q by " << change.col(0).maxCoeff() << " N");
  CHECK(normal < 1e-6 * closed.col(1).maxCoeff());
  CHECK(change.col(0).maxCoeff() > 0.05 * closed.col(0).maxCoeff());  // it starts anew at re-contact, as published
}

TEST_CASE("slip/slap: what the smooth refresh changes", "[contact][slip-slap]") {
  const Index count = 4096;
  const SlipSlapMotion motion = example_motion();
  const Matrix published = located_forces(*make_slip_slap(example(0.5)), motion, count);
  const Matrix smooth = located_forces(*make_slip_slap(smoothed(example(0.5))), motion, count);
  const double normal = (published - smooth).col(1).cwiseAbs().maxCoeff() / published.col(1).maxCoeff();
  const double tangential = (published - smooth).col(0).cwiseAbs().maxCoeff() / published.col(0).maxCoeff();
  const auto energy = [&](const Matrix& force) {
    const Matrix x = motion.sampled(count).displacement;
    double area = 0.0;
    for (Index i = 0; i < count; ++i) {
      const Index j = (i + 1) % count;
      area += 0.5 * (force.row(i) + force.row(j)).dot(x.row(j) - x.row(i));
    }
    return area;
  };
  const double lost = energy(smooth) / energy(published) - 1.0;
  WARN("smooth refresh: P changes by " << normal << ", Q by " << tangential << " of their maxima, energy by " << lost);
  CHECK(normal > 0.0);
  CHECK(normal < 0.002);  // documented: 0.1 %, 0.3 % and 0.01 %
  CHECK(tangential < 0.003);
  CHECK(std::abs(lost) < 1e-4);
}

TEST_CASE("slip/slap: the published normal force jumps where sliding begins, the smooth one does not",
          "[contact][slip-slap]") {
  const Index count = 16384;
  SlipSlapMotion motion = example_motion();
  motion.u.a = {0.0};  // reversal at the crest of w, sliding on the way down
  motion.u.b = {8.0};
  const auto largest_step = [&](const SlipSlap::Parameters& p) {
    const Vector force = located_forces(*make_slip_slap(p), motion, count).col(1);
    double step = 0.0;
    for (Index i = 0; i < count; ++i) step = std::max(step, std::abs(force[(i + 1) % count] - force[i]));
    return step;
  };
  const double published = largest_step(example(0.5));
  const double smooth = largest_step(smoothed(example(0.5)));
  INFO("steps of P: published " << published << " N, smooth " << smooth << " N");
  CHECK(published > 4.0 * smooth);
  CHECK(published < 0.01 * 4.0 * 5.5);  // at most 1 % of the force
}
