#include "masing/structure/detail/reduction_basis.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/partition.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace masing::detail {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Index columns_at_once = 64;
// Batches of modes double up to this many.
constexpr Index first_batch = 12;
constexpr Index most_modes = 3000;
// Residual shapes with a smaller share of the strain energy of their load are rounding errors.
constexpr double negligible = 1e-12;

double squared(double frequency) { return std::pow(2.0 * pi * frequency, 2); }
double hertz(double square) { return std::sqrt(square) / (2.0 * pi); }

}  // namespace

BasisBuilder::BasisBuilder(const MatrixStructure& structure, const ReductionOptions& options)
    : structure_(structure), options_(options) {
  split_matrices();
}

void BasisBuilder::split_matrices() {
  const auto kept = static_cast<Index>(options_.boundary.size());
  const Partition partition = make_partition(
      structure_.size(),
      {.touched = options_.boundary, .range = Matrix::Identity(kept, kept), .complement = Matrix(kept, 0)});
  Blocks k = split(structure_.stiffness(), partition);
  Blocks m = split(structure_.mass(), partition);
  kept_stiffness_ = std::move(k.nn);
  kept_mass_ = std::move(m.nn);
  coupling_stiffness_ = std::move(k.ln);
  coupling_mass_ = std::move(m.ln);
  std::vector<bool> stays(static_cast<std::size_t>(structure_.size()), false);
  for (const Index i : options_.boundary) stays[static_cast<std::size_t>(i)] = true;
  std::vector<std::string> names;
  for (Index i = 0; i < structure_.size(); ++i) {
    if (stays[static_cast<std::size_t>(i)]) continue;
    rest_.push_back(i);
    names.push_back(structure_.coordinates()[static_cast<std::size_t>(i)]);
  }
  problem_ = std::make_unique<ElasticProblem>(std::move(k.ll), std::move(m.ll), names);
}

/// Ψ, C and what is condensed with them. After the modes, which a floating rest needs for its static solutions.
void BasisBuilder::find_static_shapes() {
  const Index kept = kept_stiffness_.rows();
  static_shapes_.resize(problem_->size(), kept);
  for (Index first = 0; first < kept; first += columns_at_once) {
    const Index count = std::min(columns_at_once, kept - first);
    problem_->solve(-Matrix(coupling_stiffness_.middleCols(first, count)), static_shapes_.middleCols(first, count));
  }
  coupling_ = problem_->mass() * static_shapes_;
  coupling_ += coupling_mass_;
  kept_stiffness_ += coupling_stiffness_.transpose() * static_shapes_;
  kept_mass_ += coupling_mass_.transpose() * static_shapes_;
  kept_mass_.noalias() += static_shapes_.transpose() * coupling_;
  if (options_.highest_frequency <= 0.0) return;
  coupling_flexibility_.resize(kept, kept);
  Matrix block;
  for (Index first = 0; first < kept; first += columns_at_once) {
    const Index count = std::min(columns_at_once, kept - first);
    block.resize(problem_->size(), count);
    problem_->solve(coupling_.middleCols(first, count), block);
    coupling_flexibility_.middleCols(first, count).noalias() = coupling_.transpose() * block;
  }
}

void BasisBuilder::find_patterns() {
  const Matrix all = options_.patterns.rows() > 0 ? Matrix(options_.patterns) : Matrix(structure_.size(), 0);
  const Matrix inside = all(rest_, Eigen::all);
  std::vector<Index> acting;
  for (Index j = 0; j < inside.cols(); ++j) {
    if (inside.col(j).any()) acting.push_back(j);
  }
  patterns_ = inside(Eigen::all, acting);
  deflections_.resize(problem_->size(), patterns_.cols());
  if (patterns_.cols() == 0) return;
  problem_->solve(patterns_, deflections_);
  pattern_flexibility_ = patterns_.cwiseProduct(deflections_).colwise().sum();
  pattern_inertia_ = deflections_.cwiseProduct(problem_->mass() * deflections_).colwise().sum();
}

// --- how many modes --------------------------------------------------------------------------------------------------

Index BasisBuilder::choose_modes() {
  if (options_.modes >= 0) return std::min(options_.modes, problem_->lowest(options_.modes + 1).vibrating());
  if (options_.up_to > 0.0) return choose_below(squared(options_.up_to));
  return choose_by_error();
}

Index BasisBuilder::choose_below(double square) {
  for (Index batch = first_batch;; batch *= 2) {
    const Modes& modes = problem_->lowest(batch);
    const Index below = (modes.squares.array() <= square).count() - modes.rigid;
    if (below < modes.vibrating() || modes.complete) return below;
    require(batch < most_modes, "up_to = {} Hz: there are more than {} modes below. Lower it.", options_.up_to, batch);
  }
}

Index BasisBuilder::choose_by_error() {
  for (Index batch = first_batch;; batch *= 2) {
    const Modes& modes = problem_->lowest(batch);
    Index high = modes.complete ? modes.vibrating() : modes.vibrating() - 1;
    if (modes.complete || indicator(high) <= options_.error) {
      Index low = -1;  // the indicator falls with every mode: bisection
      while (high - low > 1) {
        const Index middle = (low + high) / 2;
        (indicator(middle) <= options_.error ? high : low) = middle;
      }
      return high;
    }
    require(batch < most_modes, "error = {} needs more than {} modes up to {} Hz. Raise it, or keep more coordinates.",
            options_.error, batch, options_.highest_frequency);
  }
}

double BasisBuilder::first_left_out(Index modes) {
  const Modes& found = problem_->lowest(modes + 1);
  return found.vibrating() > modes ? found.squares[found.rigid + modes] : infinity;
}

double BasisBuilder::indicator(Index modes) {
  const double square = squared(options_.highest_frequency);
  const double next = first_left_out(modes);
  if (next == infinity) return 0.0;
  if (next <= square) return infinity;
  const double amplification = 1.0 / (1.0 - square / next);
  return std::max(boundary_indicator(modes, square, amplification), pattern_indicator(modes, square, amplification));
}

double BasisBuilder::boundary_indicator(Index modes, double square, double amplification) {
  if (kept_stiffness_.rows() == 0) return 0.0;
  const Modes& found = problem_->lowest(modes);
  const Matrix parts = coupling_.transpose() * found.shapes.middleCols(found.rigid, modes);
  const Vector inverse = found.squares.segment(found.rigid, modes).cwiseInverse();
  Matrix missing = coupling_flexibility_ - parts * inverse.asDiagonal() * parts.transpose();
  missing *= square * square * amplification;
  const Matrix energy = kept_stiffness_ + square * kept_mass_;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(missing, energy, Eigen::EigenvaluesOnly);
  return solver.info() == Eigen::Success ? std::max(0.0, solver.eigenvalues().maxCoeff()) : infinity;
}

double BasisBuilder::pattern_indicator(Index modes, double square, double amplification) {
  const Modes& found = problem_->lowest(modes);
  double worst = 0.0;
  for (Index j = 0; j < patterns_.cols(); ++j) {
    double flexibility = pattern_flexibility_[j];
    double inertia = pattern_inertia_[j];
    if (flexibility <= 0.0) continue;  // it moves the rest without deforming it
    for (Index i = found.rigid; i < found.rigid + modes; ++i) {
      const double part = found.shapes.col(i).dot(patterns_.col(j)) / found.squares[i];
      flexibility -= part * part * found.squares[i];
      inertia -= part * part;
    }
    const double missing = options_.residual ? square * inertia : flexibility;
    worst = std::max(worst, missing * amplification / pattern_flexibility_[j]);
  }
  return worst;
}

// --- shapes ----------------------------------------------------------------------------------------------------------

/// What is left of the static deflections beside the modes, made orthogonal in mass and stiffness.
Matrix BasisBuilder::residual_shapes(Index modes, Vector& squares) {
  const Modes& found = problem_->lowest(modes);
  const Matrix shapes = found.shapes.leftCols(found.rigid + modes);
  Matrix left = deflections_;
  for (int pass = 0; pass < 2; ++pass) {  // the second removes the rounding of the first
    left -= shapes * (shapes.transpose() * (problem_->mass() * left)).eval();
  }
  Matrix stiffness = projected(problem_->stiffness(), left);
  const Vector scale = pattern_flexibility_.unaryExpr([](double f) { return f > 0.0 ? 1.0 / std::sqrt(f) : 0.0; });
  stiffness = (scale.asDiagonal() * stiffness * scale.asDiagonal()).eval();
  const Eigen::SelfAdjointEigenSolver<Matrix> strain(stiffness);
  const Index count = (strain.eigenvalues().array() > negligible).count();
  if (count == 0) return Matrix(left.rows(), 0);
  // Strain energy one, then diagonal in mass: M y = ν K y.
  const Vector length = strain.eigenvalues().tail(count).cwiseSqrt().cwiseInverse();
  left = left * (scale.asDiagonal() * strain.eigenvectors().rightCols(count) * length.asDiagonal());
  const Eigen::SelfAdjointEigenSolver<Matrix> inertia(projected(problem_->mass(), left));
  Matrix result = left * inertia.eigenvectors().rowwise().reverse();
  const Vector masses = inertia.eigenvalues().reverse();
  squares.resize(count);
  for (Index j = 0; j < count; ++j) {
    const bool moves = masses[j] > negligible * masses[0];  // else unit stiffness without mass
    if (moves) result.col(j) /= std::sqrt(masses[j]);
    squares[j] = moves ? 1.0 / masses[j] : 1.0;
  }
  return result;
}

ReductionBasis BasisBuilder::build() {
  if (problem_->floats()) problem_->lowest(std::max(first_batch, options_.modes + 1));
  find_static_shapes();
  find_patterns();
  const Index modes = choose_modes();
  ReductionBasis basis;
  Vector residual_squares;
  Matrix residuals(problem_->size(), 0);
  if (options_.residual && patterns_.cols() > 0) residuals = residual_shapes(modes, residual_squares);
  const double next = first_left_out(modes);
  const Modes& found = problem_->lowest(modes);
  const Index kept = kept_stiffness_.rows();
  const Index all_modes = found.rigid + modes;
  basis.squares.resize(all_modes + residuals.cols());
  basis.squares << found.squares.head(all_modes), residual_squares;
  basis.shapes = Matrix::Zero(structure_.size(), kept + basis.squares.size());
  for (Index i = 0; i < kept; ++i) basis.shapes(options_.boundary[static_cast<std::size_t>(i)], i) = 1.0;
  for (std::size_t i = 0; i < rest_.size(); ++i) {
    const auto row = static_cast<Index>(i);
    basis.shapes.row(rest_[i]) << static_shapes_.row(row), found.shapes.row(row).head(all_modes), residuals.row(row);
  }
  basis.summary = {.full = structure_.size(),
                   .kept = kept,
                   .rigid = found.rigid,
                   .modes = modes,
                   .residuals = residuals.cols(),
                   .highest_mode = modes > 0 ? hertz(found.squares[all_modes - 1]) : 0.0,
                   .first_left_out = hertz(next),
                   .highest_frequency = options_.highest_frequency};
  if (options_.highest_frequency > 0.0) basis.summary.error = indicator(modes);
  return basis;
}

}  // namespace masing::detail
