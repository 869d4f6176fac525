// The steady cycle: a law marched over a periodic history until it closes on itself.
//
// Input: N samples of one period, time contiguous (one column an input). Output: forces and their exact sensitivities.
// With G = ∂f/∂u (rows: force at sample i, columns: motion at sample j) the sensitivities are kept in three sparse
// parts:
//
//   1. present    ∂f_i/∂u_i and ∂f_i/∂v_i: a D×D block a sample
//   2. sources    scalars m_s that the law remembers. Source s was set at sample i_s, or at an instant between samples:
//                     dm_s = by_displacement·du(i_s) + by_velocity·dv(i_s) + Σ_parents weight · dm_parent
//                 A reversal is found where du/dτ = 0: what it sets may also depend on δ(du/dτ) there (by_rate).
//                 Parents have smaller numbers than their children, so one backward sweep resolves them all.
//   3. uses       f_i depends on source s with a weight for each of the D forces
//
// A Jenkins element has two sources a period and one use for each sticking sample, whatever N is. All vectors keep
// their capacity between calls: no allocation once warmed up.
#pragma once

#include "masing/contact/law.hpp"
#include "masing/contact/signal.hpp"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace masing {

/// One period of the relative motion at N samples, equidistant unless `times` says otherwise; sample N would be sample 0
/// again.
struct PeriodicMotion {
  MatrixView displacement;  ///< N × D [m]
  MatrixView velocity;      ///< N × D [m/s]
  /// The displacements between samples, one signal an input (τ = 0 at sample 0); empty: only the samples are known.
  std::span<const PeriodicSignal* const> signals = {};
  /// τ of the samples, ascending in [0, 2π), for elements that follow any instants (element.hpp).
  std::span<const double> times = {};
  /// The turning points of the first signal, where somebody has found them already. There may then be no samples at all.
  std::span<const TurningPoint> turns = {};
  /// Those of the second signal, likewise.
  std::span<const TurningPoint> normal_turns = {};
};

/// How the periodic state was found.
struct CycleReport {
  bool closed = false;
  int cycles = 0;              ///< periods marched, 1 when the periodic state is known beforehand
  double closure_error = 0.0;  ///< largest change of a force over the last period, relative to the largest force
};

struct MemorySource {
  static constexpr Index between_samples = -1;

  Index sample = 0;                             ///< where it was set, or `between_samples`: then at `time`
  SmallVector<Eigen::Dynamic> by_displacement;  ///< D
  SmallVector<Eigen::Dynamic> by_velocity;      ///< D
  Index first_parent = 0;                       ///< range in CycleResult::parents
  Index end_parent = 0;
  double time = 0.0;  ///< τ, for a source between samples
  /// D, or empty when there is none: by dx/dτ there, for instants that shift with the motion.
  SmallVector<Eigen::Dynamic> by_rate = {};
  /// With CycleOptions::open: a slider that rests all through the period, at its limit. A motion that goes farther here drags it
  /// along, one that does not leaves it where it is.
  bool dragged = false;
};
struct MemoryParent {
  Index source = 0;
  double weight = 0.0;
};
/// Laws that remember have at most three inputs. There may be two uses a sample: they are kept small.
using UseWeight = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
struct MemoryUse {
  Index sample = 0;
  Index source = 0;
  UseWeight weight;  ///< D: ∂f/∂m
};

/// Where the force is not continuous in time. The scalar of `source` is how much later the jump comes [rad of τ]: that shift is a
/// pulse of the force, of this weight.
struct ForceJump {
  double time = 0.0;  ///< τ
  Index source = 0;
  UseWeight weight;  ///< D: force before minus force after
};

/// Room of an element that marches in its own way (see CycleWorkspace::element).
struct ElementWorkspace {
  virtual ~ElementWorkspace() = default;
};

/// Room for the steady cycle's own bookkeeping, kept between calls.
struct CycleWorkspace {
  std::vector<MemorySource> sources;
  std::vector<MemoryParent> parents;
  std::vector<Index> new_number;
  std::vector<double> gain;
  std::unique_ptr<ElementWorkspace> element;

  /// The room of the element that works here, made at its first call: `auto& room = workspace.of<MyWorkspace>();`
  template <class Workspace>
  Workspace& of() {
    if (auto* room = dynamic_cast<Workspace*>(element.get())) return *room;
    auto made = std::make_unique<Workspace>();
    Workspace& room = *made;
    element = std::move(made);
    return room;
  }
};

struct CycleResult {
  Matrix force;            ///< N × D [N]
  Matrix by_displacement;  ///< N × D², column a + D b holds ∂f_a/∂u_b
  Matrix by_velocity;      ///< N × D², zero columns when the law does not use the velocity
  std::vector<MemorySource> sources;
  std::vector<MemoryParent> parents;
  std::vector<MemoryUse> uses;
  /// Told where the instants of the samples are given (PeriodicMotion::times), by laws that jump.
  std::vector<ForceJump> jumps;
  /// τ where a slope jumps although nothing is set, such as macroslip; told with CycleOptions::corners where the motion is
  /// known between samples, by laws that can locate it.
  std::vector<double> corners;
  CycleReport report;
  CycleWorkspace workspace;

  void resize(Index samples, int inputs, bool uses_velocity);
  void clear_memory() { sources.clear(), parents.clear(), uses.clear(), jumps.clear(), corners.clear(); }
};

struct CycleOptions {
  int max_cycles = 50;               ///< periods to march before giving up (the result then says closed = false)
  double closure_tolerance = 1e-10;  ///< on closure_error
  /// Sensitivities to a change of the motion that does not repeat, for stability. The motion itself is periodic and so are
  /// the forces, but a source then means "as it was set last": a sample, or a child, that comes before it in the period
  /// depends on what it was in the period before. Parents may have larger numbers than their children. A scalar that the
  /// period neither sets nor changes is its own parent.
  bool open = false;
  bool corners = false;  ///< CycleResult::corners are wanted
};

/// The periodic state of a law that can tell it from the motion: one pass beginning at sample `first`, and going round
/// the end of the period, is then exact. The memory before that sample was set at sample `origin` with the derivatives
/// given, or does not depend on the motion at all (`origin` < 0).
template <class State, int D, int M>
struct PeriodicStart {
  Index first = 0;
  State state = {};  ///< as left by the sample before `first`
  Index origin = -1;
  SmallMatrix<M, D> by_displacement = zeroed<SmallMatrix<M, D>>();
  SmallMatrix<M, D> by_velocity = zeroed<SmallMatrix<M, D>>();
};

template <class L>
concept ExactPeriodicStart = ContactLaw<L> && requires(const L law, const PeriodicMotion& motion) {
  { law.periodic_start(motion) } -> std::same_as<PeriodicStart<typename L::State, L::dimension, L::memory>>;
};

/// How a law begins a period that it may spend in stick. If it can, nothing but its memory matters, which depends on the
/// motion at `count` samples; if not, `state` is a good one to march from.
template <class State, int D, int M>
struct StuckStart {
  struct Origin {
    Index sample = 0;
    SmallMatrix<M, D> by_displacement = zeroed<SmallMatrix<M, D>>();
  };
  bool stuck = false;
  State state = {};
  int count = 0;
  std::array<Origin, 2> origins = {};
};

/// A law whose periodic state is not unique where it sticks throughout, and that says which one is meant: one that
/// depends continuously on the motion. `held` is its response in stick, whatever the limits are.
template <class L>
concept ShakedownLaw = ContactLaw<L> &&
    requires(const L law, const typename L::State state, const Motion<L::dimension> motion,
             const PeriodicMotion& period, CycleWorkspace& workspace) {
  { law.stuck_start(period, workspace) } -> std::same_as<StuckStart<typename L::State, L::dimension, L::memory>>;
  { law.held(motion, state) } -> std::same_as<Response<L::dimension, L::memory>>;
};

}  // namespace masing
