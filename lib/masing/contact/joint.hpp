// A law attached to a structure: which combination of coordinates it feels, and where its force acts.
//
//   relative motion u = Bᵀ q (D entries),   force on the coordinates B f(u) (it resists: left-hand side)
#pragma once

#include "masing/contact/element.hpp"

#include <memory>
#include <string>

namespace masing {

struct Joint {
  std::string name;
  std::shared_ptr<const ContactElement> element;
  SparseMatrix directions;  ///< B: coordinates of the structure × element->inputs()
};

}  // namespace masing
