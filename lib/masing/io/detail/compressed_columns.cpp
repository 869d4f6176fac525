#include "masing/core/error.hpp"
#include "masing/io/detail/matrix_readers.hpp"

namespace masing::detail {

SparseMatrix assemble(const CompressedColumns& columns, const std::string& where) {
  const auto entries = static_cast<Index>(columns.values.size());
  require(!columns.starts.empty() && columns.starts.front() == 0 && columns.starts.back() == entries &&
              columns.rows.size() == columns.values.size(),
          "{}: the sparse matrix is inconsistent: {} values, {} indices, pointers from {} to {}. Pointers must run "
          "from 0 to "
          "the number of values.",
          where, columns.values.size(), columns.rows.size(), columns.starts.empty() ? 0 : columns.starts.front(),
          columns.starts.empty() ? 0 : columns.starts.back());
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(columns.values.size());
  for (std::size_t column = 0; column + 1 < columns.starts.size(); ++column) {
    const Index begin = columns.starts[column];
    const Index end = columns.starts[column + 1];
    require(0 <= begin && begin <= end && end <= entries,
            "{}: the pointers of the sparse matrix do not ascend at entry {}.", where, column + 1);
    for (Index i = begin; i < end; ++i) {
      const Index row = columns.rows[static_cast<std::size_t>(i)];
      require(row >= 0 && row < columns.row_count, "{}: index {} of the sparse matrix is out of range 0 to {}.", where,
              row, columns.row_count - 1);
      triplets.emplace_back(row, static_cast<Index>(column), columns.values[static_cast<std::size_t>(i)]);
    }
  }
  SparseMatrix matrix(columns.row_count, static_cast<Index>(columns.starts.size()) - 1);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

}  // namespace masing::detail
