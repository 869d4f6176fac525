// The models that are timed, by `masing bench` as whole solves and by tests/bench kernel by kernel.
#pragma once

#include "masing/analysis/model.hpp"

namespace masing::app {

/// m = 1 kg, c = 0.04 N s/m, k = 1 N/m with a cubic spring of 0.5 N/m³ to the ground; unit load cos Ωt.
Model duffing_model();

/// m = 1 kg, c = 0.05 N s/m, k = 1 N/m with a Jenkins element of 0.5 N/m and 0.2 N to the ground; unit load cos Ωt.
Model jenkins_oscillator_model();

/// The chain of models/03_chain_jenkins.toml with any number of masses: 0.05 kg each, springs of 2e6 N/m, a Jenkins element
/// of 5e3 N/m and 1 N from every mass to the ground; unit load on the last mass.
Model jenkins_chain_model(Index masses);

/// m = 1 kg, ζ = 0.0005, k = 4e5 N/m with a four-parameter Iwan joint of 2e5 N/m and 20 N: models/16_backbones.toml.
Model iwan_oscillator_model();

}  // namespace masing::app
