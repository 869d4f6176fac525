// Sensitivities of steady cycles against central differences of whole steady cycles, for any element.
//
// In each random history some columns of G = ∂f/∂u are compared. A column is at a switching point when its two
// one-sided differences disagree by more than `kink` of the column's size: a switch inside the step changes a
// difference by the order of a stiffness, curvature only by the step times a second derivative. Such columns are
// counted, not compared.
#pragma once

#include "masing/contact/element.hpp"
#include "support/cycle_jacobian.hpp"
#include "unit/contact/histories.hpp"

#include <algorithm>
#include <functional>

namespace masing::support {

struct SensitivityStudy {
  int histories = 1000;
  int columns = 6;  ///< compared in each history
  double step = 1e-6;
  double kink = 1e-3;
  double stiffness = 1.0;  ///< errors are relative to the column's largest entry, or to this if it is larger
};

struct SensitivityFindings {
  double worst = 0.0;  ///< relative
  long columns = 0;
  long kinks = 0;
  long cycles = 0;  ///< most periods marched

  double kink_share() const { return static_cast<double>(kinks) / static_cast<double>(columns); }
};

inline std::ostream& operator<<(std::ostream& out, const SensitivityFindings& f) {
  return out << f.columns << " columns, " << f.kinks << " at a switching point, worst relative difference " << f.worst
             << ", at most " << f.cycles << " periods";
}

/// `history(number)` makes the periodic motions.
inline SensitivityFindings study_sensitivities(const ContactElement& element, const SensitivityStudy& study,
                                               std::mt19937_64& random, const std::function<Samples(int)>& history) {
  const CycleOptions tight{.max_cycles = 5000, .closure_tolerance = 1e-14};
  SensitivityFindings findings;
  CycleResult cycle, scratch;
  const auto force_of = [&](const Samples& s) {
    element.steady_cycle(s.view(), tight, scratch);
    return scratch.force;
  };
  for (int h = 0; h < study.histories; ++h) {
    const Samples s = history(h);
    element.steady_cycle(s.view(), tight, cycle);
    findings.cycles = std::max<long>(findings.cycles, cycle.report.cycles);
    const Matrix jacobian = dense_jacobian(cycle).by_displacement;
    for (int c = 0; c < study.columns; ++c) {
      const Index column = std::uniform_int_distribution<Index>(0, s.displacement.size() - 1)(random);
      Samples moved = s;
      moved.displacement.data()[column] += study.step;
      const Matrix up = (force_of(moved) - cycle.force) / study.step;
      moved.displacement.data()[column] = s.displacement.data()[column] - study.step;
      const Matrix down = (cycle.force - force_of(moved)) / study.step;
      const double scale = std::max(jacobian.col(column).cwiseAbs().maxCoeff(), study.stiffness);
      ++findings.columns;
      if ((up - down).cwiseAbs().maxCoeff() > study.kink * scale) {
        ++findings.kinks;
        continue;
      }
      const double error = (0.5 * (up + down).reshaped() - jacobian.col(column)).cwiseAbs().maxCoeff();
      findings.worst = std::max(findings.worst, error / scale);
    }
  }
  return findings;
}

}  // namespace masing::support
