#include "masing/structure/detail/galerkin_basis.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/spectral_condensation.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace masing::detail {
namespace {

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
struct Reference {
  Matrix stiffness, loads;  ///< of weighted motions
};

Reference reference_at(const SpectralBeam& beam, const InterfaceBasis& interface, const Matrix& half_weight,
                       const GalerkinOptions& options) {
  const auto model = std::make_shared<const SpectralModel>(undamped(beam.model()));
  SparseMatrix as_it_is(beam.size(), beam.size());
  as_it_is.setIdentity();
  const auto condensed = condense_spectral(model, as_it_is, beam.coordinates(), interface);
  condensed->set_frequency(2.0 * pi * options.frequency);
  Reference result{.stiffness = weighted(half_weight, condensed->stiffness()).real(),
                   .loads = Matrix::Zero(interface.kept(), options.loads.cols())};
  ComplexVector kept, derivative;
  for (Index j = 0; j < options.loads.cols(); ++j) {
    condensed->condense_load(options.loads.col(j).cast<Complex>(), kept, derivative);
    result.loads.col(j) = half_weight.triangularView<Eigen::Lower>().solve(kept.real());
  }
  return result;
}

/// Elastic shapes beside the rigid ones, smallest |λ| first.
struct ElasticModes {
  Vector lambda;
  Matrix shapes;
};

ElasticModes elastic_modes(const Matrix& stiffness, const Matrix& rigid) {
  const Index n = stiffness.rows();
  const Matrix all = rigid.householderQr().householderQ() * Matrix::Identity(n, n);
  const Matrix beside = all.rightCols(n - rigid.cols());
  if (beside.cols() == 0) return {.lambda = Vector(), .shapes = beside};
  const Matrix inner = beside.transpose() * stiffness * beside;
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(0.5 * (inner + inner.transpose()));
  std::vector<Index> order(static_cast<std::size_t>(inner.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(solver.eigenvalues()[a]) < std::abs(solver.eigenvalues()[b]);
  });
  return {.lambda = solver.eigenvalues()(order), .shapes = beside * solver.eigenvectors()(Eigen::all, order)};
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

Matrix GalerkinBasis::motions() const {
  const Matrix y = half_weight.transpose().triangularView<Eigen::Upper>().solve(shapes);
  return y * half_weight.norm();  // a rigid motion of 1 has 1
}

GalerkinBasis galerkin_basis(const SpectralBeam& beam, const InterfaceBasis& interface,
                             const GalerkinOptions& options) {
  GalerkinBasis basis{.half_weight = half_weight(interface, options), .shapes = {}, .summary = {}};
  const Matrix& r = basis.half_weight;
  const Reference at = reference_at(beam, interface, r, options);
  const Matrix rigid = orthonormal(r.transpose() * kept_part(interface, rigid_motions(beam)));
  const ElasticModes modes = elastic_modes(at.stiffness, rigid);
  const Index chosen = std::min(options.modes, modes.lambda.size());
  const Index left = modes.lambda.size() - chosen;
  Matrix residual(interface.kept(), 0);
  if (options.residual && left > 0) {
    // Uniform and linear loads: S⁻¹ G (rigid) lies in the span of the rigid motions and of the answer to −S (rigid).
    Matrix forces(interface.kept(), rigid.cols() + at.loads.cols());
    forces << at.stiffness * rigid, at.loads;
    residual = residual_shapes(modes.shapes.rightCols(left), modes.lambda.tail(left), forces);
  }
  basis.shapes.resize(interface.kept(), rigid.cols() + chosen + residual.cols());
  basis.shapes << rigid, modes.shapes.leftCols(chosen), residual;
  basis.summary = {.motions = interface.kept(),
                   .rigid = rigid.cols(),
                   .modes = chosen,
                   .residuals = residual.cols(),
                   .first_left_out = left > 0 ? modes.lambda[chosen] : 0.0};
  return basis;
}

}  // namespace masing::detail
