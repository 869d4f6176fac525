// Small systems that the tests of the time integration share.
#pragma once

#include "masing/contact/jenkins.hpp"
#include "masing/contact/joint.hpp"
#include "masing/structure/load.hpp"
#include "masing/structure/lumped.hpp"
#include "masing/transient/integrator.hpp"

#include <initializer_list>
#include <string>

namespace masing::test {

/// A step errs by at most 1e-11 of the motion, some hundred of them add up.
inline constexpr IntegratorOptions tight = {.relative_tolerance = 1e-11};

inline SparseMatrix column(std::initializer_list<double> entries) {
  SparseMatrix result(static_cast<Index>(entries.size()), 1);
  Index row = 0;
  for (const double entry : entries) result.insert(row++, 0) = entry;
  return result;
}

inline Vector vector(std::initializer_list<double> entries) {
  Vector result(static_cast<Index>(entries.size()));
  std::copy(entries.begin(), entries.end(), result.begin());
  return result;
}

template <class Law>
Joint joint(std::string name, Law law, std::initializer_list<double> direction) {
  return {std::move(name), make_element(std::move(law)), column(direction)};
}

inline Load load(std::initializer_list<double> shape, int harmonic = 1, double phase = 0.0) {
  return {"shaker", vector(shape), harmonic, phase};
}

}  // namespace masing::test
