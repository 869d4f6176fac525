#include "masing/contact/binning.hpp"
#include "masing/contact/detail/catalogue_parts.hpp"
#include "masing/contact/detail/spring_options.hpp"
#include "masing/contact/slider_population.hpp"

namespace masing::detail {
namespace {

Element make(const OptionValues& values, const BackbonePointer& backbone) {
  const auto sliding = sliding_part(backbone, values.number("residual_share"));
  const auto elements = bin_backbone(*sliding, static_cast<int>(values.integer("elements")));
  return with_springs(make_element(SliderPopulation(elements)), read_springs(values, backbone->stick_stiffness()));
}

}  // namespace

Option elements_option() {
  const double most = 1e6;
  return {.name = "elements",
          .kinds = {OptionKind::integer},
          .fallback = {100L},
          .range = Range::between(1, most),
          .meaning = "number of sliders that the backbone is divided into; the error falls with its square"};
}

LawEntry iwan_population() {
  return {
      .name = SliderPopulation::name.data(),
      .summary = "Iwan law as a finite number of sliders, marched one by one.",
      .equation = "f = sum of K_j (u - z_j), slider z_j = clamp(z_j before, u - phi_j, u + phi_j)",
      .reference =
          "W. D. Iwan, A distributed-element model for hysteresis and its steady-state dynamic response, Journal of "
          "Applied Mechanics 33 (1966) 893-900; one-dimensional binning of the backbone.",
      .limits =
          "Discretised: the law 'iwan' gives the same without sliders, exactly and much faster. Constant normal "
          "load, one direction. Time integration steps over the many small changes of stiffness.",
      .parameters = {elements_option(), residual_option(), pinning_option()},
      .make_from_backbone = make};
}

}  // namespace masing::detail
