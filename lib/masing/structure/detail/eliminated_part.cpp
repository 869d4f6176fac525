#include "masing/structure/detail/eliminated_part.hpp"

#include "masing/structure/detail/matrix_checks.hpp"

#include <Eigen/SparseCholesky>
#include <cmath>
#include <limits>

namespace masing::detail {
namespace {

// Measured with banded matrices and plates: up to this size a dense factorisation is as fast as a sparse one.
constexpr Index small_size = 20;
// Above this fraction of non-zero entries, sparse factors fill up and the dense routine wins.
constexpr double high_fill = 0.35;

bool prefer_dense(const Pencil& pencil) {
  if (pencil.size() <= small_size) return true;
  const auto entries =
      static_cast<double>(std::max({pencil.mass.nonZeros(), pencil.damping.nonZeros(), pencil.stiffness.nonZeros()}));
  return entries > high_fill * static_cast<double>(pencil.size()) * static_cast<double>(pencil.size());
}

}  // namespace

std::unique_ptr<EliminatedPart> make_eliminated_part(Pencil pencil, Evaluation evaluation) {
  const bool dense = evaluation == Evaluation::automatic ? prefer_dense(pencil) : evaluation == Evaluation::dense;
  return dense ? make_dense_part(pencil) : make_sparse_part(std::move(pencil));
}

Vector floating_motion(const SparseMatrix& stiffness, const Vector& scaling) {
  // Inverse iteration with a shift that is tiny beside any elastic stiffness but makes the matrix regular.
  constexpr double shift = 1e-10;
  constexpr int iterations = 5;
  SparseMatrix shifted = scaled(stiffness, scaling);
  SparseMatrix identity(stiffness.rows(), stiffness.cols());
  identity.setIdentity();
  shifted += shift * identity;
  const Eigen::SimplicialLDLT<SparseMatrix> factors(shifted);
  Vector motion(stiffness.rows());
  for (Index i = 0; i < motion.size(); ++i) motion[i] = 1.0 + 0.1 * std::sin(static_cast<double>(i));
  for (int i = 0; i < iterations; ++i) {
    const Vector next = factors.solve(motion);
    motion = next / next.norm();
  }
  motion = scaling.cwiseProduct(motion);
  Index largest = 0;
  motion.cwiseAbs().maxCoeff(&largest);
  return motion / motion[largest];
}

bool pivots_vanish(const Vector& pivots) {
  const double rounding = 10.0 * std::numeric_limits<double>::epsilon() * static_cast<double>(pivots.size());
  return pivots.size() > 0 && pivots.minCoeff() <= rounding;
}

}  // namespace masing::detail
