// A slip/slap contact that marches along: sampled histories, and phases for time integration.
#pragma once

#include "masing/contact/slip_slap.hpp"

namespace masing::detail {

std::unique_ptr<ContactPoint> slip_slap_point(std::shared_ptr<const SlipSlap> law);

}  // namespace masing::detail
