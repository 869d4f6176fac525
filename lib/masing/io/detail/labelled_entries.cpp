#include "masing/io/detail/labelled_entries.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <charconv>

namespace masing::detail {
namespace {

// More than any program has degrees of freedom at a node; makes one number of node and degree.
constexpr long most_degrees = 1024;

bool holds_one_triangle(const SparseMatrix& matrix) {
  const SparseMatrix both = matrix.cwiseProduct(SparseMatrix(matrix.transpose()));
  for (Index j = 0; j < both.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(both, j); entry; ++entry) {
      if (entry.row() != entry.col() && entry.value() != 0.0) return false;
    }
  }
  return true;
}

SparseMatrix mirrored(const SparseMatrix& triangle) {
  SparseMatrix diagonal(triangle.rows(), triangle.cols());
  diagonal.reserve(Eigen::VectorXi::Constant(triangle.cols(), 1));
  for (Index i = 0; i < triangle.cols(); ++i) diagonal.insert(i, i) = triangle.coeff(i, i);
  return SparseMatrix(triangle + SparseMatrix(triangle.transpose())) - diagonal;
}

}  // namespace

std::string NodalMotion::label() const {
  return degree == 0 ? fmt::format("{}", node) : fmt::format("{}.{}", node, degree);
}

Index LabelledEntries::position(const NodalMotion& motion) {
  const auto [found, is_new] =
      positions_.try_emplace(motion.node * most_degrees + motion.degree, static_cast<Index>(motions_.size()));
  if (is_new) motions_.push_back(motion);
  return found->second;
}

void LabelledEntries::add(const NodalMotion& row, const NodalMotion& column, double value) {
  const Index i = position(row);
  const Index j = position(column);
  if (value != 0.0) entries_.emplace_back(i, j, value);
}

LabelledMatrix LabelledEntries::finish(bool mirror, double fixed_above) const {
  std::vector<Index> kept(motions_.size(), 0);
  for (const auto& entry : entries_) {
    if (entry.row() == entry.col() && entry.value() >= fixed_above) kept[static_cast<std::size_t>(entry.row())] = -1;
  }
  std::vector<std::string> labels;
  std::vector<std::string> fixed;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    std::vector<std::string>& list = kept[i] < 0 ? fixed : labels;
    if (kept[i] >= 0) kept[i] = static_cast<Index>(labels.size());
    list.push_back(motions_[i].label());
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& entry : entries_) {
    const Index row = kept[static_cast<std::size_t>(entry.row())];
    const Index column = kept[static_cast<std::size_t>(entry.col())];
    if (row >= 0 && column >= 0) entries.emplace_back(row, column, entry.value());
  }
  const auto size = static_cast<Index>(labels.size());
  SparseMatrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  if (mirror && holds_one_triangle(matrix)) matrix = mirrored(matrix);
  return {std::move(matrix), std::move(labels), std::move(fixed)};
}

bool parse_real(std::string_view text, double& value) {
  std::string plain;
  for (const char c : trimmed(text)) {
    const bool sign = c == '+' || c == '-';
    if (std::tolower(static_cast<unsigned char>(c)) == 'd') {
      plain += 'e';
    } else if (sign && !plain.empty() && std::tolower(static_cast<unsigned char>(plain.back())) != 'e') {
      plain += 'e';
      if (c == '-') plain += c;
    } else if (c != '+') {
      plain += c;
    }
  }
  const char* end = plain.data() + plain.size();
  const auto [stop, error] = std::from_chars(plain.data(), end, value);
  return !plain.empty() && error == std::errc{} && stop == end;
}

bool parse_integer(std::string_view text, long& value) {
  text = trimmed(text);
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && error == std::errc{} && stop == text.data() + text.size();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return result;
}

}  // namespace masing::detail
