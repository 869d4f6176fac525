#include "masing/structure/detail/galerkin_basis.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/invariant_span.hpp"
#include "masing/structure/detail/spectral_condensation.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace masing::detail {
namespace {

void check(const SpectralBeam& beam, const GalerkinOptions& options) {
  require(options.directions.rows() == beam.size() && options.directions.nonZeros() > 0,
          "kind = \"galerkin\" needs joints along the beam: a joint with `over`.");
  require(options.lengths.size() == options.directions.cols() && options.lengths.minCoeff() > 0.0,
          "A Galerkin reduction needs a length > 0 for each of the {} motions of the joints.",
          options.directions.cols());
  require(options.loads.cols() == 0 || options.loads.rows() == beam.size(),
          "The loads of a reduction have {} rows, the beam has {} coordinates.", options.loads.rows(), beam.size());
  require(options.modes >= 0, "modes = {} must be >= 0.", options.modes);
  require(options.frequency > 0.0, "A Galerkin reduction needs a frequency of reference > 0.");
}

// A shape whose part beside the others is below this share of it says nothing new.
constexpr double new_direction = 1e-9;

/// Orthonormal columns that span `given`.
Matrix orthonormal(const Matrix& given) {
  if (given.cols() == 0) return given;
  Eigen::ColPivHouseholderQR<Matrix> qr;
  qr.setThreshold(new_direction);
  qr.compute(given);
  return qr.householderQ() * Matrix::Identity(given.rows(), qr.rank());
}

/// Kept motions of a motion of all coordinates.
Matrix kept_part(const InterfaceBasis& interface, const Matrix& coordinates) {
  return interface.range.transpose() * coordinates(interface.touched, Eigen::all);
}

/// R with RRᵀ = Σ length · (unit direction)(unit direction)ᵀ.
Matrix half_weight(const InterfaceBasis& interface, const GalerkinOptions& options) {
  Matrix felt = kept_part(interface, Matrix(options.directions));
  for (Index j = 0; j < felt.cols(); ++j) felt.col(j) = std::sqrt(options.lengths[j]) * felt.col(j).stableNormalized();
  return Matrix(felt * felt.transpose()).llt().matrixL();
}

/// The beam moves along u, along w, and turns.
Matrix rigid_motions(const SpectralBeam& beam) {
  const auto nodes = static_cast<Index>(beam.nodes().size());
  const Index count = beam.model().bends ? 3 : 1;
  Matrix motions(beam.size(), count);
  for (Index j = 0; j < count; ++j) {
    Matrix nodal = Matrix::Zero(nodes, 3);
    nodal.col(j).setOnes();
    for (Index i = 0; j == 2 && i < nodes; ++i) nodal(i, 1) = beam.nodes()[static_cast<std::size_t>(i)].at;
    motions.col(j) = beam.to_coordinates(nodal);
  }
  return motions;
}

/// The undamped beam at the frequency of reference, seen from the joints.
void add_reference(const SpectralBeam& beam, const InterfaceBasis& interface, const GalerkinOptions& options,
                   Stretch& stretch) {
  const auto model = std::make_shared<const SpectralModel>(undamped(beam.model()));
  SparseMatrix as_it_is(beam.size(), beam.size());
  as_it_is.setIdentity();
  const auto condensed = condense_spectral(model, as_it_is, beam.coordinates(), interface);
  condensed->set_frequency(2.0 * pi * options.frequency);
  stretch.stiffness = weighted(stretch.half_weight, condensed->stiffness()).real();
  stretch.loads.setZero(interface.kept(), options.loads.cols());
  ComplexVector kept, derivative;
  for (Index j = 0; j < options.loads.cols(); ++j) {
    condensed->condense_load(options.loads.col(j).cast<Complex>(), kept, derivative);
    stretch.loads.col(j) = stretch.half_weight.triangularView<Eigen::Lower>().solve(kept.real());
  }
}

/// Elastic shapes beside the rigid ones, smallest |λ| first.
SortedModes elastic_modes(const Matrix& stiffness, const Matrix& rigid) {
  const Index n = stiffness.rows();
  const Matrix all = rigid.householderQr().householderQ() * Matrix::Identity(n, n);
  const Matrix beside = all.rightCols(n - rigid.cols());
  if (beside.cols() == 0) return {.lambda = Vector(), .shapes = beside};
  SortedModes modes = sorted_modes(beside.transpose() * stiffness * beside);
  modes.shapes = beside * modes.shapes;
  return modes;
}

/// What these modes add under the forces, each to its own scale; nothing where only rounding errors are left of one.
Matrix residual_shapes(const Matrix& modes, const Vector& lambda, const Matrix& forces) {
  constexpr double rounding = 1e-12;
  Matrix result = modes * lambda.cwiseInverse().asDiagonal() * (modes.transpose() * forces);
  for (Index j = 0; j < result.cols(); ++j) {
    const double size = result.col(j).norm();
    result.col(j) *= size * std::abs(lambda[0]) > rounding * forces.col(j).norm() ? 1.0 / size : 0.0;
  }
  return orthonormal(result);
}

}  // namespace

ComplexMatrix weighted(const Matrix& half_weight, const ComplexMatrix& stiffness) {
  const auto inverse = [&](const Matrix& right) -> Matrix {
    return half_weight.triangularView<Eigen::Lower>().solve(right);
  };
  const auto both_sides = [&](const Matrix& part) -> Matrix { return inverse(inverse(part).transpose()); };
  ComplexMatrix result(stiffness.rows(), stiffness.cols());
  result.real() = both_sides(stiffness.real());
  result.imag() = both_sides(stiffness.imag());
  return result;
}

double missing_flexibility(const ComplexMatrix& stiffness, const ComplexMatrix& shapes, const Matrix& rigid) {
  if (shapes.cols() == shapes.rows()) return 0.0;
  const auto flexibility = [&](const ComplexMatrix& with) -> ComplexMatrix {
    if (with.cols() == 0) return ComplexMatrix::Zero(stiffness.rows(), stiffness.cols());
    const ComplexMatrix inner = with.adjoint() * stiffness * with;
    return with * inner.partialPivLu().solve(ComplexMatrix(with.adjoint()));
  };
  const ComplexMatrix exact = stiffness.partialPivLu().inverse();
  return (exact - flexibility(shapes)).norm() / (exact - flexibility(rigid.cast<Complex>())).norm();
}

std::vector<Index> loads_beside(const Stretch& stretch, const Matrix& eigenvectors) {
  std::vector<Index> found;
  Matrix known = eigenvectors;
  for (Index j = 0; j < stretch.loads.cols(); ++j) {
    const Vector load = stretch.loads.col(j);
    const Vector beside = load - eigenvectors * (eigenvectors.transpose() * load);
    const Vector answer = stretch.stiffness.partialPivLu().solve(beside);
    const Vector fresh = answer - known * (known.transpose() * answer);
    if (!(beside.norm() > new_direction * load.norm() && fresh.norm() > new_direction * answer.norm())) continue;
    known.conservativeResize(Eigen::NoChange, known.cols() + 1);
    known.rightCols(1) = fresh.normalized();
    found.push_back(j);
  }
  return found;
}

Matrix Stretch::motions(const Matrix& shapes) const {
  const Matrix y = half_weight.transpose().triangularView<Eigen::Upper>().solve(shapes);
  return y * half_weight.norm();  // a rigid motion of 1 has 1
}

Stretch make_stretch(const SpectralBeam& beam, const InterfaceBasis& interface, const GalerkinOptions& options) {
  check(beam, options);
  Stretch stretch{.half_weight = half_weight(interface, options), .rigid = {}, .stiffness = {}, .loads = {}};
  stretch.rigid = orthonormal(stretch.half_weight.transpose() * kept_part(interface, rigid_motions(beam)));
  add_reference(beam, interface, options, stretch);
  return stretch;
}

Matrix galerkin_shapes(const Stretch& stretch, const GalerkinOptions& options, GalerkinSummary& summary) {
  const Index motions = stretch.stiffness.rows();
  const SortedModes modes = elastic_modes(stretch.stiffness, stretch.rigid);
  const Index chosen = std::min(options.modes, modes.lambda.size());
  const Index left = modes.lambda.size() - chosen;
  Matrix residual(motions, 0);
  if (options.residual && left > 0) {
    // Uniform and linear loads: S⁻¹ G (rigid) lies in the span of the rigid motions and of the answer to −S (rigid).
    Matrix forces(motions, stretch.rigid.cols() + stretch.loads.cols());
    forces << stretch.stiffness * stretch.rigid, stretch.loads;
    residual = residual_shapes(modes.shapes.rightCols(left), modes.lambda.tail(left), forces);
  }
  Matrix shapes(motions, stretch.rigid.cols() + chosen + residual.cols());
  shapes << stretch.rigid, modes.shapes.leftCols(chosen), residual;
  summary = {.motions = motions,
             .rigid = stretch.rigid.cols(),
             .modes = chosen,
             .residuals = residual.cols(),
             .first_left_out = left > 0 ? modes.lambda[chosen] : 0.0};
  return shapes;
}

}  // namespace masing::detail
