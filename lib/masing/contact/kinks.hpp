// Where, in a period, the force of a law is not smooth: what a harmonic balance needs to integrate it without an error of
// sampling (ContactElement::locates_kinks).
#pragma once

#include "masing/contact/signal.hpp"

#include <vector>

namespace masing {

struct Kinks {
  std::vector<double> ends;    ///< τ in [0, 2π), in any order: from one to the next the force is smooth
  std::vector<double> roots;   ///< those of the ends beside which the force may go with a root of τ
  std::vector<double> visits;  ///< τ: the law marches from sample to sample, exactly if there is a sample here too
  /// Of the first and the second input, for laws that remember those (PeriodicMotion::turns and normal_turns).
  std::vector<TurningPoint> turns, normal_turns;
  int nodes = 8;  ///< that resolve the force between two ends, however close they are

  void clear() { ends.clear(), roots.clear(), visits.clear(), turns.clear(), normal_turns.clear(), nodes = 8; }
};

}  // namespace masing
