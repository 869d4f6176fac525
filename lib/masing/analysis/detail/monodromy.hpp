// The monodromy matrix: the linearised equation of motion integrated over one period, with the joints' memory.
//
//   r'' + (C/Ω) r' + (ω²/Ω²) r + B δf/Ω² = 0,   ' = d/dτ, τ = Ωt; δf by detail/joint_variation.hpp
//
// Implicit trapezoidal rule (average acceleration), stable at every frequency of the structure. A step that contains
// instants at which memory is set or slopes jump is split there: before the last of them the slopes of its beginning hold,
// after the first those of its end. The joints' part of each step is solved on their few relative motions (Woodbury).
#pragma once

#include "masing/analysis/detail/joint_variation.hpp"
#include "masing/analysis/detail/modal_form.hpp"

namespace masing::detail {

class Monodromy {
 public:
  explicit Monodromy(const ModalForm& form) : form_(form) {}

  /// Disturbances of r, r' and the carried scalars, in this order, after one period. `stride` 2: with steps twice as long,
  /// for a variation without events.
  Matrix matrix(const JointVariation& variation, double omega, Index stride = 1);

 private:
  // r'_b = before·(r', r) of the structure alone, and what a joint force adds.
  struct StepOperator {
    double length = 0.0;
    Matrix by_rate, by_motion;  // n × n, or n × 1 where the modes are uncoupled
    Matrix response;            // n × m: of r'_b to forces [N]
    Matrix interface_response;  // Bᵀ response
  };
  struct Slopes {
    Matrix by_displacement, by_velocity;  // m × m
    Matrix remembered;                    // m × disturbances
  };

  void begin(const JointVariation& variation, double omega);
  StepOperator make_operator(double length) const;
  void load(const JointVariation& variation, Index sample, Slopes& slopes);
  void force(const Slopes& slopes);
  void step(const StepOperator& step, const Slopes& end);
  void cross_events(const JointVariation& variation, Index next, double begin, double end);
  void take_over(const JointVariation& variation);
  void set_sources(const JointVariation& variation, double until);

  const ModalForm& form_;
  double omega_ = 0.0;
  bool uncoupled_ = false;
  Matrix damping_;  // C/Ω
  Vector stiffness_;
  Matrix motion_, rate_;                     // n × disturbances
  Matrix relative_, relative_rate_, force_;  // m × disturbances
  Matrix memory_;                            // sources × disturbances
  Slopes begin_, end_;                       // of the present step
  std::size_t event_ = 0;
};

}  // namespace masing::detail
