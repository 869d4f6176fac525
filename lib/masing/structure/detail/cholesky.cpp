#include "masing/structure/detail/cholesky.hpp"

#include "masing/core/error.hpp"

#include <Eigen/CholmodSupport>
#include <algorithm>
#include <limits>

namespace masing::detail {

namespace {
// Columns of one call: enough for matrix-matrix kernels, little beside the factors.
constexpr Index columns_at_once = 32;
}  // namespace

/// Eigen's interface with access to the factor, for the pivots.
class Cholesky::Factors : public Eigen::CholmodBase<SparseMatrix, Eigen::Lower, Cholesky::Factors> {
 public:
  Factors() {
    m_cholmod.print = 0;
    m_cholmod.final_asis = 1;
    m_cholmod.supernodal = CHOLMOD_SUPERNODAL;
    m_cholmod.nmethods = 1;
    m_cholmod.method[0].ordering = CHOLMOD_METIS;
    m_cholmod.postorder = 1;
  }

  int status() const { return m_cholmod.status; }

  Pivot smallest_pivot() const {
    const cholmod_factor& l = *m_cholmodFactor;
    const auto* order = static_cast<const int*>(l.Perm);
    if (l.minor < l.n) return {std::numeric_limits<double>::quiet_NaN(), order[l.minor]};
    const auto* values = static_cast<const double*>(l.x);
    const auto* first_column = static_cast<const int*>(l.super);
    const auto* first_row = static_cast<const int*>(l.pi);
    const auto* first_value = static_cast<const int*>(l.px);
    Pivot smallest{std::numeric_limits<double>::infinity(), 0};
    for (std::size_t block = 0; block < l.nsuper; ++block) {
      const int rows = first_row[block + 1] - first_row[block];
      for (int column = first_column[block]; column < first_column[block + 1]; ++column) {
        const auto diagonal =
            static_cast<std::size_t>(column - first_column[block]) * static_cast<std::size_t>(rows + 1);
        const double entry = values[static_cast<std::size_t>(first_value[block]) + diagonal];
        if (entry * entry < smallest.value) smallest = {entry * entry, order[column]};
      }
    }
    return smallest;
  }
};

Cholesky::Cholesky() = default;
Cholesky::~Cholesky() = default;
Cholesky::Cholesky(Cholesky&&) noexcept = default;
Cholesky& Cholesky::operator=(Cholesky&&) noexcept = default;

bool Cholesky::factorise(const SparseMatrix& matrix) {
  factors_ = std::make_unique<Factors>();
  const auto check = [&] {
    if (factors_->status() >= CHOLMOD_OK) return;
    throw NumericalError(
        fmt::format("The sparse factorisation of a matrix with {} rows and {} entries does not fit into memory "
                    "(CHOLMOD status {}).",
                    matrix.rows(), matrix.nonZeros(), factors_->status()));
  };
  factors_->analyzePattern(matrix);
  check();
  factors_->factorize(matrix);
  check();
  return factors_->info() == Eigen::Success;
}

void Cholesky::solve(const Eigen::Ref<const Matrix>& right, Eigen::Ref<Matrix> solution) const {
  for (Index first = 0; first < right.cols(); first += columns_at_once) {
    const Index count = std::min(columns_at_once, right.cols() - first);
    const Matrix block = right.middleCols(first, count);
    solution.middleCols(first, count) = factors_->solve(block);
  }
}

Cholesky::Pivot Cholesky::smallest_pivot() const { return factors_->smallest_pivot(); }

}  // namespace masing::detail
