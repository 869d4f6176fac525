#include "masing/io/table_file.hpp"

#include "masing/core/error.hpp"
#include "support/scratch_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace masing;
using Catch::Matchers::Contains;

namespace {

class Scratch : public test::ScratchFolder {
 public:
  Matrix read(const std::string& name, const std::string& text) const {
    write(name, text);
    return read_table(name, path());
  }
};

}  // namespace

TEST_CASE("text tables: separators, names, comments, line ends", "[table]") {
  const Scratch scratch;
  const Matrix wanted{{0.0, 1.5}, {1e-3, -2.0}};
  CHECK(scratch.read("a.csv", "0,1.5\n1e-3,-2\n") == wanted);
  CHECK(scratch.read("b.csv", "x; p\r\n0; 1.5\r\n\r\n1e-3; -2\r\n") == wanted);
  CHECK(scratch.read("c.txt", "# measured\n  0   1.5\n+1e-3\t-2.0") == wanted);
  CHECK(scratch.read("d.dat", "\xEF\xBB\xBFx,p\n0 , 1.5\n0.001 , -2\n") == wanted);
}

TEST_CASE("a Matrix Market file is a table too", "[table]") {
  const Scratch scratch;
  const Matrix read = scratch.read("a.mtx", "%%MatrixMarket matrix array real general\n2 2\n0\n1e-3\n1.5\n-2\n");
  CHECK(read == Matrix{{0.0, 1.5}, {1e-3, -2.0}});
}

TEST_CASE("wrong tables are refused with file, line and value", "[table]") {
  const Scratch scratch;
  CHECK_THROWS_WITH(scratch.read("a.csv", "x,p\n0,1\n1,two\n"),
                    Contains("a.csv' line 3: 'two' is not a finite number."));
  CHECK_THROWS_WITH(scratch.read("a.csv", "0,1\n1,nan\n"), Contains("line 2: 'nan' is not a finite number."));
  CHECK_THROWS_WITH(scratch.read("a.csv", "0,1\n1,,2\n"), Contains("line 2: 3 values; the first row has 2."));
  CHECK_THROWS_WITH(scratch.read("a.csv", "0,1\n1,\n"), Contains("line 2: '' is not a finite number."));
  CHECK_THROWS_WITH(scratch.read("a.csv", "x,p\n"), Contains("has no row of numbers."));
  CHECK_THROWS_WITH(read_table("none.csv", scratch.path()),
                    Contains("none.csv' does not exist. File names are relative"));
}

TEST_CASE("file names stand for matrices, in nested tables too", "[table]") {
  const Scratch scratch;
  scratch.read("a.csv", "1,2\n3,4\n");
  const Option matrix{.name = "table", .kinds = {OptionKind::matrix}, .meaning = "rows"};
  const OptionTable table = {
      matrix,
      {.name = "field", .kinds = {OptionKind::table}, .variants = {{"line", "along x", {matrix}}}, .meaning = "f"}};
  OptionValues field;
  field.set("kind", std::string("line"), "study.toml:3");
  field.set("table", std::string("a.csv"), "study.toml:3");
  OptionValues values;
  values.set("table", std::string("a.csv"), "study.toml:2");
  values.set("field", std::vector<OptionValues>{field}, "study.toml:3");
  read_file_tables(values, table, "joint 'a'", scratch.path());
  values.complete(table);
  CHECK(values.matrix("table") == Matrix{{1.0, 2.0}, {3.0, 4.0}});
  CHECK(values.table("field").matrix("table") == values.matrix("table"));

  field.set("table", std::string("none.csv"), "study.toml:3");
  values.set("field", std::vector<OptionValues>{field}, "study.toml:3");
  CHECK_THROWS_WITH(read_file_tables(values, table, "joint 'a'", scratch.path()),
                    Contains("study.toml:3: joint 'a': field: table = \"none.csv\" cannot be read: the file '"));
}
