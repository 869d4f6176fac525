#include "masing/io/detail/point_value.hpp"

#include "masing/core/text.hpp"
#include "masing/io/detail/missing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace masing::detail {
namespace {

double joint_value(const BranchHeader& header, const Vector& values, const std::string& joint) {
  const auto found = std::find(header.joints.begin(), header.joints.end(), joint);
  if (found == header.joints.end()) missing("there is no joint '{}'.{}", joint, suggestion(joint, header.joints));
  if (values.size() != static_cast<Index>(header.joints.size())) missing("the points have no numbers of the joints.");
  return values[found - header.joints.begin()];
}

/// The largest value that a sensor takes in a period, from its harmonics; with sign −1 the smallest, turned round.
double highest(const BranchHeader& header, const Observation& seen, double sign) {
  constexpr int instants = 512;
  double largest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < instants; ++i) {
    double x = 0.0;
    for (std::size_t h = 0; h < header.harmonics.size(); ++h) {
      const auto place = static_cast<Index>(h);
      x += seen.amplitude[place] * std::cos(header.harmonics[h] * 2.0 * pi * i / instants + seen.phase[place]);
    }
    largest = std::max(largest, sign * x);
  }
  return largest;
}

}  // namespace

double point_value(const BranchHeader& header, const ResponsePoint& point, const std::string& what,
                   const PointPlace& place) {
  const std::size_t sensor = place.sensor;
  const int harmonic = place.harmonic;
  const auto place_of = [&](int k) {
    const auto found = std::find(header.harmonics.begin(), header.harmonics.end(), k);
    if (found == header.harmonics.end()) missing("harmonic {} is not in the set.", k);
    return found - header.harmonics.begin();
  };
  const auto amplitude = [&](int k) { return point.observations[sensor].amplitude[place_of(k)]; };
  if (what == "frequency") return point.frequency;
  if (what == "amplitude") return amplitude(harmonic);
  if (what == "phase") return point.observations[sensor].phase[place_of(harmonic)] * 180.0 / pi;
  if (what == "harmonic-share") return amplitude(harmonic) / amplitude(1);
  if (what == "rms") return point.observations[sensor].rms;
  if (what == "peak") return point.observations[sensor].peak;
  if (what == "highest") return highest(header, point.observations[sensor], 1.0);
  if (what == "lowest") return -highest(header, point.observations[sensor], -1.0);
  if (what == "joint-energy") {
    return place.joint.empty() ? point.joint_energy.sum() : joint_value(header, point.joint_energy, place.joint);
  }
  if (what == "joint-amplitude") {
    if (header.joints.empty()) missing("there are no joints.");
    return joint_value(header, point.joint_amplitude, place.joint.empty() ? header.joints.front() : place.joint);
  }
  const Index column = header.find_quantity(what);
  if (column < 0) missing("the points have no '{}'.", what);
  return point.quantities[column];
}

}  // namespace masing::detail
