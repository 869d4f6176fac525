#include "masing/analysis/detail/joint_variation.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

JointVariation::JointVariation(std::span<const Joint> joints) {
  for (const Joint& joint : joints) {
    joints_.push_back({.first = inputs_,
                       .inputs = joint.element->inputs(),
                       .remembers = joint.element->at_rest()->memory().size() > 0});
    inputs_ += joint.element->inputs();
    any_velocity_ = any_velocity_ || joint.element->uses_velocity();
  }
  piecewise_.resize(joints_.size());
}

void JointVariation::take(const JointForces& forces, Index samples) {
  samples_ = samples;
  held_ = 0;
  by_displacement_.assign(joints_.size(), nullptr);
  by_velocity_.assign(joints_.size(), nullptr);
  sources_.clear();
  parents_.clear();
  events_.clear();
  uses_.assign(static_cast<std::size_t>(samples), {});
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const auto joint = static_cast<Index>(j);
    if (forces.is_located(joint)) {
      piecewise_[j].setZero(samples, 1);
      by_displacement_[j] = &piecewise_[j];
      take_pieces(joints_[j], forces.pieces(joint));
    } else {
      const CycleResult& cycle = forces.cycle(joint);
      by_displacement_[j] = &cycle.by_displacement;
      if (cycle.by_velocity.cols() > 0) by_velocity_[j] = &cycle.by_velocity;
      take_cycle(joints_[j], cycle);
    }
  }
  order_events();
  find_carried();
}

void JointVariation::take_cycle(const Attached& joint, const CycleResult& cycle) {
  constexpr Index left_out = -1;
  const auto count = static_cast<Index>(cycle.sources.size());
  std::vector<Index> numbers(cycle.sources.size(), left_out);
  const auto is_held = [&](Index s) {
    const MemorySource& source = cycle.sources[static_cast<std::size_t>(s)];
    return source.end_parent == source.first_parent + 1 &&
           cycle.parents[static_cast<std::size_t>(source.first_parent)].source == s;
  };
  auto next = static_cast<Index>(sources_.size());
  for (Index s = 0; s < count; ++s) {
    if (is_held(s)) {
      ++held_;
    } else {
      numbers[static_cast<std::size_t>(s)] = next++;
    }
  }
  for (Index s = 0; s < count; ++s) {
    if (numbers[static_cast<std::size_t>(s)] == left_out) continue;
    Source source{.first_input = joint.first, .how = cycle.sources[static_cast<std::size_t>(s)]};
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
  }
  add_uses(joint, cycle.uses, numbers);
}

void JointVariation::add_uses(const Attached& joint, std::span<const MemoryUse> uses, std::span<const Index> numbers) {
  for (const MemoryUse& use : uses) {
    const Index number = numbers[static_cast<std::size_t>(use.source)];
    if (number < 0) continue;
    uses_[static_cast<std::size_t>(use.sample)].push_back(
        {.source = number, .first_input = joint.first, .weight = use.weight});
  }
}

// Offsets that depend on the motion are sources of a weight of their own; one piece all through is a held slider.
void JointVariation::take_pieces(const Attached& joint, const std::vector<LinearPiece>& pieces) {
  Matrix& slope = piecewise_[static_cast<std::size_t>(&joint - joints_.data())];
  if (pieces.size() == 1) {
    slope.setConstant(pieces.front().stiffness);
    if (joint.remembers) ++held_;
    return;
  }
  constexpr double period = 2.0 * pi;
  for (const LinearPiece& piece : pieces) {
    const auto number = static_cast<Index>(sources_.size());
    const bool is_set = piece.source_weight != 0.0;
    if (is_set) {
      Source source{.first_input = joint.first};
      source.how.sample = MemorySource::between_samples;
      source.how.time = std::fmod(piece.source_time, period);
      source.how.by_displacement.setConstant(1, piece.source_weight);
      source.how.by_velocity.setZero(1);
      source.how.first_parent = source.how.end_parent = static_cast<Index>(parents_.size());
      sources_.push_back(source);
    } else {
      events_.push_back({.time = std::fmod(piece.begin, period), .source = -1});
    }
    const double per_time = static_cast<double>(samples_) / period;
    // As for sampled laws, a sample at the very instant of a source comes before it.
    for (auto i = static_cast<Index>(std::floor(piece.begin * per_time)) + 1;
         i <= static_cast<Index>(std::floor(piece.end * per_time)); ++i) {
      const Index sample = i % samples_;
      slope(sample, 0) = piece.stiffness;
      if (is_set) {
        uses_[static_cast<std::size_t>(sample)].push_back(
            {.source = number, .first_input = joint.first, .weight = UseWeight::Constant(1, 1.0)});
      }
    }
  }
}

void JointVariation::order_events() {
  for (Index s = 0; s < sources(); ++s) {
    events_.push_back({.time = sources_[static_cast<std::size_t>(s)].how.time, .source = s});
  }
  std::stable_sort(events_.begin(), events_.end(),
                   [](const VariationEvent& a, const VariationEvent& b) { return a.time < b.time; });
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

void JointVariation::tangents(Index sample, Matrix& by_displacement, Matrix& by_velocity) const {
  const auto fill = [&](const Attached& joint, const Matrix* from, Matrix& to) {
    if (from == nullptr) return;
    for (Index b = 0; b < joint.inputs; ++b) {
      for (Index a = 0; a < joint.inputs; ++a) {
        to(joint.first + a, joint.first + b) = (*from)(sample, a + joint.inputs * b);
      }
    }
  };
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    fill(joints_[j], by_displacement_[j], by_displacement);
    fill(joints_[j], by_velocity_[j], by_velocity);
  }
}

void JointVariation::remembered(Index sample, const Matrix& memory, Matrix& force) const {
  force.setZero();
  for (const Use& use : uses_[static_cast<std::size_t>(sample)]) {
    for (Index a = 0; a < use.weight.size(); ++a) {
      if (use.weight[a] != 0.0) force.row(use.first_input + a) += use.weight[a] * memory.row(use.source);
    }
  }
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

}  // namespace masing::detail
