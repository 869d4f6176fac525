// Random but repeatable structures and the uncondensed reference solution, shared by the tests of this room.
#pragma once

#include "masing/structure/matrix_structure.hpp"

#include <Eigen/LU>
#include <random>
#include <utility>
#include <vector>

namespace masing::test {

inline SparseMatrix sparse(const Matrix& dense) { return dense.sparseView(); }

/// Joint directions: one column a joint, each a list of (coordinate, coefficient).
inline SparseMatrix directions(Index size, const std::vector<std::vector<std::pair<Index, double>>>& joints) {
  SparseMatrix result(size, static_cast<Index>(joints.size()));
  for (std::size_t j = 0; j < joints.size(); ++j) {
    for (const auto& [row, value] : joints[j]) result.insert(row, static_cast<Index>(j)) = value;
  }
  return result;
}

/// Symmetric positive definite with entries of order one.
inline Matrix random_definite(Index size, std::mt19937_64& generator) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const Matrix root = Matrix::NullaryExpr(size, size, [&] { return uniform(generator); });
  return root * root.transpose() / static_cast<double>(size) + Matrix::Identity(size, size);
}

inline ComplexVector random_load(Index size, std::mt19937_64& generator) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return ComplexVector::NullaryExpr(size, [&] {
    const double real = uniform(generator);
    return Complex(real, uniform(generator));
  });
}

inline MatrixStructureOptions random_structure(Index size, Evaluation evaluation) {
  std::mt19937_64 generator(20240607);
  return {.mass = sparse(random_definite(size, generator)),
          .stiffness = sparse(100.0 * random_definite(size, generator)),
          .damping = {.viscous = sparse(0.3 * random_definite(size, generator)),
                      .loss_factor = 0.02,
                      .hysteretic = sparse(random_definite(size, generator))},
          .evaluation = evaluation};
}

/// Z(ω) of all coordinates.
inline ComplexMatrix dynamic_stiffness(const SecondOrderStructure& structure, double omega) {
  ComplexMatrix z = Matrix(structure.stiffness()).cast<Complex>();
  if (omega == 0.0) return z;
  z += Complex(0.0, 1.0) * Matrix(structure.hysteretic()).cast<Complex>();
  z -= omega * omega * Matrix(structure.mass()).cast<Complex>();
  z += Complex(0.0, omega) * Matrix(structure.damping()).cast<Complex>();
  return z;
}

}  // namespace masing::test
