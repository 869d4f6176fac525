// Brute force: sliders one by one. They know nothing of backbones, Masing's rules or the library's populations.
#pragma once

#include "masing/contact/backbone.hpp"
#include "masing/core/types.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace masing::support {

struct Slider {
  double stiffness = 0.0;     ///< may be negative, like the end of a five-parameter density
  double displacement = 0.0;  ///< at which it slides, > 0
  double elongation = 0.0;    ///< of its spring
};

class Sliders {
 public:
  explicit Sliders(std::vector<Slider> sliders) : sliders_(std::move(sliders)) {}

  /// Force after a step to x. Under a normal load slip forces are `load`, stiffnesses `stiffening` times their own.
  double advance(double x, double load = 1.0, double stiffening = 1.0) {
    const double step = x - x_;
    x_ = x;
    double force = 0.0;
    for (Slider& s : sliders_) {
      const double most = load <= 0.0 ? 0.0 : load / stiffening * s.displacement;
      s.elongation = std::min(std::max(s.elongation + step, -most), most);
      force += s.stiffness * s.elongation;
    }
    return load <= 0.0 ? 0.0 : stiffening * force;
  }

 private:
  std::vector<Slider> sliders_;
  double x_ = 0.0;
};

/// Between two forces over a history.
class Deviation {
 public:
  void add(double difference) {
    largest_ = std::max(largest_, std::abs(difference));
    squares_ += difference * difference;
  }
  double largest() const { return largest_; }
  /// How fast the root mean square fell from `coarse`, as a power of the ratio of sizes. (The largest difference hangs on
  /// where single samples fall within a bin.)
  double order_from(const Deviation& coarse, double ratio) const {
    return 0.5 * std::log(coarse.squares_ / squares_) / std::log(ratio);
  }

 private:
  double largest_ = 0.0;
  double squares_ = 0.0;
};

/// How far sliders that are loaded for the first time are from a backbone at most [N]. Their force is a polygon with corners
/// where they slide. The backbone is curved one way, so the difference is largest at a corner, or between two of them if the
/// polygon lies below.
inline double loading_error(std::vector<Slider> sliders, const Backbone& backbone) {
  std::sort(sliders.begin(), sliders.end(), [](auto& a, auto& b) { return a.displacement < b.displacement; });
  double stuck = 0.0, slid = 0.0, from = 0.0, largest = 0.0;
  for (const Slider& s : sliders) stuck += s.stiffness;
  for (const Slider& s : sliders) {
    constexpr int looked_at = 8;
    for (int i = 1; i <= looked_at; ++i) {
      const double u = from + (s.displacement - from) * i / looked_at;
      largest = std::max(largest, std::abs(slid + stuck * u - backbone.at(u).force));
    }
    stuck -= s.stiffness;
    slid += s.stiffness * s.displacement;
    from = s.displacement;
  }
  return largest;
}

/// The largest number of branches that a history has in memory at once, by wiping out: a way that is longer than the one
/// before the last erases both.
inline int deepest_memory(const std::vector<double>& history) {
  std::vector<double> turns = {0.0};
  std::size_t deepest = 0;
  const auto last = [&](std::size_t i) { return turns[turns.size() - i]; };
  for (const double x : history) {
    const bool goes_on = turns.size() > 1 && (x - last(1)) * (last(1) - last(2)) >= 0.0;
    if (goes_on) turns.pop_back();
    turns.push_back(x);
    while (turns.size() > 3 && std::abs(last(1) - last(2)) >= std::abs(last(2) - last(3))) {
      turns.erase(turns.end() - 3, turns.end() - 1);
    }
    deepest = std::max(deepest, turns.size() - 1);
  }
  return static_cast<int>(deepest);
}

/// What sliders may be away from Masing's rules after a history: the force is that of the first branch and twice the
/// backbone for each further one, and each backbone errs by `loading_error` at most.
inline double nested_error(double loading_error, const std::vector<std::vector<double>>& histories) {
  int deepest = 1;
  for (const std::vector<double>& history : histories) deepest = std::max(deepest, deepest_memory(history));
  return (2 * deepest - 1) * loading_error;
}

/// `count` sliders of equal stiffness; the share p of the stiffness slides up to displacement(p).
inline std::vector<Slider> equal_sliders(double stiffness, int count,
                                         const std::function<double(double)>& displacement) {
  std::vector<Slider> sliders;
  for (int j = 0; j < count; ++j) sliders.push_back({stiffness / count, displacement((j + 0.5) / count)});
  return sliders;
}

/// `bins` bins of a backbone, each replaced by one slider that has the stiffness and the slip force of its bin, and one
/// more slider for what lets go together at macroslip. Half of the edges divide ∫ √ρ dϕ equally, so that the polygon lies
/// above the backbone by ρ h²/8 <= (∫ √ρ dϕ)² / (2 bins²) everywhere, singular densities included; the other half are
/// dense at both ends and keep single sliders of the backbone apart.
inline std::vector<Slider> binned_sliders(const Backbone& backbone, int bins) {
  const int cells = 16 * bins;
  const double end = std::nextafter(backbone.macroslip(), 0.0);
  const auto place = [&](int i) { return end * std::pow(std::sin(0.5 * pi * i / cells), 2); };
  std::vector<double> measure = {0.0};
  for (int i = 0; i < cells; ++i) {
    const double change = backbone.at(place(i)).stiffness - backbone.at(place(i + 1)).stiffness;
    measure.push_back(measure.back() + std::sqrt(std::max(change, 0.0) * (place(i + 1) - place(i))));
  }
  const double whole = std::max(measure.back(), std::numeric_limits<double>::min());
  for (int i = 0; i <= cells; ++i) {
    double& m = measure[static_cast<std::size_t>(i)];
    m = m / whole + static_cast<double>(i) / cells;
  }
  std::vector<Slider> sliders;
  double stuck = backbone.stick_stiffness();
  double slid = 0.0;
  const auto close_bin = [&](double stiffness, double slip_force) {
    if (std::abs(stuck - stiffness) < 1e-12 * backbone.stick_stiffness()) return;
    sliders.push_back({stuck - stiffness, (slip_force - slid) / (stuck - stiffness)});
    stuck = stiffness;
    slid = slip_force;
  };
  int cell = 0;
  for (int j = 1; j <= bins; ++j) {
    const double wanted = measure.back() * j / bins;
    while (cell + 1 < cells && measure[static_cast<std::size_t>(cell) + 1] < wanted) ++cell;
    const double begin = measure[static_cast<std::size_t>(cell)];
    const double share = (wanted - begin) / (measure[static_cast<std::size_t>(cell) + 1] - begin);
    const double x = j == bins ? end : place(cell) + share * (place(cell + 1) - place(cell));
    const BackboneValue value = backbone.at(x);
    close_bin(value.stiffness, value.force - x * value.stiffness);
  }
  close_bin(0.0, backbone.at(backbone.macroslip()).force);
  return sliders;
}

}  // namespace masing::support
