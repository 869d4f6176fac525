// Small models that many tests use.
#pragma once

#include "masing/contact/joint.hpp"
#include "masing/structure/load.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace masing::test {

/// A joint with one input along Σ coefficient · coordinate.
inline Joint joint(std::string name, std::shared_ptr<const ContactElement> element, Index coordinates,
                   const std::vector<std::map<Index, double>>& directions) {
  SparseMatrix b(coordinates, static_cast<Index>(directions.size()));
  for (std::size_t d = 0; d < directions.size(); ++d) {
    for (const auto& [coordinate, factor] : directions[d]) b.insert(coordinate, static_cast<Index>(d)) = factor;
  }
  return {std::move(name), std::move(element), b};
}

inline Load load(Index coordinates, Index at, double amplitude, int harmonic = 1, double phase = 0.0) {
  return {.name = "force", .shape = amplitude * Vector::Unit(coordinates, at), .harmonic = harmonic, .phase = phase};
}

}  // namespace masing::test
