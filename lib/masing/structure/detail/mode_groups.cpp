#include "masing/structure/detail/mode_groups.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/band_matrix.hpp"
#include "masing/structure/detail/rigid_motions.hpp"
#include "masing/structure/detail/spectral_model.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <random>

namespace masing::detail {
namespace {

// No piece resonates with its ends held below this multiple of the frequency: every mode moves some node.
constexpr double margin = 1.2;
// Motions beside those of the group in the space of the correction, so that a neighbour cannot be taken for a member.
constexpr Index neighbours = 3;
// At a fixed ω within 1e-5 of a group, modes further than three neighbours fade by a factor of 10 or more each time.
constexpr int iterations = 8;
constexpr int most_corrections = 6;
constexpr double converged = 1e-14;
// Where the mass of a rigid motion is read from dZ/dω = −2ωM + O(ω³), relative to a natural frequency.
constexpr double almost_static = 1e-5;

bool resonates(const SpectralPiece& piece, bool bends, double omega) {
  return clamped_rod_frequencies_below(piece, omega) > 0 ||
         (bends && clamped_bending_frequencies_below(piece, omega) > 0);
}

Beam refined(const SpectralBeam& structure, double omega) {
  Beam beam = structure.beam();
  const std::vector<BeamNode>& nodes = structure.nodes();
  const SpectralModel& model = structure.model();
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    SpectralPiece part = model.pieces[i];
    int parts = 1;
    while (resonates(part, model.bends, margin * omega)) part.length = model.pieces[i].length / ++parts;
    for (int n = 1; n < parts; ++n) beam.points.push_back({"", nodes[i].at + n * part.length});
  }
  return beam;
}

struct Correction {
  Vector change;  // of ω, ascending
  Matrix shapes;
};

/// The motions of an undamped beam nearest to resonance, by inverse iteration.
class NearResonance {
 public:
  NearResonance(const SpectralModel& model, Index count)
      : model_(model),
        count_(count),
        z_(model.size, bandwidth(model)),
        derivative_(z_),
        factors_(z_.size(), z_.bandwidth()) {
    constexpr unsigned seed = 1971;
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    space_ =
        Matrix::NullaryExpr(model.size, std::min(count + neighbours, model.size), [&] { return uniform(generator); });
  }

  /// How far the frequencies of the group are from ω, to first order. Moves ω a little when Z is exactly singular there.
  Correction correct(double& omega) {
    factorise_beside(omega);
    ComplexMatrix image(space_.rows(), space_.cols());
    for (int i = 0; i < iterations; ++i) {
      derivative_.multiply(space_.cast<Complex>(), image);
      factors_.solve_in_place(image);
      const Eigen::HouseholderQR<Matrix> factors(image.real());
      space_ = factors.householderQ() * Matrix::Identity(space_.rows(), space_.cols());
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(projected(z_), -projected(derivative_));
    const Vector& change = solver.eigenvalues();
    Index first = 0;  // of those nearest to zero
    while (first + count_ < change.size() && std::abs(change[first + count_]) < std::abs(change[first])) ++first;
    // xᵀ (−dZ/dω) x = 1 becomes a modal mass of 1: −dZ/dω = 2ωM.
    return {.change = change.segment(first, count_),
            .shapes = std::sqrt(2.0 * omega) * (space_ * solver.eigenvectors().middleCols(first, count_))};
  }

 private:
  /// Each time Z is exactly singular, ω moves on by twice as much. Where springs are so weak that Z does not feel a small
  /// change of ω, some 1e-5 of it may be needed.
  void factorise_beside(double& omega) {
    constexpr double furthest = 1e-2;
    for (double nudge = converged; nudge < furthest; nudge *= 2.0) {
      assemble(omega);
      if (factors_.compute(z_)) return;
      omega *= 1.0 + nudge;
    }
    throw NumericalError(fmt::format(
        "The modes near {:.6g} Hz could not be separated: what holds the beam is too weak beside the stiffness of its "
        "pieces. Leave such springs out, or make them stiffer.",
        omega / (2.0 * pi)));
  }

  void assemble(double omega) {
    z_.set_zero();
    derivative_.set_zero();
    model_.assemble(omega, [this](Index i, Index j, const Complex& z, const Complex& slope) {
      z_(i, j) += z.real();
      derivative_(i, j) += slope.real();
    });
  }

  Matrix projected(const BandMatrix& matrix) const {
    ComplexMatrix image(space_.rows(), space_.cols());
    matrix.multiply(space_.cast<Complex>(), image);
    return space_.transpose() * image.real();
  }

  const SpectralModel& model_;
  Index count_;
  BandMatrix z_, derivative_;
  BandFactors factors_;
  Matrix space_;
};

}  // namespace

ModeGroup modes_of(const SpectralBeam& structure, const FrequencyGroup& group) {
  SpectralBeam undamped(without_damping(refined(structure, group.omega)));
  NearResonance motions(undamped.model(), group.count);
  double omega = group.omega;
  Correction last;
  for (int i = 0; i < most_corrections; ++i) {
    last = motions.correct(omega);
    const double step = last.change.mean();
    if (std::abs(step) <= converged * omega) break;
    omega += step;
    last.change.array() -= step;
  }
  return {
      .frequencies = last.change.array() + omega, .shapes = std::move(last.shapes), .undamped = std::move(undamped)};
}

Matrix rigid_shapes(const SpectralBeam& undamped, double reference) {
  const Matrix motions = rigid_motions(undamped.beam());
  const std::vector<BeamNode>& nodes = undamped.nodes();
  Matrix shapes(undamped.size(), motions.cols());
  for (Index i = 0; i < motions.cols(); ++i) {
    Matrix nodal(static_cast<Index>(nodes.size()), 3);
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      nodal.row(static_cast<Index>(node)) =
          rigid_motion_at(undamped.beam(), motions.col(i), nodes[node].at).transpose();
    }
    shapes.col(i) = undamped.to_coordinates(nodal);
  }
  const double omega = almost_static * reference;
  ComplexMatrix z, derivative;
  undamped.dynamic_stiffness(omega, z, derivative);
  const Matrix mass = shapes.transpose() * derivative.real() * shapes / (-2.0 * omega);
  const Matrix lower = mass.llt().matrixL();
  return lower.triangularView<Eigen::Lower>().solve(shapes.transpose()).transpose();
}

Matrix uncoupled(const Matrix& shapes, const Matrix& projected) {
  if (projected.isZero(0.0)) return shapes;
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(0.5 * (projected + projected.transpose()));
  return shapes * solver.eigenvectors();
}

Beam without_damping(Beam beam) {
  for (BeamSection& section : beam.sections) section.loss_factor = 0.0;
  for (BeamSupport& support : beam.supports) support.damping = {};
  for (BeamSpring& spring : beam.springs) spring.damping = {};
  for (BeamCoupling& coupling : beam.couplings) coupling.damping = 0.0;
  return beam;
}

}  // namespace masing::detail
