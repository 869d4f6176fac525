// Matrix Market exchange format: R. F. Boisvert, R. Pozo, K. A. Remington, The Matrix Market exchange formats: initial
// design, NISTIR 5935, 1996.
#include "masing/core/error.hpp"
#include "masing/io/detail/matrix_readers.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>

namespace masing::detail {
namespace {

constexpr std::string_view expected_header = "%%MatrixMarket matrix coordinate real symmetric";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr std::string_view blank = " \t\r";
  for (std::size_t begin = line.find_first_not_of(blank); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blank, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(blank, end);
  }
  return words;
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), file_(path) {
    require(file_.good(), "'{}' cannot be opened for reading.", path);
  }

  SparseMatrix read() {
    read_header();
    read_sizes();
    if (coordinate_) {
      read_coordinate();
    } else {
      read_array();
    }
    require(!next_line(), "{}:{}: text behind the last entry; the size line announces {} entries.", path_, number_,
            entries_);
    SparseMatrix matrix(rows_, columns_);
    matrix.setFromTriplets(triplets_.begin(), triplets_.end());
    return matrix;
  }

 private:
  template <class... Args>
  void expect(bool condition, fmt::format_string<Args...> message, Args&&... args) const {
    if (!condition)
      throw ModelError(fmt::format("{}:{}: {}", path_, number_, fmt::format(message, std::forward<Args>(args)...)));
  }

  /// Goes to the next line that is neither empty nor a comment.
  bool next_line() {
    while (std::getline(file_, line_)) {
      ++number_;
      words_ = words_of(line_);
      if (!words_.empty() && words_.front().front() != '%') return true;
    }
    return false;
  }

  void read_header() {
    std::getline(file_, line_);
    number_ = 1;
    std::transform(line_.begin(), line_.end(), line_.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    const std::vector<std::string_view> words = words_of(line_);
    expect(words.size() == 5 && words[0] == "%%matrixmarket" && words[1] == "matrix",
           "this is not the first line of a Matrix Market file. It should read like '{}'.", expected_header);
    expect(words[2] == "coordinate" || words[2] == "array", "format '{}' is not known. Use coordinate or array.",
           words[2]);
    expect(words[3] == "real" || words[3] == "integer" || words[3] == "double",
           "{} matrices are not accepted. Use real or integer.", words[3]);
    expect(words[4] == "general" || words[4] == "symmetric", "{} matrices are not accepted. Use general or symmetric.",
           words[4]);
    coordinate_ = words[2] == "coordinate";
    symmetric_ = words[4] == "symmetric";
  }

  void read_sizes() {
    expect(next_line(), "the file ends before the size line.");
    const std::size_t count = coordinate_ ? 3 : 2;
    expect(words_.size() == count, "the size line '{}' must have {} integers: {}.", line_, count,
           coordinate_ ? "rows, columns, entries" : "rows, columns");
    rows_ = integer(words_[0]);
    columns_ = integer(words_[1]);
    expect(rows_ > 0 && columns_ > 0, "the size {} × {} must be positive.", rows_, columns_);
    expect(!symmetric_ || rows_ == columns_, "a symmetric matrix must be square; this one is {} × {}.", rows_,
           columns_);
    entries_ = coordinate_ ? integer(words_[2]) : (symmetric_ ? rows_ * (rows_ + 1) / 2 : rows_ * columns_);
    expect(entries_ >= 0, "the number of entries {} must not be negative.", entries_);
  }

  void read_coordinate() {
    for (Index i = 0; i < entries_; ++i) {
      expect_entry(i, 3);
      const Index row = integer(words_[0]);
      const Index column = integer(words_[1]);
      expect(row >= 1 && row <= rows_ && column >= 1 && column <= columns_,
             "entry ({}, {}) lies outside of the {} × {} matrix. Indices begin with 1.", row, column, rows_, columns_);
      expect(!symmetric_ || row >= column,
             "entry ({}, {}) is above the diagonal. A symmetric file holds the lower triangle only.", row, column);
      add(row - 1, column - 1, real(words_[2], row, column));
    }
  }

  void read_array() {
    Index i = 0;
    for (Index column = 0; column < columns_; ++column) {
      for (Index row = symmetric_ ? column : 0; row < rows_; ++row) {
        expect_entry(i++, 1);
        add(row, column, real(words_[0], row + 1, column + 1));
      }
    }
  }

  void expect_entry(Index read_so_far, std::size_t words) {
    expect(next_line(), "the file ends after {} of {} entries.", read_so_far, entries_);
    expect(words_.size() == words, "'{}' must have {} number{}: {}.", line_, words, words == 1 ? "" : "s",
           words == 1 ? "the value" : "row, column, value");
  }

  void add(Index row, Index column, double value) {
    if (value == 0.0) return;
    triplets_.emplace_back(row, column, value);
    if (symmetric_ && row != column) triplets_.emplace_back(column, row, value);
  }

  Index integer(std::string_view word) const {
    Index value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    expect(error == std::errc{} && end == word.data() + word.size(), "'{}' is not an integer.", word);
    return value;
  }

  double real(std::string_view word, Index row, Index column) const {
    if (word.front() == '+') word.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    expect(error == std::errc{} && end == word.data() + word.size(), "'{}' is not a number.", word);
    expect(std::isfinite(value), "the entry in row {}, column {} is {}. All entries must be finite numbers.", row,
           column, word);
    return value;
  }

  std::string path_;
  std::ifstream file_;
  std::string line_;
  Index number_ = 0;
  std::vector<std::string_view> words_;
  bool coordinate_ = true;
  bool symmetric_ = false;
  Index rows_ = 0, columns_ = 0, entries_ = 0;
  std::vector<Eigen::Triplet<double>> triplets_;
};

}  // namespace

SparseMatrix read_matrix_market(const std::string& path) { return Reader(path).read(); }

}  // namespace masing::detail
