#include "masing/structure/detail/elastic_problem.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/describe_motion.hpp"
#include "masing/structure/detail/eliminated_part.hpp"
#include "masing/structure/detail/matrix_checks.hpp"

#include <Spectra/SymGEigsShiftSolver.h>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace masing::detail {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// s over the largest K_ii / M_ii: well above the rounding of K, well below the lowest vibrating mode of any mesh whose
// eigenvalues double precision can resolve.
constexpr double relative_shift = 1e-10;
// λ below this share of s belongs to a rigid motion: what rounding leaves of zero is smaller by orders of magnitude.
constexpr double rigid_share = 1e-2;
// A body has six; several bodies are found by asking again.
constexpr Index rigid_guess = 6;
// Up to this size all modes are computed densely in less time than Lanczos needs to start.
constexpr Index small_size = 300;
// Up to this size a dense solution is affordable when many modes are wanted.
constexpr Index largest_dense = 3000;
constexpr Index columns_at_once = 64;

}  // namespace

double largest_ratio(const SparseMatrix& stiffness, const SparseMatrix& mass) {
  const Vector k = stiffness.diagonal();
  const Vector m = mass.diagonal();
  double largest = 0.0;
  for (Index i = 0; i < k.size(); ++i) {
    if (m[i] > 0.0) largest = std::max(largest, k[i] / m[i]);
  }
  return largest > 0.0 ? largest : 1.0;
}

Matrix projected(const SparseMatrix& matrix, const MatrixView& shapes) {
  const Index size = shapes.cols();
  Matrix result(size, size);
  Matrix image;
  for (Index first = 0; first < size; first += columns_at_once) {
    const Index count = std::min(columns_at_once, size - first);
    image.noalias() = matrix * shapes.middleCols(first, count);
    result.block(first, first, size - first, count).noalias() = shapes.rightCols(size - first).transpose() * image;
  }
  return result.selfadjointView<Eigen::Lower>();
}

/// (K + sM)⁻¹ for Spectra.
class ElasticProblem::ShiftInverse {
 public:
  using Scalar = double;
  explicit ShiftInverse(const ElasticProblem& problem) : problem_(problem) {}
  Index rows() const { return problem_.size(); }
  Index cols() const { return problem_.size(); }
  void set_shift(double) {}  // the factors are there
  void perform_op(const double* in, double* out) const {
    Eigen::Map<Vector> solution(out, rows());
    problem_.solve_shifted(Eigen::Map<const Vector>(in, rows()), solution);
  }

 private:
  const ElasticProblem& problem_;
};

ElasticProblem::ElasticProblem(SparseMatrix stiffness, SparseMatrix mass, const std::vector<std::string>& names)
    : stiffness_(std::move(stiffness)), mass_(std::move(mass)) {
  factorise(names);
}

void ElasticProblem::factorise(const std::vector<std::string>& names) {
  const auto regular = [&](const SparseMatrix& matrix) {
    scaling_ = diagonal_scaling(matrix.diagonal());
    if (matrix.diagonal().minCoeff() <= 0.0) return false;
    return factors_.factorise(scaled(matrix, scaling_)) &&
           !pivots_vanish(Vector::Constant(size(), factors_.smallest_pivot().value));
  };
  if (size() == 0 || regular(stiffness_)) return;
  shift_ = relative_shift * largest_ratio(stiffness_, mass_);
  const SparseMatrix shifted = stiffness_ + shift_ * mass_;
  if (regular(shifted)) return;
  throw NumericalError(
      fmt::format("The structure cannot be reduced: the motion {} has neither stiffness nor mass. Ground it with a "
                  "spring, give it a mass, or keep it.",
                  describe_motion(floating_motion(shifted, scaling_), names)));
}

void ElasticProblem::solve_shifted(const Eigen::Ref<const Matrix>& right, Eigen::Ref<Matrix> solution) const {
  factors_.solve(scaling_.asDiagonal() * right, solution);
  solution = scaling_.asDiagonal() * solution;
}

void ElasticProblem::solve(const Eigen::Ref<const Matrix>& right, Eigen::Ref<Matrix> solution) {
  if (size() == 0) return;
  if (!floats()) return solve_shifted(right, solution);
  // Each round leaves s / (λ + s) of the error.
  constexpr int most_rounds = 20;
  const Matrix rigid = lowest(1).shapes.leftCols(found_.rigid);
  const Matrix weighted = mass_ * rigid;
  Matrix balanced = right;
  balanced.noalias() -= weighted * (rigid.transpose() * right);
  Matrix rest = balanced;
  Matrix step(right.rows(), right.cols());
  solution.setZero();
  for (int round = 0; round < most_rounds; ++round) {
    solve_shifted(rest, step);
    step -= rigid * (weighted.transpose() * step).eval();
    solution += step;
    if (step.norm() <= epsilon * solution.norm()) break;
    rest.noalias() = balanced - stiffness_ * solution;
  }
}

const Modes& ElasticProblem::lowest(Index count) {
  Index wanted = count + (floats() ? rigid_guess : 0);
  while (!found_.complete && found_.vibrating() < count) {
    found_ = some_modes(std::min(wanted, size()));
    wanted = found_.vibrating() == 0 ? 2 * wanted : count + found_.rigid;
  }
  return found_;
}

Modes ElasticProblem::some_modes(Index count) const {
  if (size() == 0) return {.complete = true};
  const bool dense = size() <= small_size || (size() <= largest_dense && 3 * count >= size());
  const Matrix shapes = dense ? dense_shapes(count) : lanczos_shapes(std::min(count, size() - 1));
  Modes modes = polished(shapes);
  modes.complete = shapes.cols() < count || shapes.cols() == size();
  return modes;
}

/// M φ = ν (K + sM) φ with ν = 1 / (λ + s): coordinates without mass have ν = 0 and no mode.
Matrix ElasticProblem::dense_shapes(Index count) const {
  const Matrix shifted = Matrix(SparseMatrix(stiffness_ + shift_ * mass_));
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(Matrix(mass_), shifted);
  const Vector& values = solver.eigenvalues();
  const double massless = epsilon * static_cast<double>(size()) * values[size() - 1];
  const Index moving = (values.array() > massless).count();
  return solver.eigenvectors().rightCols(std::min(count, moving)).rowwise().reverse();
}

Matrix ElasticProblem::lanczos_shapes(Index count) const {
  constexpr Index most_restarts = 1000;
  constexpr double tolerance = 1e-12;  // of ν; the Rayleigh-Ritz step squares what is left in λ
  const Index vectors = std::min(size(), std::max(2 * count + 1, count + 20));
  ShiftInverse inverse(*this);
  Spectra::SparseSymMatProd<double> product(mass_);
  Spectra::SymGEigsShiftSolver<ShiftInverse, Spectra::SparseSymMatProd<double>, Spectra::GEigsMode::ShiftInvert> solver(
      inverse, product, count, vectors, -shift_);
  solver.init();
  const Index found = solver.compute(Spectra::SortRule::LargestMagn, most_restarts, tolerance);
  if (solver.info() != Spectra::CompInfo::Successful) {
    throw NumericalError(
        fmt::format("Only {} of {} modes of the structure were found in {} restarts.", found, count, most_restarts));
  }
  return solver.eigenvectors();
}

Modes ElasticProblem::polished(const Matrix& shapes) const {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> ritz(projected(stiffness_, shapes), projected(mass_, shapes));
  if (ritz.info() != Eigen::Success) throw NumericalError("The modes of the structure could not be separated.");
  Modes modes{.squares = ritz.eigenvalues(), .shapes = shapes * ritz.eigenvectors(), .rigid = 0};
  while (modes.rigid < modes.squares.size() && modes.squares[modes.rigid] <= rigid_share * shift_) ++modes.rigid;
  modes.squares.head(modes.rigid).setZero();
  for (Index j = 0; j < modes.squares.size(); ++j) {
    Index largest = 0;
    modes.shapes.col(j).cwiseAbs().maxCoeff(&largest);
    if (modes.shapes(largest, j) < 0.0) modes.shapes.col(j) *= -1.0;
  }
  return modes;
}

}  // namespace masing::detail
