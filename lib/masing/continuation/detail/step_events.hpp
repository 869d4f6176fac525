// Zeros of functions along one step of a branch, in its order.
//
// A function that changes its sign over the step has a zero in it. One that vanishes twice does not: for events that ask for it the
// step is solved at further places, the middle of each piece among them. Where three neighbouring values bend towards zero, a
// parabola through them tells where to look next, until the sign has changed, which makes two zeros, or the dip turns out to end
// short of zero.
#pragma once

#include "masing/continuation/continuation.hpp"
#include "masing/continuation/detail/segment.hpp"

namespace masing::detail {

/// Whether a value passes zero as an event wants it.
bool crosses(Crossing crossing, double before, double after);

class StepEvents {
 public:
  StepEvents(Corrector& corrector, const BranchPoint& from, const BranchPoint& to, double tolerance)
      : corrector_(corrector), from_(from), to_(to), tolerance_(tolerance), segment_(corrector, from, to) {}

  struct Found {
    double sigma = 0.0;  ///< along the chord
    std::string name;
    BranchPoint point;
  };
  /// All of them, ordered.
  std::vector<Found> find(const std::vector<Event>& events, int pieces);
  int unlocated() const { return unlocated_; }  ///< changes of sign whose zero was not found

 private:
  struct Sample {
    double sigma = 0.0;
    BranchPoint point;
    Vector direction;
  };
  struct Dip {
    Sample at;
    double f = 0.0;  // the value with the sign that makes it positive
  };

  Sample sample(double sigma, const BranchPoint& point) const;
  void take_samples(int count);
  double value_of(const Event& event, const Sample& at) const { return event.value(at.point, at.direction); }
  void locate(const Event& event, const BranchPoint& before, const BranchPoint& after);
  void follow_dip(const Event& event, const std::vector<double>& values, std::size_t middle);
  std::optional<double> lowest_place(const std::vector<Dip>& dips) const;

  Corrector& corrector_;
  const BranchPoint &from_, &to_;
  double tolerance_;
  Segment segment_;
  std::vector<Sample> samples_;  // of the step, ordered
  std::vector<Found> found_;
  int unlocated_ = 0;
};

}  // namespace masing::detail
