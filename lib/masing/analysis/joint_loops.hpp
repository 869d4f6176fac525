// Quasi-static loops: joints alone, each under a motion that is prescribed.
//
//   cycles        steady cycles u = mean + A cos τ, one for each amplitude A; other inputs follow with their own phase
//   minor-loops   one steady cycle of amplitude A that turns back on its way up, for smaller loops nested in each other
//   ramp          loading once in one direction, from rest: the backbone
//   history       any sampled motion, marched from rest
//
// What is read off a closed loop:
//
//   energy      E = ∮ f · du [J] over all inputs, from a sampling `refinement` times finer than the one stored and one of
//               half that, extrapolated (Richardson); the error told is the step of the extrapolation
//   secant      K = (largest − smallest force)/(largest − smallest displacement), of the first input
//   tangents    just after the reversal at the largest displacement (stick) and before it; while no other input moves
//   loss factor η = E/(π K A²), twice the damping ratio that the loop would give alone
//   slope       d ln E/d ln A between the amplitude before and this one: 3 + χ for Iwan laws in microslip
//
// For a law made from a backbone F̂ the energy is also computed by Masing's rules, W = 8 ∫₀ᴬ F̂ du − 4 A F̂(A), from the
// backbone alone: two computations that have nothing in common. Springs beside the law change neither.
#pragma once

#include "masing/contact/backbone.hpp"
#include "masing/contact/cycle.hpp"
#include "masing/contact/element.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace masing {

enum class LoopMotion { cycles, minor_loops, ramp, history };
std::string_view to_string(LoopMotion motion);  ///< "cycles", "minor-loops", "ramp", "history"

/// A joint as loops see it: its law, and what is known of it besides.
struct LoopJoint {
  std::string name;
  std::shared_ptr<const ContactElement> element;
  BackbonePointer backbone = {};  ///< null: the law is not made from one
  /// Share α of the stick stiffness that belongs to a residual spring: what slides then has the backbone F̂((1 − α) u).
  double residual_share = 0.0;
  /// For laws whose last input is a normal approach: the approach [m] for a normal load [N]. Empty for all others.
  std::function<double(double load)> approach_for_load = {};

  bool has_normal() const { return static_cast<bool>(approach_for_load); }
  double macroslip() const;                    ///< [m]; infinite without a backbone
  double loop_energy(double amplitude) const;  ///< by Masing's rules [J]; the law has a backbone
  /// "motion" for one input; "tangential", "second tangential", "normal"; "input 1", … for several without a normal one.
  std::vector<std::string> input_names() const;
};

/// mean + amplitude cos(harmonic τ + phase); or, with a history, one value for each of its samples.
struct LoopInput {
  bool given = false;
  double mean = 0.0;
  double amplitude = 0.0;
  double phase = 0.0;  ///< [rad]
  int harmonic = 1;
  std::vector<double> values = {};
};

struct LoopRequest {
  std::string name;
  LoopMotion motion = LoopMotion::cycles;
  std::vector<double> amplitudes = {};    ///< cycles, ramp: one loop each; minor-loops: the one of the whole cycle [m]
  std::vector<double> of_macroslip = {};  ///< instead: in units of the joint's macroslip displacement
  std::vector<double> minor = {};         ///< amplitudes of the minor loops, in the unit of the amplitudes
  double mean = 0.0;                      ///< centre of the cycles [m]
  double minor_centre = 0.0;              ///< of the minor loops, in the unit of the amplitudes
  Matrix history = {};                    ///< samples × (1 or all inputs) [m]
  Vector time = {};                       ///< of the history [s]; empty: equidistant, the whole lasts 1/frequency
  Index steps = 1;                        ///< of the history: linear steps between two of its samples
  LoopInput second = {};                  ///< second tangential direction [m]
  LoopInput normal_load = {};             ///< [N], turned into an approach
  LoopInput approach = {};                ///< or the approach itself [m]
  Index samples = 400;                    ///< stored of a cycle or a ramp
  double frequency = 1.0;                 ///< [Hz]; matters for laws that feel the velocity
  CycleOptions cycle = {};
};

/// One curve with what is read off it. Numbers that a motion does not have are NaN.
struct JointLoop {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  std::string loop;                  ///< name of the request
  std::string joint;                 ///< name
  std::string motion;                ///< "cycles", …; "minor" for one of the nested loops
  int index = 0;                     ///< number within loop and joint
  double amplitude = none;           ///< [m]; of a ramp its end
  std::vector<std::string> inputs;   ///< names, as the columns
  Matrix displacement;               ///< samples × inputs [m]; a closed curve ends where it began
  Matrix force;                      ///< samples × inputs [N]
  Vector work;                       ///< done on the joint since the first sample [J]
  bool closed = false;               ///< the cycle repeats itself (false for ramps and histories)
  int cycles = 0;                    ///< periods marched until it did
  double closure_error = none;       ///< largest change of a force over the last period, relative
  double energy = none;              ///< of a closed loop: its area; else the work at the end [J]
  double energy_error = none;        ///< estimate [J]
  double energy_of_backbone = none;  ///< the same by Masing's rules [J]
  double secant_stiffness = none;    ///< [N/m]
  double stick_stiffness = none;     ///< tangent after the reversal; of a ramp at its begin [N/m]
  double end_stiffness = none;       ///< tangent at the end of loading [N/m]
  double largest_force = none;       ///< of the first input [N]
  double smallest_force = none;
  double peak_force() const { return std::max(std::abs(largest_force), std::abs(smallest_force)); }
  double mean_force = none;            ///< over the period
  double largest_normal_force = none;  ///< of the normal input [N]
  double smallest_normal_force = none;
  double normal_energy = none;  ///< what of the energy the normal force takes [J]
  double loss_factor = none;
  double slope = none;
  bool complete = true;  ///< computed as asked for
  std::string message;   ///< why not
};

/// Called with every loop as soon as it is there; return false to stop.
using LoopCallback = std::function<bool(const JointLoop&)>;

/// All loops of one joint. Throws ModelError for a motion that does not fit the law, before anything is computed; a law that
/// fails on the way, or a cycle that does not close, gives a loop with complete = false.
std::vector<JointLoop> joint_loops(const LoopJoint& joint, const LoopRequest& request, const LoopCallback& done = {});

/// Only the checks of joint_loops.
void check_loops(const LoopJoint& joint, const LoopRequest& request);

/// Number of loops that joint_loops will return, minor ones included.
Index loop_count(const LoopRequest& request);

}  // namespace masing
