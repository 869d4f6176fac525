// The monodromy matrix: the linearised equation of motion integrated over one period, with the joints' memory.
//
//   r'' + (C/Ω) r' + (ω²/Ω²) r + B δf/Ω² = 0,   ' = d/dτ, τ = Ωt; δf by detail/joint_variation.hpp
//
// Collocation at beginning, middle and end of a step (Lobatto IIIA): fourth order, stable at every frequency of the structure
// and without damping of its own. A step is two samples long; one that contains instants at which memory is set or slopes
// jump is taken in pieces between these, with slopes interpolated on the same side of each joint's own instants, so that the
// order holds across them. The joints' part of a step is solved on their few relative motions at middle and end (Woodbury).
#pragma once

#include "masing/analysis/detail/joint_variation.hpp"
#include "masing/analysis/detail/modal_form.hpp"

#include <array>

namespace masing::detail {

class Monodromy {
 public:
  explicit Monodromy(const ModalForm& form) : form_(form) {}

  /// Disturbances of r, r' and the carried scalars, in this order, after one period; the number of samples is even.
  Matrix matrix(const JointVariation& variation, double omega);

 private:
  // Beginning, middle and end of a step of one length. The structure alone is linear, so that all that a step does follows
  // from the state (r above r') at its beginning and from the forces at the three nodes.
  struct StepOperator {
    Matrix by_state;       // 2n × 2n to the end; for uncoupled modes its four diagonals, n × 4
    Matrix by_force;       // 2n × 3m
    Matrix felt_by_state;  // 4m × 2n: u at middle and end, u' there
    Matrix felt_by_force;  // 4m × 3m
  };
  struct Answers;

  void begin(const JointVariation& variation, double omega);
  Answers uncoupled_answers(double length) const;
  Answers coupled_answers(double length) const;
  StepOperator make_operator(double length) const;
  Matrix spread(const Matrix& answer) const;
  Matrix felt(const Matrix& answer) const;
  void load(const VariationSlopes& slopes);
  void close_joints(const StepOperator& step);
  void carry(const StepOperator& step);
  void step(const StepOperator& step);
  void take_over(const JointVariation& variation);
  void set_sources(const JointVariation& variation, double until);
  void push();
  void cross_events(const JointVariation& variation, double begin, double end);
  void cross_piece(const JointVariation& variation, double begin, double end);

  const ModalForm& form_;
  double omega_ = 0.0;
  bool uncoupled_ = false;
  Matrix damping_;  // C/Ω
  Vector stiffness_;
  Matrix state_;                               // r above r', 2n × disturbances
  Matrix relative_, relative_rate_;            // m × disturbances
  Matrix memory_;                              // sources × disturbances
  std::array<VariationSlopes, 3> slopes_;      // at beginning, middle, end
  Matrix forces_;                              // 3m × disturbances: at beginning, middle, end
  Matrix felt_, known_, gain_, next_, pulse_;  // room
  std::size_t event_ = 0;
};

}  // namespace masing::detail
