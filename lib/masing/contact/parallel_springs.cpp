#include "masing/contact/parallel_springs.hpp"

#include "masing/contact/detail/linear_parts.hpp"
#include "masing/contact/detail/reversals.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace masing {

double ParallelSprings::force(double u) const {
  return residual_stiffness * u + pinning_stiffness * (std::max(u - pinning_gap, 0.0) + std::min(u + pinning_gap, 0.0));
}

double ParallelSprings::stiffness(double u) const {
  return residual_stiffness + (std::abs(u) > pinning_gap ? pinning_stiffness : 0.0);
}

double pinning_stiffness(const ElasticMaterial& shank, const ElasticMaterial& hole, double length) {
  check(shank, "shank");
  check(hole, "hole");
  require(length > 0.0, "Pinning: length = {} m must be > 0.", length);
  return 0.25 * pi * contact_modulus(shank, hole) * length;
}

namespace {

class SpringPoint final : public ContactPoint {
 public:
  using Input = Motion<Eigen::Dynamic>;

  SpringPoint(std::unique_ptr<ContactPoint> law, const ParallelSprings& springs)
      : law_(std::move(law)), springs_(springs) {}

  std::unique_ptr<ContactPoint> clone() const override {
    auto copy = std::make_unique<SpringPoint>(law_->clone(), springs_);
    copy->side_ = side_;
    return copy;
  }

  void note_scales(const Input& motion) override { law_->note_scales(motion); }

  PointResponse advance(const Input& motion) override {
    const double u = motion.displacement[0];
    side_ = std::abs(u) > springs_.pinning_gap ? std::copysign(1.0, u) : 0.0;
    PointResponse response = law_->advance(motion);
    response.force[0] += springs_.force(u);
    response.by_displacement(0, 0) += springs_.stiffness(u);
    return response;
  }

  /// Pinning is located, too: the stiffness jumps there. A law that is smooth throughout is advanced by its integrator.
  bool switches() const override { return law_->switches(); }
  double distance_to_switch(const Input& motion) const override {
    return std::min(law_->distance_to_switch(motion), way_to_side(motion.displacement[0]));
  }
  void switch_phase(const Input& motion) override {
    const double u = motion.displacement[0];
    if (law_->distance_to_switch(motion) < way_to_side(u)) {
      law_->switch_phase(motion);
    } else {
      side_ = side_ == 0.0 ? std::copysign(1.0, u) : 0.0;
    }
  }
  SmallVector<Eigen::Dynamic> force_in_phase(const Input& motion) const override {
    SmallVector<Eigen::Dynamic> force = law_->force_in_phase(motion);
    force[0] += springs_.force(motion.displacement[0]);
    return force;
  }
  std::string_view phase_name() const override { return law_->phase_name(); }
  SmallVector<Eigen::Dynamic> memory() const override { return law_->memory(); }

 private:
  /// Way left until the shank meets its hole, or leaves it. Without clearance it never leaves.
  double way_to_side(double u) const {
    if (springs_.pinning_stiffness == 0.0 || springs_.pinning_gap == 0.0)
      return std::numeric_limits<double>::infinity();
    return side_ == 0.0 ? springs_.pinning_gap - std::abs(u) : side_ * u - springs_.pinning_gap;
  }

  std::unique_ptr<ContactPoint> law_;
  ParallelSprings springs_;
  double side_ = 0.0;  // ±1: the shank rests against its hole there
};

class SpringElement final : public ContactElement {
 public:
  SpringElement(std::shared_ptr<const ContactElement> law, const ParallelSprings& springs)
      : law_(std::move(law)), springs_(springs) {}

  int inputs() const override { return law_->inputs(); }
  bool uses_velocity() const override { return law_->uses_velocity(); }
  bool locates_kinks() const override { return law_->locates_kinks(); }
  void find_kinks(const PeriodicMotion& motion, CycleResult& room, Kinks& kinks) const override {
    law_->find_kinks(motion, room, kinks);
    if (!pins()) return;
    PeriodicMotion with_turns = motion;
    with_turns.turns = kinks.turns;
    note_pinning(with_turns, kinks.ends);
  }

  void steady_cycle(const PeriodicMotion& motion, const CycleOptions& options, CycleResult& result) const override {
    law_->steady_cycle(motion, options, result);
    if (options.corners && pins()) note_pinning(motion, result.corners);
    for (Index i = 0; i < result.force.rows(); ++i) {
      const double u = motion.displacement(i, 0);
      result.force(i, 0) += springs_.force(u);
      result.by_displacement(i, 0) += springs_.stiffness(u);
    }
  }

  std::unique_ptr<ContactPoint> at_rest() const override {
    return std::make_unique<SpringPoint>(law_->at_rest(), springs_);
  }
  bool is_piecewise_linear() const override { return law_->is_piecewise_linear(); }
  Index parts() const override { return law_->parts(); }
  void linear_pieces(const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                     std::vector<LinearPiece>& result) const override {
    if (!is_piecewise_linear()) return;
    law_->linear_pieces(signal, turns, result);
    result.push_back({.begin = 0.0, .end = 2.0 * pi, .stiffness = springs_.residual_stiffness});
    if (!pins()) return;
    for (const double side : {1.0, -1.0}) {
      const double wall = side * springs_.pinning_gap;
      detail::add_stop_pieces({.stiffness = springs_.pinning_stiffness, .wall = wall, .side = side}, signal, turns,
                              result);
    }
  }

 private:
  bool pins() const { return springs_.pinning_stiffness > 0.0; }

  /// Where the shank meets its hole and leaves it.
  void note_pinning(const PeriodicMotion& motion, std::vector<double>& found) const {
    if (motion.signals.empty()) return;
    std::vector<TurningPoint> turns(motion.turns.begin(), motion.turns.end());
    if (turns.empty()) find_turning_points(*motion.signals[0], motion.displacement.col(0), turns);
    detail::Corners corners(motion, true, found);
    for (std::size_t i = 0; i < turns.size(); ++i) {
      const double begin = turns[i].time, end = turns[(i + 1) % turns.size()].time;
      corners.pass(springs_.pinning_gap, begin, end);
      if (springs_.pinning_gap > 0.0) corners.pass(-springs_.pinning_gap, begin, end);
    }
  }

  std::shared_ptr<const ContactElement> law_;
  ParallelSprings springs_;
};

}  // namespace

std::shared_ptr<const ContactElement> with_springs(std::shared_ptr<const ContactElement> law,
                                                   const ParallelSprings& springs) {
  require(springs.residual_stiffness >= 0.0, "residual stiffness = {} N/m must be >= 0.", springs.residual_stiffness);
  require(springs.pinning_gap >= 0.0, "pinning: gap = {} m must be >= 0.", springs.pinning_gap);
  require(springs.pinning_stiffness >= 0.0, "pinning: stiffness = {} N/m must be >= 0.", springs.pinning_stiffness);
  if (!springs.any()) return law;
  return std::make_shared<const SpringElement>(std::move(law), springs);
}

}  // namespace masing
