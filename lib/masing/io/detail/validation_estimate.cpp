#include "masing/io/detail/validation_estimate.hpp"

#include "masing/io/detail/missing.hpp"
#include "masing/io/dissipation.hpp"

namespace masing::detail {
namespace {

using enum OptionKind;

Option text_key(const std::string& name, const std::string& fallback, const std::string& meaning) {
  return {.name = name, .kinds = {text}, .fallback = {fallback}, .meaning = meaning};
}

Option positive_key(const std::string& name, const std::string& unit, const std::string& meaning) {
  return {
      .name = name, .kinds = {number}, .unit = unit, .required = false, .range = Range::positive(), .meaning = meaning};
}

double number_or_zero(const OptionValues& values, const char* key) {
  return values.has(key) ? values.number(key) : 0.0;
}

}  // namespace

OptionVariant estimate_variant() {
  return {.name = "estimate",
          .summary = "A parameter of a four-parameter joint by the formulas of `masing estimate`; it needs no run.",
          .table = {
              {.name = "data", .kinds = {text}, .meaning = "CSV file of amplitudes and energies, in the case's folder"},
              text_key("amplitude", "amplitude", "column of the amplitudes"),
              text_key("energy", "energy", "column of the energies a cycle"),
              text_key("amplitude_unit", "m", "their unit"),
              text_key("energy_unit", "J", "their unit"),
              positive_key("modal_mass", "kg", "of the mode, for the motion of the joint"),
              positive_key("low_frequency", "Hz", "at small amplitude"),
              positive_key("high_frequency", "Hz", "at large amplitude"),
              positive_key("stiffness", "N/m", "instead of mass and frequencies"),
              positive_key("slip_force", "N", "if it is known: beta follows from it, and not from the energies"),
              {.name = "macroslip",
               .kinds = {number},
               .unit = "m",
               .range = Range::positive(),
               .meaning = "amplitude from which on all slides"},
              {.name = "value",
               .kinds = {text},
               .choices = {"stiffness", "slope", "beta", "slip-force"},
               .meaning = "which parameter; slope: of the energies, in logarithms"}}};
}

double estimated_value(const OptionValues& values) {
  const DissipationFile file{.path = values.text("data"),
                             .amplitude = values.text("amplitude"),
                             .energy = values.text("energy"),
                             .amplitude_unit = values.text("amplitude_unit"),
                             .energy_unit = values.text("energy_unit")};
  try {
    const DissipationData data = read_dissipation(file);
    const FourParameterEstimate found =
        unchecked_four_parameters({.modal_mass = number_or_zero(values, "modal_mass"),
                                   .low_frequency = number_or_zero(values, "low_frequency"),
                                   .high_frequency = number_or_zero(values, "high_frequency"),
                                   .stiffness = number_or_zero(values, "stiffness"),
                                   .slip_force = number_or_zero(values, "slip_force"),
                                   .macroslip = values.number("macroslip"),
                                   .amplitude = data.amplitude,
                                   .energy = data.energy});
    const std::string& what = values.text("value");
    if (what == "slope") return found.slope;
    if (what == "beta") return found.parameters.beta;
    return what == "stiffness" ? found.parameters.stiffness : found.parameters.slip_force;
  } catch (const ModelError& error) {
    missing("there is no estimate: {}", error.what());
  }
}

}  // namespace masing::detail
