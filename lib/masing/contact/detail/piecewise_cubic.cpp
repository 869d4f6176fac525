#include "masing/contact/detail/piecewise_cubic.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace masing::detail {
namespace {

double force(const CubicPiece& p, double t) { return p.force + t * (p.stiffness + t * (p.square + t * p.cube)); }

double work_within(const CubicPiece& p, double t) {
  return p.work + t * (p.force + t * (p.stiffness / 2.0 + t * (p.square / 3.0 + t * p.cube / 4.0)));
}

}  // namespace

PiecewiseCubicBackbone::PiecewiseCubicBackbone(std::vector<CubicPiece> pieces, double end)
    : pieces_(std::move(pieces)),
      end_(end),
      buckets_per_metre_(static_cast<double>(pieces_.size()) / end),
      last_bucket_(static_cast<double>(pieces_.size() - 1)) {
  assert(!pieces_.empty() && pieces_.front().begin == 0.0 && pieces_.back().begin < end);
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    const double length = pieces_[i + 1].begin - pieces_[i].begin;
    pieces_[i + 1].force = force(pieces_[i], length);
    pieces_[i + 1].work = work_within(pieces_[i], length);
  }
  for (std::size_t i = 1; i < pieces_.size(); ++i) corners_.push_back(pieces_[i].begin);
  slip_force_ = force(pieces_.back(), end - pieces_.back().begin);
  work_at_end_ = work_within(pieces_.back(), end - pieces_.back().begin);

  first_.assign(pieces_.size() + 1, pieces_.size() - 1);
  for (std::size_t b = 0, piece = 0; b < pieces_.size(); ++b) {
    while (piece + 1 < pieces_.size() && bucket(pieces_[piece + 1].begin) < b) ++piece;
    first_[b] = piece;
  }
}

// Rising with u, so that pieces beginning in earlier buckets lie before u, and those in later ones behind it. NaN falls
// in the last one.
std::size_t PiecewiseCubicBackbone::bucket(double u) const {
  return static_cast<std::size_t>(std::min(last_bucket_, u * buckets_per_metre_));
}

const CubicPiece& PiecewiseCubicBackbone::piece_at(double u) const {
  const std::size_t b = bucket(u);
  const auto low = pieces_.begin() + static_cast<std::ptrdiff_t>(first_[b]);
  const auto high = pieces_.begin() + static_cast<std::ptrdiff_t>(first_[b + 1]) + 1;
  const auto behind =
      std::upper_bound(low + 1, high, u, [](double value, const CubicPiece& piece) { return value < piece.begin; });
  return *(behind - 1);
}

BackboneValue PiecewiseCubicBackbone::at(double u) const {
  if (u >= end_) return {slip_force_, 0.0};
  const CubicPiece& p = piece_at(u);
  const double t = u - p.begin;
  return {force(p, t), p.stiffness + t * (2.0 * p.square + t * 3.0 * p.cube)};
}

double PiecewiseCubicBackbone::work(double u) const {
  if (u >= end_) return work_at_end_ + slip_force_ * (u - end_);
  const CubicPiece& p = piece_at(u);
  return work_within(p, u - p.begin);
}

}  // namespace masing::detail
