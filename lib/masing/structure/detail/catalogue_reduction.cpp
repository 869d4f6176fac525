// The key `reduction`.
#include "masing/structure/detail/catalogue_parts.hpp"
#include "masing/structure/reduction_reader.hpp"

namespace masing {
namespace {

using enum OptionKind;
using detail::optional;

/// How many modes, in both kinds.
OptionTable mode_table() {
  return {
      optional("modes", {integer}, "", Range::between(0, 3000), "number of modes, beside rigid ones"),
      optional("up_to", {number}, "Hz", Range::positive(), "all modes up to this frequency instead"),
      optional("error", {number}, "", Range::positive(),
               "as many modes as it takes to bring the error indicator below this, at `frequency`; default 1e-4 when "
               "neither modes nor up_to is given"),
      optional("frequency", {number}, "Hz", Range::positive(),
               "highest frequency of interest; default: the highest of the analyses, times the highest harmonic")};
}

Option galerkin_basis_option() {
  Option option =
      detail::with_default(optional("basis", {text}, "", Range::any(),
                                    "constant: real shapes, the same for all harmonics; per-harmonic: complex "
                                    "eigenfunctions, made anew for every harmonic and frequency"),
                           std::string("constant"));
  option.choices = {"constant", "per-harmonic"};
  return option;
}

}  // namespace

Option detail::reduction_option() {
  Option option = optional("reduction", {table}, "", Range::any(), "replaces the structure by a small one");
  OptionTable fixed = mode_table();
  fixed.push_back(optional("keep", {texts}, "", Range::any(),
                           "coordinates or motions that stay; default: all that joints, point loads and sensors use"));
  OptionTable free = mode_table();
  free.push_back(with_default(optional("residual", {boolean}, "", Range::any(),
                                       "residual shapes that complete the static deflection under joints and loads"),
                              true));
  option.variants = {
      {"craig-bampton", "Kept coordinates, static shapes for each, and the lowest modes with these coordinates held.",
       std::move(fixed)},
      {"modal", "The lowest modes of the free structure, rigid ones included, with residual flexibility.",
       std::move(free)}};
  return option;
}

OptionVariant detail::galerkin_variant() {
  return {
      "galerkin",
      "Spectral beams with a joint spread `over` a stretch: rigid motions, modes and residual shapes of the stretch in "
      "place of the motions at all its Gauss points; the rest of the beam stays exact.",
      {with_default(optional("modes", {integer}, "", Range::between(0, 3000), "number of modes, beside rigid shapes"),
                    6L),
       galerkin_basis_option(),
       optional("frequency", {number}, "Hz", Range::positive(),
                "at which the shapes are made; default: the highest driving frequency of the analyses"),
       optional("residual", {boolean}, "", Range::any(),
                "shapes beside the modes: under uniform, linear and the study's loads; per-harmonic: for each of the "
                "study's loads; default true")}};
}

GalerkinOptions read_galerkin(const OptionValues& values, double driving_frequency, double highest_frequency) {
  GalerkinOptions options;
  options.modes = values.integer("modes");
  options.per_harmonic = values.text("basis") == "per-harmonic";
  if (values.has("residual")) options.residual = values.boolean("residual");
  options.frequency = values.has("frequency") ? values.number("frequency") : driving_frequency;
  options.highest_frequency = highest_frequency;
  if (options.frequency <= 0.0) {
    values.reject("frequency", "is missing: no analysis says at which frequency the shapes are to be made.");
  }
  return options;
}

ReductionOptions read_reduction(const OptionValues& values, double highest_frequency) {
  const int chosen = static_cast<int>(values.has("modes")) + static_cast<int>(values.has("up_to")) +
                     static_cast<int>(values.has("error"));
  if (chosen > 1)
    values.reject(values.has("error") ? "error" : "up_to",
                  "is given beside another: give one of modes, up_to and error.");
  ReductionOptions options;
  options.kind = values.text("kind") == "modal" ? ReductionKind::modal : ReductionKind::craig_bampton;
  options.highest_frequency = values.has("frequency") ? values.number("frequency") : highest_frequency;
  if (values.has("modes")) options.modes = values.integer("modes");
  if (values.has("up_to")) options.up_to = values.number("up_to");
  if (values.has("error")) options.error = values.number("error");
  if (chosen == 0) options.error = default_reduction_error;
  if (options.error > 0.0 && options.highest_frequency <= 0.0) {
    values.reject("frequency", "is missing: no analysis says up to which frequency the reduction is to be good.");
  }
  if (options.kind == ReductionKind::modal) options.residual = values.boolean("residual");
  return options;
}

}  // namespace masing
