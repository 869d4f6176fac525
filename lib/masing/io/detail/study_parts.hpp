// The parts of a study file, each read from its tables.
#pragma once

#include "masing/core/error.hpp"
#include "masing/io/study.hpp"

#include <functional>
#include <string>
#include <vector>

namespace masing::detail {

/// The document and what has been read of it so far.
struct StudyDocument {
  OptionValues root;
  std::string folder;                  ///< where matrix files are looked up
  std::vector<StudySection> sections;  ///< echo of everything read
};

/// The tables behind a key of the root, whether written [key] or [[key]]; none when it is not there.
std::vector<OptionValues> tables_of(const StudyDocument& document, const std::string& key);

/// The one table behind a key; an empty one when it is not there. More than one is an error.
OptionValues table_of(const StudyDocument& document, const std::string& key);

/// Coefficients by coordinate name as a vector over all coordinates; `key` is where they were written.
Vector coordinate_weights(const Structure& structure, const OptionValues& values, const std::string& key,
                          const std::map<std::string, double>& weights);

/// The same for motions, which may also be combinations of coordinates that the structure has a name for.
Vector motion_weights(const Structure& structure, const OptionValues& values, const std::string& key,
                      const std::map<std::string, double>& weights);
/// "tip" or, with component = "w", "tip.w".
std::string name_at(const OptionValues& values);
/// The coefficients of the motion of that name. Rejects unknown names with the nearest ones.
Vector motion_at(const Structure& structure, const OptionValues& values);

/// The name of the joint with this index, as written or "joint1", …
std::string joint_name(const OptionValues& values, std::size_t index);

/// Refuses a name that cannot be a name in the result file, or that is taken; else remembers it.
void claim_name(const OptionValues& values, const std::string& name, std::vector<std::string>& taken);

/// The text behind the key that decides which other keys there are (kind, law), before those are checked. `table` is the
/// one it stands in.
std::string deciding_text(const OptionValues& values, const OptionTable& table, const std::string& key);

/// Runs `make`; an error that does not say where gets the place of the table in front.
template <class Make>
auto placed(const OptionValues& values, const StudyDocument& document, const Make& make, std::string_view key = "") {
  try {
    return make();
  } catch (const ModelError& error) {
    const std::string message = error.what();
    const bool has_place = message.starts_with(document.root.where("")) || message.starts_with("--set");
    throw has_place ? error : ModelError(fmt::format("{}: {}: {}", values.where(key), values.context(), message));
  }
}

OptionTable joined(const OptionTable& first, const OptionTable& second);

/// An oscillating load as the user wrote it.
struct Amplitude {
  double value = 1.0;
  std::string unit;  ///< "N", "N m" (on a rotation) or "m/s^2"

  bool is_force() const { return unit.front() == 'N'; }
};

struct JointPart {
  std::vector<Joint> attached;   ///< to the structure; without one, their directions are empty
  std::vector<LoopJoint> alone;  ///< the same joints by themselves; a distributed one is one joint here, per metre
  std::vector<double> lengths;   ///< [m] of the stretch that each attached joint stands for; 0: it is at a point
  std::vector<Load> loads;       ///< static: hold the preloads of distributed joints
  std::vector<JointNotes> notes;
};
/// Joints that stay alone need no direction; one that is written is checked if there is a structure.
JointPart read_joints(StudyDocument& document, const Structure* structure, bool alone);

struct ModelPart {
  Model model;
  JointPart joints;
  std::vector<Amplitude> amplitudes;  ///< of the oscillating loads, in their order
};
ModelPart read_model(StudyDocument& document);
/// [[excitation]], for the structure of the model.
void read_loads(StudyDocument& document, ModelPart& part);
/// For a study of loops: the joints, and the structure only if there is one.
ModelPart read_joints_alone(StudyDocument& document);

/// [[loop]]; a default one if `wanted` and there is none.
std::vector<LoopTask> read_loops(StudyDocument& document, const std::vector<LoopJoint>& joints, bool wanted);

/// All motions that the joints of the model feel.
SparseMatrix all_directions(const Model& model);

/// [harmonic_balance], [newton], [continuation]
struct SolverPart {
  BalanceOptions balance;
  NewtonOptions newton;
  ContinuationOptions continuation;
};
SolverPart read_solver(StudyDocument& document, const Model& model);

/// [structure] reduction: puts a small structure in the place of the large one, in the model and in everything that refers
/// to its coordinates. Returns what there is to tell; nothing when there is no reduction.
std::vector<std::string> reduce_model(const StudyDocument& document, ModelPart& part,
                                      std::vector<AnalysisRequest>& analyses);

std::vector<Observable> read_sensors(StudyDocument& document, const Model& model);

/// Those of the sensors that an analysis names, or all.
std::vector<Observable> chosen_sensors(const OptionValues& values, const std::vector<Observable>& sensors);

/// The key `stability`; none when it is false or not there.
StabilityOptions read_stability(const OptionValues& values);
/// The key `follow`, which needs stability.
FollowOptions read_follow(const OptionValues& values, const StabilityOptions& stability);
/// Refuses analyses that ask for the stability of a model, reduced or not, for which it cannot be computed.
void check_stability(const StudyDocument& document, const Model& model, const std::vector<AnalysisRequest>& analyses);
/// Refuses analyses that begin at a mode that the model, reduced or not, has not got.
void check_modes(const StudyDocument& document, const Model& model, const std::vector<AnalysisRequest>& analyses);

BackboneRequest read_backbone(const OptionValues& values, const ModelPart& part, const SolverPart& solver,
                              const std::vector<Observable>& sensors);
ForceResponseRequest read_force_response(const OptionValues& values, const ModelPart& part, const SolverPart& solver,
                                         const std::vector<Observable>& sensors);
ResponseControlRequest read_response_control(const OptionValues& values, const ModelPart& part,
                                             const SolverPart& solver, const std::vector<Observable>& sensors);

ResonanceTrackingRequest read_resonance_tracking(const OptionValues& values, const ModelPart& part,
                                                 const SolverPart& solver, const std::vector<Observable>& sensors);
SuperharmonicTrackingRequest read_superharmonic_tracking(const OptionValues& values, const ModelPart& part,
                                                         const SolverPart& solver,
                                                         const std::vector<Observable>& sensors);
IsolaSearchRequest read_isola_search(const OptionValues& values, const ModelPart& part, const SolverPart& solver,
                                     const std::vector<Observable>& sensors);
BifurcationTrackingRequest read_bifurcation_tracking(const OptionValues& values, const ModelPart& part,
                                                     const SolverPart& solver, const std::vector<Observable>& sensors);
FoldTrackingRequest read_fold_tracking(const OptionValues& values, const ModelPart& part, const SolverPart& solver,
                                       const std::vector<Observable>& sensors);

std::vector<AnalysisRequest> read_analyses(StudyDocument& document, const ModelPart& part, const SolverPart& solver,
                                           const std::vector<Observable>& sensors);

}  // namespace masing::detail
