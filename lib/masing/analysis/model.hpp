// The model that every analysis works on: a structure, its joints and its loads; and how it is balanced.
#pragma once

#include "masing/contact/joint.hpp"
#include "masing/structure/load.hpp"
#include "masing/structure/structure.hpp"

#include <memory>
#include <string>
#include <vector>

namespace masing {

struct Model {
  std::shared_ptr<const Structure> structure;
  std::vector<Joint> joints;
  std::vector<Load> loads;
};

}  // namespace masing
