#include "masing/structure/detail/short_pieces.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {
namespace {

constexpr double share = 3e-9;          // τ
constexpr double is_short = 1.0 / 300;  // of the length: rounding errors of 1e-8
constexpr double few = 20.0;            // short pieces; of more of them, each gets less

}  // namespace

ShortPieces::ShortPieces(const Beam& beam) {
  for (const BeamNode& node : beam_nodes(beam)) places_.push_back(node.at);
  if (beam.theory == BeamTheory::rod) return;
  const double length = beam.end() - beam.begin();
  shortest_ = is_short * length;
  double count = 0.0;
  for (std::size_t i = 1; i < places_.size(); ++i) {
    if (places_[i] - places_[i - 1] < shortest_) ++count;
  }
  deflection_ = share / std::max(1.0, count / few) * std::pow(length, 3) / 3.0;
}

double ShortPieces::shear_compliance(double length, double bending_stiffness, double own) const {
  return length < shortest_ ? std::max(0.0, deflection_ / (bending_stiffness * length) - own) : 0.0;
}

bool ShortPieces::is_piece(double left, double right) const {
  const auto found = std::find(places_.begin(), places_.end(), left);
  return found != places_.end() && found + 1 != places_.end() && found[1] == right;
}

}  // namespace masing::detail
