#include "masing/analysis/detail/modal_form.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/finite_element_beam.hpp"
#include "masing/structure/reduction.hpp"
#include "masing/structure/spectral_beam.hpp"

#include <fmt/format.h>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace masing::detail {

namespace {

/// A structure with matrices, and the joints' directions in its coordinates.
struct Matrices {
  std::shared_ptr<const SecondOrderStructure> structure;
  Matrix directions;
  std::string basis;
};

Matrix directions_of(const Model& model) {
  Index inputs = 0;
  for (const Joint& joint : model.joints) inputs += joint.element->inputs();
  Matrix directions(static_cast<Index>(model.structure->coordinates().size()), inputs);
  Index first = 0;
  for (const Joint& joint : model.joints) {
    directions.middleCols(first, joint.element->inputs()) = Matrix(joint.directions);
    first += joint.element->inputs();
  }
  return directions;
}

std::vector<Index> touched_columns(const SparseMatrix& matrix) {
  std::vector<Index> touched;
  for (Index i = 0; i < matrix.outerSize(); ++i) {
    if (SparseMatrix::InnerIterator(matrix, i)) touched.push_back(i);
  }
  return touched;
}

/// The squares of the quadratic motions; their motions l are added to the directions.
std::vector<Bend> add_bends(const Model& model, Matrix& directions) {
  std::vector<Bend> bends;
  Index first = 0;
  for (const Joint& joint : model.joints) {
    for (const QuadraticMotion& quadratic : joint.quadratic) {
      const std::vector<Index> touched = touched_columns(quadratic.matrix);
      Matrix dense(std::ssize(touched), std::ssize(touched));
      for (Index i = 0; i < dense.cols(); ++i) {
        const Vector column = quadratic.matrix.col(touched[static_cast<std::size_t>(i)]);
        dense.col(i) = column(touched);
      }
      const Eigen::SelfAdjointEigenSolver<Matrix> squares(dense);
      constexpr double dust = 1e-13;
      const double smallest = dust * squares.eigenvalues().cwiseAbs().maxCoeff();
      for (Index i = 0; i < squares.eigenvalues().size(); ++i) {
        const double value = squares.eigenvalues()[i];
        if (std::abs(value) <= smallest) continue;
        bends.push_back(
            {.input = first + quadratic.input, .motion = directions.cols(), .sign = value < 0.0 ? -1.0 : 1.0});
        directions.conservativeResize(Eigen::NoChange, directions.cols() + 1);
        directions.rightCols(1).setZero();
        directions.rightCols(1)(touched, 0) = std::sqrt(std::abs(value)) * squares.eigenvectors().col(i);
      }
    }
    first += joint.element->inputs();
  }
  return bends;
}

/// Rows under other numbers: a mesh has the coordinates of the exact beam under the same names, and more.
SparseMatrix renamed(const Matrix& directions, const std::vector<std::string>& from,
                     const std::vector<std::string>& to) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < directions.rows(); ++i) {
    if (directions.row(i).isZero(0.0)) continue;
    const auto there = std::find(to.begin(), to.end(), from[static_cast<std::size_t>(i)]);
    require(there != to.end(), "stability: the mesh of the beam has no coordinate '{}'.",
            from[static_cast<std::size_t>(i)]);
    for (Index j = 0; j < directions.cols(); ++j) {
      if (directions(i, j) != 0.0) entries.emplace_back(there - to.begin(), j, directions(i, j));
    }
  }
  SparseMatrix result(static_cast<Index>(to.size()), directions.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// The exact beam as a mesh, in its lowest modes and the static answers to the joints.
Matrices matrices_of(const SpectralBeam& beam, const Matrix& directions, Index most) {
  constexpr int elements = 200;
  constexpr Index wanted = 40, rigid = 3;
  const Index modes = std::min(wanted, most - rigid - directions.cols());
  require(modes >= wanted / 4,
          "stability of a spectral beam is computed in its modes and the static answers to {} motions of joints, and "
          "at most {} "
          "shapes are allowed: use fewer points along the contact.",
          directions.cols(), most);
  const auto mesh = finite_element_beam(beam.beam(), {.elements = elements});
  const SparseMatrix patterns = renamed(directions, beam.coordinates(), mesh->coordinates());
  const auto reduced = reduce(mesh, {.kind = ReductionKind::modal, .patterns = patterns, .modes = modes});
  return {.structure = reduced,
          .directions = reduced->shapes().transpose() * patterns,
          .basis = fmt::format("the beam's modes up to {:.4g} Hz and the static answers to its joints",
                               reduced->summary().highest_mode)};
}

Matrices matrices_of(const Model& model, const Matrix& directions, Index most) {
  if (const auto* beam = dynamic_cast<const SpectralBeam*>(model.structure.get())) {
    return matrices_of(*beam, directions, most);
  }
  const auto matrices = std::dynamic_pointer_cast<const SecondOrderStructure>(model.structure);
  require(matrices != nullptr,
          "stability needs a structure with mass and stiffness matrices, or an exact beam without reduction, and this "
          "kind is "
          "neither: leave out the reduction.");
  require(matrices->size() <= most,
          "stability is computed with all {} coordinates at once, and at most {} are allowed: give [structure] a "
          "reduction.",
          matrices->size(), most);
  return {.structure = matrices, .directions = directions, .basis = ""};
}

}  // namespace

ModalForm modal_form(const Model& model, Index most) {
  Matrix physical = directions_of(model);
  const std::vector<Bend> bends = add_bends(model, physical);
  const Matrices form_of = matrices_of(model, physical, most);
  const SecondOrderStructure& matrices = *form_of.structure;
  const Matrix mass = matrices.mass();
  const Eigen::LLT<Matrix> factor(mass);
  require(
      factor.info() == Eigen::Success && factor.matrixLLT().diagonal().minCoeff() > 0.0,
      "stability needs a positive definite mass matrix: give every coordinate some mass, or remove massless ones by "
      "a reduction.");
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(Matrix(matrices.stiffness()), mass);
  ModalForm form{.stiffness = modes.eigenvalues()};
  const Matrix& shapes = modes.eigenvectors();
  form.damping = shapes.transpose() * matrices.damping() * shapes;
  form.hysteretic = shapes.transpose() * matrices.hysteretic() * shapes;
  form.physical = physical;
  form.bends = bends;
  form.directions = shapes.transpose() * form_of.directions;
  form.basis = form_of.basis;
  return form;
}

}  // namespace masing::detail
