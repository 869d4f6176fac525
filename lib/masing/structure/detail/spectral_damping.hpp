// Damping of the modes of a spectral beam: the complex ω with Z(ω) x = 0, near the real one without damping.
#pragma once

#include "masing/structure/detail/damped_mode.hpp"
#include "masing/structure/detail/spectral_model.hpp"

namespace masing::detail {

bool has_damping(const SpectralModel& model);

/// `model` is damped; without damping, (omega, shape) is a mode of it. No piece may resonate between its nodes near omega.
std::optional<Complex> damped_frequency(const SpectralModel& model, double omega, const Vector& shape);

}  // namespace masing::detail
