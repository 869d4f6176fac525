// What a study asks for, in words and numbers: sizes, unknowns, memory.
#pragma once

#include "masing/io/study.hpp"

#include <string>

namespace masing {

/// Sizes of an analysis by harmonic balance.
struct ResponseSize {
  Index kept_motions = 0;  ///< what the structure is condensed to
  Index unknowns = 0;      ///< kept motions × Fourier coefficients
  double memory = 0.0;     ///< [bytes] of the Jacobian and its factors, for one branch at a time
};
ResponseSize response_size(const Model& model, const BalanceOptions& balance);

/// The page that `masing check` prints.
std::string study_overview(const Study& study);

/// "0 … 7" or "0, 1, 3"
std::string harmonics_text(const std::vector<int>& harmonics);

/// "0.1, 0.3 N"
std::string levels_text(const std::vector<double>& levels, const std::string& unit);

/// "12 ms", "3.4 s", "2 min", "5 h"
std::string duration_text(double seconds);

}  // namespace masing
