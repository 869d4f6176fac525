#include "masing/balance/shaped_coupling.hpp"

#include "masing/fourier/coefficients.hpp"

namespace masing {

ShapedCoupling::ShapedCoupling(Matrix projection, const HarmonicSet& set, Index unknowns)
    : projection_(std::move(projection)), set_(set), unknowns_(unknowns) {
  const auto count = static_cast<std::size_t>(set_.count());
  shapes_.assign(count, ComplexMatrix::Zero(projection_.rows(), unknowns_));
  rates_ = shapes_;
  real_forms_.resize(count);
  relative_rate_.setZero(projection_.rows(), set_.positions());
  force_rate_ = relative_rate_;
  block_.setZero(set_.positions(), set_.positions());
}

void ShapedCoupling::set_shapes(Index i, const MotionShapes& shapes) {
  shapes_[static_cast<std::size_t>(i)].noalias() = projection_ * shapes.value;
  rates_[static_cast<std::size_t>(i)].noalias() = static_cast<double>(set_[i]) * (projection_ * shapes.derivative);
}

void ShapedCoupling::relative_motion(const MatrixView& unknowns, Matrix& relative) {
  for (Index i = 0; i < set_.count(); ++i) {
    complex_amplitude(set_, unknowns, i, motion_);
    felt_.noalias() = shapes_[static_cast<std::size_t>(i)] * motion_;
    set_complex_amplitude(set_, i, felt_, relative);
    felt_.noalias() = rates_[static_cast<std::size_t>(i)] * motion_;
    set_complex_amplitude(set_, i, felt_, relative_rate_);
  }
}

void ShapedCoupling::add_forces(const Matrix& forces, Eigen::Ref<Matrix> equations) {
  for (Index i = 0; i < set_.count(); ++i) {
    complex_amplitude(set_, forces, i, felt_);
    motion_.noalias() = shapes_[static_cast<std::size_t>(i)].adjoint() * felt_;
    equations.col(set_.cosine(i)) += motion_.real();
    if (set_[i] != 0) equations.col(set_.sine(i)) -= motion_.imag();
  }
}

void ShapedCoupling::fill_real_form(Index i, Index first_input, Index inputs) {
  const auto rows = shapes_[static_cast<std::size_t>(i)].middleRows(first_input, inputs);
  Matrix& form = real_forms_[static_cast<std::size_t>(i)];
  if (set_[i] == 0) {
    form = rows.real();
    return;
  }
  form.resize(2 * inputs, 2 * unknowns_);
  form << rows.real(), rows.imag(), -rows.imag(), rows.real();
}

void ShapedCoupling::add_jacobian(JointForces& forces, Matrix& jacobian) {
  const Index positions = set_.positions();
  for (Index joint = 0; joint < forces.joints(); ++joint) {
    forces.prepare_derivatives(joint);
    const Index first = forces.first_input(joint);
    const Index inputs = forces.inputs_of(joint);
    tangent_.resize(inputs * positions, inputs * positions);  // by position, then input
    for (Index b = 0; b < inputs; ++b) {
      for (Index a = 0; a < inputs; ++a) {
        forces.derivative_block(joint, static_cast<int>(a), static_cast<int>(b), block_);
        for (Index q = 0; q < positions; ++q) {
          for (Index p = 0; p < positions; ++p) tangent_(p * inputs + a, q * inputs + b) = block_(p, q);
        }
      }
    }
    joint_rate_.noalias() = tangent_ * Vector(relative_rate_.middleRows(first, inputs).reshaped());
    force_rate_.middleRows(first, inputs) = joint_rate_.reshaped(inputs, positions);
    for (Index i = 0; i < set_.count(); ++i) fill_real_form(i, first, inputs);
    for (Index l = 0; l < set_.count(); ++l) {
      product_.noalias() =
          tangent_.middleCols(set_.cosine(l) * inputs, width(l) * inputs) * real_forms_[static_cast<std::size_t>(l)];
      for (Index i = 0; i < set_.count(); ++i) {
        jacobian
            .block(set_.cosine(i) * unknowns_, set_.cosine(l) * unknowns_, width(i) * unknowns_, width(l) * unknowns_)
            .noalias() += real_forms_[static_cast<std::size_t>(i)].transpose() *
                          product_.middleRows(set_.cosine(i) * inputs, width(i) * inputs);
      }
    }
  }
}

void ShapedCoupling::add_change_of_shapes(const Matrix& forces, Eigen::Ref<Matrix> equations) {
  add_forces(force_rate_, equations);
  for (Index i = 0; i < set_.count(); ++i) {
    if (set_[i] == 0) continue;
    complex_amplitude(set_, forces, i, felt_);
    motion_.noalias() = rates_[static_cast<std::size_t>(i)].adjoint() * felt_;
    equations.col(set_.cosine(i)) += motion_.real();
    equations.col(set_.sine(i)) -= motion_.imag();
  }
}

}  // namespace masing
