// What the stuck elements of a population remember, as one scalar S with exact sensitivities (variable_load_iwan.hpp).
//
//   S = Σ over stuck elements of K_j (± β_r x̄_j − u_r),     r: the sample at which element j slid last, or was open
//
// After a lift-off u_r is the place u_c where the surfaces touched (detail/recontact.hpp), which depends on the last open
// sample and on the first closed one. The part of the latter belongs to the present of that sample, and to S from the next
// one on: S never depends on a sample that it is used in.
//
// When elements start or stop to slide, S becomes a new source whose parents are the S before and, with the sums of K_j
// and ± K_j x̄_j that came and went, the scalars u_r and β_r of the samples concerned.
#pragma once

#include "masing/contact/variable_load_iwan.hpp"

#include <vector>

namespace masing::detail {

class StuckMemory {
 public:
  /// Virgin elements: they depend on nothing.
  void restart(Index elements, Index samples);

  /// A sample that is only to be remembered: who slides, dβ/dw, and whether the surfaces touched.
  void note(Index sample, const VariableLoadIwan::State& state, const VariableLoadIwan::Answer& answer);

  /// Element j, which slid in the noted period, rests in the recorded one: with CycleOptions::open it is dragged along in each.
  void drags(Index j);

  /// A sample of the recorded period, which follows a noted one.
  void record(Index sample, const VariableLoadIwan& law, const VariableLoadIwan::State& state,
              const VariableLoadIwan::Answer& answer, CycleResult& result);

 private:
  static constexpr Index none = -1;
  struct Element {
    Index slid = none;    ///< r
    double sign = 0.0;    ///< of its elongation there; 0: open
    bool held = false;    ///< part of S
    bool landed = false;  ///< with the part of the sample where the surfaces touched
    bool dragged = false;
  };
  struct Sample {
    double reach_by_approach = 0.0;
    Index position_source = none;  ///< u_r
    Index reach_source = none;     ///< β_r
    Index landing_source = none;   ///< the part of u_c that this sample, the first closed one, has
    Index dragged_position_source = none;
    Index dragged_reach_source = none;
    VariableLoadIwan::Touch touch;
    double stiffness = 0.0;   ///< Σ K_j that came less what went, in the present sample
    double slip_force = 0.0;  ///< the same of ± K_j x̄_j
    double landed = 0.0;      ///< the same of K_j, for the landing source
    bool touched = false;
    double dragged_stiffness = 0.0;
    double dragged_slip_force = 0.0;
    bool drags = false;  ///< to where its motion goes
  };

  Sample& change_at(Index sample);
  Index next(Index sample) const { return sample + 1 < static_cast<Index>(samples_.size()) ? sample + 1 : 0; }
  void come_or_go(Index sample, bool stuck, double sign, Index j, const VariableLoadIwan& law);
  void change(const Element& element, double sign, Index j, const VariableLoadIwan& law);
  /// Dragged elements that came to rest in this sample of the first period do so in every one. They forget that place here and take it up again in the next sample.
  void drag_again(Index sample, const VariableLoadIwan& law, CycleResult& result);
  void land(Element& element, double sign, Index j, const VariableLoadIwan& law);
  void update_sum(Index at, CycleResult& result);
  Index next_sum(Index sample, CycleResult& result);
  Index position_source(Index sample, CycleResult& result);
  Index dragged_source(Index& source, Index sample, double by_displacement, double by_approach, CycleResult& result);
  Index reach_source(Index sample, CycleResult& result);
  Index landing_source(Index sample, CycleResult& result);

  std::vector<Element> elements_;
  std::vector<Sample> samples_;
  std::vector<Index> touched_;
  Index held_ = 0;    // number of elements in S
  Index sum_ = none;  // source of S
};

}  // namespace masing::detail
