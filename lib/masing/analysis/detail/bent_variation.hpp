// How joints answer a small disturbance where some of them feel a quadratic motion (contact/joint.hpp), such as the shortening
// of a bent beam.
//
//   u = b·q − ½ qᵀ G q = y − ½ Σ s_i g_i²,     G = Σ s_i l_i l_iᵀ,  g_i = l_i·q,  s_i = ±1
//
// The motions y and g_i are linear in q: to the integration of the disturbance the joint is one with the inputs (y, g_1, g_2, …)
// and the forces (f, −s_1 g_1 f, …) on them, which is the virtual work of f. With J = ∂u/∂(y, g) along the motion,
//
//   δu = J δ(y, g),   δu' = J δ(y, g)' + J' δ(y, g),   δ(forces) = Jᵀ δf − diag(0, s_i f) δ(y, g)
//
// all exact: the last term is the geometric stiffness of the present force. δf is that of detail/joint_variation.hpp. Further
// inputs stand behind those of all joints.
#pragma once

#include "masing/analysis/detail/joint_variation.hpp"
#include "masing/analysis/detail/modal_form.hpp"

namespace masing::detail {

class BentVariation final : public JointVariation {
 public:
  /// The form must outlive it.
  BentVariation(std::span<const Joint> joints, const ModalForm& form);

  /// As JointVariation::take; `motion` are the coefficients of all motions that are linear in q (ModalForm::directions).
  void take(JointForces& forces, Index samples, DraggedSliders dragged, const HarmonicSet& set, const Matrix& motion,
            double omega);

  Index inputs() const override { return JointVariation::inputs() + further_; }
  void slopes_at(Index sample, const Matrix& memory, VariationSlopes& slopes) const override;
  void slopes_between(double begin, double end, double time, const Matrix& memory,
                      VariationSlopes& slopes) const override;
  void set(Index source, const Matrix& displacement, const Matrix& rate, double omega, Matrix& memory) const override;
  bool pulse(Index source, const Matrix& memory, Matrix& forces) const override;

 private:
  // J and dJ/dτ.
  struct Lift {
    Matrix value, rate;
  };
  Lift lift_at(double time) const;
  template <class Force>
  void raise(double time, const Force& force_of, VariationSlopes& slopes) const;

  const ModalForm& form_;
  Index further_ = 0;
  HarmonicSet set_ = HarmonicSet({1});
  double omega_ = 0.0;
  Matrix motion_;  // of the further inputs, × positions
  Matrix force_;   // samples × inputs
  std::vector<Index> joint_of_input_;
};

}  // namespace masing::detail
