#include "masing/structure/detail/matrix_damping.hpp"

#include "masing/structure/detail/damped_mode.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace masing::detail {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
// Up to here all eigenvalues are computed at once; up to there, when a mode cannot be followed.
constexpr Index completely_at_once = 50;
constexpr Index largest_complete = 300;
constexpr double uncoupled = 1e-10;

DampingOfMode of_eigenvalue(Complex lambda) {
  return {.ratio = -lambda.real() / std::abs(lambda), .omega = lambda.imag()};
}

/// λ² + c λ + ω² + ih = 0
DampingOfMode single(double square, double c, double h) {
  const double omega = std::sqrt(square);
  if (h == 0.0) return {.ratio = 0.5 * c / omega, .omega = std::sqrt(std::max(0.0, square - 0.25 * c * c))};
  const Complex root = std::sqrt(Complex(0.25 * c * c - square, -h));
  return of_eigenvalue(-0.5 * c + (root.imag() > 0.0 ? root : -root));
}

/// Size of the rounding errors of a product with a matrix that cancels, as K x does in a fine mesh.
double product_rounding(const SparseMatrix& matrix, const Vector& x) {
  constexpr double rounding = 100.0 * std::numeric_limits<double>::epsilon();
  return rounding * (SparseMatrix(matrix.cwiseAbs()) * x.cwiseAbs()).norm();
}

/// Whether (ωC + H) x lies along M x, to rounding.
bool decoupled(const SystemMatrices& s, const Vector& shape, double omega, double c, double h) {
  const Vector inertia = s.mass * shape;
  const Vector viscous = omega * (s.damping * shape);
  const Vector hysteretic = s.hysteretic * shape;
  const double size = uncoupled * (viscous.norm() + hysteretic.norm());
  return (viscous - omega * c * inertia).norm() <= size + omega * product_rounding(s.damping, shape) &&
         (hysteretic - h * inertia).norm() <= size + product_rounding(s.hysteretic, shape);
}

// --- all eigenvalues ---------------------------------------------------------------------------------------------------

struct Eigenpairs {
  ComplexVector values;
  ComplexMatrix shapes;
};

/// With λ = s (1 + 1/ν): ν² T(s) + ν s (2s M + C) + s² M, T(s) = s² M + s C + K + iH; massless motions have ν = 0.
template <class Scalar, class Solver>
Eigenpairs all_eigenpairs(const SystemMatrices& system, const Eigen::Matrix<Scalar, -1, -1>& stiffness, double s) {
  using Square = Eigen::Matrix<Scalar, -1, -1>;
  const Index n = stiffness.rows();
  const Matrix mass = s * s * Matrix(system.mass), damping = s * Matrix(system.damping);
  const Square total = stiffness + (mass + damping).template cast<Scalar>();
  const Vector scale = total.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
  const auto scaled = [&](const auto& matrix) {
    return Square((scale.asDiagonal() * matrix * scale.asDiagonal()).template cast<Scalar>());
  };
  const Eigen::PartialPivLU<Square> factors(scaled(total));
  Square companion = Square::Zero(2 * n, 2 * n);
  companion.topLeftCorner(n, n) = -factors.solve(scaled(Matrix(2.0 * mass + damping)));
  companion.topRightCorner(n, n) = -factors.solve(scaled(mass));
  companion.bottomLeftCorner(n, n).setIdentity();
  const Solver solver(companion);
  Eigenpairs pairs{.values = ComplexVector(2 * n), .shapes = ComplexMatrix(n, 2 * n)};
  const ComplexVector nu = solver.eigenvalues();
  const ComplexMatrix vectors = solver.eigenvectors();
  const double massless = 1e-9 * nu.cwiseAbs().maxCoeff();
  Index count = 0;
  for (Index i = 0; i < 2 * n; ++i) {
    if (std::abs(nu[i]) <= massless) continue;
    pairs.values[count] = s * (1.0 + 1.0 / nu[i]);
    pairs.shapes.col(count++) = scale.cast<Complex>().asDiagonal() * vectors.col(i).head(n);
  }
  pairs.values.conservativeResize(count);
  pairs.shapes.conservativeResize(n, count);
  return pairs;
}

/// Gives eigenvalues to undamped modes: each mode takes one with Im λ > 0, or two real ones.
class Assignment {
 public:
  Assignment(const SystemMatrices& system, const SymmetricModes& modes, const Eigenpairs& pairs, bool has_conjugates)
      : pairs_(pairs), taken_(static_cast<std::size_t>(modes.squares.size())) {
    const ComplexMatrix inertia = (system.mass * modes.shapes).cast<Complex>();
    share_ = (inertia.transpose() * pairs.shapes).cwiseAbs2();
    share_.array().rowwise() /= share_.colwise().sum().array().cwiseMax(1e-300).eval();
    std::vector<Index> oscillating, real;
    for (Index i = 0; i < pairs.values.size(); ++i) {
      const Complex value = pairs.values[i];
      const bool is_real = has_conjugates && std::abs(value.imag()) <= 1e-9 * std::abs(value);
      if (is_real) {
        real.push_back(i);
      } else if (value.imag() > 0.0) {
        oscillating.push_back(i);
      }
    }
    assign(oscillating, 2);
    assign(real, 1);
  }

  DampingOfMode of(Index mode) const {
    const std::vector<Index>& own = taken_[static_cast<std::size_t>(mode)].eigenvalues;
    if (own.empty()) return {.ratio = none, .omega = 0.0};
    if (own.size() == 1) return of_eigenvalue(pairs_.values[own[0]]);
    const double first = pairs_.values[own[0]].real(), second = pairs_.values[own[1]].real();
    const double product = first * second;
    return {.ratio = product > 0.0 ? -0.5 * (first + second) / std::sqrt(product) : none, .omega = 0.0};
  }

 private:
  struct Taken {
    int room = 2;
    std::vector<Index> eigenvalues;
  };

  /// The likest pairs first.
  void assign(const std::vector<Index>& eigenvalues, int room) {
    std::vector<std::pair<Index, Index>> candidates;
    for (const Index i : eigenvalues) {
      for (Index mode = 0; mode < share_.rows(); ++mode) candidates.emplace_back(mode, i);
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) {
      return share_(a.first, a.second) > share_(b.first, b.second);
    });
    std::vector<bool> used(static_cast<std::size_t>(share_.cols()), false);
    for (const auto& [mode, i] : candidates) {
      Taken& taken = taken_[static_cast<std::size_t>(mode)];
      if (used[static_cast<std::size_t>(i)] || taken.room < room) continue;
      used[static_cast<std::size_t>(i)] = true;
      taken.room -= room;
      taken.eigenvalues.push_back(i);
    }
  }

  const Eigenpairs& pairs_;
  Matrix share_;  // modes × eigenvalues
  std::vector<Taken> taken_;
};

Eigenpairs all_eigenpairs(const SystemMatrices& system, double reference) {
  const Matrix k = system.stiffness;
  if (system.hysteretic.nonZeros() == 0)
    return all_eigenpairs<double, Eigen::EigenSolver<Matrix>>(system, k, reference);
  const ComplexMatrix complex = k.cast<Complex>() + Complex(0.0, 1.0) * Matrix(system.hysteretic).cast<Complex>();
  return all_eigenpairs<Complex, Eigen::ComplexEigenSolver<ComplexMatrix>>(system, complex, reference);
}

// --- one mode at a time --------------------------------------------------------------------------------------------------

class SparseFamily final : public DampedFamily {
 public:
  explicit SparseFamily(const SystemMatrices& system)
      : m_(system.mass.cast<Complex>()),
        c_(system.damping.cast<Complex>()),
        k_(system.stiffness.cast<Complex>()),
        h_(system.hysteretic.cast<Complex>()) {}

  void go_to(Complex omega, double share) override {
    const Complex i(0.0, 1.0);
    derivative_ = -2.0 * omega * m_ + i * share * c_;
    matrix_ = k_ + i * share * h_ - omega * omega * m_ + i * omega * share * c_;
    factors_.compute(matrix_);
  }
  ComplexVector times(const ComplexVector& x) const override { return matrix_ * x; }
  ComplexVector derivative_times(const ComplexVector& x) const override { return derivative_ * x; }
  bool solve_in_place(ComplexVector& x) override {
    if (factors_.info() != Eigen::Success) return false;
    x = factors_.solve(ComplexVector(x));
    return x.allFinite();
  }

 private:
  using Sparse = Eigen::SparseMatrix<Complex>;
  Sparse m_, c_, k_, h_, matrix_, derivative_;
  Eigen::SparseLU<Sparse> factors_;
};

/// Returns the modes that could not be followed.
std::vector<Index> follow_all(const SystemMatrices& system, const SymmetricModes& modes,
                              const std::vector<Index>& coupled, std::vector<DampingOfMode>& result) {
  std::vector<Index> lost;
  SparseFamily family(system);
  for (const Index i : coupled) {
    const std::optional<Complex> damped = damped_frequency(family, std::sqrt(modes.squares[i]), modes.shapes.col(i));
    if (damped) {
      result[static_cast<std::size_t>(i)] = {.ratio = ratio_of(*damped), .omega = damped->real()};
    } else {
      lost.push_back(i);
    }
  }
  return lost;
}

}  // namespace

std::vector<DampingOfMode> damping_of_modes(const SystemMatrices& system, const SymmetricModes& modes, Index count) {
  std::vector<DampingOfMode> result;
  std::vector<Index> coupled;
  for (Index i = 0; i < count; ++i) {
    result.push_back({.ratio = none, .omega = none});
    const double square = modes.squares[i];
    if (square <= 0.0) continue;
    const Vector shape = modes.shapes.col(i);
    const double c = quadratic_form(system.damping, shape), h = quadratic_form(system.hysteretic, shape);
    if (decoupled(system, shape, std::sqrt(square), c, h)) {
      result.back() = single(square, c, h);
    } else {
      coupled.push_back(i);
    }
  }
  if (system.mass.rows() > completely_at_once) coupled = follow_all(system, modes, coupled, result);
  if (coupled.empty() || system.mass.rows() > largest_complete) return result;
  const double reference = std::sqrt(modes.squares[coupled.front()]);
  const Eigenpairs pairs = all_eigenpairs(system, reference);
  const Assignment assignment(system, modes, pairs, system.hysteretic.nonZeros() == 0);
  for (const Index i : coupled) result[static_cast<std::size_t>(i)] = assignment.of(i);
  return result;
}

}  // namespace masing::detail
