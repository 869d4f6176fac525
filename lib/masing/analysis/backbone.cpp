#include "masing/analysis/backbone.hpp"

#include "masing/analysis/detail/backbone_branches.hpp"
#include "masing/analysis/detail/mechanical_energy.hpp"
#include "masing/analysis/detail/starting_mode.hpp"
#include "masing/analysis/detail/static_equilibrium.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <set>

namespace masing {

namespace {

void check_free(const Model& model, const BackboneRequest& request) {
  const std::string_view method = to_string(request.method);
  require(dynamic_cast<const SecondOrderStructure*>(model.structure.get()) != nullptr,
          "method {} needs a structure with a mass matrix, which this kind has not. Use method phase-resonance.",
          method);
  require(request.near <= 0.0, "near belongs to method phase-resonance; method {} begins at a mode.", method);
  const std::vector<int>& harmonics = request.balance.harmonics;
  require(std::find(harmonics.begin(), harmonics.end(), 1) != harmonics.end(),
          "method {} needs harmonic 1 among the balanced harmonics.", method);
  if (request.method != BackboneMethod::conservative) return;
  for (const Joint& joint : model.joints) {
    require(detail::is_elastic(joint),
            "method conservative needs joints that dissipate nothing, but joint '{}' has friction, damping or memory. "
            "Use method epmc, which gives the damping too.",
            joint.name);
  }
}

void check_forced(const Model& model, const BackboneRequest& request) {
  std::set<int> harmonics;
  for (const Load& load : model.loads) {
    if (load.harmonic != 0) harmonics.insert(load.harmonic);
  }
  require(!harmonics.empty(), "method phase-resonance needs an oscillating load.");
  require(harmonics.size() == 1,
          "method phase-resonance needs all oscillating loads in one harmonic; here there are {}.", harmonics.size());
  require(!request.controlled || request.drive.size() == model.structure->size(),
          "an amplitude at the drive point needs exactly one oscillating force.");
}

}  // namespace

std::string_view to_string(BackboneMethod method) {
  if (method == BackboneMethod::epmc) return "epmc";
  return method == BackboneMethod::conservative ? "conservative" : "phase-resonance";
}

void check_backbone(const Model& model, const BackboneRequest& request) {
  require(request.from > 0.0 && request.to > 0.0 && request.from != request.to,
          "the range from {} to {} must be > 0, and its ends must differ.", request.from, request.to);
  require(request.mode >= 1, "mode = {} must be >= 1.", request.mode);
  if (request.method == BackboneMethod::phase_resonance) {
    check_forced(model, request);
  } else {
    check_free(model, request);
  }
}

std::optional<Index> modes_if_fewer(const Model& model, const BalanceOptions& balance, Index wanted) {
  constexpr Index spare = 12;            // rigid-body motions, twice
  constexpr Index most_computed = 1000;  // modes of larger structures are counted by their masses
  const auto* structure = dynamic_cast<const SecondOrderStructure*>(model.structure.get());
  if (structure == nullptr) return std::nullopt;  // beams without end of modes
  const Index masses = (structure->mass().diagonal().array() > 0.0).count();
  if (wanted + spare <= masses) return std::nullopt;
  if (masses > most_computed) return wanted > masses ? std::optional(masses) : std::nullopt;
  Vector mean = Vector::Zero(structure->size());
  if (HarmonicSet(balance.harmonics).has_zero()) {
    detail::StaticEquilibrium rest = detail::static_equilibrium(model);
    if (!rest.found) return std::nullopt;
    mean = std::move(rest.coordinates);
  }
  const Index there = detail::vibrating_modes(model, mean, masses);
  return there < wanted ? std::optional(there) : std::nullopt;
}

ResponseCurves backbone(const Model& model, const BackboneRequest& request, ResultSink* sink,
                        const ProgressCallback& progress, const std::vector<BranchRestart>& restarts) {
  check_backbone(model, request);
  const detail::RunOutput output{sink, progress};
  const BranchRestart restart = restarts.empty() ? BranchRestart{} : restarts.front();
  const bool forced = request.method == BackboneMethod::phase_resonance;
  return {.branches = {forced ? detail::forced_backbone(model, request, restart, output)
                              : detail::free_backbone(model, request, restart, output)}};
}

}  // namespace masing
