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
  static constexpr Index nodes = 2;  ///< with unknown accelerations: middle and end

  // For steps of one length, stacked over middle and end: r'' = answer·(−C r'₀ − K r₀) − response·f, r₀ and r'₀ being the
  // motion that the beginning alone would lead to.
  struct StepOperator {
    double length = 0.0;
    Matrix answer;    // 2n × 2n, or n × 4 (a 2 × 2 block a mode, row after row) where the modes are uncoupled
    Matrix response;  // 2n × 2m: of r'' to forces [N]
    Matrix displacement, rate;  // 2m × 2m: relative motions by those forces
  };

  void begin(const JointVariation& variation, double omega);
  StepOperator make_operator(double length) const;
  void answer_uncoupled(StepOperator& step) const;
  void answer_coupled(StepOperator& step) const;
  void accelerate(const VariationSlopes& slopes);
  void coast(double length);
  void apply(const StepOperator& step);
  void close_joints(const StepOperator& step);
  void step(const StepOperator& step);
  void take_over(const JointVariation& variation);
  void set_sources(const JointVariation& variation, double until);
  void cross_events(const JointVariation& variation, double begin, double end);
  void cross_piece(const JointVariation& variation, double begin, double end);

  const ModalForm& form_;
  double omega_ = 0.0;
  bool uncoupled_ = false;
  Matrix damping_;  // C/Ω
  Vector stiffness_;
  Matrix motion_, rate_, acceleration_;            // n × disturbances
  Matrix relative_, relative_rate_;                // m × disturbances
  Matrix memory_;                                  // sources × disturbances
  std::array<VariationSlopes, 1 + nodes> slopes_;  // at beginning, middle, end
  std::size_t event_ = 0;
  // Within a step, middle above end.
  Matrix coasting_, coasting_rate_, accelerations_, load_;       // 2n × disturbances
  Matrix felt_, felt_rate_, known_, forces_, gain_, rate_gain_;  // 2m × disturbances or × 2m
};

}  // namespace masing::detail
