// Energies per cycle from a CSV file, and what follows from them without any study: the density of slip forces, or four Iwan
// parameters by formulas. For `masing density` and `masing estimate`.
#pragma once

#include "masing/identification/dissipation_density.hpp"
#include "masing/identification/four_parameter_estimate.hpp"

#include <string>

namespace masing {

/// Where amplitudes and energies stand.
struct DissipationFile {
  std::string path;
  std::string amplitude = "amplitude";  ///< column
  std::string energy = "energy";        ///< column
  std::string amplitude_unit = "m";
  std::string energy_unit = "J";
};

struct DissipationData {
  Vector amplitude;  ///< [m]
  Vector energy;     ///< [J]
};

/// Throws ModelError with file, line, column and rule.
DissipationData read_dissipation(const DissipationFile& file);

/// A table for people.
std::string density_text(const DissipationDensity& found);
/// Rows of displacement [m] and density [N/m²]: what `density = { kind = "tabulated-density", table = "…" }` of a joint reads.
/// What noise made negative becomes zero.
void write_density(const DissipationDensity& found, double stiffness, const std::string& path);

/// The four parameters, as a study takes them.
std::string estimate_text(const FourParameterEstimate& found);

}  // namespace masing
