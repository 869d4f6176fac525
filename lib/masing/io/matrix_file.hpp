// Matrices from files, chosen by what a user writes in a study:
//
//   "mass.mtx"              Matrix Market: coordinate or array, real or integer, general or symmetric
//                           or matrix input text of Abaqus (node, degree of freedom, node, degree of freedom, value)
//   "model.h5:/path/mass"   HDF5: a dense two-dimensional dataset, or a group with a compressed sparse matrix: data,
//                           indices, indptr (by rows, or by columns if its attribute encoding-type is csc_matrix), or
//                           data, ir, jc (by columns, as MATLAB writes it); square when it has no dataset `shape`
//   "model.mat:M"           MATLAB, versions 5 to 7.3: a full or sparse matrix of doubles
//   "model.pch:KAAX"        Nastran: DMIG entries of a punch file (.pch, .dmig), symmetric or square, real
//
// Matrices of Abaqus and Nastran have labels, "12.3" for degree of freedom 3 of node 12.
// The part behind the colon may be left out when the file holds one matrix only. Duplicate entries of a coordinate file
// are added up. Every entry is finite, or a ModelError says where it is not.
#pragma once

#include "masing/structure/catalogue.hpp"

#include <filesystem>
#include <string>

namespace masing {

/// Relative file names are taken from `base_folder`. Throws ModelError with file and line or place.
SparseMatrix read_matrix(const std::string& reference, const std::filesystem::path& base_folder);

/// The same with the labels of its rows, if the file has them.
LabelledMatrix read_labelled_matrix(const std::string& reference, const std::filesystem::path& base_folder);

/// read_labelled_matrix with a fixed folder, for the catalogue of structures.
MatrixLoader matrix_loader(std::filesystem::path base_folder);

}  // namespace masing
