// Results as comma-separated tables, for spreadsheets and scripts that do not read HDF5.
#pragma once

#include "masing/io/results.hpp"

#include <string>
#include <vector>

namespace masing {

/// Writes into `folder` (made if missing), with every number in full precision (%.17g):
///
///   <analysis>_branch<i>.csv      a row a point: frequency_Hz, …; per observable rms, peak, amplitudes, phases
///   <analysis>_special_points.csv folds, peaks, half-power points of all branches
///   <analysis>_resonances.csv     resonance frequencies, amplitudes, damping ratios
///   <analysis>_history<i>.csv     a row a sample: time_s, observables, joint forces and motions
///   <loop>_<joint>_loop<i>.csv    a row a sample: displacement, force and work of one loop of a joint
///   <loop>_loops.csv              a row a loop: energy, stiffnesses, forces
///   modes_<state>.csv             a row a mode: frequency, damping, modal mass, shape
///
/// Returns the files written, in that order. Characters that file systems dislike become '_' in file names. Throws
/// ModelError if a file cannot be written.
std::vector<std::string> export_csv(const Results& results, const std::string& folder);
std::vector<std::string> export_csv(const std::string& results_path, const std::string& folder);

}  // namespace masing
