// Eigen aliases used by every room. Double precision only; SI units everywhere.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <complex>

namespace masing {

using Index = Eigen::Index;
using Complex = std::complex<double>;

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using ComplexVector = Eigen::VectorXcd;
using ComplexMatrix = Eigen::MatrixXcd;
using SparseMatrix = Eigen::SparseMatrix<double>;

/// Read-only views that bind to vectors, columns and blocks without copying.
using VectorView = Eigen::Ref<const Vector>;
using MatrixView = Eigen::Ref<const Matrix>;

inline constexpr double pi = 3.14159265358979323846;

}  // namespace masing
