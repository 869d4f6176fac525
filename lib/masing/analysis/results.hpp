// What analyses produce, and the sink they hand it to while it grows.
//
// Nothing is lost: every point goes to the ResultSink the moment it is accepted, so a killed run leaves all its points on
// disk, with what is needed to go on from the last one (coefficients, tangent, step).
#pragma once

#include "masing/analysis/joint_cycles.hpp"
#include "masing/analysis/observable.hpp"

#include <string>
#include <vector>

namespace masing {

/// One point of a response branch.
struct ResponsePoint {
  double frequency = 0.0;   ///< [Hz]
  Vector coefficients;      ///< kept motions: by harmonic, cos before sin, then motion [m]
  Vector tangent;           ///< unit tangent in scaled unknowns, λ last; for resuming
  double step = 0.0;        ///< arc length proposed for the next step; for resuming
  int iterations = 0;       ///< Newton iterations spent
  double residual = 0.0;    ///< scaled residual at the end
  double truncation = 0.0;  ///< share of the amplitude in the last two harmonics: is the set large enough?
  std::vector<Observation> observations;  ///< one for each observable of the analysis
  Vector quantities = {};                 ///< one for each of the header's quantities
  Vector joint_energy = {};               ///< dissipated in each joint per cycle [J]
  Vector joint_amplitude = {};            ///< half the range of each joint's first relative motion [m]
  Vector harmonic_share = {};             ///< of the velocity, one for each harmonic; see detail/motion_shares.hpp
  Vector modal_share = {};                ///< of a harmonic in each of the header's modes, harmonic after harmonic
  Vector mode_frequency = {};             ///< of these modes with the joints at their secant stiffness [Hz]
  /// Unknowns of the continuation with its parameter last, for resuming; empty where they are the coefficients and the
  /// frequency.
  Vector unknowns = {};
};

/// A number that every point of a branch has: "level", "damping_ratio", "input_energy", …
struct PointQuantity {
  std::string name;  ///< also the name of the dataset
  std::string unit;
  std::string description;
};

/// A point with a name: "fold", "peak", "half-power", "branch-point", …, located by solving for it.
struct SpecialPoint {
  std::string kind;
  Index after_point = 0;   ///< lies between points after_point and after_point + 1
  std::string observable;  ///< for peaks and half-power points: whose
  int harmonic = 0;        ///< … and of which harmonic's amplitude; 0 for folds
  ResponsePoint point;
};

/// Whether a special point of this kind is a fold, jump, branch point, period doubling or Neimark-Sacker point.
bool is_bifurcation(const std::string& kind);
/// Whether it is an extremum of the level on a curve of folds: a cusp, or the birth or merging of an isola.
bool is_level_extremum(const std::string& kind);

/// The largest peak of one observable's amplitude in one harmonic on one branch.
struct Resonance {
  std::string observable;
  int harmonic = 1;
  double frequency = 0.0;       ///< [Hz]
  double amplitude = 0.0;       ///< of that harmonic at the peak
  double damping_ratio = -1.0;  ///< half-power bandwidth / (2 f); negative: not available, `note` says why
  std::string note;
};

/// The description of a branch before it is computed.
struct BranchHeader {
  std::string analysis;    ///< name of the analysis
  int index = 0;           ///< number of the branch in the analysis
  double level = 1.0;      ///< force level of this branch
  std::string level_unit;  ///< "N", "N m", "m/s^2" or "" for a multiplier
  std::vector<int> harmonics;
  Index samples = 0;
  std::vector<std::string> kept_motions;  ///< names, as in the coefficients
  std::vector<Observable> observables;
  std::string kind = "frequency-response";     ///< of the analysis, as in the study
  std::string label = {};                      ///< for legends; empty: the level says it
  std::vector<PointQuantity> quantities = {};  ///< what every point has besides
  std::vector<std::string> joints = {};        ///< names, as in joint_energy
  std::vector<std::string> joint_inputs = {};  ///< names "joint" or "joint.1", as the columns of JointCycles
  std::vector<double> modes = {};  ///< [Hz] lowest modes with the joints stuck, as in modal_share; may be empty
  /// Periods of the excitation in one of the motion: harmonics are multiples of the frequency divided by this.
  int periods = 1;
  std::string stability_basis = {};  ///< what stability was computed in, where that is not the structure itself

  /// Where a quantity stands in the points, or -1.
  Index find_quantity(const std::string& name) const;
};

struct BranchEnd {
  std::string stop;       ///< "reached the end", "step too small", …
  bool complete = false;  ///< true: the whole range was followed
  std::string message;    ///< a sentence with the numbers
  std::vector<Resonance> resonances;
  double seconds = 0.0;
};

struct ResponseBranch {
  BranchHeader header;
  std::vector<ResponsePoint> points;
  std::vector<SpecialPoint> special_points;
  std::vector<JointCycles> cycles = {};
  BranchEnd end = {};
};

/// What every analysis that follows branches returns.
struct ResponseCurves {
  std::vector<ResponseBranch> branches;
  std::vector<std::string> notes = {};  ///< what was looked for and not found, with the reason; sentences
  bool complete() const;                ///< every branch reached its end
};

/// Time histories of a transient analysis, sampled equidistantly.
struct TimeHistory {
  std::string analysis;
  double level = 1.0;
  double frequency = 0.0;  ///< of the excitation [Hz]
  std::vector<Observable> observables;
  Vector time;                            ///< [s]
  Matrix values;                          ///< time × observables
  std::vector<std::string> joint_forces;  ///< names "joint" or "joint.1"
  Matrix joint_force;                     ///< time × joint forces [N]
  Matrix joint_motion;                    ///< time × joint forces: relative displacement [m]
  std::vector<Observation> steady;        ///< over the last period, if it is steady
  bool is_steady = false;
  std::string message;
  bool complete = true;
};

/// Receives results as they are made. Implementations must be callable from several threads.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual void begin_branch(const BranchHeader& header) = 0;
  virtual void add_point(const BranchHeader& header, const ResponsePoint& point) = 0;
  virtual void add_special_point(const BranchHeader& header, const SpecialPoint& special) = 0;
  virtual void add_cycles(const BranchHeader& header, const JointCycles& cycles) = 0;
  virtual void end_branch(const BranchHeader& header, const BranchEnd& end) = 0;
  virtual void add_history(const TimeHistory& history) = 0;
};

/// What is on disk of a branch that was interrupted; empty points: nothing.
struct BranchRestart {
  std::vector<ResponsePoint> points;
  std::vector<SpecialPoint> special_points;
  bool ended = false;
  BranchEnd end;
  std::vector<JointCycles> cycles = {};
};

}  // namespace masing
