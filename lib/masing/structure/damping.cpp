#include "masing/structure/damping.hpp"

#include "masing/core/error.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

namespace masing {
namespace {

void check(const DampingOptions& options) {
  const auto non_negative = [](const char* name, double value) {
    require(std::isfinite(value) && value >= 0.0, "{} = {} must be >= 0 and finite.", name, value);
  };
  non_negative("rayleigh alpha", options.rayleigh_alpha);
  non_negative("rayleigh beta", options.rayleigh_beta);
  non_negative("loss_factor", options.loss_factor);
  require(std::isfinite(options.modal_ratio) && options.modal_ratio >= 0.0,
          "modal_damping = {} must be >= 0 and finite.", options.modal_ratio);
  for (std::size_t i = 0; i < options.modal_ratios.size(); ++i) {
    const double ratio = options.modal_ratios[i];
    require(std::isfinite(ratio) && ratio >= 0.0, "modal_damping: entry {} = {} must be >= 0 and finite.", i + 1,
            ratio);
  }
}

struct Modes {
  Vector squared_frequencies;  // elastic modes only, ascending [rad²/s²]
  Matrix shapes;               // mass-normalised, one column a mode
};

Modes elastic_modes(const SparseMatrix& mass, const SparseMatrix& stiffness, double rigid_below) {
  const Index size = mass.rows();
  require(
      size <= max_modal_damping_size,
      "modal_damping needs all modes of the structure, which has {} unknowns; the limit is {}. Use rayleigh damping "
      "or a loss_factor, or reduce the model first.",
      size, max_modal_damping_size);
  const Matrix m = mass;
  require(m.llt().info() == Eigen::Success,
          "modal_damping needs a positive definite mass matrix; this one has massless motions. Give every coordinate a "
          "mass, or use rayleigh damping or a loss_factor.");
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(Matrix(stiffness), m);
  const Vector& squares = solver.eigenvalues();
  // Rounding of the eigenvalues is of the order of machine precision times the largest one, per unknown.
  const double rounding =
      std::numeric_limits<double>::epsilon() * static_cast<double>(size) * squares.cwiseAbs().maxCoeff();
  const double rigid = std::max(rounding, rigid_below);
  Index first = 0;
  while (first < size && squares[first] <= rigid) ++first;
  return {squares.tail(size - first), solver.eigenvectors().rightCols(size - first)};
}

Matrix modal_damping(const SparseMatrix& mass, const SparseMatrix& stiffness, const DampingOptions& options) {
  const std::vector<double>& ratios = options.modal_ratios;
  const Modes modes = elastic_modes(mass, stiffness, options.rigid_below);
  const Index count = modes.squared_frequencies.size();
  const auto given = static_cast<Index>(ratios.size());
  require(given <= count, "modal_damping has {} ratios but the structure has {} elastic mode{}. Shorten the list.",
          given, count, count == 1 ? "" : "s");
  Vector factors = Vector::Zero(count);
  for (Index j = 0; j < count; ++j) {
    const double ratio = options.modal_ratio + (j < given ? ratios[static_cast<std::size_t>(j)] : 0.0);
    factors[j] = 2.0 * ratio * std::sqrt(modes.squared_frequencies[j]);
  }
  const Matrix weighted = mass * modes.shapes;
  const Matrix damping = weighted * factors.asDiagonal() * weighted.transpose();
  return 0.5 * (damping + damping.transpose());
}

}  // namespace

SparseMatrix damping_matrix(const SparseMatrix& mass, const SparseMatrix& stiffness, const DampingOptions& options) {
  check(options);
  SparseMatrix damping(mass.rows(), mass.cols());
  if (options.viscous.size() > 0) damping = options.viscous;
  if (options.rayleigh_alpha != 0.0) damping = SparseMatrix(damping + options.rayleigh_alpha * mass);
  if (options.rayleigh_beta != 0.0) damping = SparseMatrix(damping + options.rayleigh_beta * stiffness);
  if (options.modal_ratio != 0.0 || !options.modal_ratios.empty()) {
    const Matrix modal = modal_damping(mass, stiffness, options);
    damping = SparseMatrix(damping + SparseMatrix(modal.sparseView()));
  }
  damping.makeCompressed();
  return damping;
}

SparseMatrix hysteretic_matrix(const SparseMatrix& stiffness, const DampingOptions& options) {
  check(options);
  SparseMatrix hysteretic(stiffness.rows(), stiffness.cols());
  if (options.hysteretic.size() > 0) hysteretic = options.hysteretic;
  if (options.loss_factor != 0.0) hysteretic = SparseMatrix(hysteretic + options.loss_factor * stiffness);
  hysteretic.makeCompressed();
  return hysteretic;
}

}  // namespace masing
