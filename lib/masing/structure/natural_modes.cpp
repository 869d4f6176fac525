#include "masing/structure/natural_modes.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/matrix_damping.hpp"
#include "masing/structure/detail/mode_groups.hpp"
#include "masing/structure/galerkin_beam.hpp"
#include "masing/structure/natural_frequencies.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace masing {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// --- structures with matrices ------------------------------------------------------------------------------------------

SparseMatrix attached(const SparseMatrix& matrix, std::span<const LinearAttachment> attachments,
                      Matrix LinearAttachment::*part) {
  SparseMatrix sum = matrix;
  for (const LinearAttachment& attachment : attachments) {
    if ((attachment.*part).isZero(0.0)) continue;
    const SparseMatrix inner = (attachment.*part).sparseView();
    sum += attachment.directions * inner * SparseMatrix(attachment.directions.transpose());
  }
  return sum;
}

/// Within a group of equal frequencies any combination of shapes is a mode: those are taken that damping does not couple.
void separate_equal_modes(const detail::SystemMatrices& system, detail::SymmetricModes& modes) {
  constexpr double equal = 1e-9;
  for (Index first = 0; first < modes.squares.size();) {
    Index end = first + 1;
    while (end < modes.squares.size() && modes.squares[end] <= modes.squares[first] * (1.0 + equal)) ++end;
    if (end - first > 1 && modes.squares[first] > 0.0) {
      const Matrix shapes = modes.shapes.middleCols(first, end - first);
      const Matrix loss = shapes.transpose() *
                          (std::sqrt(modes.squares[first]) * (system.damping * shapes) + system.hysteretic * shapes);
      modes.shapes.middleCols(first, end - first) = detail::uncoupled(shapes, loss);
    }
    first = end;
  }
}

NaturalMode matrix_mode(const SparseMatrix& stiffness, double square, const Vector& shape) {
  NaturalMode mode;
  mode.shape = shape;
  mode.omega = std::sqrt(std::abs(square));
  if (detail::is_rigid(stiffness, shape)) {
    mode.kind = ModeKind::rigid;
    mode.omega = 0.0;
  } else if (square < 0.0) {
    mode.kind = ModeKind::unstable;
  }
  return mode;
}

std::vector<NaturalMode> matrix_modes(const SecondOrderStructure& structure,
                                      std::span<const LinearAttachment> attachments, const ModeRange& range) {
  const detail::SystemMatrices system{
      .mass = structure.mass(),
      .damping = attached(structure.damping(), attachments, &LinearAttachment::damping),
      .stiffness = attached(structure.stiffness(), attachments, &LinearAttachment::stiffness),
      .hysteretic = structure.hysteretic()};
  detail::SymmetricModes found = detail::symmetric_modes(system.stiffness, system.mass, range);
  separate_equal_modes(system, found);
  std::vector<NaturalMode> modes;
  const Index most = std::min(range.count, found.squares.size());
  const auto* beam = dynamic_cast<const BeamStructure*>(&structure);
  for (Index i = 0; i < most; ++i) {
    NaturalMode mode = matrix_mode(system.stiffness, found.squares[i], found.shapes.col(i));
    if (mode.kind == ModeKind::vibrating && mode.omega > range.up_to) break;
    if (beam != nullptr) draw_at_nodes(*beam, mode);
    modes.push_back(std::move(mode));
  }
  const std::vector<detail::DampingOfMode> damping = detail::damping_of_modes(system, found, std::ssize(modes));
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const bool vibrates = modes[i].kind == ModeKind::vibrating;
    modes[i].damping_ratio = vibrates ? damping[i].ratio : none;
    modes[i].damped_omega = vibrates ? damping[i].omega : none;
  }
  return modes;
}

// --- spectral beams ----------------------------------------------------------------------------------------------------

/// Σ of rank-one springs (or dashpots) that are the symmetric matrix on the directions.
void add_couplings(const SpectralBeam& structure, const LinearAttachment& attachment, const Matrix& matrix,
                   double BeamCoupling::*part, Beam& beam) {
  if (matrix.isZero(0.0)) return;
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix);
  for (Index i = 0; i < matrix.rows(); ++i) {
    const Vector weights = attachment.directions * solver.eigenvectors().col(i);
    BeamCoupling coupling;
    coupling.*part = solver.eigenvalues()[i];
    if (std::abs(coupling.*part) <= 1e-14 * solver.eigenvalues().cwiseAbs().maxCoeff()) continue;
    for (std::size_t node = 0; node < structure.nodes().size(); ++node) {
      for (const BeamMotion motion : {BeamMotion::u, BeamMotion::w, BeamMotion::phi}) {
        const Index at = structure.coordinate(node, motion);
        if (at >= 0 && weights[at] != 0.0) coupling.terms.push_back({structure.nodes()[node].at, motion, weights[at]});
      }
    }
    beam.couplings.push_back(std::move(coupling));
  }
}

std::vector<NaturalMode> spectral_modes(const SpectralBeam& structure, std::span<const LinearAttachment> attachments,
                                        const ModeRange& range, const Vector& x) {
  Beam beam = structure.beam();
  for (const LinearAttachment& attachment : attachments) {
    add_couplings(structure, attachment, attachment.stiffness, &BeamCoupling::stiffness, beam);
    add_couplings(structure, attachment, attachment.damping, &BeamCoupling::damping, beam);
  }
  std::vector<NaturalMode> modes;
  for (BeamMode& found : lowest_natural_modes(SpectralBeam(beam), range, x)) {
    const bool rigid = found.omega == 0.0;
    modes.push_back({.kind = rigid ? ModeKind::rigid : ModeKind::vibrating,
                     .omega = found.omega,
                     .damping_ratio = rigid ? none : found.damping_ratio,
                     .damped_omega = rigid ? none : found.damped_omega,
                     .shape = structure.to_coordinates(found.nodes),
                     .x = std::move(found.x),
                     .drawn = std::move(found.shape)});
  }
  return modes;
}

// --- spectral beams with shapes along a stretch ------------------------------------------------------------------------

/// Those of the full beam, on which the joints act through the shapes: B = L (LᵀL)⁻¹ b, so that Bᵀ L c = bᵀ c.
std::vector<NaturalMode> galerkin_modes(const GalerkinBeam& structure, std::span<const LinearAttachment> attachments,
                                        const ModeRange& range, const Vector& x) {
  const SparseMatrix& shapes = structure.shapes();
  const Eigen::LLT<Matrix> products(Matrix(shapes.transpose() * shapes));
  std::vector<LinearAttachment> whole;
  for (const LinearAttachment& attachment : attachments) {
    const Matrix shares = products.solve(Matrix(attachment.directions));
    whole.push_back({Matrix(shapes * shares).sparseView(), attachment.stiffness, attachment.damping});
  }
  std::vector<NaturalMode> modes = spectral_modes(structure.full(), whole, range, x);
  for (NaturalMode& mode : modes) mode.shape = products.solve(structure.reduced_load(mode.shape));
  return modes;
}

}  // namespace

void draw_at_nodes(const BeamStructure& beam, NaturalMode& mode) {
  const std::vector<BeamNode>& nodes = beam.nodes();
  const auto count = static_cast<Index>(nodes.size());
  mode.x.resize(count);
  mode.drawn = Matrix::Zero(count, 3);
  Matrix numbers(count, 3);  // 3 node + motion, carried to the coordinates: which motion each one is
  for (Index i = 0; i < numbers.size(); ++i) numbers(i / 3, i % 3) = static_cast<double>(i);
  const Vector which = beam.to_coordinates(numbers);
  for (Index i = 0; i < mode.shape.size(); ++i) {
    const Index number = std::lround(which[i]);
    mode.drawn(number / 3, number % 3) = mode.shape[i];
  }
  for (Index i = 0; i < count; ++i) mode.x[i] = nodes[static_cast<std::size_t>(i)].at;
}

const SpectralBeam* spectral_beam_of(const Structure& structure) {
  const auto* reduced = dynamic_cast<const GalerkinBeam*>(&structure);
  return reduced != nullptr ? &reduced->full() : dynamic_cast<const SpectralBeam*>(&structure);
}

std::vector<NaturalMode> natural_modes(const Structure& structure, std::span<const LinearAttachment> attachments,
                                       const ModeRange& range, Index places) {
  const SpectralBeam* spectral = spectral_beam_of(structure);
  return natural_modes(structure, attachments, range,
                       spectral == nullptr ? Vector() : even_places(spectral->beam(), places));
}

std::vector<NaturalMode> natural_modes(const Structure& structure, std::span<const LinearAttachment> attachments,
                                       const ModeRange& range, const Vector& x) {
  require(range.count >= 1, "{} modes: the number must be >= 1.", range.count);
  require(range.up_to > 0.0, "modes up to {} rad/s: the limit must be > 0.", range.up_to);
  if (const auto* matrices = dynamic_cast<const SecondOrderStructure*>(&structure)) {
    return matrix_modes(*matrices, attachments, range);
  }
  if (const auto* reduced = dynamic_cast<const GalerkinBeam*>(&structure)) {
    return galerkin_modes(*reduced, attachments, range, x);
  }
  const auto* spectral = dynamic_cast<const SpectralBeam*>(&structure);
  require(spectral != nullptr, "Modes are known of structures with matrices and of spectral beams only.");
  return spectral_modes(*spectral, attachments, range, x);
}

}  // namespace masing
