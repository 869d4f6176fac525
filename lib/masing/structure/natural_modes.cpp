#include "masing/core/error.hpp"
#include "masing/structure/detail/rigid_motions.hpp"
#include "masing/structure/detail/spectral_model.hpp"
#include "masing/structure/natural_frequencies.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace masing {
namespace {

// Frequencies closer than this, relative, are treated as one with several modes.
constexpr double equal_frequencies = 1e-9;
// No piece resonates with its ends held below this multiple of the highest frequency: every mode moves some node.
constexpr double margin = 1.2;
// Where the mass of a rigid motion is read from dZ/dω = −2ωM + O(ω³), relative to the highest frequency.
constexpr double almost_static = 1e-5;

bool resonates(const SpectralPiece& piece, bool bends, double omega) {
  return clamped_rod_frequencies_below(piece, omega) > 0 ||
         (bends && clamped_bending_frequencies_below(piece, omega) > 0);
}

/// The same beam with nodes so close that each mode up to ω is seen by the nodes.
Beam refined(const SpectralBeam& structure, double omega) {
  Beam beam = structure.beam();
  const std::vector<BeamNode>& nodes = structure.nodes();
  const detail::SpectralModel& model = structure.model();
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    SpectralPiece part = model.pieces[i];
    int parts = 1;
    while (resonates(part, model.bends, margin * omega)) part.length = model.pieces[i].length / ++parts;
    for (int n = 1; n < parts; ++n) beam.points.push_back({"", nodes[i].at + n * part.length});
  }
  return beam;
}

Beam without_damping(Beam beam) {
  for (BeamSection& section : beam.sections) section.loss_factor = 0.0;
  for (BeamSupport& support : beam.supports) support.damping = {};
  for (BeamSpring& spring : beam.springs) spring.damping = {};
  return beam;
}

class ModeShapes {
 public:
  ModeShapes(const SpectralBeam& structure, double highest, Index places)
      : original_(structure),
        damped_(refined(structure, highest)),
        undamped_(without_damping(damped_.beam())),
        highest_(highest),
        x_(Vector::LinSpaced(places, structure.beam().begin(), structure.beam().end())) {}

  /// `count` modes at ω.
  void append(double omega, Index count, std::vector<BeamMode>& modes) const {
    const Matrix shapes = omega == 0.0 ? rigid_shapes() : vibrating_shapes(omega, count);
    for (Index i = 0; i < std::min(count, shapes.cols()); ++i) modes.push_back(mode(omega, shapes.col(i)));
  }

 private:
  Matrix vibrating_shapes(double omega, Index count) const {
    ComplexMatrix z, derivative;
    undamped_.dynamic_stiffness(omega, z, derivative);
    const Vector scale = z.cwiseAbs().rowwise().maxCoeff().cwiseSqrt().cwiseInverse();
    const Matrix scaled = scale.asDiagonal() * z.real() * scale.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(scaled);
    std::vector<Index> order(static_cast<std::size_t>(scale.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
      return std::abs(solver.eigenvalues()[a]) < std::abs(solver.eigenvalues()[b]);
    });
    order.resize(static_cast<std::size_t>(count));
    return with_unit_mass(scale.asDiagonal() * solver.eigenvectors()(Eigen::all, order), derivative.real(), omega);
  }

  Matrix rigid_shapes() const {
    const Beam& beam = undamped_.beam();
    const Matrix motions = detail::rigid_motions(beam);
    Matrix shapes(undamped_.size(), motions.cols());
    for (Index i = 0; i < motions.cols(); ++i) {
      Matrix nodal(static_cast<Index>(undamped_.nodes().size()), 3);
      for (std::size_t node = 0; node < undamped_.nodes().size(); ++node) {
        nodal.row(static_cast<Index>(node)) =
            detail::rigid_motion_at(beam, motions.col(i), undamped_.nodes()[node].at).transpose();
      }
      shapes.col(i) = undamped_.to_coordinates(nodal);
    }
    const double omega = almost_static * highest_;
    ComplexMatrix z, derivative;
    undamped_.dynamic_stiffness(omega, z, derivative);
    return with_unit_mass(shapes, derivative.real(), omega);
  }

  /// The modal mass is −xᵀ (dZ/dω) x / 2ω, exactly.
  static Matrix with_unit_mass(const Matrix& shapes, const Matrix& derivative, double omega) {
    const Matrix mass = shapes.transpose() * derivative * shapes / (-2.0 * omega);
    const Matrix upper = mass.llt().matrixU();
    return upper.transpose().triangularView<Eigen::Lower>().solve(shapes.transpose()).transpose();
  }

  BeamMode mode(double omega, Vector shape) const {
    Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    if (shape[largest] < 0.0) shape = -shape;
    BeamMode result{.omega = omega, .damping_ratio = damping_ratio(omega, shape), .nodes = {}, .x = x_, .shape = {}};
    const ComplexVector motion = shape.cast<Complex>();
    const auto sample = [&](double x) {
      const auto at = undamped_.motion_at(x, omega, motion);
      return Eigen::RowVector3d(at[0].real(), at[1].real(), at[2].real());
    };
    result.nodes.resize(static_cast<Index>(original_.nodes().size()), 3);
    for (Index i = 0; i < result.nodes.rows(); ++i) {
      result.nodes.row(i) = sample(original_.nodes()[static_cast<std::size_t>(i)].at);
    }
    result.shape.resize(x_.size(), 3);
    for (Index i = 0; i < x_.size(); ++i) result.shape.row(i) = sample(x_[i]);
    return result;
  }

  double damping_ratio(double omega, const Vector& shape) const {
    if (omega == 0.0) return 0.0;
    ComplexMatrix z, derivative;
    damped_.dynamic_stiffness(omega, z, derivative);
    return shape.dot(z.imag() * shape) / (2.0 * omega * omega);
  }

  const SpectralBeam& original_;
  SpectralBeam damped_, undamped_;
  double highest_;
  Vector x_;
};

}  // namespace

std::vector<BeamMode> lowest_natural_modes(const SpectralBeam& structure, Index count, Index places) {
  require(places >= 2, "modes drawn at {} places along the beam: at least 2 are needed.", places);
  // One more than the rigid motions, so that there is a frequency to compare with.
  const Index rigid = detail::rigid_motions(structure.beam()).cols();
  const std::vector<double> found = lowest_natural_frequencies(structure, std::max(count, rigid + 1));
  const ModeShapes shapes(structure, found.back(), places);
  std::vector<BeamMode> modes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count);) {
    std::size_t next = i + 1;
    while (next < found.size() && found[next] - found[i] <= equal_frequencies * found[i]) ++next;
    shapes.append(found[i], static_cast<Index>(next - i), modes);
    i = next;
  }
  modes.resize(static_cast<std::size_t>(count));
  return modes;
}

}  // namespace masing
