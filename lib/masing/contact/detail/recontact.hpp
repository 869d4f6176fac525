// The first closed sample behind an open one: where, between the two, did the surfaces touch?
//
// A contact that closes starts without tangential force, from the place u_c of the instant at which it closes. Between
// samples the motion is taken as straight: with the approaches a (the last open sample) and b (the first closed one),
//
//   θ = (w_c − a) / (b − a),     u_c = u_a + θ (u_b − u_a)
//
// so that the forces that follow err by the square of the step. (To start from the last open sample would be an error of the
// first order, and one whose derivatives are wrong however small the step is.) Histories made of straight pieces are exact.
#pragma once

#include "masing/contact/law.hpp"
#include "masing/contact/normal_contact.hpp"

namespace masing::detail {

/// θ and its derivatives by the two approaches.
struct TouchShare {
  double share = 0.0;
  double by_open = 0.0;
  double by_closed = 0.0;
};

inline TouchShare touch_share(const NormalContact& contact, double open, double closed) {
  const double step = closed - open;
  const double share = (contact.contact_approach() - open) / step;
  return {.share = share, .by_open = (share - 1.0) / step, .by_closed = -share / step};
}

/// For laws that remember, as their first D − 1 scalars, the tangential displacement at which the friction started, and as
/// their last one the approach of the last open sample.
template <int D, int M>
class Recontact {
 public:
  static constexpr int tangential = D - 1;

  Recontact(const NormalContact& contact, const Motion<D>& closed, const SmallVector<M>& open)
      : touch_(touch_share(contact, open[M - 1], closed.displacement[D - 1])),
        way_(closed.displacement.template head<tangential>() - open.template head<tangential>()),
        start_(open.template head<tangential>() + touch_.share * way_) {}

  /// u_c, from where the law is to go on.
  const SmallVector<tangential>& start() const { return start_; }

  /// The chain rule: `response` depends on u_c as if that were what it remembers.
  void resolve(Response<D, M>& response) const {
    resolve(response.by_displacement, response.by_memory);
    resolve(response.memory_by_displacement, response.memory_by_memory);
    response.memory_set = true;
  }

 private:
  template <class ByMotion, class ByMemory>
  void resolve(ByMotion& by_motion, ByMemory& by_memory) const {
    const auto by_start = by_memory.template leftCols<tangential>();
    by_motion.template leftCols<tangential>() += touch_.share * by_start;
    by_motion.col(D - 1) += touch_.by_closed * (by_start * way_);
    by_memory.col(M - 1) += touch_.by_open * (by_start * way_);
    by_memory.template leftCols<tangential>() *= 1.0 - touch_.share;
  }

  TouchShare touch_;
  SmallVector<tangential> way_;
  SmallVector<tangential> start_;
};

}  // namespace masing::detail
