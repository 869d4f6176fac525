#include "masing/io/dissipation.hpp"

#include "masing/core/error.hpp"
#include "masing/io/detail/measured_table.hpp"
#include "masing/io/detail/published_table.hpp"
#include "masing/io/detail/text_file.hpp"

#include <algorithm>

namespace masing {

DissipationData read_dissipation(const DissipationFile& file) {
  const detail::MeasuredTable table(file.path);
  return {.amplitude = detail::unit_factor(file.amplitude_unit) * table.column(file.amplitude, {}),
          .energy = detail::unit_factor(file.energy_unit) * table.column(file.energy, {})};
}

std::string density_text(const DissipationDensity& found) {
  std::string text =
      fmt::format("    {:>13}{:>13}{:>15}{:>13}{:>13}\n    {:>13}{:>13}{:>15}{:>13}{:>13}\n", "amplitude", "slip force",
                  "energy, spline", "density", "error", "m", "N", "J", "1/N", "%");
  for (Index i = 0; i < found.force.size(); ++i) {
    text += fmt::format("    {:>13.6g}{:>13.6g}{:>15.6g}{:>13.6g}{:>13.2g}\n", found.amplitude[i], found.force[i],
                        found.energy[i], found.density[i], 100.0 * std::abs(found.relative_error[i]));
  }
  text += fmt::format("\nThe energies scatter by {:.2g} % about the spline, which amounts to {:.1f} parameters.\n",
                      100.0 * found.scatter, found.effective);
  text += fmt::format("{:.4g} of all elements slide within this range of forces.\n", found.slip_share);
  const auto negative = (found.density.array() < 0.0).count();
  if (negative > 0) {
    text += fmt::format(
        "At {} points the density is negative: there the energies are too noisy, or do not belong to an Iwan "
        "joint of this stiffness.\n",
        negative);
  }
  return text;
}

void write_density(const DissipationDensity& found, double stiffness, const std::string& path) {
  // f = k u: a share φ(f) df of the stiffness k slides at f, and ρ(u) du = k φ k du.
  std::string text = "displacement_m,density_N/m^2\n";
  for (Index i = 0; i < found.force.size(); ++i) {
    text +=
        fmt::format("{:.17g},{:.17g}\n", found.amplitude[i], std::max(found.density[i], 0.0) * stiffness * stiffness);
  }
  detail::write_text_file(path, text);
}

std::string estimate_text(const FourParameterEstimate& found) {
  const FourParameters& p = found.parameters;
  std::string text = fmt::format(
      "law = \"iwan\"\nstiffness = {:.8g}\nslip_force = {:.8g}\ndensity = {{ kind = \"four-parameter\", chi = {:.6f}, "
      "beta = "
      "{:.6f} }}\n\n",
      p.stiffness, p.slip_force, p.chi, p.beta);
  text += fmt::format("The energy grows with the power {:.4f} of the amplitude", found.slope);
  text +=
      found.scatter > 0.0 ? fmt::format("; it scatters by {:.2g} % about that line.\n", 100.0 * found.scatter) : ".\n";
  return text;
}

}  // namespace masing
