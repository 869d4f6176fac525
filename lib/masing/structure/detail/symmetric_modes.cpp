#include "masing/structure/detail/symmetric_modes.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/elastic_problem.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

namespace masing::detail {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr Index largest_dense = 400;
// Beyond this the factors of CHOLMOD and Lanczos iteration are worth their start.
constexpr Index smallest_large = 5000;
// First shift, of the ratio of the traces of K and M. It is then lowered to ω² of the modes; less is no gain.
constexpr double first_shift = 1e-6;
constexpr double worthwhile = 0.1;
constexpr int most_shifts = 30;
// A shift that is larger than the lowest elastic ω² by more than this costs it digits.
constexpr double coarse = 1e-4;

constexpr int most_iterations = 200;
constexpr double converged = 1e-13;
// In a mesh of 1000 beam elements rounding errors of the factors are 1e-5 of the lowest ω²: changes that no longer fall, and
// are no larger than that, are noise. The quotients of energies below do not carry it.
constexpr double noise = 1e-5;
constexpr int patience = 8;
// Modes of a large model that are looked for first when only the highest frequency is given.
constexpr Index first_guess = 20;

double trace_ratio(const SparseMatrix& stiffness, const SparseMatrix& mass) {
  const double k = stiffness.diagonal().cwiseAbs().sum();
  return k > 0.0 ? k / mass.diagonal().sum() : 1.0;
}

/// Eigenvalues μ of (M, K + σM), turned into ω²; massless motions (μ = 0) are left out.
SymmetricModes from_inverse(const Vector& mu, const Matrix& shapes, double shift) {
  const double largest = mu[mu.size() - 1];
  const double massless = 10.0 * static_cast<double>(mu.size()) * epsilon * largest;
  const Index first = (mu.array() <= massless).count();
  const Index count = mu.size() - first;
  SymmetricModes modes{.squares = Vector(count), .shapes = Matrix(shapes.rows(), count)};
  for (Index i = 0; i < count; ++i) {
    const Index from = mu.size() - 1 - i;
    modes.squares[i] = 1.0 / mu[from] - shift;
    modes.shapes.col(i) = shapes.col(from) / std::sqrt(mu[from]);  // xᵀ(K + σM)x = 1 there
  }
  return modes;
}

/// The lowest ω² that is clearly positive beside the shift it was found with; at least what keeps K + σM positive.
double better_shift(const Vector& squares, double shift) {
  constexpr double clearly = 1e-8;
  double elastic = shift;
  for (const double square : squares) {
    if (square > clearly * shift) {
      elastic = square;
      break;
    }
  }
  return std::max(elastic, -2.0 * squares[0]);
}

SymmetricModes dense_modes(const SparseMatrix& stiffness, const SparseMatrix& mass) {
  const Matrix k = stiffness, m = mass;
  double shift = first_shift * trace_ratio(stiffness, mass);
  SymmetricModes modes;
  for (int i = 0; i < most_shifts; ++i) {
    const Matrix shifted = k + shift * m;
    if (shifted.llt().info() != Eigen::Success) {
      shift *= 100.0;
      continue;
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(m, shifted);
    modes = from_inverse(solver.eigenvalues(), solver.eigenvectors(), shift);
    const double better = better_shift(modes.squares, shift);
    if (better >= worthwhile * shift) return modes;
    shift = better;
  }
  throw NumericalError(
      "The modes could not be computed: stiffness and mass matrix have a motion in common that neither resists.");
}

using SparseFactors = Eigen::SimplicialLDLT<SparseMatrix>;

/// Number of eigenvalues ω² below `square`.
Index count_below(const SparseMatrix& stiffness, const SparseMatrix& mass, double square) {
  const SparseFactors factors(SparseMatrix(stiffness - square * mass));
  return (factors.vectorD().array() < 0.0).count();
}

class SubspaceIteration {
 public:
  SubspaceIteration(const SparseMatrix& stiffness, const SparseMatrix& mass)
      : k_(stiffness), m_(mass), shift_(first_shift * trace_ratio(stiffness, mass)) {
    factorise();
  }

  /// The lowest `wanted` to rounding, in a space of `size` motions.
  SymmetricModes run(Index wanted, Index size) {
    start(size);
    Vector before;
    bool polished = false;
    double least_change = 1.0;
    int since_least = 0;
    for (int i = 0; i < most_iterations; ++i) {
      iterate();
      const Vector now = modes_.squares.head(std::min(wanted, modes_.squares.size())).array() + shift_;
      const double change = before.size() == now.size() ? ((now - before).array() / now.array()).abs().maxCoeff() : 1.0;
      since_least = change < 0.5 * least_change ? 0 : since_least + 1;
      least_change = std::min(least_change, change);
      const bool settled = change <= converged || (least_change <= noise && since_least >= patience);
      before = now;
      // On the way down the highest of the space tells the size; in the end, the lowest elastic one is worth its digits.
      const double better =
          settled ? better_shift(modes_.squares, shift_) : modes_.squares.tail<1>().cwiseAbs().value();
      if (settled && (polished || better > coarse * shift_)) return modes_;
      if (settled || better < worthwhile * shift_) {
        polished = polished || settled;
        shift_ = better;
        factorise();
        before.resize(0);
        least_change = 1.0, since_least = 0;
      }
    }
    throw NumericalError(
        fmt::format("The lowest {} modes did not settle in {} subspace iterations.", wanted, most_iterations));
  }

 private:
  void factorise() {
    for (int i = 0; i < most_shifts; ++i, shift_ *= 100.0) {
      factors_.compute(SparseMatrix(k_ + shift_ * m_));
      if (factors_.info() == Eigen::Success && (factors_.vectorD().array() > 0.0).all()) return;
    }
    throw NumericalError(
        "The modes could not be computed: stiffness and mass matrix have a motion in common that neither resists.");
  }

  void start(Index size) {
    constexpr unsigned seed = 1972;
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    space_ = Matrix::NullaryExpr(k_.rows(), size, [&] { return uniform(generator); });
  }

  void iterate() {
    const Matrix force = m_ * space_;
    const Matrix image = factors_.solve(force);
    // Columns of equal size: the projected matrices are then well scaled.
    const Vector scale =
        (image.cwiseProduct(force)).colwise().sum().cwiseAbs().cwiseSqrt().cwiseMax(1e-300).cwiseInverse();
    const Matrix scaled = image * scale.asDiagonal();
    const Matrix projected = scaled.transpose() * (force * scale.asDiagonal());  // Xᵀ(K + σM)X
    const Matrix mass = scaled.transpose() * (m_ * scaled);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(mass, 0.5 * (projected + projected.transpose()));
    modes_ = from_inverse(solver.eigenvalues(), scaled * solver.eigenvectors(), shift_);
    space_ = modes_.shapes;
  }

  const SparseMatrix& k_;
  const SparseMatrix& m_;
  double shift_;
  SparseFactors factors_;
  Matrix space_;
  SymmetricModes modes_;
};

SymmetricModes sparse_modes(const SparseMatrix& stiffness, const SparseMatrix& mass, const ModeRange& range) {
  constexpr double just_above = 1.0 + 1e-6;
  Index wanted = std::min(range.count, stiffness.rows());
  if (std::isfinite(range.up_to)) wanted = std::min(wanted, count_below(stiffness, mass, range.up_to * range.up_to));
  wanted = std::max<Index>(wanted, 1);
  SubspaceIteration iteration(stiffness, mass);
  Index size = std::min(stiffness.rows(), wanted + std::max<Index>(8, wanted / 2));
  for (;;) {
    SymmetricModes modes = iteration.run(wanted, size);
    const Index found = std::min(wanted, modes.squares.size());
    const double last = modes.squares[found - 1];
    const double beside = last > 0.0 ? last * just_above : last + 1e-6 * std::abs(last);
    const Index below = last > 0.0 ? count_below(stiffness, mass, beside) : found;
    const Index seen = (modes.squares.array() < beside).count();
    if (below <= seen || size == stiffness.rows()) return modes;
    size = std::min(stiffness.rows(), 2 * size);
  }
}

/// By Lanczos iteration with the factors of CHOLMOD; nothing if K is indefinite.
std::optional<SymmetricModes> large_modes(const SparseMatrix& stiffness, const SparseMatrix& mass,
                                          const ModeRange& range) {
  try {
    ElasticProblem problem(stiffness, mass, std::vector<std::string>(static_cast<std::size_t>(stiffness.rows())));
    Index count = std::min(range.count, stiffness.rows());
    if (std::isfinite(range.up_to)) count = std::min<Index>(count, first_guess);
    for (;; count = std::min(2 * count, range.count)) {
      const Modes& found = problem.lowest(count);
      const bool beyond = found.squares.size() > 0 && found.squares.tail<1>().value() > range.up_to * range.up_to;
      if (beyond || found.complete || count >= range.count) return SymmetricModes{found.squares, found.shapes};
    }
  } catch (const NumericalError&) {
    return std::nullopt;
  }
}

/// ω² as quotients of energies. They err by the square of what the shapes do, and do not carry the rounding errors of
/// factors of K, which in a mesh of 1000 beam elements are 1e-5 of the lowest ω².
void improve_squares(const SparseMatrix& stiffness, const SparseMatrix& mass, SymmetricModes& modes) {
  constexpr double trusted = 1e-3;
  for (Index i = 0; i < modes.squares.size(); ++i) {
    const double quotient = quadratic_form(stiffness, modes.shapes.col(i)) / quadratic_form(mass, modes.shapes.col(i));
    if (std::abs(quotient - modes.squares[i]) <= trusted * std::abs(modes.squares[i])) modes.squares[i] = quotient;
  }
}

}  // namespace

SymmetricModes symmetric_modes(const SparseMatrix& stiffness, const SparseMatrix& mass, const ModeRange& range) {
  if (mass.diagonal().sum() <= 0.0) return {};
  const bool dense = stiffness.rows() <= largest_dense;
  std::optional<SymmetricModes> large;
  if (stiffness.rows() >= smallest_large) large = large_modes(stiffness, mass, range);
  SymmetricModes modes = large   ? std::move(*large)
                         : dense ? dense_modes(stiffness, mass)
                                 : sparse_modes(stiffness, mass, range);
  improve_squares(stiffness, mass, modes);
  return modes;
}

double quadratic_form(const SparseMatrix& matrix, const Eigen::Ref<const Vector>& x) {
  long double sum = 0.0L;
  for (Index j = 0; j < matrix.outerSize(); ++j) {
    long double force = 0.0L;
    for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry) {
      force += static_cast<long double>(entry.value()) * x[entry.row()];
    }
    sum += force * x[j];
  }
  return static_cast<double>(sum);
}

bool is_rigid(const SparseMatrix& stiffness, const Vector& shape) {
  constexpr double rounding = 100.0 * epsilon;
  const Vector magnitude = shape.cwiseAbs();
  const double energy = quadratic_form(stiffness, shape);
  return std::abs(energy) <= rounding * magnitude.dot(SparseMatrix(stiffness.cwiseAbs()) * magnitude);
}

}  // namespace masing::detail
