// The branches behind `backbone`.
#pragma once

#include "masing/analysis/backbone.hpp"
#include "masing/analysis/detail/curve_run.hpp"

namespace masing::detail {

/// Of the own periodic motion: EPMC, or conservative, which is EPMC of an undamped structure.
ResponseBranch free_backbone(const Model& model, const BackboneRequest& request, const BranchRestart& restart,
                             const RunOutput& output);

/// EPMC from request.from downwards or upwards, begun not at a linear mode but at the mode with the joints at their secant
/// stiffness in which the loaded coordinates move most: at large amplitudes there are motions that no linear mode leads to.
ResponseBranch secant_backbone(const Model& model, const BackboneRequest& request, const BranchRestart& restart,
                               const RunOutput& output);

/// Backbone of the forced motion in phase resonance.
ResponseBranch forced_backbone(const Model& model, const BackboneRequest& request, const BranchRestart& restart,
                               const RunOutput& output);

}  // namespace masing::detail
