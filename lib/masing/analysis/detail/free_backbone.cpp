#include "masing/analysis/detail/backbone_branches.hpp"

#include "masing/analysis/detail/mechanical_energy.hpp"
#include "masing/analysis/detail/starting_mode.hpp"
#include "masing/analysis/detail/static_equilibrium.hpp"
#include "masing/core/error.hpp"
#include "masing/structure/matrix_structure.hpp"

#include <cmath>

namespace masing::detail {

namespace {

// The model that moves by itself: static loads only and, if it is to be conservative, without damping.
Model free_model(const Model& model, BackboneMethod method) {
  Model free = model;
  std::erase_if(free.loads, [](const Load& load) { return load.harmonic != 0; });
  if (method == BackboneMethod::conservative) {
    const auto& structure = dynamic_cast<const SecondOrderStructure&>(*model.structure);
    free.structure = std::make_shared<MatrixStructure>(MatrixStructureOptions{
        .mass = structure.mass(), .stiffness = structure.stiffness(), .coordinates = structure.coordinates()});
  }
  return free;
}

class FreeBackbone {
 public:
  FreeBackbone(const Model& model, const BackboneRequest& request)
      : request_(request),
        model_(free_model(model, request.method)),
        ladder_(model_, request.balance, request.stability, {1}),
        balance_(ladder_.first().balance),
        first_(balance_.set().find(1)) {
    const auto& structure = dynamic_cast<const SecondOrderStructure&>(*model_.structure);
    auto phase = std::make_unique<PhaseCondition>(1, 0);
    phase_ = phase.get();
    std::vector<std::unique_ptr<Condition>> conditions;
    conditions.push_back(std::make_unique<ModalMassCondition>(1, structure.mass()));
    conditions.push_back(std::move(phase));
    problem_ = std::make_unique<AugmentedProblem>(balance_, Parameter::amplitude,
                                                  std::vector{Control::frequency, Control::damping},
                                                  Controls{.level = 0.0}, std::move(conditions));
  }

  ResponseBranch run(const BranchRestart& restart, const RunOutput& output) {
    const bool conservative = request_.method == BackboneMethod::conservative;
    CurveTask task;
    task.range = {.from = std::log10(request_.from), .to = std::log10(request_.to)};
    task.first = [this] { return linear_motion(); };
    task.linear_below = true;
    task.accepted = [this](const AugmentedProblem::State& state) {
      const Index before = phase_->motion();
      phase_->follow_shape(problem_->balance(), state.x);
      return phase_->motion() != before;
    };
    task.quantities = [&](const AugmentedProblem::State& state, const EnergyTerms&) {
      Vector own(conservative ? 3 : 2);
      own.head(2) << state.scale, state.controls.damping;
      if (conservative) own[2] = energy(state);
      return own;
    };
    task.parameter_text = [](double lambda) { return fmt::format("modal amplitude {:.6g}", std::pow(10.0, lambda)); };
    BranchHeader header{.label = fmt::format("{}, mode {}", to_string(request_.method), request_.mode)};
    header.kind = "backbone";
    header.quantities = {{"modal_amplitude", "m kg^0.5", "amplitude a of the mode: a^2 = Q1* M Q1 of harmonic 1"},
                         {"damping_ratio", "1", "modal damping ratio"}};
    if (conservative) {
      header.quantities.push_back({"mechanical_energy", "J", "kinetic and potential energy above the equilibrium"});
    }
    return run_curve(model_, request_, ladder_, *problem_, std::move(header), task, restart, output);
  }

 private:
  // The linear mode about the static equilibrium, the same at every small amplitude.
  FirstSolution linear_motion() {
    const StaticStart rest = static_start(model_, balance_);
    FirstSolution first{.x = rest.x, .found = rest.found, .message = rest.message};
    if (!rest.found) return first;
    rest_energy_ = request_.method == BackboneMethod::conservative ? rest_energy(rest.mean) : 0.0;
    const NaturalMode mode = starting_mode(model_, rest.mean, request_.mode);
    const Vector kept = kept_motions(balance_, mode.shape);
    require(kept.cwiseAbs().maxCoeff() > 1e-9 * mode.shape.cwiseAbs().maxCoeff(),
            "Backbone '{}': mode {} does not move the joints; it is linear, {:.6g} Hz at every amplitude.",
            request_.name, request_.mode, mode.omega / (2.0 * pi));
    const double amplitude = request_.from;
    first.x.segment(balance_.set().cosine(first_) * balance_.motions(), balance_.motions()) = amplitude * kept;
    phase_->follow_shape(balance_, first.x);
    problem_->forget();
    const Controls controls{.frequency = mode.omega / (2.0 * pi), .damping = mode.damping_ratio};
    first.x = problem_->unknowns(first.x, controls, std::log10(amplitude));
    return first;
  }

  double rest_energy(const Vector& mean) const {
    const HarmonicSet only_mean({0});
    return mechanical_energy(model_, only_mean, mean, 0.0);
  }

  double energy(const AugmentedProblem::State& state) {
    if (std::isnan(rest_energy_)) {  // a resumed run has not looked for the equilibrium yet
      rest_energy_ = rest_energy(static_start(model_, balance_).mean);
    }
    HarmonicBalance& balance = problem_->balance();
    const Matrix all = balance.recover(state.x, state.omega());
    return mechanical_energy(model_, balance.set(), all, state.omega()) - rest_energy_;
  }

  const BackboneRequest& request_;
  Model model_;
  HarmonicLadder ladder_;
  HarmonicBalance& balance_;  // of the first rung: where the branch begins
  Index first_;               // harmonic 1 in its set
  PhaseCondition* phase_ = nullptr;
  std::unique_ptr<AugmentedProblem> problem_;
  double rest_energy_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace

ResponseBranch free_backbone(const Model& model, const BackboneRequest& request, const BranchRestart& restart,
                             const RunOutput& output) {
  return FreeBackbone(model, request).run(restart, output);
}

}  // namespace masing::detail
