// From stored results to plots.
#pragma once

#include "masing/io/detail/svg.hpp"
#include "masing/io/results.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace masing::detail {

/// "0.1 N", "×0.5" for a multiplier without unit.
std::string level_text(const BranchHeader& header);
/// Place of harmonic 1 in the set, or of the first that oscillates; -1: there is none.
Index main_harmonic(const BranchHeader& header);
/// The harmonic itself; 0: there is none.
int main_harmonic_of(const BranchHeader& header);
/// The main harmonic, and every other one whose peaks were asked for.
std::vector<int> shown_harmonics(const StoredAnalysis& analysis);
/// "first-harmonic amplitude", "amplitude of harmonic 3"
std::string amplitude_name(int harmonic);
/// Whether the curves' maxima lie so far apart that a linear scale would hide some of them.
bool spans_decades(const svg::Plot& plot);

/// The observable of number `observable` of all branches over frequency, with peaks and folds marked.
svg::Plot amplitude_plot(const StoredAnalysis& analysis, std::size_t observable, int harmonic, bool logarithmic);
svg::Plot phase_plot(const StoredAnalysis& analysis, std::size_t observable);
/// Whether the values of all curves differ by more than `least`: a plot of less would show rounding errors.
bool varies(const svg::Plot& plot, double least);
svg::Plot rms_peak_plot(const StoredAnalysis& analysis, std::size_t observable, bool logarithmic);

/// A quantity of the points ("damping_ratio", "level"; "frequency" itself): of backbones over the amplitude of the first
/// sensor, of tracked resonances over the level, else over frequency.
svg::Plot quantity_plot(const StoredAnalysis& analysis, const std::string& quantity);

/// What quantities are drawn over.
struct Abscissa {
  std::string label, unit;
  bool logarithmic = false;
  std::function<double(const BranchHeader&, const ResponsePoint&)> value;
};
Abscissa quantity_abscissa(const BranchHeader& header);

svg::Plot history_plot(const TimeHistory& history, std::size_t observable);
/// Joint force over joint motion: the last period drawn over what came before.
svg::Plot loop_plot(const TimeHistory& history, std::size_t joint);

}  // namespace masing::detail
