// A backbone that is a parabola between each two of its break points: what a population with a piecewise constant
// density of slip displacements has.
#pragma once

#include "masing/contact/backbone.hpp"

#include <vector>

namespace masing::detail {

class ParabolaChain final : public Backbone {
 public:
  /// On [start, next start): F̂ = force + stiffness v − density v²/2 with v = u − start.
  struct Piece {
    double start;
    double force;
    double stiffness;
    double density;
    double work;  ///< ∫ F̂ up to start
  };
  /// At least one piece; the first starts at 0, the last one is constant.
  explicit ParabolaChain(std::vector<Piece> pieces);

  BackboneValue at(double u) const override;
  double work(double u) const override;
  double macroslip() const override { return pieces_.back().start; }
  std::span<const double> corners() const override { return corners_; }

 private:
  const Piece& piece(double u) const;

  std::vector<Piece> pieces_;
  std::vector<double> corners_;
};

/// Elements of equal stiffness whose slip displacements are spread evenly over [first, last] (first <= last).
struct EvenGroup {
  double stiffness;  ///< of the whole group [N/m]
  double first;      ///< [m]
  double last;       ///< [m]
};

ParabolaChain parabola_chain(const std::vector<EvenGroup>& groups);

}  // namespace masing::detail
