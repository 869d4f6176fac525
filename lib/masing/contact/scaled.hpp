// A law times a factor: the force of `factor` such contacts side by side that move alike.
//
//   f(u) = factor · law(u)
//
// What a law spread over a line or a surface becomes at a point of quadrature: the law is per metre (or square metre) and
// the factor the weight of the point. Memory, phases and events are those of the law.
#pragma once

#include "masing/contact/element.hpp"

#include <memory>

namespace masing {

/// `factor` > 0. Throws ModelError otherwise.
std::shared_ptr<const ContactElement> make_scaled(std::shared_ptr<const ContactElement> element, double factor);

}  // namespace masing
