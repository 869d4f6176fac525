// Marches any ContactLaw over one period of motion until it closes on itself, and fills a CycleResult.
//
//   memoryless laws            one pass
//   laws with periodic_start   one exact pass, beginning where the law says and going round the end of the period
//   laws with stuck_start      one pass where nothing slides in the end
//   all other laws             period after period from the virgin state, until no force changes by more than
//                              closure_tolerance times the largest force from one period to the next; where that takes
//                              long, Newton's method helps (RestartableLaw)
//
// The sensitivities returned are those of the periodic state. Not closing within max_cycles is no exception: the report
// says closed = false with the closure error reached, and the caller decides. Sensitivities are then those of a cycle
// that would close where it was stopped.
#pragma once

#include "masing/contact/detail/closing_aid.hpp"
#include "masing/contact/detail/memory_recorder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace masing {

namespace detail {

/// Throws a NumericalError naming the law, the sample and the motion there.
[[noreturn]] void throw_not_finite(std::string_view law, const PeriodicMotion& motion, const CycleResult& result);
/// Throws a NumericalError unless sizes agree and every sample is finite.
void check_motion(std::string_view law, int inputs, bool uses_velocity, const PeriodicMotion& motion);

/// Absolute force change of a pass against the forces that were there before, and the largest force.
struct PassSummary {
  double largest_change = 0.0;
  double largest_force = 0.0;

  double closure_error() const { return largest_force > 0.0 ? largest_change / largest_force : 0.0; }
};

template <ContactLaw L>
Motion<L::dimension> motion_at(const L& law, const PeriodicMotion& motion, Index sample) {
  Motion<L::dimension> at;
  at.displacement = motion.displacement.row(sample).transpose();
  if constexpr (L::uses_velocity) {
    at.velocity = motion.velocity.row(sample).transpose();
  } else {
    at.velocity.setZero(law.inputs());
  }
  return at;
}

/// Writes force and present tangents of one sample.
template <ContactLaw L>
void store(const Response<L::dimension, L::memory>& response, Index sample, CycleResult& result, PassSummary& summary) {
  const Index inputs = response.force.size();
  for (Index a = 0; a < inputs; ++a) {
    const double force = response.force[a];
    summary.largest_change = std::max(summary.largest_change, std::abs(force - result.force(sample, a)));
    summary.largest_force = std::max(summary.largest_force, std::abs(force));
    result.force(sample, a) = force;
    for (Index b = 0; b < inputs; ++b) {
      result.by_displacement(sample, a + inputs * b) = response.by_displacement(a, b);
      if constexpr (L::uses_velocity) result.by_velocity(sample, a + inputs * b) = response.by_velocity(a, b);
    }
  }
}

/// One period, beginning at sample `first`.
template <ContactLaw L, class Recorder>
PassSummary march_period(const L& law, const PeriodicMotion& motion, Index first, typename L::State& state,
                         Recorder& recorder, CycleResult& result) {
  PassSummary summary;
  const auto march = [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Response<L::dimension, L::memory> response = law.advance(motion_at(law, motion, i), state);
      if constexpr (L::memory > 0) recorder.record(i, response);
      store<L>(response, i, result, summary);
    }
  };
  march(first, motion.displacement.rows());
  march(0, first);
  if (!result.force.allFinite()) throw_not_finite(law_name<L>(), motion, result);
  return summary;
}

struct NoMemory {};

/// Scalars that the period holds, but at their limit: they were dragged there in an earlier period, and would be again at the
/// same instant of this one if the motion grew.
template <int M>
struct Dragged {
  std::array<std::optional<MemorySource>, M> scalars = {};

  Dragged() = default;
  Dragged(const CycleResult& result, const std::array<Index, M>& initial, const std::array<Index, M>& final) {
    for (int m = 0; m < M; ++m) {
      if (final[m] == constant || final[m] != initial[m]) continue;
      const MemorySource& source = result.sources[static_cast<std::size_t>(final[m])];
      if (source.first_parent != source.end_parent) continue;
      scalars[m] = source;
      scalars[m]->dragged = true;  // even if rounding moves it in the sample at its limit
    }
  }
};

/// Sets dragged scalars anew where they were dragged to.
template <int D, int M>
struct DraggingRecorder {
  MemoryRecorder<D, M>& recorder;
  const Dragged<M>& dragged;

  void record(Index sample, const Response<D, M>& response) {
    recorder.record(sample, response);
    for (int m = 0; m < M; ++m) {
      const std::optional<MemorySource>& source = dragged.scalars[m];
      if (source && source->sample == sample) recorder.set_again(m, *source);
    }
  }
};

/// One more period from its state at sample 0, for CycleOptions::open.
template <ContactLaw L>
void march_open_period(const L& law, const PeriodicMotion& motion, typename L::State state,
                       const Dragged<L::memory>& dragged, CycleResult& result) {
  MemoryRecorder<L::dimension, L::memory> recorder(result);
  recorder.start_open(law.inputs());
  DraggingRecorder<L::dimension, L::memory> dragging{recorder, dragged};
  march_period(law, motion, 0, state, dragging, result);
  recorder.end_open();
}

template <ExactPeriodicStart L>
void march_from_periodic_start(const L& law, const PeriodicMotion& motion, bool open, CycleResult& result) {
  const auto start = law.periodic_start(motion);
  MemoryRecorder<L::dimension, L::memory> recorder(result);
  if (start.origin >= 0) recorder.start_with(start.origin, start.by_displacement, start.by_velocity);
  typename L::State state = start.state;
  const PassSummary summary = march_period(law, motion, start.first, state, recorder, result);

  const auto again = law.advance(motion_at(law, motion, start.first), state);
  const PassSummary round{
      .largest_change = (again.force.transpose() - result.force.row(start.first)).cwiseAbs().maxCoeff(),
      .largest_force = summary.largest_force};
  result.report = {.closed = true, .cycles = 1, .closure_error = round.closure_error()};
  if (!open) return;
  for (Index i = start.first + 1; i < motion.displacement.rows(); ++i) law.advance(motion_at(law, motion, i), state);
  Dragged<L::memory> dragged;
  for (int m = 0; m < L::memory && start.origin >= 0; ++m) {
    dragged.scalars[m] = MemorySource{.sample = start.origin,
                                      .by_displacement = start.by_displacement.row(m).transpose(),
                                      .by_velocity = start.by_velocity.row(m).transpose()};
  }
  march_open_period(law, motion, state, dragged, result);
}

/// A period in stick: nothing slides, whatever rounding says at the samples that are at their limit.
template <ShakedownLaw L>
void hold_period(const L& law, const PeriodicMotion& motion,
                 const StuckStart<typename L::State, L::dimension, L::memory>& start, bool open, CycleResult& result) {
  MemoryRecorder<L::dimension, L::memory> recorder(result);
  if (open) {
    recorder.start_open(law.inputs());
  } else {
    recorder.start_with(std::span(start.origins).first(static_cast<std::size_t>(start.count)));
  }
  PassSummary summary;
  for (Index i = 0; i < motion.displacement.rows(); ++i) {
    const Response<L::dimension, L::memory> response = law.held(motion_at(law, motion, i), start.state);
    recorder.record(i, response);
    store<L>(response, i, result, summary);
  }
  if (open) recorder.end_open();
  if (!result.force.allFinite()) throw_not_finite(law_name<L>(), motion, result);
  result.report = {.closed = true, .cycles = 1, .closure_error = 0.0};
}

template <ContactLaw L>
void march_until_closed(const L& law, const PeriodicMotion& motion, typename L::State state,
                        const CycleOptions& options, CycleResult& result) {
  MemoryRecorder<L::dimension, L::memory> recorder(result);
  std::array<Index, L::memory> initial;
  initial.fill(constant);
  Index prologue = 0;
  ClosingAid<L> aid(law, options.closure_tolerance * motion.displacement.cwiseAbs().maxCoeff());
  result.report = {};
  while (true) {
    aid.begin_period(state);
    const PassSummary pass = march_period(law, motion, 0, state, recorder, result);
    const bool comparable = ++result.report.cycles > 1;
    result.report.closure_error = comparable ? pass.closure_error() : 1.0;
    result.report.closed = comparable && result.report.closure_error <= options.closure_tolerance;
    std::array<Index, L::memory> final = recorder.sources();
    if (result.report.closed) result.report.closed = aid.agrees(result, prologue, initial, final, state);
    if (result.report.closed || result.report.cycles >= options.max_cycles) {
      if (options.open)
        return march_open_period(law, motion, state, Dragged<L::memory>(result, initial, final), result);
      close_cycle(result, prologue, initial, final);
      return;
    }
    aid.end_period(result, prologue, initial, final, state);
    prologue = carry_over(result, prologue, final);
    recorder.continue_with(final);
    initial = final;
  }
}

}  // namespace detail

template <ContactLaw L>
void steady_cycle(const L& law, const PeriodicMotion& motion, const CycleOptions& options, CycleResult& result) {
  detail::check_motion(law_name<L>(), law.inputs(), L::uses_velocity, motion);
  result.resize(motion.displacement.rows(), law.inputs(), L::uses_velocity);
  if constexpr (L::memory == 0) {
    result.clear_memory();
    typename L::State state = law.virgin();
    detail::NoMemory recorder;
    detail::march_period(law, motion, 0, state, recorder, result);
    result.report = {.closed = true, .cycles = 1, .closure_error = 0.0};
  } else if constexpr (ExactPeriodicStart<L>) {
    detail::march_from_periodic_start(law, motion, options.open, result);
  } else if constexpr (ShakedownLaw<L>) {
    const auto start = law.stuck_start(motion, result.workspace);
    if (start.stuck) return detail::hold_period(law, motion, start, options.open, result);
    detail::march_until_closed(law, motion, start.state, options, result);
  } else {
    detail::march_until_closed(law, motion, law.virgin(), options, result);
  }
}

}  // namespace masing
