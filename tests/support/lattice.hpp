// A block of point masses on a cubic grid, each joined to all its (up to 26) neighbours by springs along the line between
// them: the matrices of a three-dimensional solid, with its fill and its rigid motions.
#pragma once

#include "masing/structure/matrix_structure.hpp"

#include <vector>

namespace masing::test {

struct Lattice {
  int nx = 2, ny = 2, nz = 2;  ///< masses along each axis
  double spacing = 0.01;       ///< [m]
  double stiffness = 1e6;      ///< [N/m], of each spring
  double mass = 1e-3;          ///< [kg], of each point
  bool clamped = false;        ///< springs to the ground at the points with z = 0

  Index node(int i, int j, int k) const { return (static_cast<Index>(k) * ny + j) * nx + i; }
  Index size() const { return 3 * static_cast<Index>(nx) * ny * nz; }

  SparseMatrix stiffness_matrix() const {
    std::vector<Eigen::Triplet<double>> entries;
    for (int k = 0; k < nz; ++k) {
      for (int j = 0; j < ny; ++j) {
        for (int i = 0; i < nx; ++i) add_springs(entries, i, j, k);
      }
    }
    SparseMatrix result(size(), size());
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }

  SparseMatrix mass_matrix() const {
    SparseMatrix result(size(), size());
    result.setIdentity();
    return mass * result;
  }

 private:
  void add_springs(std::vector<Eigen::Triplet<double>>& entries, int i, int j, int k) const {
    const Index here = 3 * node(i, j, k);
    for (int p = 0; clamped && k == 0 && p < 3; ++p) entries.emplace_back(here + p, here + p, stiffness);
    for (int neighbour = 0; neighbour < 27; ++neighbour) {
      const Eigen::Vector3i step(neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1);
      const int a = i + step.x(), b = j + step.y(), c = k + step.z();
      if (step.isZero() || a < 0 || b < 0 || c < 0 || a >= nx || b >= ny || c >= nz) continue;
      const Eigen::Vector3d along = step.cast<double>().normalized();
      const Eigen::Matrix3d block = stiffness * along * along.transpose();
      for (int p = 0; p < 3; ++p) {
        for (int q = 0; q < 3; ++q) {
          entries.emplace_back(here + p, here + q, block(p, q));
          entries.emplace_back(here + p, 3 * node(a, b, c) + q, -block(p, q));
        }
      }
    }
  }
};

}  // namespace masing::test
