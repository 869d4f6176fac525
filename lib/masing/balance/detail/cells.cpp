#include "masing/balance/detail/cells.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {
namespace {

constexpr double period = 2.0 * pi;
// Gauss's points in [0, 1]: laws need not be asked at the very instants.
constexpr std::array<double, Cell::nodes> places = {0.1127016653792583, 0.5, 0.8872983346207417};

}  // namespace

double Cell::node(std::size_t i) const { return begin + (end - begin) * places[i]; }

std::array<double, Cell::nodes> Cell::weights(double time) const {
  const double s = (time - begin) / (end - begin);
  std::array<double, nodes> result;
  for (std::size_t i = 0; i < nodes; ++i) {
    result[i] = 1.0;
    for (std::size_t k = 0; k < nodes; ++k) {
      if (k != i) result[i] *= (s - places[k]) / (places[i] - places[k]);
    }
  }
  return result;
}

std::vector<Cell> find_cells(std::span<const double> instants, Index samples) {
  constexpr double shortest = 3e-8;  // longer than the distance of visits beside a touch
  constexpr double enough = Cell::nodes, dust = 1e-9;
  const double per_time = static_cast<double>(samples) / period;
  const auto sample_before = [&](double time) { return std::floor(time * per_time + dust); };
  std::vector<Cell> cells;
  const auto add = [&](double begin, double end) {
    if (end - begin < shortest || sample_before(end) - sample_before(begin) >= enough) return;
    cells.push_back({.begin = begin, .end = end});
  };
  double begin = 0.0;
  for (const double instant : instants) {
    if (instant - begin < shortest) continue;
    add(begin, instant);
    begin = instant;
  }
  add(begin, period);
  return cells;
}

std::vector<double> graded_instants(double root, std::span<const double> instants, Index samples) {
  constexpr double reach_in_samples = 8.0, shrinking = 2.0 / 3.0;
  constexpr int most = 24;
  const double reach = reach_in_samples * period / static_cast<double>(samples);
  const auto after = std::upper_bound(instants.begin(), instants.end(), root);
  const auto before = std::lower_bound(instants.begin(), instants.end(), root);
  const double next = after == instants.end() ? period : *after;
  const double last = before == instants.begin() ? 0.0 : *(before - 1);
  std::vector<double> added;
  const auto add_side = [&](double side, double room) {
    double distance = std::min(reach, 0.5 * room);
    for (int i = 0; i < most; ++i, distance *= shrinking) added.push_back(root + side * distance);
  };
  add_side(1.0, next - root);
  add_side(-1.0, root - last);
  return added;
}

}  // namespace masing::detail
