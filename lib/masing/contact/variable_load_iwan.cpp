#include "masing/contact/variable_load_iwan.hpp"

#include "masing/contact/detail/recontact.hpp"
#include "masing/contact/detail/slider_kinks.hpp"
#include "masing/contact/detail/stuck_memory.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing {

VariableLoadIwan::VariableLoadIwan(const std::vector<SlipElement>& elements, LoadScaling scaling, NormalContact normal)
    : scaling_(std::move(scaling)), normal_(normal) {
  require(!elements.empty(), "variable-load-iwan: there are no elements; give at least one.");
  const auto count = static_cast<Index>(elements.size());
  stiffness_.resize(count);
  limit_.resize(count);
  slip_force_.resize(count);
  for (Index j = 0; j < count; ++j) {
    const SlipElement& e = elements[static_cast<std::size_t>(j)];
    stiffness_[j] = e.stiffness;
    slip_force_[j] = e.slip_force;
    limit_[j] = e.slip_force / e.stiffness;
    require(
        std::isfinite(limit_[j]) && limit_[j] > 0.0,
        "variable-load-iwan: an element has stiffness = {} N/m and slip_force = {} N; they must be finite, not zero, "
        "and of the same sign.",
        e.stiffness, e.slip_force);
  }
}

VariableLoadIwan::State VariableLoadIwan::virgin() const {
  return {.sliders = Eigen::ArrayXd::Zero(size()), .sliding = Eigen::ArrayXd::Zero(size())};
}

/// From open to closed: all sliders are where the surfaces touch.
VariableLoadIwan::Touch VariableLoadIwan::close(double u, double w, State& state) const {
  const detail::TouchShare touch = detail::touch_share(normal_, state.approach, w);
  const double way = u - state.sliders[0];
  state.sliders.setConstant(state.sliders[0] + touch.share * way);
  return {.now = true, .share = touch.share, .by_open = touch.by_open * way, .by_closed = touch.by_closed * way};
}

// Without branches: several sliders at once.
void VariableLoadIwan::move_sliders(double u, double reach, State& state) const {
  const double* const limit = limit_.data();
  double* const slider = state.sliders.data();
  double* const sliding = state.sliding.data();
  for (Index j = 0; j < size(); ++j) {
    const double lowest = u - reach * limit[j];
    const double highest = u + reach * limit[j];
    const double before = slider[j];
    sliding[j] = (before < lowest ? 1.0 : 0.0) - (before > highest ? 1.0 : 0.0);
    slider[j] = std::min(std::max(before, lowest), highest);
  }
}

VariableLoadIwan::Answer VariableLoadIwan::advance(double u, double w, State& state) const {
  Answer answer;
  const NormalContact::Value normal = normal_.at(w);
  answer.normal = normal.load - normal_.preload();
  answer.normal_stiffness = normal.stiffness;
  if (normal_.is_open(w)) {
    state.open = true;
    state.approach = w;
    state.sliders.setConstant(u);
    state.sliding.setZero();
    return answer;
  }
  if (state.open) answer.touch = close(u, w, state);
  state.open = false;
  const LoadScaling::Factors factors = scaling_.at(normal.load);
  move_sliders(u, factors.reach, state);
  const double elongation = (stiffness_ * (u - state.sliders)).sum();  // weighted
  const double stuck = (stiffness_ * (1.0 - state.sliding.abs())).sum();
  const double slipping = (state.sliding * slip_force_).sum();
  answer.tangential = factors.stiffness * elongation;
  answer.by_displacement = factors.stiffness * stuck * (1.0 - answer.touch.share);
  answer.reach_by_approach = factors.reach_by_load * normal.stiffness;
  answer.by_approach = factors.stiffness_by_load * normal.stiffness * elongation +
                       factors.stiffness * (answer.reach_by_approach * slipping - answer.touch.by_closed * stuck);
  answer.by_memory = factors.stiffness;
  return answer;
}

void VariableLoadIwan::find_kinks(const PeriodicMotion& motion, CycleWorkspace& workspace, Kinks& kinks) const {
  const auto reach = [this](double w) {
    const NormalContact::Value normal = normal_.at(w);
    const LoadScaling::Factors factors = scaling_.at(normal.load);
    return detail::Reach{factors.reach, factors.reach_by_load * normal.stiffness};
  };
  detail::SliderKinks sliders(motion, normal_, reach, workspace.of<detail::SliderKinkRoom>(), kinks);
  for (const double limit : limit_) sliders.add(limit);
}

namespace {

class VariableLoadPoint final : public ContactPoint {
 public:
  using Input = Motion<Eigen::Dynamic>;
  using Output = SmallVector<Eigen::Dynamic>;

  explicit VariableLoadPoint(std::shared_ptr<const VariableLoadIwan> law)
      : law_(std::move(law)), state_(law_->virgin()), scratch_(state_) {}

  std::unique_ptr<ContactPoint> clone() const override { return std::make_unique<VariableLoadPoint>(*this); }

  PointResponse advance(const Input& motion) override {
    const auto answer = law_->advance(motion.displacement[0], motion.displacement[1], state_);
    PointResponse response;
    response.force = Output{{answer.tangential, answer.normal}};
    response.by_displacement.setZero(2, 2);
    response.by_displacement << answer.by_displacement, answer.by_approach, 0.0, answer.normal_stiffness;
    response.by_velocity.setZero(2, 2);
    return response;
  }

  bool switches() const override { return false; }
  double distance_to_switch(const Input&) const override { return std::numeric_limits<double>::infinity(); }
  void switch_phase(const Input&) override {}
  Output force_in_phase(const Input& motion) const override {
    scratch_ = state_;
    const auto answer = law_->advance(motion.displacement[0], motion.displacement[1], scratch_);
    return Output{{answer.tangential, answer.normal}};
  }
  std::string_view phase_name() const override { return state_.open ? "open" : "smooth"; }

  /// Some of the sliders.
  Output memory() const override {
    const Index count = std::min<Index>(max_law_memory, law_->size());
    Output some(count);
    for (Index i = 0; i < count; ++i) some[i] = state_.sliders[(i + 1) * law_->size() / count - 1];
    return some;
  }

 private:
  std::shared_ptr<const VariableLoadIwan> law_;
  VariableLoadIwan::State state_;
  mutable VariableLoadIwan::State scratch_;  // a point belongs to one thread
};

struct VariableLoadWorkspace final : ElementWorkspace {
  VariableLoadIwan::State state;
  Eigen::ArrayXd start;  // sliders before the recorded period
  VariableLoadIwan::State trial;
  Eigen::ArrayXd slides;
  detail::StuckMemory memory;
};

class VariableLoadElement final : public ContactElement {
 public:
  explicit VariableLoadElement(VariableLoadIwan law) : law_(std::make_shared<const VariableLoadIwan>(std::move(law))) {}

  int inputs() const override { return 2; }
  bool uses_velocity() const override { return false; }
  void steady_cycle(const PeriodicMotion& motion, const CycleOptions& options, CycleResult& result) const override;
  std::unique_ptr<ContactPoint> at_rest() const override { return std::make_unique<VariableLoadPoint>(law_); }
  bool locates_kinks() const override { return law_->locates_kinks(); }
  void find_kinks(const PeriodicMotion& motion, CycleResult& room, Kinks& kinks) const override {
    law_->find_kinks(motion, room.workspace, kinks);
  }
  bool is_piecewise_linear() const override { return false; }
  void linear_pieces(const PeriodicSignal&, std::span<const TurningPoint>, std::vector<LinearPiece>&) const override {}

 private:
  void note_dragged(const PeriodicMotion& motion, VariableLoadWorkspace& w) const;

  std::shared_ptr<const VariableLoadIwan> law_;
};

void store(const VariableLoadIwan::Answer& answer, Index sample, CycleResult& result) {
  result.force(sample, 0) = answer.tangential;
  result.force(sample, 1) = answer.normal;
  result.by_displacement(sample, 0) = answer.by_displacement;
  result.by_displacement(sample, 1) = 0.0;
  result.by_displacement(sample, 2) = answer.by_approach;
  result.by_displacement(sample, 3) = answer.normal_stiffness;
}

/// Who rests all through the next period, in which the law is now to go from `state`.
void VariableLoadElement::note_dragged(const PeriodicMotion& motion, VariableLoadWorkspace& w) const {
  w.trial = w.state;
  w.slides.setZero(law_->size());
  for (Index i = 0; i < motion.displacement.rows(); ++i) {
    law_->advance(motion.displacement(i, 0), motion.displacement(i, 1), w.trial);
    if (w.trial.open) return;
    w.slides = w.slides.max(w.trial.sliding.abs());
  }
  for (Index j = 0; j < law_->size(); ++j) {
    if (w.slides[j] == 0.0) w.memory.drags(j);
  }
}

/// One period to forget the start, one to record.
void VariableLoadElement::steady_cycle(const PeriodicMotion& motion, const CycleOptions& options,
                                       CycleResult& result) const {
  detail::check_motion(VariableLoadIwan::name, 2, false, motion);
  const Index samples = motion.displacement.rows();
  result.resize(samples, 2, false);
  result.clear_memory();
  auto& w = result.workspace.of<VariableLoadWorkspace>();
  w.state.sliders.setZero(law_->size());
  w.state.sliding.setZero(law_->size());
  w.state.open = false;
  w.memory.restart(law_->size(), samples);
  double largest_factor = 0.0;
  for (Index i = 0; i < samples; ++i) {
    const auto answer = law_->advance(motion.displacement(i, 0), motion.displacement(i, 1), w.state);
    w.memory.note(i, w.state, answer);
    largest_factor = std::max(largest_factor, answer.by_memory);
  }
  w.start = w.state.sliders;
  if (options.open) note_dragged(motion, w);
  for (Index i = 0; i < samples; ++i) {
    const auto answer = law_->advance(motion.displacement(i, 0), motion.displacement(i, 1), w.state);
    store(answer, i, result);
    w.memory.record(i, *law_, w.state, answer, result);
  }
  if (!result.force.allFinite()) detail::throw_not_finite(VariableLoadIwan::name, motion, result);

  const double moved = (w.state.sliders - w.start).abs().maxCoeff();
  const double change = largest_factor * law_->total_stiffness() * moved;
  const double largest = result.force.cwiseAbs().maxCoeff();
  result.report = {.closed = true, .cycles = 2, .closure_error = largest > 0.0 ? change / largest : 0.0};
  result.report.closed = result.report.closure_error <= options.closure_tolerance;
}

}  // namespace

std::shared_ptr<const ContactElement> make_element(VariableLoadIwan law) {
  return std::make_shared<const VariableLoadElement>(std::move(law));
}

}  // namespace masing
