#include "masing/structure/matrix_structure.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/condensation.hpp"
#include "masing/structure/detail/matrix_checks.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace masing {
namespace {

std::vector<std::string> checked_names(std::vector<std::string> names, Index size) {
  if (names.empty()) {
    for (Index i = 0; i < size; ++i) names.push_back(fmt::format("q{}", i + 1));
    return names;
  }
  require(static_cast<Index>(names.size()) == size,
          "coordinates has {} names, but the matrices have {} rows. Give one name for each row.", names.size(), size);
  std::set<std::string> seen;
  for (const std::string& name : names) {
    require(!name.empty(), "coordinates: a name is empty. Give every coordinate a name.");
    require(seen.insert(name).second, "coordinates: the name '{}' occurs twice. Names must be distinct.", name);
  }
  return names;
}

void check_motions(const MatrixStructureOptions& options, const std::vector<std::string>& coordinates) {
  const SparseMatrix& motions = options.motions;
  const std::vector<std::string>& names = options.motion_names;
  require(motions.cols() == static_cast<Index>(names.size()),
          "motion_names has {} names, but motions has {} columns. Give one name for each column.", names.size(),
          motions.cols());
  if (names.empty()) return;
  require(motions.rows() == static_cast<Index>(coordinates.size()),
          "motions has {} rows, but the structure has {} coordinates. Give one row for each.", motions.rows(),
          coordinates.size());
  std::set<std::string> seen(coordinates.begin(), coordinates.end());
  for (const std::string& name : names) {
    require(!name.empty() && seen.insert(name).second,
            "motion_names: '{}' is empty, or the name of a coordinate or of another motion. Names must be distinct.",
            name);
  }
}

SparseMatrix symmetrised(const SparseMatrix& matrix) {
  SparseMatrix result = 0.5 * (matrix + SparseMatrix(matrix.transpose()));
  result.makeCompressed();
  return result;
}

}  // namespace

MatrixStructure::MatrixStructure(MatrixStructureOptions options) : evaluation_(options.evaluation) {
  const Index size = options.mass.rows();
  detail::check_square("mass", options.mass);
  require(size > 0, "The mass matrix is empty. A structure needs at least one coordinate.");
  detail::check_size("stiffness", options.stiffness, size);
  coordinates_ = checked_names(std::move(options.coordinates), size);

  check_motions(options, coordinates_);
  motions_ = std::move(options.motions);
  motion_names_ = std::move(options.motion_names);

  detail::check_symmetric("mass", options.mass, coordinates_);
  detail::check_symmetric("stiffness", options.stiffness, coordinates_);
  mass_ = symmetrised(options.mass);
  stiffness_ = symmetrised(options.stiffness);
  massless_ = detail::check_semi_definite("mass", mass_, coordinates_) == detail::Definiteness::semi_definite;
  detail::check_semi_definite("stiffness", stiffness_, coordinates_);

  if (options.damping.viscous.size() > 0) {
    detail::check_size("damping", options.damping.viscous, size);
    detail::check_symmetric("damping", options.damping.viscous, coordinates_);
    options.damping.viscous = symmetrised(options.damping.viscous);
  }
  if (options.to_be_reduced) {
    damping_for_reduction_.modal_ratio = std::exchange(options.damping.modal_ratio, 0.0);
    damping_for_reduction_.modal_ratios = std::exchange(options.damping.modal_ratios, {});
  }
  damping_ = damping_matrix(mass_, stiffness_, options.damping);
  if (options.damping.hysteretic.size() > 0) {
    detail::check_size("hysteretic damping", options.damping.hysteretic, size);
    detail::check_symmetric("hysteretic damping", options.damping.hysteretic, coordinates_);
    options.damping.hysteretic = symmetrised(options.damping.hysteretic);
    detail::check_semi_definite("hysteretic damping", options.damping.hysteretic, coordinates_);
  }
  hysteretic_ = hysteretic_matrix(stiffness_, options.damping);
  loss_factor_ = options.damping.loss_factor;
}

std::unique_ptr<CondensedStructure> MatrixStructure::condense(const InterfaceBasis& basis) const {
  require(damping_for_reduction_.modal_ratio == 0.0 && damping_for_reduction_.modal_ratios.empty(),
          "The modal damping of this structure waits for a reduction: reduce it before use.");
  return std::make_unique<detail::Condensation>(*this, basis, evaluation_);
}

Vector MatrixStructure::motion(std::string_view name) const {
  const auto found = std::find(motion_names_.begin(), motion_names_.end(), name);
  if (found == motion_names_.end()) return Structure::motion(name);
  return motions_.col(found - motion_names_.begin());
}

std::vector<std::string> MatrixStructure::motion_names() const {
  std::vector<std::string> names = coordinates_;
  names.insert(names.end(), motion_names_.begin(), motion_names_.end());
  return names;
}

Vector MatrixStructure::base_acceleration_load(const Vector& direction) const {
  require(direction.size() == size(),
          "The direction of the base acceleration has {} entries, the structure {} coordinates.", direction.size(),
          size());
  return -(mass_ * direction);
}

}  // namespace masing
