#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/matrix_readers.hpp"
#include "masing/io/hdf5.hpp"

#include <mutex>
#include <optional>

namespace masing::detail {
namespace {

std::optional<h5::Group> as_group(const h5::Group& parent, const std::string& name) {
  try {
    return parent.group(name);
  } catch (const Error&) {
    return std::nullopt;  // a dataset
  }
}

std::string listing(const h5::Group& group) {
  const std::vector<std::string> names = group.children();
  return names.empty() ? "It is empty." : fmt::format("There is: {}.", join(names, ", "));
}

std::vector<Index> indices(const h5::Group& group, const std::string& name) {
  const std::vector<std::int64_t> integers = group.read_integers(name);
  return {integers.begin(), integers.end()};
}

// Rows and columns, or nothing when the file does not say.
std::vector<Index> shape_of(const h5::Group& group) {
  return group.has("shape") ? indices(group, "shape") : std::vector<Index>{};
}

/// data with indices and indptr, or with ir and jc.
SparseMatrix read_sparse(const h5::Group& group, const std::string& where) {
  const bool matlab = group.has("jc");
  const bool by_columns =
      matlab || (group.has_attribute("encoding-type") && group.text_attribute("encoding-type") == "csc_matrix");
  const std::string index = matlab ? "ir" : "indices";
  const std::string pointer = matlab ? "jc" : "indptr";
  for (const std::string& name : {std::string("data"), index, pointer}) {
    require(group.has(name),
            "'{}' is a group without '{}'. A sparse matrix has data, indices, indptr (or data, ir, jc). {}", where,
            name, listing(group));
  }
  const Matrix data = group.read_reals("data");
  CompressedColumns compressed{.row_count = 0,
                               .starts = indices(group, pointer),
                               .rows = indices(group, index),
                               .values = {data.data(), data.data() + data.size()}};
  const std::vector<Index> shape = shape_of(group);
  const auto stripes = static_cast<Index>(compressed.starts.size()) - 1;
  require(shape.empty() || (shape.size() == 2 && shape[by_columns ? 1 : 0] == stripes),
          "'{}': shape does not fit the {} entries of {}.", where, stripes + 1, pointer);
  compressed.row_count = shape.empty() ? stripes : shape[by_columns ? 0 : 1];
  const SparseMatrix matrix = assemble(compressed, where);
  return by_columns ? matrix : SparseMatrix(matrix.transpose());
}

SparseMatrix read_object(const h5::Group& parent, const std::string& name, const std::string& where) {
  if (const std::optional<h5::Group> group = as_group(parent, name)) return read_sparse(*group, where);
  const Matrix dense = parent.read_reals(name);
  require(dense.size() > 0, "'{}': the dataset is empty.", where);
  return dense.sparseView(0.0, 0.0);
}

SparseMatrix read_only_object(const h5::Group& root, const std::string& path) {
  if (root.has("data") && (root.has("indptr") || root.has("jc"))) return read_sparse(root, path);
  const std::vector<std::string> names = root.children();
  require(names.size() == 1, "'{}' holds {} objects; say which one, as \"file.h5:/path\". {}", path, names.size(),
          listing(root));
  return read_object(root, names.front(), fmt::format("{}:/{}", path, names.front()));
}

SparseMatrix read_path(const h5::Group& root, const std::string& inside, const std::string& where) {
  std::optional<h5::Group> group;
  const h5::Group* present = &root;
  std::size_t begin = inside.find_first_not_of('/');
  for (std::size_t slash = inside.find('/', begin); slash != std::string::npos; slash = inside.find('/', begin)) {
    const std::string name = inside.substr(begin, slash - begin);
    begin = slash + 1;
    if (name.empty()) continue;
    require(present->has(name), "'{}': there is no '{}'. {}", where, name, listing(*present));
    std::optional<h5::Group> next = as_group(*present, name);
    require(next.has_value(), "'{}': '{}' is a dataset, not a group.", where, name);
    group = std::move(next);
    present = &*group;
  }
  const std::string name = inside.substr(begin);
  require(!name.empty() && present->has(name), "'{}': there is no '{}'. {}", where, name, listing(*present));
  return read_object(*present, name, where);
}

}  // namespace

SparseMatrix read_hdf5_matrix(const std::string& path, const std::string& inside) {
  const std::lock_guard lock(h5::library_mutex());
  const h5::File file = h5::File::open_to_read(path);
  const std::string where = path + ":" + inside;
  try {
    const bool whole_file = inside.find_first_not_of('/') == std::string::npos;
    return whole_file ? read_only_object(file.root(), path) : read_path(file.root(), inside, where);
  } catch (const ModelError&) {
    throw;
  } catch (const Error& error) {
    throw ModelError(fmt::format("'{}' is not a matrix that can be read: {}", where, error.what()));
  }
}

}  // namespace masing::detail
