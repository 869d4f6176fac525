// A backbone made of cubic pieces: what sets of sliders, tabulated densities and tabulated backbones integrate to.
#pragma once

#include "masing/contact/backbone.hpp"

#include <vector>

namespace masing::detail {

/// F̂(begin + t) = force + stiffness t + square t² + cube t³; force and work at `begin` are filled in by the backbone.
struct CubicPiece {
  double begin = 0.0;
  double stiffness = 0.0;
  double square = 0.0;
  double cube = 0.0;
  double force = 0.0;
  double work = 0.0;
};

/// Pieces in rising order, the first from 0; constant from `end` on. A piece is found through a table of equal buckets:
/// in O(1) when the pieces are of similar length, and in O(log n) when they are not.
class PiecewiseCubicBackbone final : public Backbone {
 public:
  PiecewiseCubicBackbone(std::vector<CubicPiece> pieces, double end);

  BackboneValue at(double u) const override;
  double work(double u) const override;
  double macroslip() const override { return end_; }
  std::span<const double> corners() const override { return corners_; }

 private:
  std::size_t bucket(double u) const;
  const CubicPiece& piece_at(double u) const;

  std::vector<CubicPiece> pieces_;
  std::vector<double> corners_;
  std::vector<std::size_t> first_;  ///< by bucket: the piece in which it begins; one more entry at the end
  double end_;
  double buckets_per_metre_;
  double last_bucket_;
  double slip_force_ = 0.0;
  double work_at_end_ = 0.0;
};

}  // namespace masing::detail
