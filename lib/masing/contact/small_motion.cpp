#include "masing/contact/small_motion.hpp"

#include <limits>

namespace masing {
namespace {

constexpr int loading_steps = 32;
constexpr double step_back = 8.0 * std::numeric_limits<double>::epsilon();

}  // namespace

SmallMotion small_motion(const ContactElement& element, const Vector& displacement) {
  const std::unique_ptr<ContactPoint> point = element.at_rest();
  Motion<Eigen::Dynamic> motion{Vector::Zero(displacement.size()), Vector::Zero(displacement.size())};
  PointResponse response = point->advance(motion);
  if (!displacement.isZero(0.0)) {
    for (int step = 1; step <= loading_steps; ++step) {
      motion.displacement = displacement * (static_cast<double>(step) / loading_steps);
      response = point->advance(motion);
    }
  }
  const Vector force = response.force;
  if (point->memory().size() > 0) {
    for (Index input = displacement.size() - 1; input >= 0; --input) {
      if (displacement[input] == 0.0) continue;
      motion.displacement[input] = displacement[input] * (1.0 - step_back);
      response = point->advance(motion);
      if (input == 0) break;
      motion.displacement[input] = displacement[input];
      response = point->advance(motion);
    }
  }
  return {.force = force, .stiffness = response.by_displacement, .damping = response.by_velocity};
}

}  // namespace masing
