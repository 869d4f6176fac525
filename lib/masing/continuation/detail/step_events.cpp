#include "masing/continuation/detail/step_events.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace masing::detail {

namespace {

// f = f1 + slope (σ − σ1) + bend (σ − σ1)², through three values.
struct Parabola {
  double centre, height, slope, bend;
  Parabola(const std::array<double, 3>& sigma, const std::array<double, 3>& f) : centre(sigma[1]), height(f[1]) {
    const double left = (f[1] - f[0]) / (sigma[1] - sigma[0]), right = (f[2] - f[1]) / (sigma[2] - sigma[1]);
    bend = (right - left) / (sigma[2] - sigma[0]);
    slope = left + bend * (sigma[1] - sigma[0]);
  }
  double lowest() const { return centre - slope / (2.0 * bend); }
  double at(double sigma) const { return height + (sigma - centre) * (slope + bend * (sigma - centre)); }
};

}  // namespace

bool crosses(Crossing crossing, double before, double after) {
  const bool rises = before < 0.0 && after >= 0.0, falls = before > 0.0 && after <= 0.0;
  switch (crossing) {
    case Crossing::any:
      return rises || falls;
    case Crossing::rising:
      return rises;
    case Crossing::falling:
      return falls;
  }
  return false;
}

StepEvents::Sample StepEvents::sample(double sigma, const BranchPoint& point) const {
  return {sigma, point, corrector_.metric(point).physical(point.tangent)};
}

void StepEvents::take_samples(int count) {
  samples_.push_back(sample(0.0, from_));
  for (int i = 1; i < count; ++i) {
    const double sigma = segment_.length() * i / count;
    if (const auto point = segment_.solve_at(sigma)) samples_.push_back(sample(sigma, *point));
  }
  samples_.push_back(sample(segment_.length(), to_));
}

void StepEvents::locate(const Event& event, const BranchPoint& before, const BranchPoint& after) {
  std::string message;
  if (const auto point = locate_on_segment(corrector_, before, after, event.value, tolerance_, message)) {
    found_.push_back({segment_.position(joined(*point)), event.name, *point});
  } else {
    ++unlocated_;
  }
}

/// Where the value may come nearest to zero, from the three samples about the lowest; empty: it does not dip, or not so far.
std::optional<double> StepEvents::lowest_place(const std::vector<Dip>& dips) const {
  constexpr double beyond = 0.2;       // of the three: a dip near an end may seem to lie outside
  constexpr double worth_while = 0.5;  // of the lowest value: a dip that is expected to end above is none
  constexpr double inside = 0.1;       // of the three, from their ends
  const auto lowest = std::min_element(dips.begin(), dips.end(), [](const Dip& a, const Dip& b) { return a.f < b.f; });
  const auto middle = std::clamp<std::ptrdiff_t>(lowest - dips.begin(), 1, std::ssize(dips) - 2);
  const Dip &a = dips[static_cast<std::size_t>(middle - 1)], &b = dips[static_cast<std::size_t>(middle)],
            &c = dips[static_cast<std::size_t>(middle + 1)];
  const Parabola parabola({a.at.sigma, b.at.sigma, c.at.sigma}, {a.f, b.f, c.f});
  const double span = c.at.sigma - a.at.sigma;
  if (!(parabola.bend > 0.0)) return std::nullopt;
  const double place = parabola.lowest();
  if (place < a.at.sigma - beyond * span || place > c.at.sigma + beyond * span) return std::nullopt;
  if (parabola.at(place) > worth_while * lowest->f) return std::nullopt;
  return std::clamp(place, a.at.sigma + inside * span, c.at.sigma - inside * span);
}

void StepEvents::follow_dip(const Event& event, const std::vector<double>& values, std::size_t middle) {
  constexpr int most_trials = 8;
  constexpr double least_move = 1e-3;  // of the step
  const double sign = values[middle] > 0.0 ? 1.0 : -1.0;
  std::vector<Dip> dips;
  for (const std::size_t i : {middle - 1, middle, middle + 1}) dips.push_back({samples_[i], sign * values[i]});
  for (int trial = 0; trial < most_trials; ++trial) {
    const std::optional<double> place = lowest_place(dips);
    if (!place) return;
    const auto after = std::find_if(dips.begin(), dips.end(), [&](const Dip& dip) { return dip.at.sigma > *place; });
    if (after == dips.begin() || after == dips.end()) return;
    const Dip& before = *(after - 1);
    if (std::min(after->at.sigma - *place, *place - before.at.sigma) < least_move * segment_.length()) return;
    const auto point = segment_.solve_at(*place);
    if (!point) return;
    const Sample tried = sample(*place, *point);
    const double value = sign * value_of(event, tried);
    if (value < 0.0) {
      locate(event, before.at.point, tried.point);
      locate(event, tried.point, after->at.point);
      return;
    }
    dips.insert(after, {tried, value});
  }
}

std::vector<StepEvents::Found> StepEvents::find(const std::vector<Event>& events, int pieces) {
  const bool inside = std::any_of(events.begin(), events.end(), [](const Event& event) { return event.inside_steps; });
  take_samples(inside ? 2 * std::max(pieces, 1) : 1);
  // All events of one sample before the next: they share what is costly.
  std::vector<std::vector<double>> values(events.size());
  for (const Sample& at : samples_) {
    const bool end = &at == &samples_.front() || &at == &samples_.back();
    for (std::size_t e = 0; e < events.size(); ++e) {
      if (end || events[e].inside_steps) values[e].push_back(value_of(events[e], at));
    }
  }
  for (std::size_t e = 0; e < events.size(); ++e) {
    const std::vector<double>& f = values[e];
    if (!events[e].inside_steps) {
      if (crosses(events[e].crossing, f.front(), f.back())) locate(events[e], from_, to_);
      continue;
    }
    for (std::size_t i = 0; i + 1 < f.size(); ++i) {
      if (crosses(events[e].crossing, f[i], f[i + 1])) locate(events[e], samples_[i].point, samples_[i + 1].point);
    }
    const std::size_t before = found_.size();
    for (std::size_t i = 1; i + 1 < f.size() && found_.size() == before; ++i) {
      const bool same = (f[i - 1] > 0.0) == (f[i] > 0.0) && (f[i] > 0.0) == (f[i + 1] > 0.0);
      if (same && std::isfinite(f[i - 1] + f[i] + f[i + 1])) follow_dip(events[e], f, i);
    }
  }
  std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.sigma < b.sigma; });
  return found_;
}

}  // namespace masing::detail
