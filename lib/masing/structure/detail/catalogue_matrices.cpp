// kind = "matrices"
#include "masing/core/error.hpp"
#include "masing/structure/detail/catalogue_parts.hpp"
#include "masing/structure/matrix_structure.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace masing::detail {
namespace {

using Made = std::shared_ptr<const Structure>;

LabelledMatrix load(const OptionValues& values, std::string_view name, const MatrixLoader& loader) {
  if (const auto* inline_matrix = std::get_if<Matrix>(&values.at(name)))
    return SparseMatrix(inline_matrix->sparseView());
  try {
    return loader(values.text(name));
  } catch (const ModelError& error) {
    values.reject(name, fmt::format("cannot be read: {}", error.what()));
  }
}

/// The numbers of a label "12.3", for sorting.
std::pair<long, long> label_order(const std::string& label) {
  const char* end = label.data() + label.size();
  std::pair<long, long> numbers;
  const auto dot = std::from_chars(label.data(), end, numbers.first).ptr;
  if (dot != end) std::from_chars(dot + 1, end, numbers.second);
  return numbers;
}

/// Brings labelled matrices to one order of rows: that of their nodes and degrees of freedom, fixed ones left out.
class CommonOrder {
 public:
  explicit CommonOrder(const std::map<std::string, LabelledMatrix>& matrices) {
    std::set<std::string> fixed;
    for (const auto& [name, one] : matrices) fixed.insert(one.fixed.begin(), one.fixed.end());
    std::set<std::string> all;
    for (const auto& [name, one] : matrices) {
      for (const std::string& label : one.labels) {
        if (!fixed.contains(label)) all.insert(label);
      }
    }
    labels_.assign(all.begin(), all.end());
    std::sort(labels_.begin(), labels_.end(),
              [](const std::string& a, const std::string& b) { return label_order(a) < label_order(b); });
    for (std::size_t i = 0; i < labels_.size(); ++i) positions_[labels_[i]] = static_cast<Index>(i);
  }

  const std::vector<std::string>& labels() const { return labels_; }

  SparseMatrix apply(const LabelledMatrix& one) const {
    std::vector<Index> row(one.labels.size(), -1);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto found = positions_.find(one.labels[i]);
      if (found != positions_.end()) row[i] = found->second;
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (Index j = 0; j < one.matrix.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(one.matrix, j); entry; ++entry) {
        const Index to_row = row[static_cast<std::size_t>(entry.row())];
        const Index to_column = row[static_cast<std::size_t>(entry.col())];
        if (to_row >= 0 && to_column >= 0) entries.emplace_back(to_row, to_column, entry.value());
      }
    }
    const auto size = static_cast<Index>(labels_.size());
    SparseMatrix result(size, size);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }

 private:
  std::vector<std::string> labels_;
  std::map<std::string, Index> positions_;
};

/// Matrices with labels get a common order; a mixture is refused, for nobody knows the order of the others.
void bring_to_order(const OptionValues& values, std::map<std::string, LabelledMatrix>& matrices,
                    std::vector<std::string>& coordinates) {
  const auto labelled =
      std::find_if(matrices.begin(), matrices.end(), [](const auto& m) { return !m.second.labels.empty(); });
  if (labelled == matrices.end()) return;
  for (const auto& [name, one] : matrices) {
    if (one.labels.empty()) {
      values.reject(name, fmt::format("does not say which node and degree of freedom its rows belong to, {} does. Take "
                                      "all matrices from the same kind of file.",
                                      labelled->first));
    }
  }
  const CommonOrder order(matrices);
  for (auto& [name, one] : matrices) one = LabelledMatrix(order.apply(one));
  if (coordinates.empty()) coordinates = order.labels();
}

void read_motions(const OptionValues& values, const MatrixLoader& loader, MatrixStructureOptions& options) {
  if (values.has("motions") != values.has("motion_names")) {
    const bool has_matrix = values.has("motions");
    values.reject(has_matrix ? "motions" : "motion_names", has_matrix
                                                               ? "needs `motion_names`, one name a column."
                                                               : "needs `motions`, a matrix with a column for each.");
  }
  if (!values.has("motions")) return;
  options.motions = load(values, "motions", loader).matrix;
  options.motion_names = values.texts("motion_names");
}

Made make_matrices(const OptionValues& values, const MatrixLoader& loader) {
  MatrixStructureOptions options{.damping = shared_damping(values), .to_be_reduced = values.has("reduction")};
  std::map<std::string, LabelledMatrix> matrices;
  for (const char* name : {"mass", "stiffness", "damping", "hysteretic"}) {
    if (values.has(name)) matrices.emplace(name, load(values, name, loader));
  }
  if (values.has("coordinates")) options.coordinates = values.texts("coordinates");
  bring_to_order(values, matrices, options.coordinates);
  options.mass = matrices.at("mass").matrix;
  options.stiffness = matrices.at("stiffness").matrix;
  if (values.has("damping")) options.damping.viscous = matrices.at("damping").matrix;
  if (values.has("hysteretic")) options.damping.hysteretic = matrices.at("hysteretic").matrix;
  read_motions(values, loader, options);
  return std::make_shared<const MatrixStructure>(std::move(options));
}

}  // namespace

StructureEntry matrices_entry() {
  const std::vector<OptionKind> matrix = {OptionKind::matrix, OptionKind::text};
  const std::string files =
      "inline [[…], […]], or a file: \"m.mtx\" (Matrix Market, or matrix input text of Abaqus), \"model.h5:/path\" "
      "(HDF5), \"model.mat:name\" (MATLAB), \"model.pch:NAME\" (DMIG of Nastran)";
  return {.name = "matrices",
          .summary = "A structure given by its mass, stiffness and damping matrices.",
          .equation = "M q'' + C q' + (K + i H) q = force",
          .reference = "M. Géradin, D. J. Rixen, Mechanical Vibrations, 3rd ed., Wiley, 2015.",
          .limits =
              "M and K must be symmetric and positive semi-definite. Rigid-body motions are allowed; massless "
              "coordinates are too, but not in time integration.",
          .parameters = with_shared_damping(
              {{.name = "mass", .kinds = matrix, .unit = "kg", .meaning = "mass matrix, " + files},
               {.name = "stiffness", .kinds = matrix, .unit = "N/m", .meaning = "stiffness matrix, likewise"},
               optional("damping", matrix, "N s/m", Range::any(), "viscous damping matrix, symmetric, likewise"),
               optional("hysteretic", matrix, "N/m", Range::any(),
                        "hysteretic damping matrix H (\"structural damping\"), symmetric, likewise: K + i H for every "
                        "frequency but 0; no time integration"),
               optional("coordinates", {OptionKind::texts}, "", Range::any(),
                        "names of the rows; default the labels of the file (12.3: node 12, degree of freedom 3), else "
                        "q1, q2, …"),
               optional("motions", matrix, "", Range::any(),
                        "one column a named motion: coefficients of the coordinates, for joints, loads and sensors"),
               optional("motion_names", {OptionKind::texts}, "", Range::any(), "names of these columns"),
               reduction_option()}),
          .make = make_matrices};
}

}  // namespace masing::detail
