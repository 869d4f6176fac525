// Backbone in phase resonance.
#include "masing/analysis/detail/backbone_branches.hpp"
#include "masing/analysis/detail/starting_mode.hpp"
#include "masing/analysis/detail/static_equilibrium.hpp"
#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <cmath>

namespace masing::detail {

namespace {

Index loaded_harmonic(const HarmonicBalance& balance) {
  for (Index i = 0; i < balance.set().count(); ++i) {
    if (balance.set()[i] != 0 && !balance.load(i).isZero(0.0)) return i;
  }
  throw ModelError("Phase resonance needs an oscillating load.");
}

/// The linear answer with joints at rest, where its displacement along the load is in quadrature.
class LinearResonance {
 public:
  LinearResonance(HarmonicBalance& balance, Vector mean)
      : balance_(balance), mean_(std::move(mean)), harmonic_(loaded_harmonic(balance)) {}

  struct Found {
    double frequency = 0.0;
    Vector x;
  };

  /// The resonance nearest to `guess` [Hz]: steps that grow on both sides, then bisection.
  std::optional<Found> near(double guess) {
    constexpr double first_step = 1e-4, growth = 1.4, farthest = 0.5;
    double below = guess, above = guess;
    double in_phase_below = in_phase(guess), in_phase_above = in_phase_below;
    for (double step = first_step; step < farthest; step *= growth) {
      const double lower = guess * (1.0 - step), upper = guess * (1.0 + step);
      const double at_upper = in_phase(upper), at_lower = in_phase(lower);
      if (in_phase_above > 0.0 && at_upper <= 0.0) return bisect(above, upper);
      if (at_lower > 0.0 && in_phase_below <= 0.0) return bisect(lower, below);
      below = lower, above = upper;
      in_phase_below = at_lower, in_phase_above = at_upper;
    }
    return std::nullopt;
  }

 private:
  // Part of the displacement along the load that is in phase with it: positive below a resonance, negative above.
  double in_phase(double frequency) {
    x_ = linear_answer_about(balance_, mean_, 2.0 * pi * frequency);
    return balance_.load(harmonic_).dot(balance_.recover_amplitudes(x_, 2.0 * pi * frequency, harmonic_)).real();
  }

  Found bisect(double low, double high) {
    constexpr double close = 1e-11;
    while (high - low > close * high) {
      const double middle = 0.5 * (low + high);
      (in_phase(middle) > 0.0 ? low : high) = middle;
    }
    in_phase(low);
    return {low, x_};
  }

  HarmonicBalance& balance_;
  Vector mean_, x_;
  Index harmonic_;
};

class ForcedBackbone {
 public:
  ForcedBackbone(const Model& model, const BackboneRequest& request)
      : model_(model),
        request_(request),
        ladder_(model, request.balance, request.stability),
        balance_(ladder_.first().balance),
        harmonic_(loaded_harmonic(balance_)),
        k_(balance_.set()[harmonic_]) {
    std::vector<Control> unknown = {Control::frequency};
    std::vector<std::unique_ptr<Condition>> conditions;
    conditions.push_back(std::make_unique<QuadratureCondition>(k_));
    if (request.controlled) {
      unknown.push_back(Control::level);
      conditions.push_back(std::make_unique<AmplitudeCondition>(k_, request.drive, *request.controlled, 0.0));
    }
    const Parameter parameter = request.controlled ? Parameter::amplitude : Parameter::level;
    problem_ =
        std::make_unique<AugmentedProblem>(balance_, parameter, std::move(unknown), Controls{}, std::move(conditions));
  }

  ResponseBranch run(const BranchRestart& restart, const RunOutput& output) {
    CurveTask task;
    task.range = {.from = std::log10(request_.from), .to = std::log10(request_.to)};
    for (const double mark : request_.marks) task.marks.push_back(std::log10(mark));
    task.first = [this] { return linear_resonance(); };
    task.linear_below = true;
    task.ends_at_zero_frequency = true;
    task.quantities = [this](const AugmentedProblem::State& state, const EnergyTerms& energy) {
      Vector own(2);
      own << std::abs(state.controls.level) * request_.level_value, energy.dissipation_ratio();
      return own;
    };
    task.parameter_text = [this](double lambda) {
      const double value = std::pow(10.0, lambda);
      if (!request_.controlled)
        return fmt::format("level {:.6g} {}", value * request_.level_value, request_.level_unit);
      return fmt::format("{} {:.6g} {} at the drive point", to_string(*request_.controlled), value,
                         unit_of(*request_.controlled, request_.turns()));
    };
    BranchHeader header{.label = "phase resonance"};
    header.kind = "backbone";
    header.quantities = {
        {"level", request_.level_unit.empty() ? "1" : request_.level_unit, "level of the oscillating loads"},
        {"damping_ratio", "1", "dissipated energy / (4 pi kinetic energy)"}};
    return run_curve(model_, request_, ladder_, *problem_, std::move(header), task, restart, output);
  }

 private:
  FirstSolution linear_resonance() {
    const StaticStart rest = static_start(model_, balance_);
    FirstSolution first{.x = rest.x, .found = rest.found, .message = rest.message};
    if (!rest.found) return first;
    const double guess = request_.near > 0.0 ? request_.near : modal_frequency(rest.mean);
    balance_.set_level(1.0);
    const auto found = LinearResonance(balance_, first.x).near(guess);
    if (!found) {
      first.found = false;
      first.message = fmt::format(
          "No resonance was found near {:.6g} Hz: the displacement along the load is nowhere in quadrature with it. "
          "Does the load drive that mode? Is it damped too heavily?",
          guess);
      return first;
    }
    double level = request_.from;
    if (request_.controlled) {
      AmplitudeCondition measure(k_, request_.drive, *request_.controlled, 0.0);
      level /= measure.amplitude({balance_, found->x, 2.0 * pi * found->frequency, 1.0});
    }
    first.x += level * (lagging(found->x, found->frequency) - first.x);
    first.x = problem_->unknowns(first.x, {.frequency = found->frequency, .level = level}, std::log10(request_.from));
    return first;
  }

  // The linear answer turned so that it lags the load by 90°. With damping it does so already; a model that is damped by its
  // joints alone answers in phase or against it, and Newton's method could find the motion of the load's opposite.
  Vector lagging(Vector x, double frequency) {
    const Complex along = balance_.load(harmonic_).dot(balance_.recover_amplitudes(x, 2.0 * pi * frequency, harmonic_));
    if (along == 0.0) return x;
    Eigen::Map<Matrix> y(x.data(), balance_.motions(), balance_.set().positions());
    ComplexVector amplitude;
    complex_amplitude(balance_.set(), y, harmonic_, amplitude);
    amplitude *= Complex(0.0, -std::abs(along)) / along;
    set_complex_amplitude(balance_.set(), harmonic_, amplitude, y);
    return x;
  }

  double modal_frequency(const Vector& mean) {
    return starting_mode(model_, mean, request_.mode).omega / (2.0 * pi * k_);
  }

  const Model& model_;
  const BackboneRequest& request_;
  HarmonicLadder ladder_;
  HarmonicBalance& balance_;  // of the first rung: where the branch begins
  Index harmonic_;            // of the load, in its set
  int k_;                     // the same harmonic by its number
  std::unique_ptr<AugmentedProblem> problem_;
};

}  // namespace

ResponseBranch forced_backbone(const Model& model, const BackboneRequest& request, const BranchRestart& restart,
                               const RunOutput& output) {
  return ForcedBackbone(model, request).run(restart, output);
}

}  // namespace masing::detail
