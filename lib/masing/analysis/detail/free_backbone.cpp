#include "masing/analysis/detail/backbone_branches.hpp"

#include "masing/analysis/detail/mechanical_energy.hpp"
#include "masing/analysis/detail/starting_mode.hpp"
#include "masing/analysis/detail/static_equilibrium.hpp"
#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"
#include "masing/structure/matrix_structure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

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

bool is_driven_in_harmonic_one(const Model& model) {
  const auto fits = [](const Load& load) { return load.harmonic <= 1; };
  const auto drives = [](const Load& load) { return load.harmonic == 1; };
  return std::all_of(model.loads.begin(), model.loads.end(), fits) &&
         std::any_of(model.loads.begin(), model.loads.end(), drives);
}

class FreeBackbone {
 public:
  FreeBackbone(const Model& model, const BackboneRequest& request)
      : request_(request),
        model_(free_model(model, request.method)),
        ladder_(model_, request.balance, request.stability, {1}),
        balance_(ladder_.first().balance),
        first_(balance_.set().find(1)) {
    if (request.method == BackboneMethod::epmc && is_driven_in_harmonic_one(model)) {
      driven_.emplace(*model.structure, model.joints, model.loads, request.balance);
      driven_->set_level(0.0);
    }
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

  /// Begins at a mode with the joints at their secant stiffness, found from a motion of the coordinates along `drive`.
  void begin_at_secant_mode(const Vector& drive) { drive_ = drive; }

  ResponseBranch run(const BranchRestart& restart, const RunOutput& output) {
    const bool conservative = request_.method == BackboneMethod::conservative;
    CurveTask task;
    task.range = {.from = std::log10(request_.from), .to = std::log10(request_.to)};
    for (const double mark : request_.marks) task.marks.push_back(std::log10(mark));
    task.first = [this] { return first_motion(); };
    task.linear_below = drive_.size() == 0;
    task.ends_at_zero_frequency = true;
    task.may_return = drive_.size() > 0;  // such a backbone may turn where it ceases to exist
    task.accepted = [this](const AugmentedProblem::State& state) {
      return phase_->follow_shape(problem_->balance(), state.x);
    };
    task.turn = [this](const AugmentedProblem::State& state, Vector& direction) {
      phase_->turn(problem_->balance(), state.x, direction);
    };
    task.quantities = [&](const AugmentedProblem::State& state, const EnergyTerms& terms) {
      Vector own(conservative || driven_ ? 3 : 2);
      own.head(2) << state.scale, state.controls.damping;
      if (conservative) own[2] = energy(state);
      if (driven_) own[2] = resonance_level(state, terms);
      return own;
    };
    task.parameter_text = [](double lambda) { return fmt::format("modal amplitude {:.6g}", std::pow(10.0, lambda)); };
    BranchHeader header{.label = drive_.size() > 0
                                     ? fmt::format("{}, from the largest amplitude", to_string(request_.method))
                                     : fmt::format("{}, mode {}", to_string(request_.method), request_.mode)};
    header.kind = "backbone";
    header.quantities = {{"modal_amplitude", "m kg^0.5", "amplitude a of the mode: a^2 = Q1* M Q1 of harmonic 1"},
                         {"damping_ratio", "1", "modal damping ratio"}};
    if (conservative) {
      header.quantities.push_back({"mechanical_energy", "J", "kinetic and potential energy above the equilibrium"});
    }
    if (driven_) {
      header.quantities.push_back({"resonance_level", request_.level_unit.empty() ? "1" : request_.level_unit,
                                   "level of the loads that would make up for what is dissipated, at resonance"});
    }
    return run_curve(model_, request_, ladder_, *problem_, std::move(header), task, restart, output);
  }

 private:
  // The linear mode about the static equilibrium, the same at every small amplitude; or a secant mode.
  FirstSolution first_motion() {
    const StaticStart rest = static_start(model_, balance_);
    FirstSolution first{.x = rest.x, .found = rest.found, .message = rest.message};
    if (!rest.found) return first;
    rest_energy_ = request_.method == BackboneMethod::conservative ? rest_energy(rest.mean) : 0.0;
    const NaturalMode mode =
        drive_.size() > 0
            ? secant_mode(model_, request_.balance, request_.from / std::sqrt(drive_.dot(mass() * drive_)) * drive_)
            : starting_mode(model_, rest.mean, request_.mode);
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

  // Energy balance: a load in quadrature with the motion along it puts in π |pᵀQ| per period.
  double resonance_level(const AugmentedProblem::State& state, const EnergyTerms& terms) {
    const HarmonicBalance& balance = problem_->balance();
    driven_->set_mass_damping(balance.mass_damping());
    const Vector x = carried_over(state.x, balance.motions(), balance.set(), driven_->set());
    const Index first = driven_->set().find(1);
    const ComplexVector& motion = driven_->recover_amplitudes(x, state.omega(), first);
    const double work = pi * std::abs(driven_->load(first).dot(motion));
    return work > 0.0 ? terms.dissipated() / work * request_.level_value : std::numeric_limits<double>::infinity();
  }

  const SparseMatrix& mass() const { return dynamic_cast<const SecondOrderStructure&>(*model_.structure).mass(); }

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
  HarmonicBalance& balance_;               // of the first rung: where the branch begins
  Index first_;                            // harmonic 1 in its set
  std::optional<HarmonicBalance> driven_;  // with the oscillating loads of the study, at level 0
  Vector drive_;                           // empty: it begins at a linear mode
  PhaseCondition* phase_ = nullptr;
  std::unique_ptr<AugmentedProblem> problem_;
  double rest_energy_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace

ResponseBranch free_backbone(const Model& model, const BackboneRequest& request, const BranchRestart& restart,
                             const RunOutput& output) {
  return FreeBackbone(model, request).run(restart, output);
}

ResponseBranch secant_backbone(const Model& model, const BackboneRequest& request, const BranchRestart& restart,
                               const RunOutput& output) {
  Vector drive = Vector::Zero(model.structure->size());
  for (const Load& load : model.loads) {
    if (load.harmonic == 1) drive += load.shape;
  }
  require(!drive.isZero(0.0), "a backbone from the largest amplitude needs a force in harmonic 1.");
  FreeBackbone backbone(model, request);
  backbone.begin_at_secant_mode(drive);
  return backbone.run(restart, output);
}

}  // namespace masing::detail
