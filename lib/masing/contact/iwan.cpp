#include "masing/contact/iwan.hpp"

#include "masing/contact/detail/masing_memory.hpp"
#include "masing/contact/detail/reversals.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace masing {
namespace {

using detail::MasingMemory;
using detail::Reversal;
using Small = SmallVector<Eigen::Dynamic>;
using Block = SmallMatrix<Eigen::Dynamic, Eigen::Dynamic>;

constexpr std::string_view law_name = "iwan";

class IwanPoint final : public ContactPoint {
 public:
  using Input = Motion<Eigen::Dynamic>;

  explicit IwanPoint(BackbonePointer backbone) : backbone_(std::move(backbone)) {}

  std::unique_ptr<ContactPoint> clone() const override { return std::make_unique<IwanPoint>(*this); }

  /// A reversal between two samples is taken to be at the farther one.
  PointResponse advance(const Input& motion) override {
    const double x = motion.displacement[0];
    if (memory_.direction() * (x - x_) < 0.0) memory_.reverse(*backbone_, x_);
    memory_.proceed(*backbone_, x);
    x_ = x;
    const BackboneValue value = memory_.value(*backbone_, x);
    return {Small::Constant(1, value.force), Block::Constant(1, 1, value.stiffness), Block::Zero(1, 1)};
  }

  bool switches() const override { return true; }
  /// The first to come: a reversal (velocity in the direction of motion), the closure of a loop or macroslip (way left).
  double distance_to_switch(const Input& motion) const override {
    const double x = motion.displacement[0];
    return std::min(
        {memory_.direction() * motion.velocity[0], memory_.way_to_closure(x), memory_.way_to_slip(*backbone_, x)});
  }
  void switch_phase(const Input& motion) override {
    x_ = motion.displacement[0];
    const double closure = memory_.way_to_closure(x_);
    const double slip = memory_.way_to_slip(*backbone_, x_);
    const double reversal = memory_.direction() * motion.velocity[0];
    if (reversal < std::min(closure, slip)) {
      memory_.reverse(*backbone_, x_);
    } else if (closure <= slip) {
      memory_.close_loop();
    } else {
      memory_.begin_slip();
    }
  }
  Small force_in_phase(const Input& motion) const override {
    return Small::Constant(1, memory_.value(*backbone_, motion.displacement[0]).force);
  }
  std::string_view phase_name() const override { return memory_.direction() > 0.0 ? "forward" : "backward"; }

  /// The last reversal: where the present branch comes from.
  Small memory() const override {
    const MasingMemory::Turn turn = memory_.last_turn();
    Small scalars(2);
    scalars << turn.x, turn.force;
    return scalars;
  }

 private:
  BackbonePointer backbone_;
  MasingMemory memory_;
  double x_ = 0.0;
};

/// A reversal that is remembered, with the sources of its displacement and of its force: dF = weight · dm + …
struct Turn {
  double x = 0.0;
  double force = 0.0;
  Index x_source = 0;
  Index force_source = 0;
  double force_weight = 0.0;
};

struct IwanRoom final : ElementWorkspace {
  std::vector<TurningPoint> located;
  std::vector<Reversal> reversals;
  std::vector<Turn> turns;
  // The samples passed since the last turn or closure, all on one branch; room for a whole period.
  std::vector<Index> samples;
  std::vector<double> ways;  // |x − x_r| / 2
  std::vector<BackboneValue> values;
  std::vector<double> passed;  // x of the corners since the last reversal
};

/// One pass around the period. Samples on the same branch wait until it is left and are evaluated together.
class IwanCycle {
 public:
  IwanCycle(const Backbone& backbone, IwanRoom& room, detail::Corners corners, CycleResult& result)
      : backbone_(backbone), room_(room), turns_(room.turns), corners_(corners), result_(result), uses_(result.uses) {
    room_.samples.clear();
    room_.ways.clear();
    room_.passed.clear();
  }

  /// The reversal of largest |x| lies on the backbone.
  void start(const Reversal& reversal) {
    const BackboneValue value = detail::odd_value(backbone_, reversal.value);
    const Index source = detail::add_source(result_, reversal, 1.0);
    turns_.clear();
    turns_.push_back({reversal.value, value.force, source, source, value.stiffness});
    leg_begins(reversal);
  }

  void sample(Index i, double x, double d) {
    close_loops(x, d);
    room_.samples.push_back(i);
    room_.ways.push_back(0.5 * std::abs(x - turns_.back().x));
  }

  void reverse(const Reversal& reversal, double d) {
    close_loops(reversal.value, d);
    evaluate_samples(d, reversal.value);
    locate_corners(reversal);
    const Turn& turn = turns_.back();
    const BackboneValue value = detail::branch_value(backbone_, turn.x, turn.force, d, reversal.value);
    const std::array<MemoryParent, 2> parents = {MemoryParent{turn.force_source, turn.force_weight},
                                                 MemoryParent{turn.x_source, -value.stiffness}};
    const Index force_source = detail::add_source(result_, reversal, value.stiffness, parents);
    const Index x_source = detail::add_source(result_, reversal, 1.0);
    turns_.push_back({reversal.value, value.force, x_source, force_source, 1.0});
    leg_begins(reversal);
  }

  /// Force at the end of the period, where the first reversal is reached again.
  double force_at(const Reversal& reversal, double d) {
    close_loops(reversal.value, d);
    evaluate_samples(d, reversal.value);
    locate_corners(reversal);
    return detail::branch_value(backbone_, turns_.back().x, turns_.back().force, d, reversal.value).force;
  }

 private:
  /// The first turn stays: nothing in the period goes beyond it.
  void close_loops(double x, double d) {
    while (turns_.size() >= 3 && d * (x - turns_[turns_.size() - 2].x) >= 0.0) {
      const double closure = turns_[turns_.size() - 2].x;
      evaluate_samples(d, closure);
      room_.passed.push_back(closure);
      turns_.resize(turns_.size() - 2);
    }
  }

  void leg_begins(const Reversal& reversal) {
    leg_time_ = reversal.time;
    branch_from_ = reversal.value;
  }

  /// Of the backbone, on the branch from the last turn, which is left at x = `until`.
  void note_corners(double d, double until) {
    const auto note = [&](double u) {
      const double x = turns_.back().x + 2.0 * d * u;
      if ((x - branch_from_) * (until - x) > 0.0) room_.passed.push_back(x);
    };
    for (const double u : backbone_.corners()) note(u);
    note(backbone_.macroslip());
    branch_from_ = until;
  }

  void locate_corners(const Reversal& reversal) {
    for (const double x : room_.passed) corners_.pass(x, leg_time_, reversal.time);
    room_.passed.clear();
  }

  /// The waiting samples, on the branch from the last turn in direction d, which is left at x = `until`.
  void evaluate_samples(double d, double until) {
    if (corners_.wanted()) note_corners(d, until);
    const std::size_t count = room_.samples.size();
    if (room_.values.size() < count) room_.values.resize(count);
    backbone_.at_all(room_.ways, std::span(room_.values).first(count));
    const Turn turn = turns_.back();
    for (std::size_t k = 0; k < count; ++k) {
      const Index i = room_.samples[k];
      const BackboneValue& value = room_.values[k];
      result_.force.data()[i] = turn.force + 2.0 * d * value.force;
      result_.by_displacement.data()[i] = value.stiffness;
      if (turn.force_source == turn.x_source) {
        uses_.add(i, turn.x_source, turn.force_weight - value.stiffness);
      } else {
        uses_.add(i, turn.force_source, turn.force_weight);
        uses_.add(i, turn.x_source, -value.stiffness);
      }
    }
    room_.samples.clear();
    room_.ways.clear();
  }

  const Backbone& backbone_;
  IwanRoom& room_;
  std::vector<Turn>& turns_;
  detail::Corners corners_;
  CycleResult& result_;
  detail::UseWriter uses_;
  double leg_time_ = 0.0;     // of the last reversal
  double branch_from_ = 0.0;  // x where the present branch began or was taken up again
};

class Iwan final : public ContactElement {
 public:
  explicit Iwan(BackbonePointer backbone) : backbone_(std::move(backbone)) {}

  int inputs() const override { return 1; }
  bool uses_velocity() const override { return false; }
  bool locates_kinks() const override { return true; }
  void find_kinks(const PeriodicMotion& motion, CycleResult& room, Kinks& kinks) const override {
    detail::find_turns_and_corners(*this, motion, room, kinks);
  }
  std::unique_ptr<ContactPoint> at_rest() const override { return std::make_unique<IwanPoint>(backbone_); }
  bool is_piecewise_linear() const override { return false; }
  void linear_pieces(const PeriodicSignal&, std::span<const TurningPoint>, std::vector<LinearPiece>&) const override {}

  void steady_cycle(const PeriodicMotion& motion, const CycleOptions& options, CycleResult& result) const override {
    detail::check_motion(law_name, 1, false, motion);
    result.resize(motion.displacement.rows(), 1, false);
    result.sources.clear();
    result.parents.clear();
    result.corners.clear();
    auto& room = result.workspace.of<IwanRoom>();
    detail::find_reversals(motion, room.located, room.reversals);
    if (room.reversals.empty()) {
      stay(motion, result);
    } else {
      const double error = go_round(motion, options.corners, room, result);
      result.report = {.closed = error <= options.closure_tolerance, .cycles = 1, .closure_error = error};
    }
    if (!result.force.allFinite()) detail::throw_not_finite(law_name, motion, result);
  }

 private:
  void stay(const PeriodicMotion& motion, CycleResult& result) const {
    result.uses.clear();
    for (Index i = 0; i < motion.displacement.rows(); ++i) {
      const BackboneValue value = detail::odd_value(*backbone_, motion.displacement(i, 0));
      result.force(i, 0) = value.force;
      result.by_displacement(i, 0) = value.stiffness;
    }
    result.report = {.closed = true, .cycles = 1, .closure_error = 0.0};
  }

  /// Returns by how much the force changes over the period, relative to the largest force.
  double go_round(const PeriodicMotion& motion, bool corners, IwanRoom& room, CycleResult& result) const {
    const std::size_t first = detail::farthest_reversal(room.reversals);
    const double* x = motion.displacement.col(0).data();
    IwanCycle cycle(*backbone_, room, detail::Corners(motion, corners, result.corners), result);
    cycle.start(room.reversals[first]);
    const double start_force = room.turns.front().force;
    double end_force = start_force;
    detail::walk_period(
        motion.displacement.rows(), room.reversals, first, [&](Index i, double d) { cycle.sample(i, x[i], d); },
        [&](std::size_t number, double d) {
          if (number != first) return cycle.reverse(room.reversals[number], d);
          end_force = cycle.force_at(room.reversals[first], d);
        });
    const double largest = std::max(std::abs(start_force), result.force.lpNorm<Eigen::Infinity>());
    return largest > 0.0 ? std::abs(end_force - start_force) / largest : 0.0;
  }

  BackbonePointer backbone_;
};

}  // namespace

std::shared_ptr<const ContactElement> make_iwan(BackbonePointer backbone) {
  require(backbone != nullptr, "iwan: needs a backbone.");
  return std::make_shared<const Iwan>(std::move(backbone));
}

}  // namespace masing
