#include "masing/analysis/joint_cycles.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace masing {

namespace {

/// ∮ f du of the closed polygon through every `stride`-th sample.
double polygon_area(const VectorView& motion, const VectorView& force, Index stride) {
  const Index samples = motion.size();
  double area = 0.0;
  for (Index i = 0; i < samples; i += stride) {
    const Index next = (i + stride) % samples;
    area += 0.5 * (force[i] + force[next]) * (motion[next] - motion[i]);
  }
  return area;
}

}  // namespace

double CycleMeasures::asymmetry() const {
  const double range = largest_force - smallest_force;
  return range > 0.0 ? (largest_force + smallest_force) / range : 0.0;
}

CycleMeasures cycle_measures(const JointCycles& cycles, Index input) {
  const Vector motion = cycles.motion.col(input), force = cycles.force.col(input);
  const double fine = polygon_area(motion, force, 1);
  const bool is_even = motion.size() % 2 == 0;
  return {.largest_motion = motion.maxCoeff(),
          .smallest_motion = motion.minCoeff(),
          .largest_force = force.maxCoeff(),
          .smallest_force = force.minCoeff(),
          .area = is_even ? (4.0 * fine - polygon_area(motion, force, 2)) / 3.0 : fine};
}

InputColumns columns_of_joint(const std::vector<std::string>& inputs, const std::string& joint) {
  const auto alone = std::find(inputs.begin(), inputs.end(), joint);
  if (alone != inputs.end()) return {alone - inputs.begin(), 1};
  const auto first = std::find(inputs.begin(), inputs.end(), joint + ".1");
  Index count = 0;
  for (auto name = first; name != inputs.end() && *name == fmt::format("{}.{}", joint, count + 1); ++name) ++count;
  return {first - inputs.begin(), count};
}

}  // namespace masing
