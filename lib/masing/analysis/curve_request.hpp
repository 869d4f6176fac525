// What all analyses have in common that follow one branch after another in some parameter.
#pragma once

#include "masing/analysis/model.hpp"
#include "masing/analysis/results.hpp"
#include "masing/analysis/stability.hpp"
#include "masing/balance/options.hpp"
#include "masing/continuation/options.hpp"
#include "masing/core/progress.hpp"
#include "masing/solve/newton.hpp"

#include <string>
#include <vector>

namespace masing {

struct CurveRequest {
  std::string name;
  std::vector<Observable> observables;
  double level_value = 1.0;  ///< what level 1 means in the user's unit (N, N m, m/s²), for output
  std::string level_unit;
  BalanceOptions balance;
  NewtonOptions newton;
  ContinuationOptions continuation;
  StabilityOptions stability;  ///< of forced motions
  int threads = 1;             ///< branches at once; the results do not depend on it

  bool turns() const { return level_unit == "N m"; }  ///< a moment drives it: the motion of the drive point is an angle
};

}  // namespace masing
