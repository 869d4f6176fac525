// The run-time side of a law: what a study file chooses by name.
//
// `ContactElement` is a constant description of one joint's law; `ContactPoint` is a law with a state of its own that
// marches along with a time integration or a quasi-static loop. `make_element(law)` makes both from any ContactLaw.
#pragma once

#include "masing/contact/kinks.hpp"
#include "masing/contact/piecewise.hpp"
#include "masing/contact/steady_cycle.hpp"

#include <limits>
#include <memory>
#include <string_view>
#include <utility>

namespace masing {

/// Force and tangents at one instant, sizes known at run time.
struct PointResponse {
  SmallVector<Eigen::Dynamic> force;
  SmallMatrix<Eigen::Dynamic, Eigen::Dynamic> by_displacement;
  SmallMatrix<Eigen::Dynamic, Eigen::Dynamic> by_velocity;
};

class ContactPoint {
 public:
  virtual ~ContactPoint() = default;
  virtual std::unique_ptr<ContactPoint> clone() const = 0;

  /// One sample of a sampled history: commits the new state.
  virtual PointResponse advance(const Motion<Eigen::Dynamic>& motion) = 0;

  /// The phase-wise smooth form for time integration; SwitchingLaw (law.hpp) says how an integrator uses it. A law
  /// without phases never switches: its distance is infinite and its force in phase that of `advance`, not committed.
  virtual bool switches() const = 0;
  virtual double distance_to_switch(const Motion<Eigen::Dynamic>& motion) const = 0;
  virtual void switch_phase(const Motion<Eigen::Dynamic>& motion) = 0;
  /// The same for laws of which several phases may end at once: `beyond` is a motion a little later, where the distance is negative.
  virtual void switch_phase_towards(const Motion<Eigen::Dynamic>& motion, const Motion<Eigen::Dynamic>& /*beyond*/) {
    switch_phase(motion);
  }
  virtual SmallVector<Eigen::Dynamic> force_in_phase(const Motion<Eigen::Dynamic>& motion) const = 0;
  virtual std::string_view phase_name() const = 0;
  /// Told where a step in the present phase ends, for the scales of distances; no force depends on it.
  virtual void note_scales(const Motion<Eigen::Dynamic>& /*motion*/) {}

  /// The remembered scalars, to see whether a cycle has closed.
  virtual SmallVector<Eigen::Dynamic> memory() const = 0;
};

class ContactElement {
 public:
  virtual ~ContactElement() = default;
  virtual int inputs() const = 0;
  virtual bool uses_velocity() const = 0;
  virtual void steady_cycle(const PeriodicMotion& motion, const CycleOptions& options, CycleResult& result) const = 0;
  virtual std::unique_ptr<ContactPoint> at_rest() const = 0;

  /// A law whose forces jump as the motion changes says where, and what helps; empty for all others. Where a response curve
  /// ends or has a gap, this may be why.
  virtual std::string_view jumps() const { return {}; }

  /// Whether the law can tell where its force has kinks, and steady_cycle() takes samples of any spacing
  /// (PeriodicMotion::times): a balance then integrates from one kink to the next, without the error that samples make there.
  virtual bool locates_kinks() const { return false; }
  /// Those of a motion that is known at every instant (PeriodicMotion::signals); its equidistant samples bracket them. `room`
  /// is to work in. Any other law leaves `kinks` as they are.
  virtual void find_kinks(const PeriodicMotion& /*motion*/, CycleResult& /*room*/, Kinks& /*kinks*/) const {}

  /// Whether the law can give its periodic state in linear pieces, with all events located between samples …
  virtual bool is_piecewise_linear() const = 0;
  /// … and those pieces; any other law leaves `result` as it is.
  virtual void linear_pieces(const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                             std::vector<LinearPiece>& result) const = 0;
  /// How many springs and sliders side by side the pieces are of: each has a memory of its own in them.
  virtual Index parts() const { return 1; }
};

/// A law that marches from sample to sample and knows where its force has kinks offers find_kinks(motion, workspace,
/// kinks).
template <class L>
concept KinkLocatingLaw = requires(const L law, const PeriodicMotion& motion, CycleWorkspace& workspace, Kinks& kinks) {
  { law.find_kinks(motion, workspace, kinks) } -> std::same_as<void>;
};

namespace detail {

template <ContactLaw L>
class LawPoint final : public ContactPoint {
 public:
  using Input = Motion<Eigen::Dynamic>;
  using Output = SmallVector<Eigen::Dynamic>;

  explicit LawPoint(std::shared_ptr<const L> law) : law_(std::move(law)), state_(law_->virgin()) {}

  std::unique_ptr<ContactPoint> clone() const override { return std::make_unique<LawPoint>(*this); }

  PointResponse advance(const Input& motion) override {
    const auto response = law_->advance(sized(motion), state_);
    return {response.force, response.by_displacement, response.by_velocity};
  }

  bool switches() const override { return SwitchingLaw<L>; }

  double distance_to_switch(const Input& motion) const override {
    if constexpr (SwitchingLaw<L>) return law_->distance_to_switch(sized(motion), state_);
    return std::numeric_limits<double>::infinity();
  }

  void switch_phase(const Input& motion) override {
    if constexpr (SwitchingLaw<L>) law_->switch_phase(sized(motion), state_);
  }

  Output force_in_phase(const Input& motion) const override {
    if constexpr (SwitchingLaw<L>) {
      return law_->force_in_phase(sized(motion), state_);
    } else {
      typename L::State copy = state_;
      return law_->advance(sized(motion), copy).force;
    }
  }

  std::string_view phase_name() const override {
    if constexpr (SwitchingLaw<L>) return law_->phase_name(state_);
    return "smooth";
  }

  Output memory() const override { return law_->memory_of(state_); }

 private:
  static Motion<L::dimension> sized(const Input& motion) { return {motion.displacement, motion.velocity}; }

  std::shared_ptr<const L> law_;
  typename L::State state_;
};

template <ContactLaw L>
class LawElement final : public ContactElement {
 public:
  explicit LawElement(L law) : law_(std::make_shared<const L>(std::move(law))) {}

  int inputs() const override { return law_->inputs(); }
  bool uses_velocity() const override { return L::uses_velocity; }
  void steady_cycle(const PeriodicMotion& motion, const CycleOptions& options, CycleResult& result) const override {
    masing::steady_cycle(*law_, motion, options, result);
  }
  std::unique_ptr<ContactPoint> at_rest() const override { return std::make_unique<LawPoint<L>>(law_); }
  bool locates_kinks() const override { return KinkLocatingLaw<L>; }
  void find_kinks(const PeriodicMotion& motion, CycleResult& room, Kinks& kinks) const override {
    if constexpr (KinkLocatingLaw<L>) law_->find_kinks(motion, room.workspace, kinks);
  }
  bool is_piecewise_linear() const override { return PiecewiseLinearLaw<L>; }
  void linear_pieces(const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                     std::vector<LinearPiece>& result) const override {
    if constexpr (PiecewiseLinearLaw<L>) law_->pieces(signal, turns, result);
  }

 private:
  std::shared_ptr<const L> law_;
};

}  // namespace detail

/// The run-time side of a law: `auto damper = make_element(Jenkins({.stiffness = 1e6, .slip_force = 10.0}));`
template <ContactLaw L>
std::shared_ptr<const ContactElement> make_element(L law) {
  return std::make_shared<const detail::LawElement<L>>(std::move(law));
}

}  // namespace masing
