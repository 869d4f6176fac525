#include "masing/analysis/detail/modal_form.hpp"

#include "masing/core/error.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace masing::detail {

ModalForm modal_form(const Model& model, Index most) {
  const auto* matrices = dynamic_cast<const SecondOrderStructure*>(model.structure.get());
  require(
      matrices != nullptr,
      "stability needs a structure with mass and stiffness matrices, and this kind has none: use a finite-element or "
      "Galerkin form of it, which hold up to the frequency of their highest mode.");
  const Index n = matrices->size();
  require(n <= most,
          "stability is computed with all {} coordinates at once, and at most {} are allowed: give [structure] a "
          "reduction.",
          n, most);
  for (const Joint& joint : model.joints) {
    require(joint.quadratic.empty(), "stability is not available with joint '{}', which feels a shortening.",
            joint.name);
  }
  const Matrix mass = matrices->mass();
  const Eigen::LLT<Matrix> factor(mass);
  require(
      factor.info() == Eigen::Success && factor.matrixLLT().diagonal().minCoeff() > 0.0,
      "stability needs a positive definite mass matrix: give every coordinate some mass, or remove massless ones by "
      "a reduction.");
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(Matrix(matrices->stiffness()), mass);
  ModalForm form{.stiffness = modes.eigenvalues()};
  const Matrix& shapes = modes.eigenvectors();
  form.damping = shapes.transpose() * matrices->damping() * shapes;
  form.hysteretic = shapes.transpose() * matrices->hysteretic() * shapes;
  Index inputs = 0;
  for (const Joint& joint : model.joints) inputs += joint.element->inputs();
  form.physical.resize(n, inputs);
  Index first = 0;
  for (const Joint& joint : model.joints) {
    form.physical.middleCols(first, joint.element->inputs()) = Matrix(joint.directions);
    first += joint.element->inputs();
  }
  form.directions = shapes.transpose() * form.physical;
  return form;
}

}  // namespace masing::detail
