// DMIG entries of Nastran: bulk data, as a punch file (.pch) has them.
//
//   DMIG    NAME    0       IFO     TIN     TOUT    POLAR           NCOL      the header of the matrix
//   DMIG    NAME    GJ      CJ              G1      C1      A1      B1        a column: node GJ, component CJ,
//           G2      C2      A2      B2      G3      C3      A3      B3        with entries A at node G, component C
//
// Small fields (8 characters), large fields (16 characters, DMIG* and *) and fields between commas. IFO = 6 is symmetric
// with one triangle written, IFO = 1 square. Real matrices only (TIN = 1 or 2). Comments begin with $; other entries are
// passed over.
//
// Reference: MSC Nastran Quick Reference Guide, bulk data entry DMIG.
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/labelled_entries.hpp"
#include "masing/io/detail/matrix_readers.hpp"

#include <cmath>
#include <fstream>
#include <limits>
#include <map>

namespace masing::detail {
namespace {

constexpr std::size_t small_field = 8;
constexpr std::size_t large_field = 16;
constexpr std::size_t fields_in_small = 8;
constexpr std::size_t fields_in_large = 4;
constexpr std::size_t first_entry = 4;   // behind NAME, GJ, CJ and an empty field
constexpr std::size_t entry_fields = 4;  // G, C, A, B

struct Line {
  std::string head;                 // first field: "DMIG", "DMIG*", "*", "+", ""
  std::vector<std::string> fields;  // as many as the format has
};

Line split_line(const std::string& text) {
  Line line;
  const bool commas = text.find(',') != std::string::npos;
  const std::size_t head_end = std::min(commas ? text.find(',') : small_field, text.size());
  line.head = upper_case(trimmed(std::string_view(text).substr(0, head_end)));
  const bool large = line.head.ends_with('*') || line.head.starts_with('*');
  line.fields.resize(large ? fields_in_large : fields_in_small);
  std::size_t begin = head_end + (commas ? 1 : 0);
  for (std::string& field : line.fields) {
    if (begin >= text.size()) break;
    const std::size_t end = commas ? std::min(text.find(',', begin), text.size())
                                   : std::min(begin + (large ? large_field : small_field), text.size());
    field = trimmed(std::string_view(text).substr(begin, end - begin));
    begin = end + (commas ? 1 : 0);
  }
  return line;
}

struct Card {
  std::vector<std::string> fields;  // NAME first
  long line = 0;
};

/// The DMIG entries of a file with their continuations joined.
std::vector<Card> dmig_cards(const std::string& path) {
  std::ifstream file(path);
  require(file.good(), "'{}' cannot be opened for reading.", path);
  std::vector<Card> cards;
  bool inside = false;
  std::string text;
  for (long number = 1; std::getline(file, text); ++number) {
    text = text.substr(0, text.find('$'));
    if (trimmed(text).empty()) continue;
    const Line line = split_line(text);
    const bool continues = line.head.empty() || line.head.front() == '+' || line.head.front() == '*';
    if (!continues) inside = line.head == "DMIG" || line.head == "DMIG*";
    if (!inside) continue;
    if (!continues) cards.push_back({{}, number});
    std::vector<std::string>& fields = cards.back().fields;
    fields.insert(fields.end(), line.fields.begin(), line.fields.end());
  }
  return cards;
}

/// One matrix of the file while it is read.
class DmigMatrix {
 public:
  explicit DmigMatrix(std::string path) : path_(std::move(path)) {}

  void add(const Card& card) {
    line_ = card.line;
    if (card.fields[1] == "0") {
      read_header(card);
    } else {
      read_column(card);
    }
  }

  LabelledMatrix finish(const std::string& name) const {
    require(form_ != 0, "{}:{}: matrix {} has no header, an entry with 0 in its third field.", path_, line_, name);
    require(!entries_.empty(), "{}:{}: matrix {} has no entries.", path_, line_, name);
    return entries_.finish(form_ == 6, std::numeric_limits<double>::infinity());
  }

 private:
  void read_header(const Card& card) {
    const long type = integer(card.fields[3]);
    form_ = integer(card.fields[2]);
    require(form_ == 1 || form_ == 6, "{}:{}: the form of the matrix is {}. Use 6 (symmetric) or 1 (square).", path_,
            line_, form_);
    require(type == 1 || type == 2, "{}:{}: the type of the matrix is {}. Use 1 or 2: real numbers.", path_, line_,
            type);
  }

  void read_column(const Card& card) {
    const NodalMotion column = motion(card.fields[1], card.fields[2]);
    for (std::size_t i = first_entry; i + entry_fields <= card.fields.size(); i += entry_fields) {
      if (card.fields[i].empty()) continue;
      double value = 0.0;
      require(parse_real(card.fields[i + 2], value) && std::isfinite(value), "{}:{}: '{}' is not a number.", path_,
              line_, card.fields[i + 2]);
      entries_.add(motion(card.fields[i], card.fields[i + 1]), column, value);
    }
  }

  NodalMotion motion(const std::string& node, const std::string& component) const {
    return {integer(node), component.empty() ? 0 : integer(component)};
  }

  long integer(const std::string& text) const {
    long value = 0;
    require(parse_integer(text, value), "{}:{}: '{}' is not an integer.", path_, line_, text);
    return value;
  }

  std::string path_;
  long line_ = 0;
  long form_ = 0;  // none yet
  LabelledEntries entries_;
};

}  // namespace

LabelledMatrix read_dmig_matrix(const std::string& path, const std::string& name) {
  std::map<std::string, DmigMatrix> matrices;
  for (const Card& card : dmig_cards(path)) {
    matrices.try_emplace(upper_case(card.fields.front()), path).first->second.add(card);
  }
  require(!matrices.empty(), "{}: the file has no DMIG entries.", path);
  std::vector<std::string> names;
  for (const auto& [known, matrix] : matrices) names.push_back(known);
  require(!name.empty() || names.size() == 1, "{}: the file has the matrices {}. Say which: \"file.pch:{}\".", path,
          join(names, ", "), names.front());
  const auto found = matrices.find(name.empty() ? names.front() : upper_case(name));
  require(found != matrices.end(), "{}: there is no matrix '{}'.{}", path, name, suggestion(upper_case(name), names));
  return found->second.finish(found->first);
}

}  // namespace masing::detail
