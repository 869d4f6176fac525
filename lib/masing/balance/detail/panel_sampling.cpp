#include "masing/balance/detail/panel_sampling.hpp"

#include "masing/core/gauss_legendre.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace masing::detail {
namespace {

constexpr double period = 2.0 * pi;
// Rules of 1, 2, … 16, 24, 32, … 128 points.
constexpr Index most_points = 128, dense_points = 16, step_of_points = 8;
constexpr std::size_t most_kinks = 1024;

void apply_order(const std::vector<Index>& order, std::vector<double>& values, std::vector<double>& scratch) {
  scratch.clear();
  for (const Index i : order) scratch.push_back(values[static_cast<std::size_t>(i)]);
  values.swap(scratch);
}

/// Where s in [0, 1] goes in its panel, and how fast.
std::pair<double, double> clustered(double s, Clustering clustering) {
  const double other = 1.0 - s;
  switch (clustering) {
    case Clustering::none:
      return {s, 1.0};
    case Clustering::usual:
      return {s * s * (3.0 - 2.0 * s), 6.0 * s * other};
    case Clustering::strong:
      return {s * s * s * (10.0 - s * (15.0 - 6.0 * s)), 30.0 * s * s * other * other};
  }
  return {s, 1.0};
}

const std::vector<GaussNode>& rule_of(Index points) {
  static const auto table = [] {
    std::array<std::vector<GaussNode>, most_points> result;
    for (Index i = 0; i < most_points; ++i) result[static_cast<std::size_t>(i)] = gauss_nodes(static_cast<int>(i + 1));
    return result;
  }();
  return table[static_cast<std::size_t>(points - 1)];
}

}  // namespace

PanelSampling::PanelSampling(const HarmonicSet& set, Index samples) : set_(set), samples_(samples) {
  cosine_.setZero(2 * set.highest() + 1);
  sine_.setZero(2 * set.highest() + 1);
}

void PanelSampling::evaluate(const ContactElement& element, const CycleOptions& options, const MatrixView& coefficients,
                             const PeriodicMotion& samples, double omega, CycleResult& result) {
  kinks_.clear();
  element.find_kinks(samples, room_, kinks_);
  std::sort(kinks_.ends.begin(), kinks_.ends.end());
  kinks_.ends.empty() || kinks_.ends.size() > most_kinks ? place_equidistant() : place_nodes();
  add_visits();
  pad_nodes();
  fill_tables(coefficients);
  velocity_.resize(displacement_.rows(), displacement_.cols());
  if (element.uses_velocity()) fill_velocity(coefficients, omega);
  element.steady_cycle({.displacement = displacement_,
                        .velocity = velocity_,
                        .signals = samples.signals,
                        .times = times_,
                        .turns = kinks_.turns,
                        .normal_turns = kinks_.normal_turns},
                       options, result);
}

void PanelSampling::place_equidistant() {
  times_.clear();
  const auto count = static_cast<double>(samples_);
  for (Index i = 0; i < samples_; ++i) times_.push_back(period * static_cast<double>(i) / count);
  weights_.assign(times_.size(), 1.0 / count);
}

// Around the period from the first end to itself; nodes beyond 2π are those before the first end. Ends that are closer than
// rounding lets them be told apart are one.
void PanelSampling::place_nodes() {
  times_.clear();
  weights_.clear();
  constexpr double shortest = 1e-9;
  double begin = kinks_.ends.front();
  const double last = begin + period;
  for (const double end : kinks_.ends) {
    if (end - begin < shortest || last - end < shortest) continue;
    add_panel(begin, end);
    begin = end;
  }
  add_panel(begin, last);
  const auto beyond = std::lower_bound(times_.begin(), times_.end(), period);
  const auto count = beyond - times_.begin();
  for (auto time = beyond; time != times_.end(); ++time) *time -= period;
  std::rotate(times_.begin(), beyond, times_.end());
  std::rotate(weights_.begin(), weights_.begin() + count, weights_.end());
}

// Nodes by length, and a few more for each panel: the more, the fewer panels there are.
void PanelSampling::add_panel(double begin, double end) {
  constexpr std::size_t few = 64;
  constexpr double share = 0.75, least_of_many = 2.0;
  const double length = end - begin;
  const auto has_root = [&](double time) {
    const double within = time < period ? time : time - period;
    return std::find(kinks_.roots.begin(), kinks_.roots.end(), within) != kinks_.roots.end();
  };
  const bool rooted = has_root(begin) || has_root(end);
  const bool clustered = kinks_.ends.size() <= few || rooted;
  const double wanted = (clustered ? static_cast<double>(kinks_.nodes) : least_of_many) +
                        share * static_cast<double>(samples_) * length / period;
  const auto parts = static_cast<Index>(std::ceil(wanted / static_cast<double>(most_points)));
  const auto points = static_cast<Index>(std::ceil(wanted / static_cast<double>(parts)));
  const Index rounded = (points + step_of_points - 1) / step_of_points * step_of_points;
  const Clustering clustering = rooted ? Clustering::strong : clustered ? Clustering::usual : Clustering::none;
  add_nodes(begin, length, parts, clustered || points > dense_points ? rounded : points, clustering);
}

void PanelSampling::add_nodes(double begin, double length, Index parts, Index points, Clustering clustering) {
  const std::vector<GaussNode>& rule = rule_of(points);
  const double half = 0.5 / static_cast<double>(parts);
  for (Index part = 0; part < parts; ++part) {
    for (auto node = rule.rbegin(); node != rule.rend(); ++node) {
      const double s = half * (static_cast<double>(2 * part + 1) + node->at);
      const auto [share, rate] = clustered(s, clustering);
      times_.push_back(begin + length * share);
      weights_.push_back(half * node->weight * length * rate / period);
    }
  }
}

void PanelSampling::add_visits() {
  if (kinks_.visits.empty()) return;
  const std::size_t nodes = times_.size();
  std::sort(kinks_.visits.begin(), kinks_.visits.end());
  times_.insert(times_.end(), kinks_.visits.begin(), kinks_.visits.end());
  weights_.resize(times_.size(), 0.0);
  order_.resize(times_.size());
  std::iota(order_.begin(), order_.end(), Index{0});
  std::inplace_merge(
      order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(nodes), order_.end(),
      [&](Index a, Index b) { return times_[static_cast<std::size_t>(a)] < times_[static_cast<std::size_t>(b)]; });
  apply_order(order_, times_, scratch_);
  apply_order(order_, weights_, scratch_);
}

// Nodes of no weight, so that sizes, and with them allocations, seldom change.
void PanelSampling::pad_nodes() {
  constexpr std::size_t multiple = 64;
  const std::size_t count = (times_.size() + multiple - 1) / multiple * multiple;
  times_.resize(count, times_.back());
  weights_.resize(count, 0.0);
}

void PanelSampling::add_pulse(double time, double area, Eigen::Ref<Vector> coefficients) const {
  const double weight = 2.0 * area / period;
  for (Index h = 0; h < set_.count(); ++h) {
    if (set_[h] == 0) {
      coefficients[set_.cosine(h)] += 0.5 * weight;
      continue;
    }
    coefficients[set_.cosine(h)] += weight * std::cos(set_[h] * time);
    coefficients[set_.sine(h)] += weight * std::sin(set_[h] * time);
  }
}

void PanelSampling::fill_tables(const MatrixView& coefficients) {
  const auto count = static_cast<Index>(times_.size());
  projection_.resize(set_.positions(), count);
  for (Index i = 0; i < count; ++i) {
    const Complex turn = std::polar(1.0, times_[static_cast<std::size_t>(i)]);
    Complex power = 1.0;  // e^{ikτ}
    int k = 0;
    for (Index h = 0; h < set_.count(); ++h) {
      for (; k < set_[h]; ++k) power *= turn;
      projection_(set_.cosine(h), i) = power.real();
      if (k > 0) projection_(set_.sine(h), i) = power.imag();
    }
  }
  displacement_.noalias() = projection_.transpose() * coefficients;
  for (Index i = 0; i < count; ++i) projection_.col(i) *= 2.0 * weights_[static_cast<std::size_t>(i)];
  if (set_[0] == 0) projection_.row(set_.cosine(0)) *= 0.5;
}

void PanelSampling::fill_velocity(const MatrixView& coefficients, double omega) {
  for (Index i = 0; i < velocity_.rows(); ++i) {
    const Complex turn = std::polar(1.0, times_[static_cast<std::size_t>(i)]);
    Complex power = omega;
    int k = 0;
    velocity_.row(i).setZero();
    for (Index h = 0; h < set_.count(); ++h) {
      for (; k < set_[h]; ++k) power *= turn;
      if (k == 0) continue;
      velocity_.row(i) +=
          k * (power.real() * coefficients.row(set_.sine(h)) - power.imag() * coefficients.row(set_.cosine(h)));
    }
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
