// How the joints answer a small disturbance of a periodic motion, in the order of time (CycleOptions::open).
//
//   δf_i = G_i δu_i + G_v,i δv_i + Σ_uses w δm_s          at sample i, with the memory as it was set last before it
//   δm_s = b·δu + c·δv + r·δ(du/dτ) + Σ_parents w δm_p    at the instant of source s
//
// All joints together: sources are numbered through, inputs too. Scalars that are held throughout are constants and counted.
#pragma once

#include "masing/balance/joint_forces.hpp"

#include <span>
#include <vector>

namespace masing::detail {

/// Where a step must end: a source is set there, or (source < 0) a slope jumps.
struct VariationEvent {
  double time = 0.0;  ///< τ
  Index source = -1;
};

class JointVariation {
 public:
  explicit JointVariation(std::span<const Joint> joints);

  /// Takes what the last evaluate() of `forces` found, with CycleOptions::open, at `samples` samples.
  void take(const JointForces& forces, Index samples);

  Index inputs() const { return inputs_; }
  Index samples() const { return samples_; }
  Index sources() const { return static_cast<Index>(sources_.size()); }
  Index held() const { return held_; }
  /// Ascending in time; sources at the same instant in the order in which they are to be set.
  const std::vector<VariationEvent>& events() const { return events_; }
  /// Sources that are read before they are set: what is remembered from one period to the next.
  const std::vector<Index>& carried() const { return carried_; }

  /// G and G_v of a sample, between all inputs; `by_velocity` is left alone where no law feels the velocity.
  void tangents(Index sample, Matrix& by_displacement, Matrix& by_velocity) const;
  bool any_velocity() const { return any_velocity_; }
  /// Σ_uses w δm of a sample (inputs × disturbances) for the present memory (sources × disturbances).
  void remembered(Index sample, const Matrix& memory, Matrix& force) const;
  /// Sets the row of a source from the disturbances of u and du/dτ (inputs × disturbances); Ω turns du/dτ into v.
  void set(Index source, const Matrix& displacement, const Matrix& rate, double omega, Matrix& memory) const;

 private:
  struct Attached {
    Index first = 0;
    Index inputs = 1;
    bool remembers = false;
  };
  struct Source {
    Index first_input = 0;
    MemorySource how;  // parents by their numbers here
  };
  struct Use {
    Index source = 0;
    Index first_input = 0;
    UseWeight weight;
  };

  void take_cycle(const Attached& joint, const CycleResult& cycle);
  void take_pieces(const Attached& joint, const std::vector<LinearPiece>& pieces);
  void add_uses(const Attached& joint, std::span<const MemoryUse> uses, std::span<const Index> numbers);
  void order_events();
  void find_carried();
  double time_of(Index sample) const { return 2.0 * pi * static_cast<double>(sample) / static_cast<double>(samples_); }

  std::vector<Attached> joints_;
  Index inputs_ = 0;
  Index samples_ = 0;
  Index held_ = 0;
  bool any_velocity_ = false;
  std::vector<const Matrix*> by_displacement_, by_velocity_;  // a joint each, null for none
  std::vector<Matrix> piecewise_;                             // slopes of located joints
  std::vector<Source> sources_;
  std::vector<MemoryParent> parents_;
  std::vector<std::vector<Use>> uses_;  // by sample
  std::vector<VariationEvent> events_;
  std::vector<Index> carried_;
};

}  // namespace masing::detail
