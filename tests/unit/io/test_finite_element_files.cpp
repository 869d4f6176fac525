// Matrices of Abaqus (.mtx) and Nastran (.pch, .dmig), and structures made of them.
#include "masing/core/error.hpp"
#include "masing/io/matrix_file.hpp"
#include "masing/structure/matrix_structure.hpp"
#include "support/scratch_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace masing;
using Catch::Contains;
using Catch::EndsWith;

namespace {

class Folder : public test::ScratchFolder {
 public:
  LabelledMatrix read(const std::string& reference) const { return read_labelled_matrix(reference, path()); }
  LabelledMatrix read_text(const std::string& name, const std::string& text) const {
    write(name, text);
    return read(name);
  }
  std::shared_ptr<const MatrixStructure> structure(
      std::initializer_list<std::pair<const std::string, OptionValue>> values) const {
    const StructureEntry* entry = find_structure("matrices");
    const OptionValues completed = OptionValues::from(entry->parameters, values, "structure");
    return std::dynamic_pointer_cast<const MatrixStructure>(entry->make(completed, matrix_loader(path())));
  }
};

using Texts = std::vector<std::string>;

const Matrix example{{4.0, -1.5, 0.0}, {-1.5, 2.0, -0.5}, {0.0, -0.5, 3.0}};

const std::string abaqus_triangle =
    "** ASSEMBLY\n*MATRIX INPUT, NAME=K, TYPE=SYMMETRIC\n"
    "2,1, 2,1,  4.000000000000000e+00\n3,1, 2,1, -1.5\n3,1, 3,1, 2.0\n12,3, 3,1, -5.0e-01\n12,3, 12,3, 3.0\n";

// --- DMIG ------------------------------------------------------------------------------------------------------------

const std::string small_fields =
    "$ a comment\n"
    "GRID    2               0.0     0.0     0.0\n"
    "DMIG    KAAX    0       6       2       0                       3\n"
    "DMIG    KAAX    2       1               2       1       4.0\n"
    "+       3       1       -1.5                            \n"
    "DMIG    KAAX    3       1               3       1       2.\n"
    "        12      3       -5.-1\n"
    "DMIG    KAAX    12      3               12      3       .3+1\n"
    "ENDDATA\n";

const std::string large_fields =
    "DMIG    KAAX           0       6       1       0\n"
    "DMIG*   KAAX                           2               1\n"
    "*                      2               1 4.000000000D+00\n"
    "*                      3               1-1.500000000D+00\n"
    "DMIG*   KAAX                           3               1\n"
    "*                      3               1 2.000000000D+00\n"
    "*                     12               3-5.000000000D-01\n"
    "DMIG*   KAAX                          12               3\n"
    "*                     12               3 3.000000000D+00\n";

const std::string free_fields =
    "DMIG,KAAX,0,1,2\n"
    "DMIG,KAAX,2,1,,2,1,4.0,\n,3,1,-1.5\n"
    "DMIG,KAAX,3,1,,2,1,-1.5,,\n+,3,1,2.0,,12,3,-0.5,\n"
    "DMIG,KAAX,12,3,,3,1,-0.5,\n,12,3,3.0\n";

}  // namespace

TEST_CASE("Abaqus: one triangle, both triangles, with and without a header", "[matrix file]") {
  const Folder folder;
  const LabelledMatrix triangle = folder.read_text("k.mtx", abaqus_triangle);
  CHECK(triangle.labels == Texts{"2.1", "3.1", "12.3"});
  CHECK(Matrix(triangle.matrix) == example);

  const LabelledMatrix bare = folder.read_text("labels.mtx",
                                               "2 1 2 1 4.0\n2 1 3 1 -1.5\n3 1 2 1 -1.5\n3 1 3 1 2.0\n"
                                               "12 3 3 1 -0.5\n3 1 12 3 -0.5\n12 3 12 3 3.0\n");
  CHECK(Matrix(bare.matrix) == example);

  const LabelledMatrix unsymmetric =
      folder.read_text("u.mtx", "*MATRIX INPUT, NAME=G, TYPE=UNSYMMETRIC\n1,1,1,1,1.0\n1,2,1,1,2.0\n1,2,1,2,1.0\n");
  CHECK(Matrix(unsymmetric.matrix) == Matrix{{1.0, 0.0}, {2.0, 1.0}});
}

TEST_CASE("Abaqus: fixed degrees of freedom are taken out of every matrix", "[matrix file]") {
  const Folder folder;
  const LabelledMatrix held = folder.read_text("k.mtx", "1,1,1,1,1.0e+36\n2,1,1,1,-1.0\n2,1,2,1,2.0\n");
  CHECK(held.labels == Texts{"2.1"});
  CHECK(held.fixed == Texts{"1.1"});
  folder.write("m.mtx", "1,1,1,1,0.5\n2,1,1,1,0.25\n2,1,2,1,0.5\n");
  const auto structure = folder.structure({{"mass", std::string("m.mtx")}, {"stiffness", std::string("k.mtx")}});
  CHECK(structure->coordinates() == Texts{"2.1"});
  CHECK(Matrix(structure->mass()) == Matrix::Constant(1, 1, 0.5));
}

TEST_CASE("Abaqus: a wrong line is named", "[matrix file][errors]") {
  const Folder folder;
  folder.write("k.mtx", "1,1,1,1,1.0\n1,1,1,x,2.0\n");
  CHECK_THROWS_WITH(folder.read("k.mtx"),
                    EndsWith("k.mtx:2: '1,1,1,x,2.0' must be: row node, degree of freedom, column "
                             "node, degree of freedom, value."));
  folder.write("e.mtx", "** nothing\n*MATRIX INPUT\n");
  CHECK_THROWS_WITH(folder.read("e.mtx"), EndsWith("e.mtx: the file has no entries."));
  folder.write("n.mtx", "1,1,1,1,inf\n");
  CHECK_THROWS_WITH(folder.read("n.mtx"), EndsWith("n.mtx:1: the entry is inf. All entries must be finite numbers."));
}

TEST_CASE("Nastran: small, large and free fields", "[matrix file]") {
  const Folder folder;
  for (const std::string& text : {small_fields, large_fields, free_fields}) {
    INFO(text);
    const LabelledMatrix matrix = folder.read_text("k.pch", text);
    CHECK(matrix.labels == Texts{"2.1", "3.1", "12.3"});
    CHECK(Matrix(matrix.matrix) == example);
  }
}

TEST_CASE("Nastran: several matrices in a file, scalar points", "[matrix file]") {
  const Folder folder;
  folder.write("model.dmig", small_fields +
                                 "DMIG    MAAX    0       6       1\n"
                                 "DMIG    MAAX    2       1               2       1       0.25\n"
                                 "DMIG    MAAX    101     0               101     0       7.0\n");
  CHECK(Matrix(folder.read("model.dmig:KAAX").matrix) == example);
  const LabelledMatrix mass = folder.read("model.dmig:maax");
  CHECK(mass.labels == Texts{"2.1", "101"});
  CHECK(Matrix(mass.matrix) == Matrix{{0.25, 0.0}, {0.0, 7.0}});
  CHECK_THROWS_WITH(folder.read("model.dmig"),
                    EndsWith("model.dmig: the file has the matrices KAAX, MAAX. Say which: \"file.pch:KAAX\"."));
  CHECK_THROWS_WITH(folder.read("model.dmig:KAAY"),
                    EndsWith("model.dmig: there is no matrix 'KAAY'. Did you mean 'KAAX'?"));
}

TEST_CASE("Nastran: what cannot be read is named", "[matrix file][errors]") {
  const Folder folder;
  const auto fails = [&](const std::string& text, const std::string& message) {
    folder.write("k.pch", text);
    CHECK_THROWS_WITH(folder.read("k.pch"), EndsWith(message));
  };
  fails("GRID,1\n", "k.pch: the file has no DMIG entries.");
  fails("DMIG,K,0,9,2\nDMIG,K,1,1,,1,1,1.0\n",
        "k.pch:1: the form of the matrix is 9. Use 6 (symmetric) or 1 (square).");
  fails("DMIG,K,0,6,3\nDMIG,K,1,1,,1,1,1.0\n", "k.pch:1: the type of the matrix is 3. Use 1 or 2: real numbers.");
  fails("DMIG,K,1,1,,1,1,1.0\n", "k.pch:1: matrix K has no header, an entry with 0 in its third field.");
  fails("DMIG,K,0,6,1\n", "k.pch:1: matrix K has no entries.");
  fails("DMIG,K,0,6,1\nDMIG,K,1,1,,1,1,abc\n", "k.pch:2: 'abc' is not a number.");
  fails("DMIG,K,0,6,1\nDMIG,K,1,1,,1.5,1,1.0\n", "k.pch:2: '1.5' is not an integer.");
}

TEST_CASE("matrices with labels get a common order and names; a mixture is refused", "[matrix file]") {
  const Folder folder;
  folder.write("k.mtx", "10,1,10,1,5.0\n9,2,10,1,-1.0\n9,2,9,2,4.0\n");
  folder.write("m.pch", "DMIG,M,0,6,1\nDMIG,M,9,2,,9,2,2.0\nDMIG,M,11,0,,11,,3.0\nDMIG,M,10,1,,10,1,1.0\n");
  const auto structure = folder.structure({{"mass", std::string("m.pch")}, {"stiffness", std::string("k.mtx")}});
  CHECK(structure->coordinates() == Texts{"9.2", "10.1", "11"});
  CHECK(Matrix(structure->mass()) == Matrix(Vector(Eigen::Vector3d(2.0, 1.0, 3.0)).asDiagonal()));
  CHECK(Matrix(structure->stiffness()) == Matrix{{4.0, -1.0, 0.0}, {-1.0, 5.0, 0.0}, {0.0, 0.0, 0.0}});
  CHECK_THROWS_WITH(
      folder.structure({{"mass", Matrix(Matrix::Identity(2, 2))}, {"stiffness", std::string("k.mtx")}}),
      Contains("mass = [[1, 0], [0, 1]] does not say which node and degree of freedom its rows belong to, "
               "stiffness does. Take all matrices from the same kind of file."));
}

TEST_CASE("named motions are combinations of coordinates", "[matrix file]") {
  const Folder folder;
  folder.write("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n-0.5\n");
  const OptionValue unit = Matrix(Matrix::Identity(2, 2));
  const auto structure = folder.structure(
      {{"mass", unit}, {"stiffness", unit}, {"motions", std::string("b.mtx")}, {"motion_names", std::string("slip")}});
  CHECK(structure->motion("slip") == Vector(Eigen::Vector2d(1.0, -0.5)));
  CHECK(structure->motion("q2") == Vector(Eigen::Vector2d(0.0, 1.0)));
  CHECK(structure->motion("none").size() == 0);
  CHECK(structure->motion_names() == Texts{"q1", "q2", "slip"});
  CHECK_THROWS_WITH(folder.structure({{"mass", unit}, {"stiffness", unit}, {"motion_names", std::string("slip")}}),
                    "structure: motion_names = [\"slip\"] needs `motions`, a matrix with a column for each.");
  CHECK_THROWS_WITH(folder.structure({{"mass", unit},
                                      {"stiffness", unit},
                                      {"motions", std::string("b.mtx")},
                                      {"motion_names", std::string("q1")}}),
                    "motion_names: 'q1' is empty, or the name of a coordinate or of another motion. Names must be "
                    "distinct.");
}
