#include "masing/analysis/linear_modes.hpp"

#include "masing/analysis/detail/joint_tangents.hpp"
#include "masing/analysis/detail/static_equilibrium.hpp"
#include "masing/core/error.hpp"
#include "masing/structure/beam_structure.hpp"
#include "masing/structure/reduction.hpp"
#include "masing/structure/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace masing {
namespace {

// Tangents that differ by less are the same.
constexpr double same_tangent = 1e-9;

/// The joints of a model in one state.
struct LinearJoints {
  JointState state = JointState::stuck;
  std::vector<LinearAttachment> attachments = {};
  Vector equilibrium = {};
  std::string problem = {};
};

std::string asymmetry_text(const Joint& joint) {
  return fmt::format(
      "Joint '{}': its tangent in this state is not symmetric, because friction follows the normal load there; the "
      "modes would not be real. Look at the states stuck and free.",
      joint.name);
}

/// All joints, each about its own motion.
void linearise(const Model& model, LinearJoints& joints) {
  const Vector q = joints.equilibrium.size() > 0 ? joints.equilibrium : Vector(Vector::Zero(model.structure->size()));
  for (const Joint& joint : model.joints) {
    const detail::JointTangent tangent = detail::joint_tangent(joint, q);
    if (!tangent.finite)
      joints.problem = fmt::format("Joint '{}': its tangent in this state is not finite.", joint.name);
    if (tangent.asymmetry > same_tangent) joints.problem = asymmetry_text(joint);
    joints.attachments.insert(joints.attachments.end(), tangent.attachments.begin(), tangent.attachments.end());
  }
}

LinearJoints joints_in(const Model& model, JointState state) {
  LinearJoints joints{.state = state};
  if (state == JointState::free || model.joints.empty()) return joints;
  try {
    if (state == JointState::preload) {
      const detail::StaticEquilibrium rest = detail::static_equilibrium(model);
      if (!rest.found) {
        joints.problem = "The static equilibrium under the static loads was not found. " + rest.message;
        return joints;
      }
      joints.equilibrium = rest.coordinates;
    }
    linearise(model, joints);
  } catch (const Error& error) {
    joints.problem = error.what();
  }
  return joints;
}

bool are_same(const LinearJoints& a, const LinearJoints& b) {
  if (!a.problem.empty() || !b.problem.empty()) return false;
  const auto zero = [](const LinearAttachment& joint) {
    return joint.stiffness.isZero(0.0) && joint.damping.isZero(0.0);
  };
  const auto nothing = [&](const LinearJoints& joints) {
    return std::all_of(joints.attachments.begin(), joints.attachments.end(), zero);
  };
  if (nothing(a) || nothing(b)) return nothing(a) && nothing(b);
  const auto equal = [](const Matrix& x, const Matrix& y) {
    return (x - y).cwiseAbs().maxCoeff() <= same_tangent * std::max(x.cwiseAbs().maxCoeff(), y.cwiseAbs().maxCoeff());
  };
  return std::equal(a.attachments.begin(), a.attachments.end(), b.attachments.begin(), b.attachments.end(),
                    [&](const LinearAttachment& x, const LinearAttachment& y) {
                      return equal(x.stiffness, y.stiffness) && equal(x.damping, y.damping);
                    });
}

// --- what moves most ---------------------------------------------------------------------------------------------------

/// The largest radius of gyration √(I/A) of the sections [m].
double radius_of_gyration(const Beam& beam) {
  double square = 0.0;
  for (const BeamSection& section : beam.sections) square = std::max(square, section.inertia / section.area);
  return std::sqrt(square);
}

/// Whether u and w of a beam are small beside r phi, as in shear modes, which turn the sections and leave the axis at rest.
bool only_turns(const BeamStructure& structure, const NaturalMode& mode) {
  if (mode.x.size() == 0) return false;
  const double across = mode.drawn.leftCols(2).cwiseAbs().maxCoeff();
  return radius_of_gyration(structure.beam()) * mode.drawn.col(2).cwiseAbs().maxCoeff() > across;
}

/// Whether a coordinate may stand for a mode. Of a beam either its rotations or the others; of matrices not one that
/// carries hardly any kinetic energy: massless ones, and rotations, whose unit is another.
std::vector<bool> can_stand_for(const Structure& structure, const Vector& shape, bool turns) {
  constexpr double noticeable = 0.01;
  const std::vector<std::string>& names = structure.coordinates();
  std::vector<bool> result(names.size(), true);
  if (dynamic_cast<const BeamStructure*>(&structure) != nullptr) {
    for (std::size_t i = 0; i < names.size(); ++i) result[i] = is_rotation(names[i]) == turns;
  } else if (const auto* matrices = dynamic_cast<const SecondOrderStructure*>(&structure)) {
    const Vector energy = matrices->mass().diagonal().cwiseProduct(shape.cwiseAbs2());
    for (std::size_t i = 0; i < names.size(); ++i) {
      result[i] = energy[static_cast<Index>(i)] >= noticeable * energy.maxCoeff();
    }
  }
  if (std::find(result.begin(), result.end(), true) == result.end()) result.assign(names.size(), true);
  return result;
}

void find_largest(const Structure& structure, LinearMode& result) {
  // Below this share of the largest motion drawn, no coordinate can stand for the mode.
  constexpr double visible = 0.5;
  const auto* beam = dynamic_cast<const BeamStructure*>(&structure);
  const bool turns = beam != nullptr && only_turns(*beam, result.mode);
  const std::vector<std::string>& names = structure.coordinates();
  const std::vector<bool> candidates = can_stand_for(structure, result.mode.shape, turns);
  Index at = -1;
  for (Index i = 0; i < structure.size(); ++i) {
    if (!candidates[static_cast<std::size_t>(i)]) continue;
    if (at < 0 || std::abs(result.mode.shape[i]) > std::abs(result.mode.shape[at])) at = i;
  }
  if (at >= 0) {
    result.largest = names[static_cast<std::size_t>(at)];
    result.largest_motion = result.mode.shape[at];
  }
  if (beam != nullptr && result.mode.x.size() > 0) {
    Index place = 0, motion = 0;
    const double drawn =
        result.mode.drawn.middleCols(turns ? 2 : 0, turns ? 1 : 2).cwiseAbs().maxCoeff(&place, &motion);
    if (turns) motion = 2;
    if (std::abs(result.largest_motion) < visible * drawn) {
      result.largest =
          fmt::format("{} at x = {:.4g} m", beam_motion_names[static_cast<std::size_t>(motion)], result.mode.x[place]);
      result.largest_motion = result.mode.drawn(place, motion);
    }
  }
  if (result.largest_motion < 0.0) {
    result.largest_motion = -result.largest_motion;
    result.mode.shape = -result.mode.shape;
    result.mode.drawn = -result.mode.drawn;
  }
  result.modal_mass = 1.0 / (result.largest_motion * result.largest_motion);
}

/// What the coordinates of a set belong to.
const Structure& full_structure(const Model& model) {
  const auto* reduced = dynamic_cast<const ReducedStructure*>(model.structure.get());
  return reduced == nullptr ? *model.structure : reduced->full();
}

/// From coordinates of the model to those of the full structure.
Vector expanded(const Model& model, const Vector& motion) {
  const auto* reduced = dynamic_cast<const ReducedStructure*>(model.structure.get());
  return reduced == nullptr || motion.size() == 0 ? motion : Vector(reduced->shapes() * motion);
}

void expand(const Model& model, NaturalMode& mode) {
  if (dynamic_cast<const ReducedStructure*>(model.structure.get()) == nullptr) return;
  mode.shape = expanded(model, mode.shape);
  if (const auto* beam = dynamic_cast<const BeamStructure*>(&full_structure(model))) draw_at_nodes(*beam, mode);
}

ModeSet modes_with(const Model& model, const LinearJoints& joints, const ModesRequest& request) {
  const Structure& structure = full_structure(model);
  ModeSet set{.state = joints.state,
              .coordinates = structure.coordinates(),
              .modes = {},
              .equilibrium = expanded(model, joints.equilibrium)};
  try {
    if (!joints.problem.empty()) throw NumericalError(joints.problem);
    for (NaturalMode& mode : natural_modes(*model.structure, joints.attachments, request.range, request.places)) {
      expand(model, mode);
      set.modes.push_back({.mode = std::move(mode), .largest = {}});
      find_largest(structure, set.modes.back());
    }
  } catch (const NumericalError& error) {
    set.complete = false;
    set.message = error.what();
  }
  return set;
}

}  // namespace

std::string_view to_string(JointState state) {
  switch (state) {
    case JointState::stuck:
      return "stuck";
    case JointState::free:
      return "free";
    case JointState::preload:
      break;
  }
  return "preload";
}

bool LinearMode::turns() const { return is_rotation(largest) || largest.starts_with("phi at "); }

std::vector<ModeSet> linear_modes(const Model& model, const ModesRequest& request) {
  std::vector<JointState> states = request.states;
  if (states.empty()) states = {JointState::stuck, JointState::preload, JointState::free};
  std::vector<LinearJoints> distinct;
  std::vector<ModeSet> sets;
  for (const JointState state : states) {
    LinearJoints joints = joints_in(model, state);
    const auto known = std::find_if(distinct.begin(), distinct.end(),
                                    [&](const LinearJoints& other) { return are_same(other, joints); });
    if (known != distinct.end()) {
      ModeSet& set = sets[static_cast<std::size_t>(known - distinct.begin())];
      set.same.push_back(state);
      if (set.equilibrium.size() == 0) set.equilibrium = expanded(model, joints.equilibrium);
      continue;
    }
    sets.push_back(modes_with(model, joints, request));
    distinct.push_back(std::move(joints));
  }
  return sets;
}

}  // namespace masing
