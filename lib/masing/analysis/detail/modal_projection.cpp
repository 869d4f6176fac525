#include "masing/analysis/detail/modal_projection.hpp"

#include "masing/structure/galerkin_beam.hpp"
#include "masing/structure/spectral_field.hpp"

#include <algorithm>
#include <optional>

namespace masing::detail {

namespace {

Vector shares_of(const ComplexVector& products, double mass) {
  return mass > 0.0 ? Vector(products.cwiseAbs2() / mass) : Vector(Vector::Zero(products.size()));
}

class MatrixProjection final : public ModalProjection {
 public:
  MatrixProjection(const SparseMatrix& mass, const Matrix& shapes)
      : mass_(mass), momenta_((mass * shapes).transpose()) {}

  Vector shares(const ComplexVector& amplitude, double) override {
    return shares_of(momenta_ * amplitude, amplitude.dot(mass_.cast<Complex>() * amplitude).real());
  }

 private:
  SparseMatrix mass_;
  Matrix momenta_;  // modes × coordinates: φᵀM
};

/// The modes are drawn where the integrals are summed, anew when a harmonic has shorter waves than those were made for.
class FieldProjection final : public ModalProjection {
 public:
  FieldProjection(ProjectedModes modes, const SpectralBeam& beam)
      : modes_(std::move(modes)), reduced_(dynamic_cast<const GalerkinBeam*>(modes_.structure.get())), beam_(beam) {}

  Vector shares(const ComplexVector& amplitude, double omega) override {
    if (!field_ || omega > field_->highest()) draw(omega);
    if (reduced_ != nullptr) {
      field_->at(omega, reduced_->shapes().cast<Complex>() * amplitude, motions_);
    } else {
      field_->at(omega, amplitude, motions_);
    }
    const double mass = field_->weights().cwiseProduct(motions_.cwiseAbs2()).sum();
    return shares_of(momenta_ * motions_.reshaped(), mass);
  }

 private:
  void draw(double omega) {
    constexpr double reserve = 2.0;  // of frequency, so that a branch does not draw again and again
    const Index count = modes_.numbers.back() + 1;
    field_.emplace(beam_, std::max(reserve * omega, modes_.highest));
    const auto drawn = natural_modes(*modes_.structure, modes_.attachments, {.count = count}, field_->places());
    momenta_.resize(std::ssize(modes_.numbers), field_->weights().size());
    for (std::size_t m = 0; m < modes_.numbers.size(); ++m) {
      const Matrix& shape = drawn[static_cast<std::size_t>(modes_.numbers[m])].drawn;
      momenta_.row(static_cast<Index>(m)) = field_->weights().cwiseProduct(shape).reshaped();
    }
  }

  ProjectedModes modes_;
  const GalerkinBeam* reduced_;
  const SpectralBeam& beam_;
  std::optional<SpectralField> field_;
  Matrix momenta_;         // modes × (places · motions): weighted fields of the modes
  ComplexMatrix motions_;  // places × motions
};

}  // namespace

std::unique_ptr<ModalProjection> modal_projection(ProjectedModes modes) {
  if (const auto* matrices = dynamic_cast<const SecondOrderStructure*>(modes.structure.get())) {
    return std::make_unique<MatrixProjection>(matrices->mass(), modes.shapes);
  }
  const SpectralBeam* beam = spectral_beam_of(*modes.structure);
  if (beam == nullptr) return nullptr;
  return std::make_unique<FieldProjection>(std::move(modes), *beam);
}

}  // namespace masing::detail
