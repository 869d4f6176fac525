// The concept of a contact law.
//
// A law is a pure, constant value. It answers for one time sample: given the relative motion (displacement u, velocity
// v) of the joint and the state it was left in by the sample before, what is the force, how does it depend on u, v and
// on the memory, and what is the new state? `advance` changes only the State handed in, so one law object serves
// harmonic balance, time integration and quasi-static loops, from many threads.
//
//   dimension D   number of inputs = number of forces: 1 (tangential), 2 (tangential, normal), 3 (two tangential,
//                 normal)
//   memory M      number of scalars that the law remembers from earlier samples (slider position, …); 0: memoryless
//
// Signs: a joint force resists; it stands on the left-hand side of the equation of motion. Units are SI.
//
// Memory is where exact derivatives of hysteretic laws come from. In most samples the memory is merely *held*; in some
// it is *set* anew from the present motion. `Response` says which, so that the steady cycle (cycle.hpp) keeps
// sensitivities as sparse references to the few samples where memory was set, instead of dense forward sensitivities.
#pragma once

#include "masing/core/types.hpp"

#include <concepts>
#include <string_view>

namespace masing {

/// Largest number of inputs of a law whose size is known only at run time (coupled polynomials).
inline constexpr int max_law_dimension = 8;
/// Largest number of scalars that a law may remember.
inline constexpr int max_law_memory = 8;

template <int D>
using SmallVector = Eigen::Matrix<double, D, 1, 0, D == Eigen::Dynamic ? max_law_dimension : D, 1>;
/// Column-major, except single rows, which Eigen wants row-major.
template <int R, int C>
using SmallMatrix =
    Eigen::Matrix<double, R, C, (R == 1 && C != 1) ? Eigen::RowMajor : Eigen::ColMajor,
                  R == Eigen::Dynamic ? max_law_dimension : R, C == Eigen::Dynamic ? max_law_dimension : C>;

/// Zero where the size is known at compile time; empty, to be sized by the law, where it is not.
template <class Small>
Small zeroed() {
  if constexpr (Small::SizeAtCompileTime == Eigen::Dynamic) {
    return Small();
  } else {
    return Small::Zero();
  }
}

template <int D>
struct Motion {
  SmallVector<D> displacement;  ///< [m]
  SmallVector<D> velocity;      ///< [m/s]
};

/// What a law answers for one sample. Derivatives are exact; those not mentioned by the law are zero.
template <int D, int M>
struct Response {
  SmallVector<D> force = zeroed<SmallVector<D>>();                  ///< [N]
  SmallMatrix<D, D> by_displacement = zeroed<SmallMatrix<D, D>>();  ///< ∂force/∂u at fixed previous memory [N/m]
  SmallMatrix<D, D> by_velocity = zeroed<SmallMatrix<D, D>>();      ///< ∂force/∂v [N s/m]
  SmallMatrix<D, M> by_memory = zeroed<SmallMatrix<D, M>>();        ///< ∂force/∂(memory before this sample)

  /// The memory after this sample: false = as before, true = set by this sample with the derivatives below.
  bool memory_set = false;
  SmallMatrix<M, D> memory_by_displacement = zeroed<SmallMatrix<M, D>>();
  SmallMatrix<M, D> memory_by_velocity = zeroed<SmallMatrix<M, D>>();
  /// ∂(memory after)/∂(memory before); zero when the past is forgotten.
  SmallMatrix<M, M> memory_by_memory = zeroed<SmallMatrix<M, M>>();
};

template <class L>
concept ContactLaw = requires(const L law, typename L::State state, const Motion<L::dimension> motion) {
  { L::dimension } -> std::convertible_to<int>;  // Eigen::Dynamic is allowed: then law.inputs() counts
  { L::memory } -> std::convertible_to<int>;
  { L::uses_velocity } -> std::convertible_to<bool>;
  { law.inputs() } -> std::convertible_to<int>;
  { law.virgin() } -> std::same_as<typename L::State>;  // never loaded
  { law.advance(motion, state) } -> std::same_as<Response<L::dimension, L::memory>>;
  { law.memory_of(state) } -> std::convertible_to<SmallVector<L::memory>>;  // the M scalars, to compare cycles
};

/// The name that messages use: `L::name` when the law has one.
template <class L>
constexpr std::string_view law_name() {
  if constexpr (requires { std::string_view{L::name}; }) {
    return L::name;
  } else {
    return "user-defined";
  }
}

/// A law whose force is smooth within a phase (stick, slip, open, …). Time integration uses it to locate the instants
/// where the phase changes instead of stepping over them. Laws that are smooth throughout do not have this part.
///
/// How an integrator uses it: `advance` with the initial motion, once, to enter the right phase. Then, in every step,
/// the phase has ended when the distance is *negative at the end of the step*; the instant is located between the start
/// of the step and there. A distance of zero at the start is normal (a phase entered at the very limit, such as stick
/// at a reversal with |f| = slip force) and is no switch by itself: only the way down below zero is.
template <class L>
concept SwitchingLaw = ContactLaw<L> &&
    requires(const L law, typename L::State state, const Motion<L::dimension> motion) {
  /// Positive inside the present phase, zero where it ends.
  { law.distance_to_switch(motion, state) } -> std::convertible_to<double>;
  /// Called at that instant: enters the next phase.
  { law.switch_phase(motion, state) } -> std::same_as<void>;
  /// Force continued smoothly within the present phase; the state is not changed.
  { law.force_in_phase(motion, state) } -> std::convertible_to<SmallVector<L::dimension>>;
  { law.phase_name(state) } -> std::convertible_to<std::string_view>;
};

}  // namespace masing
