#include "masing/structure/detail/spectral_damping.hpp"

#include "masing/structure/detail/band_matrix.hpp"

#include <algorithm>

namespace masing::detail {
namespace {

class SpectralFamily final : public DampedFamily {
 public:
  explicit SpectralFamily(const SpectralModel& model)
      : damped_(model),
        model_(model),
        z_(model.size, bandwidth(model)),
        derivative_(z_),
        factors_(z_.size(), z_.bandwidth()) {}

  void go_to(Complex omega, double share) override {
    for (std::size_t i = 0; i < model_.pieces.size(); ++i) {
      model_.pieces[i].loss_factor = share * damped_.pieces[i].loss_factor;
    }
    for (std::size_t i = 0; i < model_.lumped.size(); ++i) {
      model_.lumped[i].damping = share * damped_.lumped[i].damping;
    }
    z_.set_zero();
    derivative_.set_zero();
    model_.assemble(omega, [this](Index i, Index j, const Complex& z, const Complex& slope) {
      z_(i, j) += z;
      derivative_(i, j) += slope;
    });
    regular_ = factors_.compute(z_);
  }

  ComplexVector times(const ComplexVector& x) const override {
    ComplexMatrix image(x.size(), 1);
    z_.multiply(x, image);
    return image;
  }

  ComplexVector derivative_times(const ComplexVector& x) const override {
    ComplexMatrix image(x.size(), 1);
    derivative_.multiply(x, image);
    return image;
  }

  bool solve_in_place(ComplexVector& x) override {
    if (regular_) factors_.solve_in_place(x);
    return regular_;
  }

 private:
  const SpectralModel& damped_;
  SpectralModel model_;
  BandMatrix z_, derivative_;
  BandFactors factors_;
  bool regular_ = false;
};

}  // namespace

bool has_damping(const SpectralModel& model) {
  const auto lossy = [](const SpectralPiece& piece) { return piece.loss_factor > 0.0; };
  const auto damped = [](const SpectralModel::Lumped& term) { return term.damping != 0.0; };
  return std::any_of(model.pieces.begin(), model.pieces.end(), lossy) ||
         std::any_of(model.lumped.begin(), model.lumped.end(), damped);
}

namespace {

/// η, when everything that is elastic has it and nothing else damps.
std::optional<double> common_loss_factor(const SpectralModel& model) {
  const double eta = model.pieces.front().loss_factor;
  const auto other = [&](const SpectralPiece& piece) { return piece.loss_factor != eta; };
  const auto elastic = [](const SpectralModel::Lumped& term) { return term.stiffness != 0.0 || term.damping != 0.0; };
  if (std::any_of(model.pieces.begin(), model.pieces.end(), other) ||
      std::any_of(model.lumped.begin(), model.lumped.end(), elastic)) {
    return std::nullopt;
  }
  return eta;
}

}  // namespace

std::optional<Complex> damped_frequency(const SpectralModel& model, double omega, const Vector& shape) {
  // K (1 + iη) x = ω² M x: the modes are those without damping, also where they meet.
  if (const auto eta = common_loss_factor(model)) return omega * std::sqrt(Complex(1.0, *eta));
  SpectralFamily family(model);
  return damped_frequency(family, omega, shape);
}

}  // namespace masing::detail
