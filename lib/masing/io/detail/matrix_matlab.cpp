#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/matrix_readers.hpp"
#include "masing/io/hdf5.hpp"

#include <matio.h>

#include <memory>
#include <mutex>

namespace masing::detail {
namespace {

struct CloseFile {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using File = std::unique_ptr<mat_t, CloseFile>;
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

bool is_matrix(const matvar_t& variable) {
  return variable.rank == 2 && (variable.class_type == MAT_C_DOUBLE || variable.class_type == MAT_C_SPARSE);
}

struct Contents {
  std::vector<std::string> all;
  std::vector<std::string> matrices;
};

Contents contents_of(mat_t* file) {
  Contents contents;
  Mat_Rewind(file);
  for (Variable variable(Mat_VarReadNextInfo(file)); variable; variable.reset(Mat_VarReadNextInfo(file))) {
    if (variable->name == nullptr) continue;
    contents.all.emplace_back(variable->name);
    if (is_matrix(*variable)) contents.matrices.emplace_back(variable->name);
  }
  Mat_Rewind(file);
  return contents;
}

std::string chosen_name(const std::string& name, const Contents& contents, const std::string& path) {
  if (!name.empty()) {
    for (const std::string& known : contents.all) {
      if (known == name) return name;
    }
    throw ModelError(fmt::format("'{}' has no variable '{}'.{}", path, name, suggestion(name, contents.all)));
  }
  require(contents.matrices.size() == 1, "'{}' holds {} matrices; say which one, as \"file.mat:name\". There is: {}.",
          path, contents.matrices.size(), join(contents.all, ", "));
  return contents.matrices.front();
}

SparseMatrix sparse_matrix(const matvar_t& variable, const std::string& where) {
  const auto& source = *static_cast<const mat_sparse_t*>(variable.data);
  const auto* values = static_cast<const double*>(source.data);
  const CompressedColumns columns{.row_count = static_cast<Index>(variable.dims[0]),
                                  .starts = {source.jc, source.jc + source.njc},
                                  .rows = {source.ir, source.ir + source.ndata},
                                  .values = {values, values + source.ndata}};
  return assemble(columns, where);
}

SparseMatrix convert(const matvar_t& variable, const std::string& where) {
  require(is_matrix(variable) && variable.data_type == MAT_T_DOUBLE,
          "'{}' is not a full or sparse matrix of doubles. In MATLAB, save double(…) of it.", where);
  require(variable.isComplex == 0, "'{}' is complex; structures have real matrices. Save its real part.", where);
  require(variable.data != nullptr && variable.dims[0] > 0 && variable.dims[1] > 0, "'{}' is empty.", where);
  if (variable.class_type == MAT_C_SPARSE) return sparse_matrix(variable, where);
  const Eigen::Map<const Matrix> dense(static_cast<const double*>(variable.data), static_cast<Index>(variable.dims[0]),
                                       static_cast<Index>(variable.dims[1]));
  return dense.sparseView(0.0, 0.0);
}

}  // namespace

SparseMatrix read_matlab_matrix(const std::string& path, const std::string& name) {
  const std::lock_guard lock(h5::library_mutex());  // version 7.3 files are HDF5 files
  const File file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  require(file != nullptr, "'{}' is not a MATLAB file (version 5 to 7.3).", path);
  const std::string chosen = chosen_name(name, contents_of(file.get()), path);
  const std::string where = fmt::format("{}:{}", path, chosen);
  const Variable variable(Mat_VarRead(file.get(), chosen.c_str()));
  require(variable != nullptr, "'{}' cannot be read; the file is damaged or uses a feature that is not known.", where);
  return convert(*variable, where);
}

}  // namespace masing::detail
