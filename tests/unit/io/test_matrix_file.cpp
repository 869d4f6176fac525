#include "masing/core/error.hpp"
#include "masing/io/hdf5.hpp"
#include "masing/io/matrix_file.hpp"
#include "support/scratch_folder.hpp"
#include "support/source_folder.hpp"

#include <matio.h>
#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

using namespace masing;
using Catch::Contains;
using Catch::EndsWith;

namespace {

/// Matrices in files of a folder for one test.
class Folder : public test::ScratchFolder {
 public:
  Matrix read(const std::string& reference) const { return read_matrix(reference, path()); }
};

const Matrix example{{2.0, -1.5, 0.0}, {-1.5, 4.0, 0.25}, {0.0, 0.25, 1e-9}};
const Matrix unsymmetric{{1.0, 2.0, 0.0}, {0.0, 3.0, 4.0}};

// --- writers ---------------------------------------------------------------------------------------------------------

struct SparseArrays {
  std::vector<std::int64_t> indices, pointers;
  Vector data;
};

SparseArrays compressed_columns(const Matrix& dense) {
  const SparseMatrix matrix = dense.sparseView();
  SparseArrays arrays;
  arrays.pointers.assign(matrix.outerIndexPtr(), matrix.outerIndexPtr() + matrix.cols() + 1);
  arrays.indices.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
  arrays.data = Eigen::Map<const Vector>(matrix.valuePtr(), matrix.nonZeros());
  return arrays;
}

template <class Group>
void write_dense(Group&& group, const std::string& name, const Matrix& matrix) {
  h5::Series series = group.create_series(name, {.columns = matrix.cols()}, "", "a matrix");
  for (Index row = 0; row < matrix.rows(); ++row) series.append(Vector(matrix.row(row)));
  series.write();
}

template <class Group>
void write_sparse(Group&& group, const SparseArrays& arrays, const std::string& index, const std::string& pointer) {
  group.write("data", arrays.data, "", "values");
  group.write(index, arrays.indices, "", "indices");
  group.write(pointer, arrays.pointers, "", "pointers");
}

struct MatFile {
  MatFile(const std::string& path, mat_ft version) : file(Mat_CreateVer(path.c_str(), nullptr, version)) {
    REQUIRE(file);
  }
  ~MatFile() { Mat_Close(file); }
  MatFile(const MatFile&) = delete;
  MatFile& operator=(const MatFile&) = delete;

  void add(const char* name, matio_classes kind, matio_types type, const Matrix& shape, void* data,
           int flags = 0) const {
    std::size_t dims[2] = {static_cast<std::size_t>(shape.rows()), static_cast<std::size_t>(shape.cols())};
    matvar_t* variable = Mat_VarCreate(name, kind, type, 2, dims, data, flags);
    REQUIRE(variable != nullptr);
    CHECK(Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE) == 0);
    Mat_VarFree(variable);
  }
  void add_dense(const char* name, Matrix matrix) const {
    add(name, MAT_C_DOUBLE, MAT_T_DOUBLE, matrix, matrix.data());
  }
  void add_sparse(const char* name, const Matrix& matrix) const {
    SparseArrays arrays = compressed_columns(matrix);
    std::vector<mat_uint32_t> rows(arrays.indices.begin(), arrays.indices.end());
    std::vector<mat_uint32_t> starts(arrays.pointers.begin(), arrays.pointers.end());
    const auto entries = static_cast<mat_uint32_t>(rows.size());
    mat_sparse_t sparse{entries, rows.data(),       entries, starts.data(), static_cast<mat_uint32_t>(starts.size()),
                        entries, arrays.data.data()};
    add(name, MAT_C_SPARSE, MAT_T_DOUBLE, matrix, &sparse, MAT_F_DONT_COPY_DATA);
  }

  mat_t* file;
};

}  // namespace

// --- Matrix Market ---------------------------------------------------------------------------------------------------

TEST_CASE("Matrix Market: coordinate and array, general and symmetric", "[matrix file]") {
  const Folder folder;
  folder.write("a.mtx",
               "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n\n3 3 5\n1 1 2\n2 1 -1.5\n2 2 +4.0\n"
               "3 2 2.5e-1\n3 3 1E-9\n");
  CHECK(folder.read("a.mtx") == example);
  folder.write("b.mtx",
               "%%MatrixMarket MATRIX Coordinate Integer General\r\n2 3 4\r\n1 1 1\r\n2 2 3\r\n1 2 2\r\n2 3 4\r\n");
  CHECK(folder.read("b.mtx") == unsymmetric);
  folder.write("c.mtx", "%%MatrixMarket matrix array real general\n2 3\n1\n0\n2\n3\n0\n4\n");
  CHECK(folder.read("c.mtx") == unsymmetric);
  folder.write("d.mtx", "%%MatrixMarket matrix array real symmetric\n3 3\n2\n-1.5\n0\n4\n0.25\n1e-9\n");
  CHECK(folder.read("d.mtx") == example);
}

TEST_CASE("Matrix Market: duplicate entries add up", "[matrix file]") {
  const Folder folder;
  folder.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 2\n1 1 3\n");
  CHECK(folder.read("a.mtx") == Matrix::Constant(1, 1, 5.0));
}

TEST_CASE("Matrix Market: what is wrong is named with its line", "[matrix file][errors]") {
  const Folder folder;
  const auto fails = [&](const std::string& text, const std::string& message) {
    folder.write("bad.mtx", text);
    CHECK_THROWS_AS(folder.read("bad.mtx"), ModelError);
    CHECK_THROWS_WITH(folder.read("bad.mtx"), EndsWith("bad.mtx:" + message));
  };
  const std::string real = "%%MatrixMarket matrix coordinate real general\n";
  fails("1 2 3\n",
        "1: this is not the first line of a Matrix Market file. It should read like '%%MatrixMarket matrix "
        "coordinate real symmetric'.");
  fails("",
        "1: this is not the first line of a Matrix Market file. It should read like '%%MatrixMarket matrix coordinate "
        "real symmetric'.");
  fails("%%MatrixMarket matrix coordinate complex general\n",
        "1: complex matrices are not accepted. Use real or integer.");
  fails("%%MatrixMarket matrix coordinate pattern general\n",
        "1: pattern matrices are not accepted. Use real or integer.");
  fails("%%MatrixMarket matrix array real skew-symmetric\n",
        "1: skew-symmetric matrices are not accepted. Use general or symmetric.");
  fails("%%MatrixMarket matrix list real general\n", "1: format 'list' is not known. Use coordinate or array.");
  fails(real, "1: the file ends before the size line.");
  fails(real + "% c\n2 2\n", "3: the size line '2 2' must have 3 integers: rows, columns, entries.");
  fails(real + "2 2.5 1\n", "2: '2.5' is not an integer.");
  fails(real + "0 2 1\n", "2: the size 0 × 2 must be positive.");
  fails(real + "2 2 -1\n", "2: the number of entries -1 must not be negative.");
  fails("%%MatrixMarket matrix array real symmetric\n2 3\n",
        "2: a symmetric matrix must be square; this one is 2 × 3.");
  fails(real + "2 2 1\n3 1 1.0\n", "3: entry (3, 1) lies outside of the 2 × 2 matrix. Indices begin with 1.");
  fails(real + "2 2 1\n0 1 1.0\n", "3: entry (0, 1) lies outside of the 2 × 2 matrix. Indices begin with 1.");
  fails("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1.0\n",
        "3: entry (1, 2) is above the diagonal. A symmetric file holds the lower triangle only.");
  fails(real + "2 2 1\n1 2 nan\n", "3: the entry in row 1, column 2 is nan. All entries must be finite numbers.");
  fails(real + "2 2 1\n1 2 1,5\n", "3: '1,5' is not a number.");
  fails(real + "2 2 1\n1 2\n", "3: '1 2' must have 3 numbers: row, column, value.");
  fails(real + "2 2 3\n1 1 1.0\n", "3: the file ends after 1 of 3 entries.");
  fails(real + "2 2 1\n1 1 1.0\n2 2 1.0\n", "4: text behind the last entry; the size line announces 1 entries.");
}

TEST_CASE("files that are not there or of an unknown kind", "[matrix file][errors]") {
  const Folder folder;
  CHECK_THROWS_WITH(folder.read("none.mtx"),
                    Contains("none.mtx' does not exist. File names are relative to the study file."));
  CHECK_THROWS_WITH(folder.read("none.h5:/m"), Contains("none.h5' does not exist."));
  CHECK_THROWS_WITH(folder.read("none.mat:m"), Contains("none.mat' does not exist."));
  CHECK_THROWS_WITH(folder.read(""), "a file name is missing in \"\".");
  CHECK_THROWS_WITH(
      folder.read("matrix.csv"),
      EndsWith("matrix.csv': the kind of file is not known. Use .mtx (Matrix Market or Abaqus), .h5 or .hdf5 (HDF5, "
               "\"file.h5:/path\"), .mat (MATLAB, \"file.mat:name\"), or .pch or .dmig (Nastran, \"file.pch:NAME\")."));
  folder.write("a.mtx", "");
  CHECK_THROWS_WITH(folder.read("a.mtx:M"), EndsWith("a.mtx': a Matrix Market file holds one matrix; leave off ':M'."));
  std::filesystem::create_directory(folder.path() / "folder.mtx");
  CHECK_THROWS_WITH(folder.read("folder.mtx"), EndsWith("folder.mtx' is a folder, not a matrix file."));
}

TEST_CASE("the loader reads relative to its folder", "[matrix file]") {
  const Folder folder;
  folder.write("a.mtx", "%%MatrixMarket matrix array real general\n1 1\n7\n");
  CHECK(Matrix(matrix_loader(folder.path())("a.mtx").matrix) == Matrix::Constant(1, 1, 7.0));
  CHECK(Matrix(matrix_loader("")(folder.file("a.mtx")).matrix) == Matrix::Constant(1, 1, 7.0));
}

// --- HDF5 ------------------------------------------------------------------------------------------------------------

TEST_CASE("HDF5: dense datasets and sparse groups", "[matrix file]") {
  const Folder folder;
  {
    h5::File file = h5::File::create(folder.file("a.h5"));
    h5::Group model = file.root().create_group("model", "matrices");
    write_dense(model, "dense", unsymmetric);
    const SparseArrays columns = compressed_columns(unsymmetric);
    h5::Group csc = model.create_group("csc", "by columns");
    csc.set_attribute("encoding-type", std::string("csc_matrix"));
    write_sparse(csc, columns, "indices", "indptr");
    csc.write("shape", std::vector<std::int64_t>{2, 3}, "", "rows, columns");
    h5::Group csr = model.create_group("csr", "by rows");
    write_sparse(csr, compressed_columns(unsymmetric.transpose()), "indices", "indptr");
    csr.write("shape", std::vector<std::int64_t>{2, 3}, "", "rows, columns");
    h5::Group matlab = model.create_group("matlab", "as MATLAB writes it");
    write_sparse(matlab, compressed_columns(example), "ir", "jc");
  }
  CHECK(folder.read("a.h5:/model/dense") == unsymmetric);
  CHECK(folder.read("a.h5:model//dense") == unsymmetric);
  CHECK(folder.read("a.h5:/model/csc") == unsymmetric);
  CHECK(folder.read("a.h5:/model/csr") == unsymmetric);
  CHECK(folder.read("a.h5:/model/matlab") == example);
}

TEST_CASE("HDF5: the only matrix needs no path", "[matrix file]") {
  const Folder folder;
  {
    h5::File file = h5::File::create(folder.file("a.hdf5"));
    write_dense(file.root(), "k", example);
    h5::File sparse = h5::File::create(folder.file("b.h5"));
    write_sparse(sparse.root(), compressed_columns(example), "indices", "indptr");
  }
  CHECK(folder.read("a.hdf5") == example);
  CHECK(folder.read("a.hdf5:/") == example);
  CHECK(folder.read("b.h5") == example);
}

TEST_CASE("HDF5: what is wrong is named", "[matrix file][errors]") {
  const Folder folder;
  {
    h5::File file = h5::File::create(folder.file("a.h5"));
    h5::Group root = file.root();
    Matrix broken = example;
    broken(1, 2) = std::numeric_limits<double>::quiet_NaN();
    write_dense(root, "broken", broken);
    root.write_text("words", "text", "no matrix");
    root.create_group("group", "empty");
    SparseArrays arrays = compressed_columns(example);
    arrays.indices[1] = 3;
    write_sparse(root.create_group("range", ""), arrays, "indices", "indptr");
    arrays = compressed_columns(example);
    arrays.pointers.back() += 1;
    write_sparse(root.create_group("pointers", ""), arrays, "indices", "indptr");
    h5::Group shape = root.create_group("shape", "");
    write_sparse(shape, compressed_columns(example), "indices", "indptr");
    shape.write("shape", std::vector<std::int64_t>{4, 3}, "", "");
  }
  CHECK_THROWS_WITH(
      folder.read("a.h5:/mass"),
      EndsWith("a.h5:/mass': there is no 'mass'. There is: broken, group, pointers, range, shape, words."));
  CHECK_THROWS_WITH(folder.read("a.h5:/group/mass"), EndsWith("there is no 'mass'. It is empty."));
  CHECK_THROWS_WITH(folder.read("a.h5:/nothing/mass"), Contains("there is no 'nothing'. There is: broken"));
  CHECK_THROWS_WITH(folder.read("a.h5:/broken/mass"), EndsWith("'broken' is a dataset, not a group."));
  CHECK_THROWS_WITH(folder.read("a.h5"),
                    EndsWith("a.h5' holds 6 objects; say which one, as \"file.h5:/path\". There is: "
                             "broken, group, pointers, range, shape, words."));
  CHECK_THROWS_WITH(folder.read("a.h5:/broken"),
                    EndsWith("a.h5:/broken: the entry in row 2, column 3 is nan. All entries must be finite numbers."));
  CHECK_THROWS_WITH(
      folder.read("a.h5:/group"),
      EndsWith("a.h5:/group' is a group without 'data'. A sparse matrix has data, indices, indptr (or data, ir, "
               "jc). It is empty."));
  CHECK_THROWS_WITH(folder.read("a.h5:/range"),
                    EndsWith("a.h5:/range: index 3 of the sparse matrix is out of range 0 to 2."));
  CHECK_THROWS_WITH(folder.read("a.h5:/pointers"),
                    Contains("the sparse matrix is inconsistent: 7 values, 7 indices, pointers "
                             "from 0 to 8."));
  CHECK_THROWS_WITH(folder.read("a.h5:/shape"), EndsWith("a.h5:/shape': shape does not fit the 4 entries of indptr."));
  CHECK_THROWS_AS(folder.read("a.h5:/words"), ModelError);
  CHECK_THROWS_WITH(folder.read("a.h5:/words"), Contains("a.h5:/words' is not a matrix that can be read: "));
  folder.write("text.h5", "no HDF5");
  CHECK_THROWS_WITH(folder.read("text.h5:/a"), EndsWith("text.h5' is not an HDF5 file."));
}

// --- MATLAB ----------------------------------------------------------------------------------------------------------

TEST_CASE("MATLAB: full and sparse matrices, versions 5 and 7.3", "[matrix file]") {
  const mat_ft version = GENERATE(MAT_FT_MAT5, MAT_FT_MAT73);
  const Folder folder;
  {
    const MatFile file(folder.file("a.mat"), version);
    file.add_dense("K", unsymmetric);
    file.add_sparse("M", example);
    file.add_sparse("L", unsymmetric);
  }
  CHECK(folder.read("a.mat:K") == unsymmetric);
  CHECK(folder.read("a.mat:M") == example);
  CHECK(folder.read("a.mat:L") == unsymmetric);
}

TEST_CASE("MATLAB: the only matrix needs no name", "[matrix file]") {
  const Folder folder;
  {
    const MatFile file(folder.file("a.mat"), MAT_FT_MAT5);
    std::string text = "steel";
    file.add("note", MAT_C_CHAR, MAT_T_UINT8, Matrix(1, 5), text.data());
    file.add_dense("K", example);
  }
  CHECK(folder.read("a.mat") == example);
}

TEST_CASE("MATLAB: what is wrong is named", "[matrix file][errors]") {
  const Folder folder;
  {
    const MatFile file(folder.file("a.mat"), MAT_FT_MAT5);
    Matrix broken = example;
    broken(0, 2) = std::numeric_limits<double>::infinity();
    file.add_dense("broken", broken);
    file.add_dense("stiffness", example);
    std::string text = "steel";
    file.add("note", MAT_C_CHAR, MAT_T_UINT8, Matrix(1, 5), text.data());
    Matrix real = example;
    Matrix imaginary = example;
    mat_complex_split_t parts{real.data(), imaginary.data()};
    file.add("Z", MAT_C_DOUBLE, MAT_T_DOUBLE, example, &parts, MAT_F_COMPLEX);
  }
  CHECK_THROWS_WITH(folder.read("a.mat:stifness"),
                    EndsWith("a.mat' has no variable 'stifness'. Did you mean 'stiffness'?"));
  CHECK_THROWS_WITH(folder.read("a.mat"),
                    EndsWith("a.mat' holds 3 matrices; say which one, as \"file.mat:name\". There is: "
                             "broken, stiffness, note, Z."));
  CHECK_THROWS_WITH(folder.read("a.mat:broken"),
                    EndsWith("a.mat:broken: the entry in row 1, column 3 is inf. All entries must be finite numbers."));
  CHECK_THROWS_WITH(
      folder.read("a.mat:note"),
      EndsWith("a.mat:note' is not a full or sparse matrix of doubles. In MATLAB, save double(…) of it."));
  CHECK_THROWS_WITH(folder.read("a.mat:Z"),
                    EndsWith("a.mat:Z' is complex; structures have real matrices. Save its real part."));
  folder.write("text.mat", "no MATLAB file, only some text in it");
  CHECK_THROWS_WITH(folder.read("text.mat:K"), EndsWith("text.mat' is not a MATLAB file (version 5 to 7.3)."));
}

// --- the shipped matrices --------------------------------------------------------------------------------------------

TEST_CASE("the cantilever matrices have the natural frequencies of a clamped beam", "[matrix file]") {
  const std::filesystem::path data = std::filesystem::path(test::source_folder()) / "models" / "data";
  const Matrix mass = read_matrix("cantilever_mass.mtx", data);
  const Matrix stiffness = read_matrix("cantilever_stiffness.mtx", data);
  REQUIRE(mass.rows() == 40);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(stiffness, mass);
  // ω_j = (λ_j/L)² √(EI/ρA) with cos λ cosh λ = −1 (A. W. Leissa, M. S. Qatu, Vibrations of Continuous Systems, 2011).
  const double speed = std::sqrt(210e9 * 0.005 * 0.005 / 12.0 / 7850.0);
  const double roots[3] = {1.875104068711961, 4.694091132974175, 7.854757438237613};
  // 20 cubic elements: error (λh/L)⁴/1440, 2e-5 for the third mode.
  constexpr double discretisation = 2e-5;
  for (Index j = 0; j < 3; ++j) {
    const double expected = std::pow(roots[j] / 0.6, 2) * speed;
    CHECK(std::sqrt(modes.eigenvalues()[j]) == Approx(expected).epsilon(discretisation));
  }
}
