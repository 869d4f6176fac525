#include "masing/joint/detail/parabola_chain.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace masing::detail {
namespace {

/// A sum that keeps what rounding takes away (Neumaier), so that a large term added and subtracted leaves nothing
/// behind.
class ExactSum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0.0;
  double lost_ = 0.0;
};

/// What happens to the population at one displacement.
struct Event {
  double at;
  double density;    ///< change of the density [N/m²]
  double stiffness;  ///< stiffness that slides all at once [N/m]
};

/// A group narrower than this share of the largest slip displacement slides all at once.
constexpr double narrow = 1e-12;

std::vector<Event> sorted_events(const std::vector<EvenGroup>& groups) {
  double farthest = 0.0;
  for (const EvenGroup& group : groups) farthest = std::max(farthest, group.last);
  std::vector<Event> events;
  for (const EvenGroup& group : groups) {
    const double width = group.last - group.first;
    if (width <= narrow * farthest) {
      events.push_back({0.5 * (group.first + group.last), 0.0, group.stiffness});
    } else {
      events.push_back({group.first, group.stiffness / width, 0.0});
      events.push_back({group.last, -group.stiffness / width, 0.0});
    }
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.at < b.at; });
  return events;
}

}  // namespace

ParabolaChain::ParabolaChain(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {
  for (std::size_t i = 1; i + 1 < pieces_.size(); ++i) corners_.push_back(pieces_[i].start);
}

const ParabolaChain::Piece& ParabolaChain::piece(double u) const {
  const auto next =
      std::upper_bound(pieces_.begin() + 1, pieces_.end(), u, [](double x, const Piece& p) { return x < p.start; });
  return *std::prev(next);
}

BackboneValue ParabolaChain::at(double u) const {
  const Piece& p = piece(u);
  const double v = u - p.start;
  return {p.force + v * (p.stiffness - 0.5 * p.density * v), p.stiffness - p.density * v};
}

double ParabolaChain::work(double u) const {
  const Piece& p = piece(u);
  const double v = u - p.start;
  return p.work + v * (p.force + v * (p.stiffness / 2.0 - p.density * v / 6.0));
}

ParabolaChain parabola_chain(const std::vector<EvenGroup>& groups) {
  ExactSum density;
  ExactSum stiffness;
  for (const EvenGroup& group : groups) stiffness.add(group.stiffness);
  std::vector<ParabolaChain::Piece> pieces = {{0.0, 0.0, stiffness.value(), 0.0, 0.0}};
  const std::vector<Event> events = sorted_events(groups);
  for (std::size_t i = 0; i < events.size();) {
    const ParabolaChain::Piece last = pieces.back();
    const double start = events[i].at;
    const double v = start - last.start;
    stiffness.add(-last.density * v);
    for (; i < events.size() && events[i].at == start; ++i) {
      density.add(events[i].density);
      stiffness.add(-events[i].stiffness);
    }
    if (v == 0.0) pieces.pop_back();
    pieces.push_back({start, last.force + v * (last.stiffness - 0.5 * last.density * v), stiffness.value(),
                      density.value(),
                      last.work + v * (last.force + v * (last.stiffness / 2.0 - last.density * v / 6.0))});
  }
  pieces.back().stiffness = 0.0;  // everything slides: what is left is rounding
  pieces.back().density = 0.0;
  return ParabolaChain(std::move(pieces));
}

}  // namespace masing::detail
