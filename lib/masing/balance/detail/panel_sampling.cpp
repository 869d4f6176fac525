#include "masing/balance/detail/panel_sampling.hpp"

#include "masing/core/gauss_legendre.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace masing::detail {
namespace {

constexpr double period = 2.0 * pi;
// Rules of 8, 16, … 128 points.
constexpr Index rule_step = 8;
constexpr Index rules = 16;

const std::vector<GaussNode>& rule_of(Index nodes) {
  static const auto table = [] {
    std::array<std::vector<GaussNode>, rules> result;
    for (Index i = 0; i < rules; ++i)
      result[static_cast<std::size_t>(i)] = gauss_nodes(static_cast<int>((i + 1) * rule_step));
    return result;
  }();
  return table[static_cast<std::size_t>(nodes / rule_step - 1)];
}

}  // namespace

PanelSampling::PanelSampling(const HarmonicSet& set, Index samples) : set_(set), samples_(samples) {
  cosine_.setZero(2 * set.highest() + 1);
  sine_.setZero(2 * set.highest() + 1);
}

void PanelSampling::evaluate(const ContactElement& element, const CycleOptions& options, const VectorView& coefficients,
                             const PeriodicSignal& signal, const VectorView& samples, CycleResult& result) {
  find_ends(element, options, signal, samples) ? place_nodes() : place_equidistant();
  pad_nodes();
  fill_tables(coefficients);
  const PeriodicSignal* const signals[] = {&signal};
  const PeriodicMotion motion{
      .displacement = displacement_, .velocity = none_, .signals = signals, .times = times_, .turns = turns_};
  element.steady_cycle(motion, options, result);
}

// False: there are too many.
bool PanelSampling::find_ends(const ContactElement& element, const CycleOptions& options, const PeriodicSignal& signal,
                              const VectorView& samples) {
  constexpr std::size_t most_corners = 64;
  find_turning_points(signal, samples, turns_);
  ends_.clear();
  if (turns_.empty()) return true;
  for (const TurningPoint& turn : turns_) ends_.push_back(turn.time);
  CycleOptions with_corners = options;
  with_corners.corners = true;
  const PeriodicSignal* const signals[] = {&signal};
  element.steady_cycle({.displacement = none_, .velocity = none_, .signals = signals, .turns = turns_}, with_corners,
                       corners_);
  ends_.insert(ends_.end(), corners_.corners.begin(), corners_.corners.end());
  std::sort(ends_.begin(), ends_.end());
  return corners_.corners.size() <= most_corners;
}

void PanelSampling::place_equidistant() {
  times_.clear();
  const auto count = static_cast<double>(samples_);
  for (Index i = 0; i < samples_; ++i) times_.push_back(period * static_cast<double>(i) / count);
  weights_.assign(times_.size(), 1.0 / count);
}

// Around the period from the first end to itself; nodes beyond 2π are those before the first end.
void PanelSampling::place_nodes() {
  times_.clear();
  weights_.clear();
  if (ends_.empty()) {
    add_panel(0.0, period);
    return;
  }
  for (std::size_t i = 0; i + 1 < ends_.size(); ++i) add_panel(ends_[i], ends_[i + 1]);
  add_panel(ends_.back(), ends_.front() + period);
  const auto beyond = std::lower_bound(times_.begin(), times_.end(), period);
  const auto count = beyond - times_.begin();
  for (auto time = beyond; time != times_.end(); ++time) *time -= period;
  std::rotate(times_.begin(), beyond, times_.end());
  std::rotate(weights_.begin(), weights_.begin() + count, weights_.end());
}

void PanelSampling::add_panel(double begin, double end) {
  constexpr double shortest = 1e-12;
  constexpr double least = 8.0, share = 0.75;
  const double length = end - begin;
  if (length < shortest) return;
  const double wanted = least + share * static_cast<double>(samples_) * length / period;
  const auto parts = static_cast<Index>(std::ceil(wanted / static_cast<double>(rules * rule_step)));
  const auto steps = static_cast<Index>(std::ceil(wanted / static_cast<double>(parts * rule_step)));
  const std::vector<GaussNode>& rule = rule_of(steps * rule_step);
  const double half = 0.5 / static_cast<double>(parts);
  for (Index part = 0; part < parts; ++part) {
    for (auto node = rule.rbegin(); node != rule.rend(); ++node) {
      const double s = half * (static_cast<double>(2 * part + 1) + node->at);
      times_.push_back(begin + length * s * s * (3.0 - 2.0 * s));
      weights_.push_back(half * node->weight * length * 6.0 * s * (1.0 - s) / period);
    }
  }
}

// Nodes of no weight, so that sizes, and with them allocations, seldom change.
void PanelSampling::pad_nodes() {
  constexpr std::size_t multiple = 64;
  const std::size_t count = (times_.size() + multiple - 1) / multiple * multiple;
  times_.resize(count, times_.back());
  weights_.resize(count, 0.0);
}

void PanelSampling::fill_tables(const VectorView& coefficients) {
  const auto count = static_cast<Index>(times_.size());
  displacement_.resize(count, 1);
  projection_.resize(set_.positions(), count);
  for (Index i = 0; i < count; ++i) {
    const double time = times_[static_cast<std::size_t>(i)], weight = weights_[static_cast<std::size_t>(i)];
    double x = 0.0;
    const Complex turn = std::polar(1.0, time);
    Complex power = 1.0;  // e^{ikτ}
    int k = 0;
    for (Index h = 0; h < set_.count(); ++h) {
      for (; k < set_[h]; ++k) power *= turn;
      x += coefficients[set_.cosine(h)] * power.real();
      projection_(set_.cosine(h), i) = (k == 0 ? 1.0 : 2.0) * weight * power.real();
      if (k == 0) continue;
      x += coefficients[set_.sine(h)] * power.imag();
      projection_(set_.sine(h), i) = 2.0 * weight * power.imag();
    }
    displacement_(i, 0) = x;
  }
}

void PanelSampling::derivative(const VectorView& slopes, Eigen::Ref<Matrix> block) {
  cosine_.setZero();
  sine_.setZero();
  for (Index i = 0; i < slopes.size(); ++i) {
    const double gain = weights_[static_cast<std::size_t>(i)] * slopes[i];
    const Complex turn = std::polar(1.0, times_[static_cast<std::size_t>(i)]);
    Complex power = gain;
    for (Index n = 0; n < cosine_.size(); ++n, power *= turn) {
      cosine_[n] += power.real();
      sine_[n] += power.imag();
    }
  }
  multiplication_matrix(set_, set_, cosine_, sine_, block);
}

}  // namespace masing::detail
