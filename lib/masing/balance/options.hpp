// Choices of a harmonic balance.
#pragma once

#include "masing/contact/cycle.hpp"

#include <vector>

namespace masing {

/// What happens between samples: reversals, the onset of slip, gaps that close.
enum class Events {
  located,  ///< laws that are linear piece by piece (jenkins, unilateral) are integrated exactly between located events;
            ///< samples only bracket them. Other laws are sampled, but those that remember reversals or changes of
            ///< contact locate them between samples.
  sampled   ///< every law is sampled, as most codes do: coefficients err by 1/N², their derivatives by 1/N
};

struct BalanceOptions {
  std::vector<int> harmonics = {0, 1, 2, 3, 4, 5, 6, 7};  ///< ascending, distinct, >= 0; gaps allowed
  Index samples = 256;                                    ///< N per period; N > 2 max(harmonics)
  Events events = Events::located;
  CycleOptions cycle;
};

}  // namespace masing
