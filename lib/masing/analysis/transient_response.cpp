#include "masing/analysis/transient_response.hpp"

#include "masing/analysis/detail/transient_run.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing {

namespace {

constexpr double max_history_values = 2e7;  // 160 MB a level

void check_numbers(const TransientRequest& r) {
  require(std::isfinite(r.frequency) && r.frequency >= 0.0, "analysis '{}': frequency = {:g} Hz must be >= 0.", r.name,
          r.frequency);
  require(std::isfinite(r.periods) && r.periods >= 0.0, "analysis '{}': periods = {:g} must be >= 0.", r.name,
          r.periods);
  require(std::isfinite(r.duration) && r.duration >= 0.0, "analysis '{}': duration = {:g} s must be >= 0.", r.name,
          r.duration);
  require(r.max_periods >= 1, "analysis '{}': max_periods = {} must be >= 1.", r.name, r.max_periods);
  require(r.steady_tolerance > 0.0, "analysis '{}': steady_tolerance = {:g} must be > 0.", r.name, r.steady_tolerance);
  require(!r.levels.empty(), "analysis '{}': levels are missing; give at least one.", r.name);
  require(r.shown_levels.empty() || r.shown_levels.size() == r.levels.size(),
          "analysis '{}': {} shown levels for {} levels; there must be as many.", r.name, r.shown_levels.size(),
          r.levels.size());
}

void check_length(const TransientRequest& r) {
  require(r.periods == 0.0 || r.duration == 0.0,
          "analysis '{}': periods = {:g} and duration = {:g} s are both given; give one of them.", r.name, r.periods,
          r.duration);
  require(
      r.frequency > 0.0 || r.duration > 0.0,
      "analysis '{}': without a frequency there are no periods and no steady state. Give frequency > 0, or a duration "
      "for a ringdown.",
      r.name);
}

void check_harmonics(const TransientRequest& r) {
  const int highest = r.harmonics.empty() ? 0 : *std::max_element(r.harmonics.begin(), r.harmonics.end());
  const int lowest = r.harmonics.empty() ? 0 : *std::min_element(r.harmonics.begin(), r.harmonics.end());
  require(lowest >= 0, "analysis '{}': harmonic {} must be >= 0.", r.name, lowest);
  require(r.samples_per_period >= 1 && r.samples_per_period > 2 * highest,
          "analysis '{}': samples_per_period = {} must be > {}, twice the highest harmonic.", r.name,
          r.samples_per_period, 2 * highest);
}

void check_model(const Model& model, const TransientRequest& r) {
  require(model.structure != nullptr, "analysis '{}': the model has no structure.", r.name);
  const Index n = model.structure->size();
  for (const Observable& observable : r.observables) {
    if (observable.is_combination() && observable.motion.size() == n) continue;
    require(observable.coordinate >= 0 && observable.coordinate < n,
            "analysis '{}': observable '{}' looks at coordinate {}; the structure has {}.", r.name, observable.name,
            observable.coordinate, n);
  }
  require(r.initial_displacement.size() == 0 || r.initial_displacement.size() == n,
          "analysis '{}': initial_displacement has {} entries; the structure has {} coordinates.", r.name,
          r.initial_displacement.size(), n);
  require(r.initial_velocity.size() == 0 || r.initial_velocity.size() == n,
          "analysis '{}': initial_velocity has {} entries; the structure has {} coordinates.", r.name,
          r.initial_velocity.size(), n);
}

void check_size(const Model& model, const TransientRequest& r) {
  double columns = 1.0 + static_cast<double>(r.observables.size());
  for (const Joint& joint : model.joints) columns += 2.0 * joint.element->inputs();
  const double length = r.periods > 0.0 ? r.periods : r.duration * r.frequency;
  const double values = columns * length * static_cast<double>(r.samples_per_period);
  require(values <= max_history_values,
          "analysis '{}': the history would have {:.3g} values; at most {:g} are kept. Lower samples_per_period or the "
          "length, or integrate until steady.",
          r.name, values, max_history_values);
}

const SecondOrderStructure& structure_with_matrices(const Model& model, const TransientRequest& r) {
  const auto* structure = dynamic_cast<const SecondOrderStructure*>(model.structure.get());
  require(
      structure != nullptr,
      "analysis '{}': time integration needs mass, damping and stiffness matrices, which this kind of structure does "
      "not have. Use a structure with matrices.",
      r.name);
  return *structure;
}

}  // namespace

std::vector<TimeHistory> transient_response(const Model& model, const TransientRequest& request, ResultSink* sink,
                                            const ProgressCallback& progress) {
  check_numbers(request);
  check_length(request);
  check_harmonics(request);
  check_model(model, request);
  check_size(model, request);
  const SecondOrderStructure& structure = structure_with_matrices(model, request);

  std::vector<TimeHistory> histories;
  bool go_on = true;
  const ProgressCallback remember_stop = [&](const Progress& now) {
    const bool wanted = !progress || progress(now);
    go_on = go_on && wanted;
    return wanted;
  };
  for (std::size_t level = 0; level < request.levels.size() && go_on; ++level) {
    histories.push_back(detail::TransientRun(structure, model, request, level, remember_stop).run());
    if (sink) sink->add_history(histories.back());
  }
  return histories;
}

}  // namespace masing
