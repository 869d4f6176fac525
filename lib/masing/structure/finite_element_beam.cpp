#include "masing/structure/finite_element_beam.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/beam_shapes.hpp"
#include "masing/structure/detail/short_pieces.hpp"
#include "masing/structure/spectral_element.hpp"

#include <algorithm>
#include <cmath>

namespace masing {
namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

std::vector<BeamNode> mesh_nodes(const Beam& beam, int elements) {
  const std::vector<BeamNode> places = beam_nodes(beam);
  const double total = beam.end() - beam.begin();
  std::vector<BeamNode> mesh = {places.front()};
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const double length = places[i + 1].at - places[i].at;
    const long count = std::max(1L, std::lround(elements * length / total));
    for (long j = 1; j < count; ++j) {
      const double at = places[i].at + length * static_cast<double>(j) / static_cast<double>(count);
      mesh.push_back({at, fmt::format("x{:.6g}", at)});
    }
    mesh.push_back(places[i + 1]);
  }
  return mesh;
}

/// The matrices on all motions of all nodes, fixed ones included.
class Assembler {
 public:
  Assembler(const Beam& beam, const std::vector<BeamNode>& mesh)
      : beam_(beam), mesh_(mesh), pieces_(beam), motions_(motions_per_node(beam.theory)) {
    for (std::size_t i = 0; i + 1 < mesh.size(); ++i) add_element(i);
    for (const BeamMass& lumped : beam.masses) add_mass(lumped);
    for (const BeamSupport& support : beam.supports) add_support(support);
    for (const BeamSpring& spring : beam.springs) add_spring(spring);
    for (const BeamCoupling& coupling : beam.couplings) add_coupling(coupling);
  }

  Entries mass, damping, stiffness, hysteretic;

 private:
  Index at(double place, int motion) const { return static_cast<Index>(node_at(mesh_, place)) * motions_ + motion; }

  void add_element(std::size_t left) {
    const double length = mesh_[left + 1].at - mesh_[left].at;
    const BeamSection& section = section_between(beam_, mesh_[left].at, mesh_[left + 1].at);
    const bool whole = pieces_.is_piece(mesh_[left].at, mesh_[left + 1].at);
    const double compliance = whole ? further_compliance(section, length) : 0.0;
    const detail::BeamShapes shapes(section, beam_.theory, length, compliance);
    const detail::ElementMatrix k = shapes.stiffness();
    const detail::ElementMatrix m = shapes.mass();
    const Index first = static_cast<Index>(left) * motions_;
    for (int i = 0; i < 2 * motions_; ++i) {
      for (int j = 0; j < 2 * motions_; ++j) {
        const int row = i / motions_ * 3 + i % motions_;
        const int column = j / motions_ * 3 + j % motions_;
        mass.emplace_back(first + i, first + j, m(row, column));
        stiffness.emplace_back(first + i, first + j, k(row, column));
        if (section.loss_factor > 0.0)
          hysteretic.emplace_back(first + i, first + j, section.loss_factor * k(row, column));
      }
    }
  }

  double further_compliance(const BeamSection& section, double length) const {
    const SpectralPiece piece = spectral_piece(section, beam_.theory, length);
    return pieces_.shear_compliance(length, piece.bending_stiffness, piece.shear_compliance);
  }

  void add_mass(const BeamMass& lumped) {
    const std::array<double, 3> inertia = {lumped.mass, lumped.mass, lumped.rotary_inertia};
    for (int i = 0; i < motions_; ++i) {
      mass.emplace_back(at(lumped.at, i), at(lumped.at, i), inertia[static_cast<std::size_t>(i)]);
    }
  }

  void add_support(const BeamSupport& support) {
    for (int i = 0; i < motions_; ++i) {
      const Index row = at(support.at, i);
      stiffness.emplace_back(row, row, support.stiffness[static_cast<std::size_t>(i)]);
      damping.emplace_back(row, row, support.damping[static_cast<std::size_t>(i)]);
    }
  }

  void add_spring(const BeamSpring& spring) {
    for (int i = 0; i < motions_; ++i) {
      add_between(stiffness, at(spring.from, i), at(spring.to, i), spring.stiffness[static_cast<std::size_t>(i)]);
      add_between(damping, at(spring.from, i), at(spring.to, i), spring.damping[static_cast<std::size_t>(i)]);
    }
  }

  void add_coupling(const BeamCoupling& coupling) {
    for (const BeamCoupling::Term& row : coupling.terms) {
      for (const BeamCoupling::Term& column : coupling.terms) {
        const Index i = at(row.at, static_cast<int>(row.motion));
        const Index j = at(column.at, static_cast<int>(column.motion));
        stiffness.emplace_back(i, j, row.weight * column.weight * coupling.stiffness);
        damping.emplace_back(i, j, row.weight * column.weight * coupling.damping);
      }
    }
  }

  static void add_between(Entries& entries, Index from, Index to, double value) {
    entries.emplace_back(from, from, value);
    entries.emplace_back(to, to, value);
    entries.emplace_back(from, to, -value);
    entries.emplace_back(to, from, -value);
  }

  const Beam& beam_;
  const std::vector<BeamNode>& mesh_;
  detail::ShortPieces pieces_;
  int motions_;
};

/// Numbers of the motions that no support fixes.
std::vector<Index> free_motions(const Beam& beam, const std::vector<BeamNode>& mesh) {
  const int motions = motions_per_node(beam.theory);
  std::vector<bool> fixed(mesh.size() * static_cast<std::size_t>(motions), false);
  for (const BeamSupport& support : beam.supports) {
    const std::size_t node = node_at(mesh, support.at);
    for (int i = 0; i < motions; ++i) {
      if (support.fixed[static_cast<std::size_t>(i)])
        fixed[node * static_cast<std::size_t>(motions) + static_cast<std::size_t>(i)] = true;
    }
  }
  std::vector<Index> free;
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    if (!fixed[i]) free.push_back(static_cast<Index>(i));
  }
  return free;
}

/// Keeps the rows and columns of the free motions.
SparseMatrix matrix_of(const Entries& entries, const std::vector<Index>& free, std::size_t all) {
  std::vector<Index> position(all, -1);
  for (std::size_t i = 0; i < free.size(); ++i) position[static_cast<std::size_t>(free[i])] = static_cast<Index>(i);
  Entries kept;
  for (const auto& entry : entries) {
    const Index row = position[static_cast<std::size_t>(entry.row())];
    const Index column = position[static_cast<std::size_t>(entry.col())];
    if (row >= 0 && column >= 0 && entry.value() != 0.0) kept.emplace_back(row, column, entry.value());
  }
  const auto size = static_cast<Index>(free.size());
  SparseMatrix matrix(size, size);
  matrix.setFromTriplets(kept.begin(), kept.end());
  return matrix;
}

SparseMatrix sum(const SparseMatrix& given, const SparseMatrix& own) {
  return given.size() > 0 ? SparseMatrix(given + own) : own;
}

}  // namespace

struct FiniteElementBeam::Assembly {
  MatrixStructureOptions matrices;
  std::vector<BeamNode> mesh;
  std::vector<Index> free;
};

FiniteElementBeam::Assembly FiniteElementBeam::assemble(const Beam& beam, const FiniteElementOptions& options) {
  check_beam(beam);
  require(options.elements >= 1 && options.elements <= max_beam_elements, "elements = {} must be in [1, {}].",
          options.elements, max_beam_elements);
  const std::vector<BeamNode> mesh = mesh_nodes(beam, options.elements);
  const int motions = motions_per_node(beam.theory);
  const std::size_t all = mesh.size() * static_cast<std::size_t>(motions);
  Assembly result{.matrices = {.damping = options.damping, .evaluation = options.evaluation},
                  .mesh = mesh,
                  .free = free_motions(beam, mesh)};
  require(!result.free.empty(), "the supports fix every motion of the beam: nothing is left to vibrate.");
  for (const Index motion : result.free) {
    result.matrices.coordinates.push_back(fmt::format("{}.{}", mesh[static_cast<std::size_t>(motion / motions)].name,
                                                      beam_motion_names[static_cast<std::size_t>(motion % motions)]));
  }
  const Assembler assembler(beam, mesh);
  DampingOptions& damping = result.matrices.damping;
  result.matrices.mass = matrix_of(assembler.mass, result.free, all);
  result.matrices.stiffness = matrix_of(assembler.stiffness, result.free, all);
  damping.viscous = sum(damping.viscous, matrix_of(assembler.damping, result.free, all));
  damping.hysteretic = sum(damping.hysteretic, matrix_of(assembler.hysteretic, result.free, all));
  return result;
}

FiniteElementBeam::FiniteElementBeam(const Beam& beam, const FiniteElementOptions& options)
    : FiniteElementBeam(beam, assemble(beam, options)) {}

FiniteElementBeam::FiniteElementBeam(const Beam& beam, Assembly assembly)
    : MatrixStructure(std::move(assembly.matrices)),
      beam_(beam),
      nodes_(std::move(assembly.mesh)),
      free_(std::move(assembly.free)) {}

Vector FiniteElementBeam::to_coordinates(const Matrix& nodal) const {
  const int motions = motions_per_node(beam_.theory);
  Vector result(size());
  for (Index i = 0; i < size(); ++i) {
    const Index motion = free_[static_cast<std::size_t>(i)];
    result[i] = nodal(motion / motions, motion % motions);
  }
  return result;
}

std::shared_ptr<const FiniteElementBeam> finite_element_beam(const Beam& beam, const FiniteElementOptions& options) {
  return std::make_shared<const FiniteElementBeam>(beam, options);
}

}  // namespace masing
