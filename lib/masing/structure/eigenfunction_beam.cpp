#include "masing/structure/eigenfunction_beam.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/galerkin_basis.hpp"
#include "masing/structure/detail/invariant_span.hpp"
#include "masing/structure/detail/load_answers.hpp"

#include <Eigen/QR>
#include <algorithm>

namespace masing {
namespace {

/// How the stretch is seen from all coordinates and from the kept motions of a basis.
struct StretchView {
  Matrix motions;    ///< U: weighted motions of the stretch -> motions of the basis
  Matrix beside;     ///< Q: what the basis has beside the stretch
  Matrix from_all;   ///< all coordinates -> weighted motions
  Matrix reference;  ///< Φ₀, of weighted motions
  Matrix loads;      ///< on all coordinates, a column each
};

/// The condensed beam with y = V(ω) c, V = [U T, U r, Q]: eigenfunctions, answers to loads, motions beside the stretch.
class EigenfunctionCondensation final : public CondensedStructure {
 public:
  EigenfunctionCondensation(std::unique_ptr<CondensedStructure> full, StretchView view)
      : full_(std::move(full)), view_(std::move(view)) {
    const Index motions = view_.motions.rows();
    modes_ = view_.reference.cols();
    inside_ = modes_ + view_.loads.cols();
    size_ = inside_ + view_.beside.cols();
    shapes_.value.setZero(motions, size_);
    shapes_.derivative.setZero(motions, size_);
    shapes_.value.rightCols(view_.beside.cols()) = view_.beside.cast<Complex>();
    weighted_.setZero(view_.motions.cols(), inside_);
    weighted_derivative_ = weighted_;
    loads_.setZero(view_.motions.cols(), view_.loads.cols());
    loads_derivative_ = loads_;
  }

  Index size() const override { return size_; }
  const MotionShapes* shapes() const override { return &shapes_; }
  const ComplexMatrix& stiffness() const override { return s_; }
  const ComplexMatrix& stiffness_derivative() const override { return ds_; }
  double cancelling_terms() const override { return full_->cancelling_terms() * shapes_.value.cwiseAbs2().maxCoeff(); }

  void set_frequency(double omega) override {
    if (omega == omega_) return;
    omega_ = -1.0;
    full_->set_frequency(omega);
    make_shapes(omega);
    const ComplexMatrix& s = full_->stiffness();
    const ComplexMatrix& v = shapes_.value;
    const ComplexMatrix& dv = shapes_.derivative;
    const ComplexMatrix moved = s * v;
    s_.noalias() = v.adjoint() * moved;
    ds_.noalias() = v.adjoint() * (full_->stiffness_derivative() * v);
    ds_.noalias() += dv.adjoint() * moved;
    ds_.noalias() += v.adjoint() * (s * dv);
    omega_ = omega;
  }

  void condense_load(const ComplexVector& load, ComplexVector& kept, ComplexVector& derivative) override {
    full_->condense_load(load, motion_, rate_);
    kept.noalias() = shapes_.value.adjoint() * motion_;
    derivative.noalias() = shapes_.value.adjoint() * rate_;
    derivative.noalias() += shapes_.derivative.adjoint() * motion_;
  }

  void recover(const ComplexVector& kept, const ComplexVector& load, ComplexVector& all) override {
    motion_.noalias() = shapes_.value * kept;
    full_->recover(motion_, load, all);
  }

  void recover_rate(const ComplexVector& all, const ComplexVector& kept_rate, double omega_rate,
                    ComplexVector& all_rate) override {
    motion_.noalias() = shapes_.value * kept_rate;
    if (omega_rate != 0.0) {
      const ComplexVector shares = weighted_.householderQr().solve(ComplexVector(view_.from_all * all));
      motion_.noalias() += omega_rate * (shapes_.derivative.leftCols(inside_) * shares);
    }
    full_->recover_rate(all, motion_, omega_rate, all_rate);
  }

 private:
  void make_shapes(double omega) {
    const auto inside = [&](const ComplexMatrix& matrix) -> ComplexMatrix {
      return view_.motions.transpose() * matrix * view_.motions;
    };
    const ComplexMatrix a = inside(full_->stiffness()), a_rate = inside(full_->stiffness_derivative());
    if (!detail::invariant_span(a, a_rate, view_.reference, span_)) {
      throw NumericalError(
          fmt::format("The eigenfunctions of the stretch could not be told apart at {:.6g} Hz: one that is kept and "
                      "one that is not have the same eigenvalue. Change `modes`, or take basis = \"constant\".",
                      omega / (2.0 * pi)));
    }
    weighted_.leftCols(modes_) = span_.value;
    weighted_derivative_.leftCols(modes_) = span_.derivative;
    if (view_.loads.cols() > 0) add_answers(a, a_rate, omega);
    shapes_.value.leftCols(inside_) = view_.motions * weighted_;
    shapes_.derivative.leftCols(inside_) = view_.motions * weighted_derivative_;
    if (omega == 0.0) shapes_.derivative.setZero();
  }

  void add_answers(const ComplexMatrix& a, const ComplexMatrix& a_rate, double omega) {
    for (Index j = 0; j < view_.loads.cols(); ++j) {
      full_->condense_load(view_.loads.col(j).cast<Complex>(), motion_, rate_);
      loads_.col(j) = view_.motions.transpose() * motion_;
      loads_derivative_.col(j) = view_.motions.transpose() * rate_;
    }
    // At rest a beam that floats has no answer: its rigid motions are eigenfunctions, what is beside them is the same
    // whatever holds it.
    ComplexMatrix held = a;
    if (omega == 0.0) held += a.norm() * (span_.value * span_.value.transpose());
    if (!detail::load_answers(held, a_rate, span_, loads_, loads_derivative_, answers_)) {
      throw NumericalError(
          fmt::format("The answer of the stretch to the loads is contained in its eigenfunctions at {:.6g} Hz, or does "
                      "not exist. Take "
                      "residual = false, fewer `modes`, or basis = \"constant\".",
                      omega / (2.0 * pi)));
    }
    weighted_.rightCols(inside_ - modes_) = answers_.value;
    weighted_derivative_.rightCols(inside_ - modes_) = answers_.derivative;
  }

  std::unique_ptr<CondensedStructure> full_;
  StretchView view_;
  Index modes_ = 0, inside_ = 0, size_ = 0;
  double omega_ = -1.0;
  detail::InvariantSpan span_;
  detail::LoadAnswers answers_;
  ComplexMatrix weighted_, weighted_derivative_;  // [T, r]
  ComplexMatrix loads_, loads_derivative_;        // b
  MotionShapes shapes_;
  ComplexMatrix s_, ds_;
  ComplexVector motion_, rate_;
};

}  // namespace

EigenfunctionBeam::EigenfunctionBeam(const SpectralBeam& full, const GalerkinOptions& options)
    : SpectralBeam(full), interface_(interface_basis(options.directions)) {
  const detail::Stretch stretch = detail::make_stretch(*this, interface_, options);
  half_weight_ = stretch.half_weight;
  const detail::SortedModes modes = detail::sorted_modes(stretch.stiffness);
  const Index count = std::min(options.modes + stretch.rigid.cols(), modes.lambda.size());
  reference_ = modes.shapes.leftCols(count);
  if (options.residual && count < modes.lambda.size()) {
    loads_ = options.loads(Eigen::all, detail::loads_beside(stretch, reference_));
    loads_ = loads_.leftCols(std::min(loads_.cols(), modes.lambda.size() - count)).eval();
  }
  summary_ = {.motions = interface_.kept(), .modes = count, .residuals = loads_.cols(), .per_harmonic = true};
  if (count < modes.lambda.size()) summary_.first_left_out = modes.lambda[count];
  const auto exact = condense(interface_);
  const auto small = condense_in_shapes(interface_);
  const Matrix to_weighted = half_weight_.transpose();
  for (const double frequency : options.indicated_frequencies()) {
    exact->set_frequency(2.0 * pi * frequency);
    small->set_frequency(2.0 * pi * frequency);
    summary_.errors.emplace_back(frequency,
                                 detail::missing_flexibility(detail::weighted(half_weight_, exact->stiffness()),
                                                             to_weighted * small->shapes()->value, stretch.rigid));
  }
}

std::unique_ptr<CondensedStructure> EigenfunctionBeam::condense_in_shapes(const InterfaceBasis& basis) const {
  // P: the stretch's motions among those of the basis, orthonormal columns.
  Matrix stretch = Matrix::Zero(size(), interface_.kept());
  stretch(interface_.touched, Eigen::all) = interface_.range;
  const Matrix inside = basis.range.transpose() * stretch(basis.touched, Eigen::all);
  constexpr double rounding = 1e-9;
  require((inside.transpose() * inside - Matrix::Identity(inside.cols(), inside.cols())).norm() < rounding,
          "The joints do not feel all motions of the stretch whose eigenfunctions are wanted.");
  const Matrix all = inside.householderQr().householderQ() * Matrix::Identity(basis.kept(), basis.kept());
  const double scale = half_weight_.norm();  // a rigid motion of 1 has 1
  const Matrix inverse = scale * half_weight_.transpose().triangularView<Eigen::Upper>().solve(
                                     Matrix::Identity(inside.cols(), inside.cols()));
  StretchView view{.motions = inside * inverse,
                   .beside = all.rightCols(basis.kept() - inside.cols()),
                   .from_all = half_weight_.transpose() * stretch.transpose() / scale,
                   .reference = reference_,
                   .loads = loads_};
  return std::make_unique<EigenfunctionCondensation>(condense(basis), std::move(view));
}

}  // namespace masing
