#include "masing/structure/reduction.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/reduction_basis.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace masing {
namespace {

// What rounding in the full matrices leaves of the λ = 0 of a rigid mode, over their largest λ.
constexpr double rounding_of_zero = 2e-14;

void check(const MatrixStructure& structure, const ReductionOptions& options) {
  const int chosen = (options.modes >= 0) + (options.up_to > 0.0) + (options.error > 0.0);
  require(chosen == 1, "A reduction needs exactly one of modes, up_to and error; {} are given.", chosen);
  require(options.error <= 0.0 || options.highest_frequency > 0.0,
          "error = {} needs the highest frequency of interest: set `frequency`.", options.error);
  require(options.patterns.size() == 0 || options.patterns.rows() == structure.size(),
          "The patterns of a reduction have {} rows, the structure has {} coordinates.", options.patterns.rows(),
          structure.size());
  require(options.kind == ReductionKind::craig_bampton || options.boundary.empty(),
          "A modal reduction keeps no coordinates. Use Craig-Bampton.");
  require(
      std::is_sorted(options.boundary.begin(), options.boundary.end(), std::less_equal<>()) &&
          (options.boundary.empty() || (options.boundary.front() >= 0 && options.boundary.back() < structure.size())),
      "The kept coordinates of a reduction must be ascending, distinct and in [0, {}).", structure.size());
}

/// Kept names, then mode1, …, residual1, …, out of the way of what the structure has names for.
std::vector<std::string> reduced_names(const MatrixStructure& full, const ReductionOptions& options,
                                       const ReductionSummary& summary) {
  std::vector<std::string> names;
  for (const Index i : options.boundary) names.push_back(full.coordinates()[static_cast<std::size_t>(i)]);
  const auto add = [&](std::string_view word, Index count) {
    for (Index i = 0; i < count; ++i) {
      std::string name = fmt::format("{}{}", word, i + 1);
      while (full.motion(name).size() > 0) name += "'";
      names.push_back(std::move(name));
    }
  };
  add("rigid", summary.rigid);
  add("mode", summary.modes);
  add("residual", summary.residuals);
  return names;
}

SparseMatrix reduced_matrix(const SparseMatrix& matrix, const Matrix& shapes) {
  if (matrix.nonZeros() == 0) return SparseMatrix(shapes.cols(), shapes.cols());
  return detail::projected(matrix, shapes).sparseView();
}

/// Tᵀ C T of damping, which may resist a shape by nothing but rounding errors of its terms: these become zero.
SparseMatrix reduced_damping(const SparseMatrix& matrix, const Matrix& shapes) {
  constexpr double rounding = 1e-13;
  if (matrix.nonZeros() == 0) return SparseMatrix(shapes.cols(), shapes.cols());
  Matrix result = detail::projected(matrix, shapes);
  const Matrix terms = matrix.cwiseAbs() * shapes.cwiseAbs();
  for (Index i = 0; i < result.rows(); ++i) {
    if (result(i, i) > rounding * shapes.col(i).cwiseAbs().dot(terms.col(i))) continue;
    result.row(i).setZero();
    result.col(i).setZero();
  }
  return result.sparseView();
}

/// Tᵀ K T, with the zeros and the diagonal that it has by construction. Where the structure follows a kept coordinate
/// without resistance, only rounding errors are left of its stiffness: they become zero.
SparseMatrix reduced_stiffness(const SparseMatrix& stiffness, const std::vector<Index>& boundary,
                               const detail::ReductionBasis& basis) {
  constexpr double rounding = 1e-12;  // of the stiffness that the coordinate feels alone
  const Index kept = basis.summary.kept;
  const Index size = basis.shapes.cols();
  Matrix result = Matrix::Zero(size, size);
  result.topLeftCorner(kept, kept) = detail::projected(stiffness, basis.shapes.leftCols(kept));
  for (Index i = 0; i < kept; ++i) {
    const Index coordinate = boundary[static_cast<std::size_t>(i)];
    if (result(i, i) > rounding * stiffness.coeff(coordinate, coordinate)) continue;
    result.row(i).setZero();
    result.col(i).setZero();
  }
  result.diagonal().tail(size - kept) = basis.squares;
  return result.sparseView();
}

}  // namespace

std::vector<std::string> ReductionSummary::lines() const {
  std::vector<std::string> text;
  const std::string rigid_text = rigid > 0 ? fmt::format("{} rigid, ", rigid) : "";
  text.push_back(fmt::format("{} unknowns reduced to {}: {} kept, {}{} mode{}{}, {} residual shape{}", full,
                             kept + rigid + modes + residuals, kept, rigid_text, modes, modes == 1 ? "" : "s",
                             modes > 0 ? fmt::format(" up to {:.4g} Hz", highest_mode) : "", residuals,
                             residuals == 1 ? "" : "s"));
  const std::string next = std::isfinite(first_left_out)
                               ? fmt::format("first mode left out at {:.4g} Hz", first_left_out)
                               : "no mode left out";
  text.push_back(std::isnan(error)
                     ? next
                     : fmt::format("{}; error indicator {:.2g} at {:.4g} Hz", next, error, highest_frequency));
  return text;
}

ReducedStructure::ReducedStructure(std::shared_ptr<const MatrixStructure> full, Matrix shapes,
                                   MatrixStructureOptions matrices, ReductionSummary summary)
    : MatrixStructure(std::move(matrices)), full_(std::move(full)), shapes_(std::move(shapes)), summary_(summary) {}

Vector ReducedStructure::motion(std::string_view name) const {
  const Vector own = Structure::motion(name);
  if (own.size() > 0) return own;
  const Vector whole = full_->motion(name);
  return whole.size() > 0 ? reduced_load(whole) : Vector();
}

std::vector<std::string> ReducedStructure::motion_names() const {
  std::vector<std::string> names = coordinates();
  for (const std::string& name : full_->motion_names()) {
    if (find(name) < 0) names.push_back(name);
  }
  return names;
}

Vector ReducedStructure::nearest(const Vector& motion) const {
  return Matrix(mass()).ldlt().solve(reduced_load(full_->mass() * motion));
}

std::shared_ptr<const ReducedStructure> reduce(std::shared_ptr<const MatrixStructure> structure,
                                               const ReductionOptions& options) {
  check(*structure, options);
  detail::ReductionBasis basis = detail::BasisBuilder(*structure, options).build();
  MatrixStructureOptions matrices;
  matrices.mass = reduced_matrix(structure->mass(), basis.shapes);
  matrices.stiffness = reduced_stiffness(structure->stiffness(), options.boundary, basis);
  matrices.damping = structure->damping_for_reduction();
  matrices.damping.rigid_below = rounding_of_zero * detail::largest_ratio(structure->stiffness(), structure->mass());
  matrices.damping.viscous = reduced_damping(structure->damping(), basis.shapes);
  matrices.damping.loss_factor = structure->loss_factor();
  SparseMatrix other = structure->hysteretic() - structure->loss_factor() * structure->stiffness();
  other.prune(0.0, 0.0);
  matrices.damping.hysteretic = reduced_damping(other, basis.shapes);
  matrices.coordinates = reduced_names(*structure, options, basis.summary);
  return std::make_shared<const ReducedStructure>(std::move(structure), std::move(basis.shapes), std::move(matrices),
                                                  basis.summary);
}

}  // namespace masing
