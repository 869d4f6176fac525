#include "masing/contact/slider_population.hpp"

#include "masing/contact/detail/linear_parts.hpp"
#include "masing/contact/detail/reversals.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing {

SliderPopulation::SliderPopulation(std::vector<SlipElement> elements) {
  require(!elements.empty(), "iwan-population: there are no elements; give at least one.");
  for (const SlipElement& e : elements) {
    const double limit = e.slip_force / e.stiffness;
    require(std::isfinite(limit) && limit > 0.0,
            "iwan-population: an element has stiffness = {} N/m and slip_force = {} N; they must be finite, not zero, "
            "and of the same sign.",
            e.stiffness, e.slip_force);
  }
  const auto earlier = [](const SlipElement& a, const SlipElement& b) {
    return a.slip_force / a.stiffness < b.slip_force / b.stiffness;
  };
  std::sort(elements.begin(), elements.end(), earlier);
  const auto count = static_cast<Index>(elements.size());
  stiffness_.resize(count);
  limit_.resize(count);
  cumulative_.setZero(count + 1);
  for (Index j = 0; j < count; ++j) {
    const SlipElement& e = elements[static_cast<std::size_t>(j)];
    stiffness_[j] = e.stiffness;
    limit_[j] = e.slip_force / e.stiffness;
    cumulative_[j + 1] = cumulative_[j] + e.stiffness;
  }
}

void SliderPopulation::move_to(double x, State& state) const {
  if (x == state.position) return;
  state.direction = x > state.position ? 1.0 : -1.0;
  state.position = x;
  const double* const begin = state.sliders.data();
  const auto count_while = [&](auto slides) {
    const auto at_limit = [&](const double& z) { return slides(z, limit_[&z - begin]); };
    return std::partition_point(begin, begin + size(), at_limit) - begin;
  };
  if (state.direction > 0.0) {
    state.sliders = state.sliders.max(x - limit_);
    state.sliding = count_while([x](double z, double limit) { return z <= x - limit; });
  } else {
    state.sliders = state.sliders.min(x + limit_);
    state.sliding = count_while([x](double z, double limit) { return z >= x + limit; });
  }
}

double SliderPopulation::force_at(double x, const State& state) const {
  if (x > state.position) return (stiffness_ * (x - state.sliders.max(x - limit_))).sum();
  return (stiffness_ * (x - state.sliders.min(x + limit_))).sum();
}

namespace {

/// Where the march of one period stops.
struct Instant {
  double position = 0.0;
  double time = 0.0;  ///< τ
  Index sample = MemorySource::between_samples;
};

/// Stuck elements that slid last at the same instant: those up to `end` that are in no later group.
struct Group {
  Index end = 0;
  Instant instant;
  Index source = 0;
};

struct PopulationWorkspace final : ElementWorkspace {
  SliderPopulation::State state;
  std::vector<TurningPoint> turns;
  std::vector<Instant> instants;
  std::vector<Group> groups;  // the last one holds the weakest elements
  Eigen::ArrayXd before;      // sliders at the instant before
};

/// The samples of one period and the turning points between them, from the largest |x| on.
void list_instants(const PeriodicMotion& motion, PopulationWorkspace& w) {
  const Index samples = motion.displacement.rows();
  w.turns.clear();
  w.instants.clear();
  if (!motion.signals.empty()) find_turning_points(*motion.signals[0], motion.displacement.col(0), w.turns);
  const double spacing = 2.0 * pi / static_cast<double>(samples);
  auto turn = w.turns.begin();
  for (Index i = 0; i < samples; ++i) {
    const double time = spacing * static_cast<double>(i);
    for (; turn != w.turns.end() && turn->time < time; ++turn) w.instants.push_back({turn->value, turn->time});
    w.instants.push_back({motion.displacement(i, 0), time, i});
  }
  for (; turn != w.turns.end(); ++turn) w.instants.push_back({turn->value, turn->time});
  const auto nearer = [](const Instant& a, const Instant& b) { return std::abs(a.position) < std::abs(b.position); };
  const auto farthest = std::max_element(w.instants.begin(), w.instants.end(), nearer);
  std::rotate(w.instants.begin(), farthest, w.instants.end());
}

class PopulationPoint final : public ContactPoint {
 public:
  using Input = Motion<Eigen::Dynamic>;
  using Output = SmallVector<Eigen::Dynamic>;

  explicit PopulationPoint(std::shared_ptr<const SliderPopulation> population)
      : population_(std::move(population)), state_(population_->virgin()) {}

  std::unique_ptr<ContactPoint> clone() const override { return std::make_unique<PopulationPoint>(*this); }

  PointResponse advance(const Input& motion) override {
    population_->move_to(motion.displacement[0], state_);
    PointResponse response;
    response.force.setConstant(1, population_->force(state_));
    response.by_displacement.setConstant(1, 1, population_->tangent(state_));
    response.by_velocity.setZero(1, 1);
    return response;
  }

  bool switches() const override { return false; }
  double distance_to_switch(const Input&) const override { return std::numeric_limits<double>::infinity(); }
  void switch_phase(const Input&) override {}
  Output force_in_phase(const Input& motion) const override {
    return Output::Constant(1, population_->force_at(motion.displacement[0], state_));
  }
  std::string_view phase_name() const override { return "smooth"; }

  /// Some of the sliders, from the weakest to the strongest.
  Output memory() const override {
    const Index count = std::min<Index>(max_law_memory, population_->size());
    Output some(count);
    for (Index i = 0; i < count; ++i) some[i] = state_.sliders[(i + 1) * population_->size() / count - 1];
    return some;
  }

 private:
  std::shared_ptr<const SliderPopulation> population_;
  SliderPopulation::State state_;
};

class PopulationElement final : public ContactElement {
 public:
  explicit PopulationElement(SliderPopulation population)
      : population_(std::make_shared<const SliderPopulation>(std::move(population))) {}

  int inputs() const override { return 1; }
  bool uses_velocity() const override { return false; }
  void steady_cycle(const PeriodicMotion& motion, const CycleOptions& options, CycleResult& result) const override;
  std::unique_ptr<ContactPoint> at_rest() const override { return std::make_unique<PopulationPoint>(population_); }
  /// More sliders are sampled: their kinks are too many, and too small, to locate each.
  bool is_piecewise_linear() const override { return population_->size() <= most_located; }
  Index parts() const override { return population_->size(); }
  void linear_pieces(const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                     std::vector<LinearPiece>& result) const override;

 private:
  static constexpr Index most_located = 2048;

  void move(const Instant& from, const Instant& to, PopulationWorkspace& w) const;
  void note_onsets(const Instant& from, const Instant& to, PopulationWorkspace& w, detail::Corners& corners) const;
  void store(Index sample, PopulationWorkspace& w, CycleResult& result) const;

  std::shared_ptr<const SliderPopulation> population_;
};

void PopulationElement::linear_pieces(const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                                      std::vector<LinearPiece>& result) const {
  result.clear();
  if (!is_piecewise_linear()) return;
  for (Index j = 0; j < population_->size(); ++j) {
    detail::add_slider_pieces(
        {.stiffness = population_->stiffness(j, j + 1), .slip_displacement = population_->slip_displacement(j)}, signal,
        turns, result);
  }
}

/// Moves the sliders and keeps the groups: who slid before a reversal becomes one, who is dragged again leaves his.
void PopulationElement::move(const Instant& from, const Instant& to, PopulationWorkspace& w) const {
  const Index slid = w.state.sliding;
  const double direction = w.state.direction;
  population_->move_to(to.position, w.state);
  if (w.state.direction != direction && slid > 0) w.groups.push_back({.end = slid, .instant = from, .source = -1});
  while (!w.groups.empty() && w.groups.back().end <= w.state.sliding) w.groups.pop_back();
}

/// Elements that begin to slide between two instants, which move() has just gone.
void PopulationElement::note_onsets(const Instant& from, const Instant& to, PopulationWorkspace& w,
                                    detail::Corners& corners) const {
  constexpr double dust = 1e-12;  // those that slid before are at their limits, but for rounding
  const double d = w.state.direction;
  for (Index j = 0; j < w.state.sliding; ++j) {
    const double limit = population_->slip_displacement(j);
    const double onset = w.before[j] + d * limit;
    if (d * (onset - from.position) > dust * limit) corners.pass(onset, from.time, to.time);
  }
}

Index source_of(Group& group, CycleResult& result) {
  if (group.source < 0) {
    group.source = static_cast<Index>(result.sources.size());
    MemorySource source{.sample = group.instant.sample, .time = group.instant.time};
    source.by_displacement.setOnes(1);
    source.by_velocity.setZero(1);
    result.sources.push_back(source);
  }
  return group.source;
}

void PopulationElement::store(Index sample, PopulationWorkspace& w, CycleResult& result) const {
  result.force(sample, 0) = population_->force(w.state);
  result.by_displacement(sample, 0) = population_->tangent(w.state);
  Index begin = w.state.sliding;
  for (auto group = w.groups.rbegin(); group != w.groups.rend(); ++group) {
    const double weight = -population_->stiffness(begin, group->end);
    result.uses.push_back({sample, source_of(*group, result), SmallVector<Eigen::Dynamic>::Constant(1, weight)});
    begin = group->end;
  }
}

void PopulationElement::steady_cycle(const PeriodicMotion& motion, const CycleOptions& options,
                                     CycleResult& result) const {
  detail::check_motion(SliderPopulation::name, 1, false, motion);
  result.resize(motion.displacement.rows(), 1, false);
  result.clear_memory();
  auto& w = result.workspace.of<PopulationWorkspace>();
  list_instants(motion, w);
  w.groups.clear();
  w.state.sliders.setZero(population_->size());
  w.state.position = w.state.direction = 0.0;
  w.state.sliding = 0;

  double at_first = 0.0;
  detail::Corners corners(motion, options.corners, result.corners);
  for (std::size_t i = 0; i < w.instants.size(); ++i) {
    const Instant& from = w.instants[i > 0 ? i - 1 : 0];
    if (options.corners) w.before = w.state.sliders;
    move(from, w.instants[i], w);
    if (i == 0) at_first = population_->force(w.state);
    if (options.corners && i > 0) note_onsets(from, w.instants[i], w, corners);
    if (w.instants[i].sample != MemorySource::between_samples) store(w.instants[i].sample, w, result);
  }
  if (!result.force.allFinite()) detail::throw_not_finite(SliderPopulation::name, motion, result);

  const double change = std::abs(population_->force_at(w.instants.front().position, w.state) - at_first);
  const double largest = result.force.cwiseAbs().maxCoeff();
  result.report = {.closed = true, .cycles = 1, .closure_error = largest > 0.0 ? change / largest : 0.0};
  if (!options.corners) return;
  w.before = w.state.sliders;
  move(w.instants.back(), w.instants.front(), w);
  note_onsets(w.instants.back(), w.instants.front(), w, corners);
}

}  // namespace

std::shared_ptr<const ContactElement> make_element(SliderPopulation population) {
  return std::make_shared<const PopulationElement>(std::move(population));
}

}  // namespace masing
