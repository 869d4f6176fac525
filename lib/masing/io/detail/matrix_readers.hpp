// One reader a file format, used by matrix_file.cpp. All throw ModelError.
#pragma once

#include "masing/core/types.hpp"
#include "masing/structure/catalogue.hpp"

#include <string>
#include <vector>

namespace masing::detail {

SparseMatrix read_matrix_market(const std::string& path);
/// `inside` is the path of a dataset or group; empty: the only matrix of the file.
SparseMatrix read_hdf5_matrix(const std::string& path, const std::string& inside);
/// `name` is the variable; empty: the only matrix of the file.
SparseMatrix read_matlab_matrix(const std::string& path, const std::string& name);

/// Whether a .mtx file is of Abaqus and not a Matrix Market file.
bool is_abaqus_matrix(const std::string& path);
LabelledMatrix read_abaqus_matrix(const std::string& path);
/// `name` is the matrix; empty: the only one of the file.
LabelledMatrix read_dmig_matrix(const std::string& path, const std::string& name);

/// Compressed columns: entries of column j are starts[j] … starts[j+1] − 1 of rows and values.
struct CompressedColumns {
  Index row_count = 0;
  std::vector<Index> starts;
  std::vector<Index> rows;
  std::vector<double> values;
};
/// Checks that the arrays fit together; `where` names them in messages.
SparseMatrix assemble(const CompressedColumns& columns, const std::string& where);

}  // namespace masing::detail
