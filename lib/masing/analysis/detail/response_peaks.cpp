// The peaks of a frequency response, and their half-power bands.
#include "masing/analysis/detail/response_branch.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {

// An amplitude that the motion of the joints does not reach beyond its rounding errors has no maximum worth a name.
bool ResponseBranchRun::is_noise(const SquaredAmplitude& g, const Measure& measure, const BranchPoint& point) const {
  constexpr double rounding = 1e-12;
  const Quantity quantity = request_.observables[measure.observable].quantity;
  const double unit = std::abs(quantity_factor(quantity, measure.harmonic, 2.0 * pi * point.lambda));
  const double smallest = rounding * unit * point.x.cwiseAbs().maxCoeff();
  return g.value <= smallest * smallest;
}

Resonance ResponseBranchRun::resonance(const Measure& measure) {
  Resonance result{.observable = request_.observables[measure.observable].name, .harmonic = measure.harmonic};
  const auto amplitude = [&](const ResponsePoint& point) {
    return point.observations[measure.observable].amplitude[measure.position];
  };
  const SpecialPoint* peak = nullptr;
  for (const SpecialPoint& special : result_.special_points) {
    if (special.kind != "peak" || special.observable != result.observable || special.harmonic != measure.harmonic)
      continue;
    if (peak == nullptr || amplitude(special.point) > amplitude(peak->point)) peak = &special;
  }
  const double located = peak != nullptr ? amplitude(peak->point) : 0.0;
  for (std::size_t i = 1; i + 1 < result_.points.size(); ++i) {
    const double here = amplitude(result_.points[i]);
    const bool sampled_peak = here > amplitude(result_.points[i - 1]) && here > amplitude(result_.points[i + 1]);
    if (!sampled_peak || here <= located || is_noise({here * here, 0.0}, measure, branch_.path()[i].point)) {
      continue;
    }
    result.note =
        fmt::format("the maximum near {:.6g} Hz, about {:.6g}, could not be located; try a smaller step_maximum",
                    result_.points[i].frequency, here);
    return result;
  }
  if (peak == nullptr) {
    result.note = result_.end.complete ? "no maximum inside the range"
                                       : "no maximum so far: the branch ended before the end of the range";
    return result;
  }
  result.frequency = peak->point.frequency;
  result.amplitude = located;
  const auto larger = std::find_if(result_.points.begin(), result_.points.end(),
                                   [&](const ResponsePoint& point) { return amplitude(point) > located; });
  if (larger != result_.points.end()) {
    result.note = fmt::format("the response is larger at {:.6g} Hz, towards an end of the range", larger->frequency);
    return result;
  }
  // What is stored of a branch that goes on later must not change when it does.
  if (result_.end.stop == to_string(ContinuationStop::stopped_by_user)) {
    result.note = "half-power points are looked for when the branch is complete";
    return result;
  }
  if (result_.end.stop == to_string(ContinuationStop::closed_loop)) {
    result.note = "the branch is closed: it turns back at folds on both sides of the peak and has no half-power band";
    return result;
  }
  half_power(measure, SpecialPoint(*peak), result);
  return result;
}

void ResponseBranchRun::half_power(const Measure& measure, const SpecialPoint& peak, Resonance& result) {
  const HalfPower lower = half_power_point(measure, peak, -1);
  const HalfPower upper = half_power_point(measure, peak, +1);
  if (!lower.point || !upper.point) {
    result.note = lower.range_ended || upper.range_ended
                      ? "the range ends before the amplitude has fallen to half power"
                      : "a half-power point could not be located; try a smaller step_maximum";
    return;
  }
  for (const HalfPower* found : {&lower, &upper}) {
    branch_.use(*found->point->rung);
    report_special("half-power", &measure, found->after, found->point->point);
  }
  const double width = std::abs(upper.point->point.lambda - lower.point->point.lambda);
  result.damping_ratio = origin_.periods * width / (2.0 * result.frequency);
  if (folds_between(lower.after, upper.after)) {
    result.note = "the peak is bent over a fold: half-power damping is not a modal damping ratio here";
  } else if (lower.overlapped || upper.overlapped) {
    result.note = "another peak stands within the half-power band: this is not the damping ratio of one mode";
  }
}

ResponseBranchRun::HalfPower ResponseBranchRun::half_power_point(const Measure& measure, const SpecialPoint& peak,
                                                                 int way) {
  constexpr double rises_again = 1.02;  // of the lowest g since the peak
  const PathPoint top = path_point(peak.point);
  const double half = 0.5 * squared(measure, top);
  const auto function = [&](const BranchPoint& point, const Vector&) {
    return squared(measure, {point, &branch_.rung()}) / half - 1.0;
  };
  const auto count = static_cast<Index>(result_.points.size());
  HalfPower result;
  double lowest = 2.0 * half;
  const PathPoint* inner = &top;
  for (Index i = way > 0 ? peak.after_point + 1 : peak.after_point; i >= 0 && i < count; i += way) {
    const PathPoint& outer = branch_.path()[static_cast<std::size_t>(i)];
    const double g = squared(measure, outer);
    result.overlapped = result.overlapped || g > rises_again * lowest;
    lowest = std::min(lowest, g);
    if (g <= half) {
      result.after = way > 0 ? i - 1 : i;
      const auto found = way > 0 ? branch_.locate(*inner, outer, function) : branch_.locate(outer, *inner, function);
      if (found) result.point = PathPoint{*found, &branch_.rung()};
      return result;
    }
    inner = &outer;
  }
  result.range_ended = true;
  return result;
}

bool ResponseBranchRun::folds_between(Index first, Index last) const {
  return std::any_of(result_.special_points.begin(), result_.special_points.end(), [&](const SpecialPoint& special) {
    return special.kind == "fold" && special.after_point >= first && special.after_point <= last;
  });
}

double ResponseBranchRun::squared(const Measure& measure, const PathPoint& at) {
  branch_.use(*at.rung);
  return squared_in_present_set(measure, at.point, Vector::Zero(at.point.x.size() + 1)).value;
}

SquaredAmplitude ResponseBranchRun::squared_in_present_set(const Measure& measure, const BranchPoint& point,
                                                           const Vector& direction) {
  HarmonicBalance& balance = branch_.rung().balance;
  return squared_amplitude(balance, request_.observables[measure.observable], balance.set().find(measure.harmonic),
                           point, direction);
}

}  // namespace masing::detail
