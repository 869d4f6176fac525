#include "masing/analysis/detail/joint_variation.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

JointVariation::JointVariation(std::span<const Joint> joints) {
  for (const Joint& joint : joints) {
    joints_.push_back(
        {.first = inputs_, .inputs = joint.element->inputs(), .instants = {}, .pieces = {}, .places = {}, .cells = {}});
    inputs_ += joint.element->inputs();
  }
  piecewise_.resize(joints_.size());
}

void JointVariation::take(JointForces& forces, Index samples, DraggedSliders dragged) {
  samples_ = samples;
  held_ = 0;
  dragged_ = dragged;
  drags_ = false;
  by_displacement_.assign(joints_.size(), nullptr);
  by_velocity_.assign(joints_.size(), nullptr);
  sources_.clear();
  parents_.clear();
  events_.clear();
  uses_.assign(static_cast<std::size_t>(samples), {});
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const auto joint = static_cast<Index>(j);
    joints_[j].takes_over = false;
    joints_[j].instants.clear();
    joints_[j].pieces.clear();
    joints_[j].places.clear();
    joints_[j].cells.clear();
    if (forces.is_located(joint)) {
      piecewise_[j].setZero(samples, 1);
      by_displacement_[j] = &piecewise_[j];
      take_pieces(joints_[j], forces.pieces(joint));
    } else {
      const CycleResult& cycle = forces.cycle(joint);
      by_displacement_[j] = &cycle.by_displacement;
      if (cycle.by_velocity.cols() > 0) by_velocity_[j] = &cycle.by_velocity;
      std::vector<Index> numbers;
      take_cycle(joints_[j], cycle, numbers);
      if (!forces.cells(joint).empty()) take_cells(j, numbers, forces.cells(joint), forces.cell_rows(joint));
    }
  }
  order_events();
  mark_steps();
  find_carried();
}

// `numbers`: of the cycle's sources among all, negative for scalars that are held.
void JointVariation::take_cycle(Attached& joint, const CycleResult& cycle, std::vector<Index>& numbers) {
  constexpr Index left_out = -1;
  const auto count = static_cast<Index>(cycle.sources.size());
  numbers.assign(cycle.sources.size(), left_out);
  const auto is_held = [&](Index s) {
    const MemorySource& source = cycle.sources[static_cast<std::size_t>(s)];
    const bool is_own_parent = source.end_parent == source.first_parent + 1 &&
                               cycle.parents[static_cast<std::size_t>(source.first_parent)].source == s;
    return is_own_parent || (source.dragged && dragged_ == DraggedSliders::hold);
  };
  auto next = static_cast<Index>(sources_.size());
  for (Index s = 0; s < count; ++s) {
    drags_ = drags_ || cycle.sources[static_cast<std::size_t>(s)].dragged;
    if (is_held(s)) {
      ++held_;
    } else {
      numbers[static_cast<std::size_t>(s)] = next++;
    }
  }
  for (Index s = 0; s < count; ++s) {
    if (numbers[static_cast<std::size_t>(s)] == left_out) continue;
    Source source{.first_input = joint.first, .how = cycle.sources[static_cast<std::size_t>(s)], .jump = {}};
    if (source.how.sample != MemorySource::between_samples) source.how.time = time_of(source.how.sample);
    const Index first = static_cast<Index>(parents_.size());
    for (Index p = source.how.first_parent; p < source.how.end_parent; ++p) {
      const MemoryParent& parent = cycle.parents[static_cast<std::size_t>(p)];
      const Index number = numbers[static_cast<std::size_t>(parent.source)];
      if (number != left_out) parents_.push_back({number, parent.weight});
    }
    source.how.first_parent = first;
    source.how.end_parent = static_cast<Index>(parents_.size());
    sources_.push_back(source);
    joint.takes_over = joint.takes_over || source.how.time < 0.0;
    joint.instants.push_back(source.how.time);
  }
  for (const ForceJump& jump : cycle.jumps) {
    const Index number = numbers[static_cast<std::size_t>(jump.source)];
    sources_[static_cast<std::size_t>(number)].jump = jump.weight;
  }
  for (const double corner : cycle.corners) {
    events_.push_back({.time = corner, .source = -1});
    joint.instants.push_back(corner);
  }
  add_uses(joint, cycle.uses, numbers);
}

void JointVariation::add_uses(const Attached& joint, std::span<const MemoryUse> uses, std::span<const Index> numbers) {
  for (const MemoryUse& use : uses) {
    const Index number = numbers[static_cast<std::size_t>(use.source)];
    if (number < 0) continue;
    uses_[static_cast<std::size_t>(use.sample)].push_back(
        {.source = number, .joint = static_cast<std::size_t>(&joint - joints_.data()), .weight = use.weight});
  }
}

void JointVariation::take_cells(std::size_t j, std::span<const Index> numbers, std::span<const Cell> cells,
                                const CycleResult& rows) {
  struct Place {
    std::size_t cell = 0, node = 0;
    bool is_node = false;
  };
  std::vector<Place> places(static_cast<std::size_t>(rows.force.rows()));  // by rows
  std::vector<CellSlopes>& taken = joints_[j].cells;
  for (const Cell& cell : cells) {
    CellSlopes& slopes =
        taken.emplace_back(CellSlopes{.cell = cell, .by_displacement = {}, .by_velocity = {}, .uses = {}});
    for (std::size_t i = 0; i < Cell::nodes; ++i) {
      const Index row = cell.rows[i];
      places[static_cast<std::size_t>(row)] = {taken.size() - 1, i, true};
      slopes.by_displacement[i] = rows.by_displacement.row(row).transpose();
      if (rows.by_velocity.cols() > 0) slopes.by_velocity[i] = rows.by_velocity.row(row).transpose();
    }
  }
  for (const MemoryUse& use : rows.uses) {
    const Place& place = places[static_cast<std::size_t>(use.sample)];
    const Index number = numbers[static_cast<std::size_t>(use.source)];
    if (!place.is_node || number < 0) continue;
    taken[place.cell].uses[place.node].push_back({.source = number, .joint = j, .weight = use.weight});
  }
}

void JointVariation::take_pieces(Attached& joint, const std::vector<LinearPiece>& pieces) {
  Matrix& slope = piecewise_[static_cast<std::size_t>(&joint - joints_.data())];
  constexpr double all_through = 2.0 * pi * (1.0 - 1e-12);
  for (const LinearPiece& piece : pieces) {
    const bool is_whole = piece.end - piece.begin >= all_through;
    const bool dragged = is_whole && piece.source_weight != 0.0;  // once a period, to its place at source_time
    drags_ = drags_ || dragged;
    if (!is_whole || (dragged && dragged_ == DraggedSliders::follow)) {
      take_piece(joint, piece);
      continue;
    }
    slope.array() += piece.stiffness;
    joint.pieces.push_back({.begin = 0.0, .end = 2.0 * pi, .slope = piece.stiffness});
    if (piece.holds || dragged) ++held_;
  }
}

void JointVariation::take_piece(Attached& joint, const LinearPiece& piece) {
  constexpr double period = 2.0 * pi;
  const auto number = static_cast<std::size_t>(&joint - joints_.data());
  const bool is_set = piece.source_weight != 0.0;
  const double instant = std::fmod(is_set ? piece.source_time : piece.begin, period);
  const Index source = is_set ? place_at(joint, instant) : -1;
  if (!is_set) events_.push_back({.time = instant, .source = -1});
  joint.instants.push_back(instant);
  joint.pieces.push_back({.begin = piece.begin,
                          .end = piece.end,
                          .slope = piece.stiffness,
                          .source = source,
                          .source_weight = piece.source_weight});
  // As for sampled laws, a sample at the very instant of a source comes before it.
  const SampleRange range = samples_in(piece, samples_);
  for (Index i = range.first; i <= range.last; ++i) {
    const Index sample = i % samples_;
    piecewise_[number](sample, 0) += piece.stiffness;
    if (is_set) add_place(sample, source, number, piece.source_weight);
  }
}

// Sliders that one reversal set at rest remember the same: where it was.
Index JointVariation::place_at(Attached& joint, double time) {
  const auto known = std::find_if(joint.places.begin(), joint.places.end(), [&](Index source) {
    return sources_[static_cast<std::size_t>(source)].how.time == time;
  });
  if (known != joint.places.end()) return *known;
  Source source{.first_input = joint.first, .how = {}, .jump = {}};
  source.how.sample = MemorySource::between_samples;
  source.how.time = time;
  source.how.by_displacement.setOnes(1);
  source.how.by_velocity.setZero(1);
  source.how.first_parent = source.how.end_parent = static_cast<Index>(parents_.size());
  sources_.push_back(source);
  joint.places.push_back(static_cast<Index>(sources_.size()) - 1);
  return joint.places.back();
}

void JointVariation::add_place(Index sample, Index source, std::size_t joint, double weight) {
  std::vector<Use>& uses = uses_[static_cast<std::size_t>(sample)];
  for (Use& use : uses) {
    if (use.source != source) continue;
    use.weight[0] += weight;
    return;
  }
  uses.push_back({.source = source, .joint = joint, .weight = UseWeight::Constant(1, weight)});
}

void JointVariation::order_events() {
  for (Index s = 0; s < sources(); ++s) {
    events_.push_back({.time = sources_[static_cast<std::size_t>(s)].how.time, .source = s});
  }
  std::stable_sort(events_.begin(), events_.end(),
                   [](const VariationEvent& a, const VariationEvent& b) { return a.time < b.time; });
}

void JointVariation::mark_steps() {
  const Index steps = samples_ / 2;
  is_smooth_.assign(static_cast<std::size_t>(steps), 1);
  const double per_time = static_cast<double>(steps) / (2.0 * pi);
  constexpr double dust = 1e-9;
  for (Attached& joint : joints_) {
    std::sort(joint.instants.begin(), joint.instants.end());
    if (joint.takes_over) is_smooth_.back() = 0;
    for (const double instant : joint.instants) {
      if (instant < 0.0) continue;
      const auto first = static_cast<Index>(std::floor(instant * per_time - dust));
      const auto last = static_cast<Index>(std::floor(instant * per_time + dust));
      for (Index step = first; step <= last; ++step) is_smooth_[static_cast<std::size_t>((step + steps) % steps)] = 0;
    }
  }
}

void JointVariation::find_carried() {
  carried_.clear();
  std::vector<char> is_set(sources_.size(), 0), is_carried(sources_.size(), 0);
  const auto read = [&](Index source) {
    const auto s = static_cast<std::size_t>(source);
    if (is_set[s] == 0) is_carried[s] = 1;
  };
  auto event = events_.begin();
  const auto read_parents = [&](Index source) {
    const MemorySource& how = sources_[static_cast<std::size_t>(source)].how;
    for (Index p = how.first_parent; p < how.end_parent; ++p) read(parents_[static_cast<std::size_t>(p)].source);
  };
  for (const VariationEvent& before : events_) {  // all at once
    if (before.time < 0.0) read_parents(before.source);
  }
  for (; event != events_.end() && event->time < 0.0; ++event) is_set[static_cast<std::size_t>(event->source)] = 1;
  const auto pass_until = [&](double time) {  // sources before `time`
    for (; event != events_.end() && event->time < time; ++event) {
      if (event->source < 0) continue;
      read_parents(event->source);
      is_set[static_cast<std::size_t>(event->source)] = 1;
    }
  };
  for (Index i = 0; i < samples_; ++i) {
    pass_until(time_of(i));
    for (const Use& use : uses_[static_cast<std::size_t>(i)]) read(use.source);
  }
  pass_until(2.0 * pi);
  for (const Use& use : uses_.front()) read(use.source);  // the end of the last step is the beginning of the first
  for (Index s = 0; s < sources(); ++s) {
    if (is_carried[static_cast<std::size_t>(s)] != 0) carried_.push_back(s);
  }
}

void VariationSlopes::set_zero(Index inputs, Index disturbances) {
  by_displacement.setZero(inputs, inputs);
  by_velocity.setZero(inputs, inputs);
  remembered.setZero(inputs, disturbances);
}

void JointVariation::add_slopes(std::size_t j, Index sample, double weight, const Matrix& memory,
                                VariationSlopes& slopes) const {
  const Attached& joint = joints_[j];
  const auto add = [&](const Matrix* from, Matrix& to) {
    if (from == nullptr) return;
    for (Index b = 0; b < joint.inputs; ++b) {
      for (Index a = 0; a < joint.inputs; ++a) {
        to(joint.first + a, joint.first + b) += weight * (*from)(sample, a + joint.inputs * b);
      }
    }
  };
  add(by_displacement_[j], slopes.by_displacement);
  add(by_velocity_[j], slopes.by_velocity);
  for (const Use& use : uses_[static_cast<std::size_t>(sample)]) {
    if (use.joint != j) continue;
    for (Index a = 0; a < use.weight.size(); ++a) {
      if (use.weight[a] != 0.0)
        slopes.remembered.row(joint.first + a) += weight * use.weight[a] * memory.row(use.source);
    }
  }
}

void JointVariation::slopes_at(Index sample, const Matrix& memory, VariationSlopes& slopes) const {
  slopes.set_zero(inputs_, memory.cols());
  for (std::size_t j = 0; j < joints_.size(); ++j) add_slopes(j, sample, 1.0, memory, slopes);
}

void JointVariation::slopes_between(double begin, double end, double time, const Matrix& memory,
                                    VariationSlopes& slopes) const {
  slopes.set_zero(inputs_, memory.cols());
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (!joints_[j].pieces.empty()) {
      add_piece_slopes(joints_[j], 0.5 * (begin + end), memory, slopes);
      continue;
    }
    if (add_cell_slopes(joints_[j], 0.5 * (begin + end), time, memory, slopes)) continue;
    const Stencil over = stencil(joints_[j], begin, end, time);
    for (Index i = 0; i < over.count; ++i) {
      add_slopes(j, (over.first + i) % samples_, over.weights[static_cast<std::size_t>(i)], memory, slopes);
    }
  }
}

bool JointVariation::add_cell_slopes(const Attached& joint, double middle, double time, const Matrix& memory,
                                     VariationSlopes& slopes) const {
  const auto found = std::lower_bound(joint.cells.begin(), joint.cells.end(), middle,
                                      [](const CellSlopes& c, double at) { return c.cell.end < at; });
  if (found == joint.cells.end() || found->cell.begin >= middle) return false;
  const auto add = [&](double weight, const Vector& from, Matrix& to) {
    for (Index i = 0; i < from.size(); ++i)
      to(joint.first + i % joint.inputs, joint.first + i / joint.inputs) += weight * from[i];
  };
  const std::array<double, Cell::nodes> weights = found->cell.weights(time);
  for (std::size_t i = 0; i < Cell::nodes; ++i) {
    add(weights[i], found->by_displacement[i], slopes.by_displacement);
    add(weights[i], found->by_velocity[i], slopes.by_velocity);
    for (const Use& use : found->uses[i]) {
      for (Index a = 0; a < use.weight.size(); ++a) {
        if (use.weight[a] == 0.0) continue;
        slopes.remembered.row(joint.first + a) += weights[i] * use.weight[a] * memory.row(use.source);
      }
    }
  }
  return true;
}

void JointVariation::add_piece_slopes(const Attached& joint, double middle, const Matrix& memory,
                                      VariationSlopes& slopes) const {
  const auto is_in = [](const Piece& piece, double time) { return piece.begin < time && time <= piece.end; };
  for (const Piece& piece : joint.pieces) {
    if (!is_in(piece, middle) && !is_in(piece, middle + 2.0 * pi)) continue;
    slopes.by_displacement(joint.first, joint.first) += piece.slope;
    if (piece.source >= 0) slopes.remembered.row(joint.first) += piece.source_weight * memory.row(piece.source);
  }
}

double JointVariation::between(Index joint, const VectorView& samples, double begin, double end, double time) const {
  const Stencil over = stencil(joints_[static_cast<std::size_t>(joint)], begin, end, time);
  double value = 0.0;
  for (Index i = 0; i < over.count; ++i) {
    value += over.weights[static_cast<std::size_t>(i)] * samples[(over.first + i) % samples_];
  }
  return value;
}

// The samples nearest to the middle of the piece between the joint's instants before and after it. A sample at an instant
// comes before it. Where two instants leave no sample between them, and the law is known at samples only, the next one.
JointVariation::Stencil JointVariation::stencil(const Attached& joint, double begin, double end, double time) const {
  const double per_time = static_cast<double>(samples_) / (2.0 * pi);
  const auto after = std::upper_bound(joint.instants.begin(), joint.instants.end(), 0.5 * (begin + end));
  Index lowest = 0, highest = joint.takes_over ? samples_ - 1 : samples_;
  // Instants at a sample are its time exactly, which the product may miss by a rounding.
  constexpr double dust = 1e-9;
  if (after != joint.instants.begin() && *(after - 1) >= 0.0) {
    lowest = static_cast<Index>(std::floor(*(after - 1) * per_time + dust)) + 1;
  }
  if (after != joint.instants.end())
    highest = std::min(highest, static_cast<Index>(std::floor(*after * per_time + dust)));
  Stencil result;
  if (highest < lowest) {
    result = {.first = lowest, .count = 1, .weights = {1.0}};
    return result;
  }
  result.count = std::min(Stencil::most, highest - lowest + 1);
  const double middle = 0.5 * (begin + end) * per_time;
  const auto left = static_cast<Index>(std::lround(middle - 0.5 * static_cast<double>(result.count - 1)));
  result.first = std::clamp(left, lowest, highest - result.count + 1);
  const double at = time * per_time - static_cast<double>(result.first);
  for (Index i = 0; i < result.count; ++i) {
    double weight = 1.0;
    for (Index k = 0; k < result.count; ++k) {
      if (k != i) weight *= (at - static_cast<double>(k)) / static_cast<double>(i - k);
    }
    result.weights[static_cast<std::size_t>(i)] = weight;
  }
  return result;
}

void JointVariation::set(Index source, const Matrix& displacement, const Matrix& rate, double omega,
                         Matrix& memory) const {
  const Source& from = sources_[static_cast<std::size_t>(source)];
  const MemorySource& how = from.how;
  Eigen::RowVectorXd value = Eigen::RowVectorXd::Zero(memory.cols());
  for (Index b = 0; b < how.by_displacement.size(); ++b) {
    const Index row = from.first_input + b;
    if (how.by_displacement[b] != 0.0) value += how.by_displacement[b] * displacement.row(row);
    double by_rate = b < how.by_velocity.size() ? omega * how.by_velocity[b] : 0.0;
    if (how.by_rate.size() > 0) by_rate += how.by_rate[b];
    if (by_rate != 0.0) value += by_rate * rate.row(row);
  }
  for (Index p = how.first_parent; p < how.end_parent; ++p) {
    const MemoryParent& parent = parents_[static_cast<std::size_t>(p)];
    value += parent.weight * memory.row(parent.source);
  }
  memory.row(source) = value;
}

bool JointVariation::pulse(Index source, const Matrix& memory, Matrix& forces) const {
  const Source& shift = sources_[static_cast<std::size_t>(source)];
  if (shift.jump.size() == 0) return false;
  forces.setZero(inputs(), memory.cols());
  for (Index a = 0; a < shift.jump.size(); ++a) forces.row(shift.first_input + a) = shift.jump[a] * memory.row(source);
  return true;
}

}  // namespace masing::detail
