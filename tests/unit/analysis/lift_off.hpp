// Contacts that lift off.
#pragma once

#include "masing/analysis/model.hpp"
#include "masing/contact/friction.hpp"
#include "masing/contact/slip_slap.hpp"
#include "masing/structure/lumped.hpp"
#include "support/models.hpp"

namespace masing::test {

/// Two masses with friction under a varying normal load: unsymmetric, with peaks side by side.
inline Model two_masses_that_lift_off() {
  Model model{.structure = chain({.masses = {1.0, 0.5},
                                  .stiffnesses = {4e5, 0.0, 6e5},
                                  .dampings = {1.2, 0.0, 1.0},
                                  .ground = ChainGround::both}),
              .loads = {load(2, 0, 1.0), load(2, 1, 0.5, 1, 40.0 * pi / 180.0)}};
  const NormalContact normal({.stiffness = 3e5, .preload = 50.0});
  model.joints = {joint("friction", make_element(Friction2d({.stiffness = 2e5, .friction = 0.4, .normal = normal})), 2,
                        {{{0, 1.0}}, {{1, 1.0}}})};
  return model;
}

/// Opens where the approach is -0.3, slides and unloads before; jumps where it begins to slide.
inline std::shared_ptr<const ContactElement> slip_slap_that_lifts_off() {
  return make_slip_slap({.normal_exponent = 1.0,
                         .friction_exponent = 1.0,
                         .normal_coefficient = 8.0,
                         .friction_coefficient = 0.6,
                         .unloading_rate = 5.0,
                         .stiffness_ratio = 0.5,
                         .approach = 0.3});
}

}  // namespace masing::test
