#include "masing/structure/eigenfunction_beam.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/galerkin_basis.hpp"
#include "masing/structure/detail/invariant_span.hpp"

#include <Eigen/QR>
#include <algorithm>

namespace masing {
namespace {

/// The condensed beam with y = V(ω) c, V = [U T, Q]: U carries the stretch's weighted motions to those of the basis, Q are
/// the motions beside the stretch.
class EigenfunctionCondensation final : public CondensedStructure {
 public:
  EigenfunctionCondensation(std::unique_ptr<CondensedStructure> full, Matrix weighted_motions, Matrix beside,
                            Matrix reference, Matrix shares)
      : full_(std::move(full)),
        weighted_motions_(std::move(weighted_motions)),
        reference_(std::move(reference)),
        shares_(std::move(shares)) {
    const Index motions = weighted_motions_.rows();
    modes_ = reference_.cols();
    size_ = modes_ + beside.cols();
    shapes_.value.setZero(motions, size_);
    shapes_.derivative.setZero(motions, size_);
    shapes_.value.rightCols(beside.cols()) = beside.cast<Complex>();
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
    const ComplexMatrix& s = full_->stiffness();
    const ComplexMatrix& ds = full_->stiffness_derivative();
    const auto inside = [&](const ComplexMatrix& matrix) -> ComplexMatrix {
      return weighted_motions_.transpose() * matrix * weighted_motions_;
    };
    if (!detail::invariant_span(inside(s), inside(ds), reference_, span_)) {
      throw NumericalError(
          fmt::format("The eigenfunctions of the stretch could not be told apart at {:.6g} Hz: one that is kept and "
                      "one that is not "
                      "have the same eigenvalue. Change `modes`, or take basis = \"constant\".",
                      omega / (2.0 * pi)));
    }
    shapes_.value.leftCols(modes_) = weighted_motions_ * span_.value;
    shapes_.derivative.leftCols(modes_) = weighted_motions_ * span_.derivative;
    if (omega == 0.0) shapes_.derivative.setZero();
    const ComplexMatrix& v = shapes_.value;
    const ComplexMatrix moved = s * v;
    s_.noalias() = v.transpose() * moved;
    const ComplexMatrix turned = shapes_.derivative.transpose() * moved;
    ds_.noalias() = v.transpose() * (ds * v);
    ds_ += turned + turned.transpose();
    omega_ = omega;
  }

  void condense_load(const ComplexVector& load, ComplexVector& kept, ComplexVector& derivative) override {
    full_->condense_load(load, motion_, rate_);
    kept.noalias() = shapes_.value.transpose() * motion_;
    derivative.noalias() = shapes_.value.transpose() * rate_;
    derivative.noalias() += shapes_.derivative.transpose() * motion_;
  }

  void recover(const ComplexVector& kept, const ComplexVector& load, ComplexVector& all) override {
    motion_.noalias() = shapes_.value * kept;
    full_->recover(motion_, load, all);
  }

  void recover_rate(const ComplexVector& all, const ComplexVector& kept_rate, double omega_rate,
                    ComplexVector& all_rate) override {
    motion_.noalias() = shapes_.value * kept_rate;
    if (omega_rate != 0.0) motion_.noalias() += omega_rate * (shapes_.derivative.leftCols(modes_) * (shares_ * all));
    full_->recover_rate(all, motion_, omega_rate, all_rate);
  }

 private:
  std::unique_ptr<CondensedStructure> full_;
  Matrix weighted_motions_;  // U
  Matrix reference_;         // Φ₀
  Matrix shares_;            // all coordinates -> c of the eigenfunctions
  Index modes_ = 0, size_ = 0;
  double omega_ = -1.0;
  detail::InvariantSpan span_;
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
  summary_ = {.motions = interface_.kept(), .modes = count, .per_harmonic = true};
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
  const Matrix shares = (reference_.transpose() * half_weight_.transpose() * stretch.transpose()) / scale;
  return std::make_unique<EigenfunctionCondensation>(condense(basis), inside * inverse,
                                                     all.rightCols(basis.kept() - inside.cols()), reference_, shares);
}

}  // namespace masing
