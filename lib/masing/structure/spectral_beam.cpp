#include "masing/structure/spectral_beam.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/spectral_condensation.hpp"

#include <algorithm>

namespace masing {
namespace {

/// −ρA a between the nodes and −m a at the masses.
class BaseAcceleration final : public FrequencyLoad {
 public:
  BaseAcceleration(std::shared_ptr<const detail::SpectralModel> model, BeamMotion motion, double amplitude)
      : model_(std::move(model)), motion_(motion), amplitude_(amplitude), masses_(Vector::Zero(model_->size)) {}

  void add_mass(Index coordinate, double mass) {
    if (coordinate >= 0) masses_[coordinate] += mass;
  }

  void at(double omega, ComplexVector& load, ComplexVector& derivative) const override {
    load = -amplitude_ * masses_;
    derivative.setZero(model_->size);
    for (std::size_t i = 0; i < model_->pieces.size(); ++i) {
      const auto& left = model_->coordinates[i];
      const auto& right = model_->coordinates[i + 1];
      const SpectralPiece& piece = model_->pieces[i];
      if (motion_ == BeamMotion::u) {
        add(std::array{left[0], right[0]}, rod_base_acceleration(piece, omega), load, derivative);
      } else {
        add(std::array{left[1], left[2], right[1], right[2]}, bending_base_acceleration(piece, omega), load,
            derivative);
      }
    }
  }

 private:
  template <std::size_t n, class EndLoad>
  void add(const std::array<Index, n>& where, const EndLoad& ends, ComplexVector& load,
           ComplexVector& derivative) const {
    for (std::size_t i = 0; i < n; ++i) {
      if (where[i] < 0) continue;
      load[where[i]] += amplitude_ * ends.load[static_cast<Index>(i)];
      derivative[where[i]] += amplitude_ * ends.derivative[static_cast<Index>(i)];
    }
  }

  std::shared_ptr<const detail::SpectralModel> model_;
  BeamMotion motion_;
  double amplitude_;
  Vector masses_;
};

}  // namespace

SpectralBeam::SpectralBeam(Beam beam) : beam_(std::move(beam)) {
  check_beam(beam_);
  nodes_ = beam_nodes(beam_);
  model_ = std::make_shared<const detail::SpectralModel>(detail::spectral_model(beam_, nodes_));
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    for (std::size_t motion = 0; motion < 3; ++motion) {
      if (model_->coordinates[node][motion] < 0) continue;
      coordinates_.push_back(fmt::format("{}.{}", nodes_[node].name, beam_motion_names[motion]));
    }
  }
}

std::unique_ptr<CondensedStructure> SpectralBeam::condense(const InterfaceBasis& basis) const {
  require(size() > 0, "Every motion of every node of the beam is fixed. Give it a point where it can move.");
  SparseMatrix as_it_is(size(), size());
  as_it_is.setIdentity();
  return detail::condense_spectral(model_, as_it_is, coordinates_, basis);
}

Vector SpectralBeam::base_acceleration_load(const Vector&) const {
  throw ModelError(
      "base_acceleration: a spectral beam has no mass matrix; the inertia forces of a moving base are spread along it "
      "and depend on the frequency. Ask it for base_acceleration(motion, amplitude).");
}

std::shared_ptr<const FrequencyLoad> SpectralBeam::base_acceleration(BeamMotion motion, double amplitude) const {
  require(motion == BeamMotion::u || (motion == BeamMotion::w && model_->bends),
          "The base of a {} cannot be accelerated along {}.", model_->bends ? "beam" : "rod",
          beam_motion_names[static_cast<std::size_t>(motion)]);
  auto load = std::make_shared<BaseAcceleration>(model_, motion, amplitude);
  for (const BeamMass& mass : beam_.masses) load->add_mass(coordinate(node_at(nodes_, mass.at), motion), mass.mass);
  return load;
}

Index SpectralBeam::coordinate(std::size_t node, BeamMotion motion) const {
  return model_->coordinates.at(node)[static_cast<std::size_t>(motion)];
}

void SpectralBeam::dynamic_stiffness(double omega, ComplexMatrix& z, ComplexMatrix& derivative) const {
  z.setZero(size(), size());
  derivative.setZero(size(), size());
  model_->assemble(omega, [&](Index row, Index column, const Complex& value, const Complex& slope) {
    z(row, column) += value;
    derivative(row, column) += slope;
  });
}

std::array<Complex, 3> SpectralBeam::motion_at(double x, double omega, const ComplexVector& all) const {
  require(x >= nodes_.front().at && x <= nodes_.back().at,
          "x = {} m is not on the beam, which reaches from {} to {} m.", x, nodes_.front().at, nodes_.back().at);
  const auto behind = std::find_if(nodes_.begin() + 1, nodes_.end() - 1, [&](const BeamNode& n) { return n.at >= x; });
  const auto left = static_cast<std::size_t>(behind - nodes_.begin()) - 1;
  const auto value = [&](std::size_t node, std::size_t motion) {
    const Index at = model_->coordinates[node][motion];
    return at < 0 ? Complex(0.0) : all[at];
  };
  const SpectralPiece& piece = model_->pieces[left];
  const double inside = x - nodes_[left].at;
  std::array<Complex, 3> result = {};
  result[0] = rod_motion(piece, omega, {value(left, 0), value(left + 1, 0)}, inside);
  if (!model_->bends) return result;
  const Eigen::Vector2cd bending =
      bending_motion(piece, omega, {value(left, 1), value(left, 2), value(left + 1, 1), value(left + 1, 2)}, inside);
  result[1] = bending[0];
  result[2] = bending[1];
  return result;
}

Vector SpectralBeam::to_coordinates(const Matrix& nodal) const {
  Vector result = Vector::Zero(size());
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    for (std::size_t motion = 0; motion < 3; ++motion) {
      const Index at = model_->coordinates[node][motion];
      if (at >= 0) result[at] = nodal(static_cast<Index>(node), static_cast<Index>(motion));
    }
  }
  return result;
}

}  // namespace masing
