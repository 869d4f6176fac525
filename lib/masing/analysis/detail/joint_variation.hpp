// How the joints answer a small disturbance of a periodic motion, in the order of time (CycleOptions::open).
//
//   δf_i = G_i δu_i + G_v,i δv_i + Σ_uses w δm_s          at sample i, with the memory as it was set last before it
//   δm_s = b·δu + c·δv + r·δ(du/dτ) + Σ_parents w δm_p    at the instant of source s
//   a jump of f that comes later by δτ = δm_s             is a pulse of (f before − f after) δτ
//
// All joints together: sources are numbered through, inputs too. Scalars that are held throughout are constants and counted.
// Between samples G, G_v and w are interpolated by parabolas over samples on the same side of the joint's own instants; those of
// laws in linear pieces are known at every instant. Where two of a joint's instants leave too few samples between them, the law
// is evaluated at three instants of its own there, if it can be (balance/detail/cells.hpp).
#pragma once

#include "masing/balance/joint_forces.hpp"

#include <array>
#include <span>
#include <vector>

namespace masing::detail {

/// What becomes of sliders that rest all through a period at their limit (MemorySource::dragged).
enum class DraggedSliders {
  follow,  ///< each period drags them to where its motion goes
  hold     ///< they stay where they are
};

/// Where a step must end: a source is set there, or (source < 0) a slope jumps.
struct VariationEvent {
  double time = 0.0;  ///< τ
  Index source = -1;
};

/// δf = by_displacement δu + by_velocity δv + remembered, at one instant.
struct VariationSlopes {
  Matrix by_displacement, by_velocity;  ///< inputs × inputs
  Matrix remembered;                    ///< inputs × disturbances: Σ_uses w δm

  void set_zero(Index inputs, Index disturbances);
};

class JointVariation {
 public:
  explicit JointVariation(std::span<const Joint> joints);
  virtual ~JointVariation() = default;

  /// Takes what the last evaluate() of `forces` found, with CycleOptions::open, at `samples` samples.
  void take(JointForces& forces, Index samples, DraggedSliders dragged);

  virtual Index inputs() const { return inputs_; }
  Index samples() const { return samples_; }
  Index sources() const { return static_cast<Index>(sources_.size()); }
  Index held() const { return held_; }
  /// Whether there are dragged sliders, followed or held.
  bool drags() const { return drags_; }
  /// Ascending in time; sources at the same instant in the order in which they are to be set.
  const std::vector<VariationEvent>& events() const { return events_; }
  /// Sources that are read before they are set: what is remembered from one period to the next.
  const std::vector<Index>& carried() const { return carried_; }

  /// No instant lies in the two sampling intervals from `sample` on, their ends included: slopes_at() tells all there is.
  bool is_smooth(Index sample) const { return is_smooth_[static_cast<std::size_t>(sample / 2)] != 0; }

  /// At a sample, for the present memory (sources × disturbances).
  virtual void slopes_at(Index sample, const Matrix& memory, VariationSlopes& slopes) const;
  /// At `time` in a piece from `begin` to `end` that no event divides: slopes on that side of events at its ends.
  virtual void slopes_between(double begin, double end, double time, const Matrix& memory,
                              VariationSlopes& slopes) const;
  /// Sets the row of a source from the disturbances of u and du/dτ (inputs × disturbances); Ω turns du/dτ into v.
  virtual void set(Index source, const Matrix& displacement, const Matrix& rate, double omega, Matrix& memory) const;
  /// Whether a source is the shift of a jump, and then the integral over τ of the forces' pulse (inputs × disturbances).
  virtual bool pulse(Index source, const Matrix& memory, Matrix& forces) const;

 protected:
  double time_of(Index sample) const { return 2.0 * pi * static_cast<double>(sample) / static_cast<double>(samples_); }
  double time_of_source(Index source) const { return sources_[static_cast<std::size_t>(source)].how.time; }
  /// A quantity of a joint that is given at the samples, interpolated as its slopes are.
  double between(Index joint, const VectorView& samples, double begin, double end, double time) const;

 private:
  struct Piece {
    double begin = 0.0, end = 0.0;  // τ, perhaps beyond the period
    double slope = 0.0;
    Index source = -1;  // of its offset, if that depends on the motion
    double source_weight = 0.0;
  };
  struct Use {
    Index source = 0;
    std::size_t joint = 0;
    UseWeight weight;
  };
  // A cell, and what a law does at its nodes.
  struct CellSlopes {
    Cell cell;
    std::array<Vector, Cell::nodes> by_displacement, by_velocity;  // as in a row of CycleResult; empty: none
    std::array<std::vector<Use>, Cell::nodes> uses;
  };
  struct Attached {
    Index first = 0;
    Index inputs = 1;
    bool takes_over = false;        // sources before the period: sample 0 is not what comes after the last one
    std::vector<double> instants;   // of its own events, ascending
    std::vector<Piece> pieces;      // of a law that is linear piece by piece
    std::vector<Index> places;      // sources of its pieces
    std::vector<CellSlopes> cells;  // ascending
  };
  // Samples to interpolate over, and their weights.
  struct Stencil {
    static constexpr Index most = 3;
    Index first = 0;
    Index count = 0;
    std::array<double, most> weights = {};
  };
  struct Source {
    Index first_input = 0;
    MemorySource how;  // parents by their numbers here
    UseWeight jump;    // of the force that it shifts; empty: none
  };

  void take_cycle(Attached& joint, const CycleResult& cycle, std::vector<Index>& numbers);
  void take_cells(std::size_t joint, std::span<const Index> numbers, std::span<const Cell> cells,
                  const CycleResult& rows);
  void take_pieces(Attached& joint, const std::vector<LinearPiece>& pieces);
  void take_piece(Attached& joint, const LinearPiece& piece);
  Index place_at(Attached& joint, double time);
  void add_place(Index sample, Index source, std::size_t joint, double weight);
  void add_uses(const Attached& joint, std::span<const MemoryUse> uses, std::span<const Index> numbers);
  void order_events();
  void mark_steps();
  Stencil stencil(const Attached& joint, double begin, double end, double time) const;
  bool add_cell_slopes(const Attached& joint, double middle, double time, const Matrix& memory,
                       VariationSlopes& slopes) const;
  void add_piece_slopes(const Attached& joint, double middle, const Matrix& memory, VariationSlopes& slopes) const;
  void add_slopes(std::size_t joint, Index sample, double weight, const Matrix& memory, VariationSlopes& slopes) const;
  void find_carried();

  std::vector<Attached> joints_;
  Index inputs_ = 0;
  Index samples_ = 0;
  Index held_ = 0;
  DraggedSliders dragged_ = DraggedSliders::follow;
  bool drags_ = false;
  std::vector<const Matrix*> by_displacement_, by_velocity_;  // a joint each, null for none
  std::vector<Matrix> piecewise_;                             // slopes of located joints
  std::vector<Source> sources_;
  std::vector<MemoryParent> parents_;
  std::vector<std::vector<Use>> uses_;  // by sample
  std::vector<VariationEvent> events_;
  std::vector<Index> carried_;
  std::vector<char> is_smooth_;  // by pairs of sampling intervals
};

}  // namespace masing::detail
