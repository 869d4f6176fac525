#include "masing/analysis/detail/linear_modes.hpp"

#include "masing/balance/joint_forces.hpp"
#include "masing/core/error.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <algorithm>

namespace masing::detail {

namespace {

constexpr Index largest_dense = 1000;
// A rigid-body motion has an eigenvalue of rounding errors, this much of the largest.
constexpr double rigid = 1e-13;

// K + B K_t Bᵀ: the stiffness with every joint in the state of the static motion.
SparseMatrix stiffness_with_joints(const SecondOrderStructure& structure, const Model& model,
                                   const BalanceOptions& options, const Vector& mean) {
  BalanceOptions two = options;
  two.harmonics = {0, 1};
  const HarmonicSet set(two.harmonics);
  JointForces forces(model.joints, set, two);
  Matrix motion = Matrix::Zero(forces.inputs(), set.positions());
  for (Index j = 0; j < forces.joints(); ++j) {
    const SparseMatrix& directions = model.joints[static_cast<std::size_t>(j)].directions;
    motion.col(0).segment(forces.first_input(j), forces.inputs_of(j)) = directions.transpose() * mean;
  }
  SparseMatrix stiffness = structure.stiffness();
  if (forces.joints() == 0) return stiffness;
  forces.evaluate(motion, 1.0);
  Matrix block(set.positions(), set.positions());
  for (Index j = 0; j < forces.joints(); ++j) {
    const SparseMatrix& directions = model.joints[static_cast<std::size_t>(j)].directions;
    const int inputs = static_cast<int>(forces.inputs_of(j));
    Matrix tangent(inputs, inputs);
    forces.prepare_derivatives(j);
    for (int b = 0; b < inputs; ++b) {
      for (int a = 0; a < inputs; ++a) {
        forces.derivative_block(j, a, b, block);
        tangent(a, b) = block(set.cosine(1), set.cosine(1));
      }
    }
    const Matrix symmetric = 0.5 * (tangent + tangent.transpose());
    stiffness += SparseMatrix(directions * SparseMatrix(symmetric.sparseView()) * directions.transpose());
  }
  return stiffness;
}

struct Modes {
  Vector squares;  // ω², ascending
  Matrix shapes;
};

// Of M φ = μ (K + σM) φ the largest μ are wanted: ω² = 1/μ − σ. Massless coordinates are no obstacle.
Modes modes_of(const Matrix& mass, const Matrix& shifted, double shift, Index wanted) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(mass, shifted);
  require(solver.info() == Eigen::Success, "The modes of the structure with its joints at rest could not be computed.");
  const Index size = mass.rows();
  const Index count = std::min(wanted, size);
  Modes modes{.squares = Vector(count), .shapes = Matrix(size, count)};
  for (Index m = 0; m < count; ++m) {
    modes.squares[m] = 1.0 / std::max(solver.eigenvalues()[size - 1 - m], 1e-300) - shift;
    modes.shapes.col(m) = solver.eigenvectors().col(size - 1 - m);
  }
  return modes;
}

// Subspace iteration with Rayleigh-Ritz (Bathe), for large sparse structures.
Modes subspace_modes(const SparseMatrix& mass, const SparseMatrix& shifted, double shift, Index wanted) {
  constexpr int rounds = 40;
  const Index size = mass.rows();
  const Index width = std::min(2 * wanted + 8, size);
  const Eigen::SimplicialLDLT<SparseMatrix> factors(shifted);
  require(factors.info() == Eigen::Success, "The stiffness with the joints at rest could not be factorised.");
  Matrix basis(size, width);
  for (Index column = 0; column < width; ++column) {
    for (Index row = 0; row < size; ++row) {
      basis(row, column) = std::sin(1.0 + static_cast<double>((row + 1) * (column + 1) % 10007));
    }
  }
  Modes modes;
  for (int round = 0; round < rounds; ++round) {
    basis = factors.solve(Matrix(mass * basis));
    modes = modes_of(basis.transpose() * (mass * basis), basis.transpose() * (shifted * basis), shift, width);
    basis = Matrix(basis * modes.shapes);
  }
  modes.shapes = basis;
  return modes;
}

}  // namespace

LinearMode linear_mode(const Model& model, const BalanceOptions& options, const Vector& mean, int number) {
  const auto* structure = dynamic_cast<const SecondOrderStructure*>(model.structure.get());
  require(structure != nullptr, "Mode {} is asked for, but this kind of structure has no matrices.", number);
  const SparseMatrix stiffness = stiffness_with_joints(*structure, model, options, mean);
  const SparseMatrix& mass = structure->mass();
  const Index size = mass.rows();
  const double largest = stiffness.diagonal().cwiseAbs().sum() / mass.diagonal().cwiseAbs().sum();
  constexpr Index rigid_motions = 6;
  const double shift = 1e-6 * largest;
  const SparseMatrix shifted = stiffness + shift * mass;
  const Index wanted = std::min<Index>(size, number + rigid_motions);
  const Modes modes = size <= largest_dense ? modes_of(Matrix(mass), Matrix(shifted), shift, wanted)
                                            : subspace_modes(mass, shifted, shift, wanted);
  int elastic = 0;
  for (Index m = 0; m < modes.squares.size(); ++m) {
    const Vector shape = modes.shapes.col(m);
    const double weight = shape.dot(mass * shape);
    if (!(weight > 0.0) || modes.squares[m] <= std::max(rigid * largest, 1e-9 * shift)) continue;
    if (++elastic < number) continue;
    LinearMode mode{.omega = std::sqrt(modes.squares[m]), .shape = shape / std::sqrt(weight)};
    mode.damping_ratio = mode.shape.dot(structure->damping() * mode.shape) / (2.0 * mode.omega) +
                         mode.shape.dot(structure->hysteretic() * mode.shape) / (2.0 * mode.omega * mode.omega);
    return mode;
  }
  throw ModelError(fmt::format("Mode {} is asked for, but the structure has only {}.", number, elastic));
}

}  // namespace masing::detail
