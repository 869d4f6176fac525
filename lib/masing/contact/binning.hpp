// From a backbone to a finite number of sliders.
//
// One-dimensional binning: with Q the backbone and edges 0 = x_0 < x_1 < … < x_n, bin j becomes one spring with slider,
//
//   K_j = Q'(x_{j−1}) − Q'(x_j),    φ_j = [Q − x Q'] from x_{j−1} to x_j,
//
// which holds the stiffness and the slip force of the bin's density exactly; so the totals are exact for any number of
// elements. The polygon that results is made of the tangents to Q in the edges: it lies above Q by about ρ h²/8 at
// most, and its loops converge with the square of the number of elements.
#pragma once

#include "masing/contact/backbone.hpp"
#include "masing/contact/slip_element.hpp"

#include <limits>
#include <vector>

namespace masing {

/// At most `count` elements, by rising slip displacement. The edges divide ∫ (ρ/x)^(1/3) dx equally, which makes the
/// area between polygon and backbone small, weighted with 1/x so that small loops are served too: they are dense near
/// singularities and spend nothing where nothing slides. With 21 elements the energies of loops (Hertz, uniform, flat,
/// four-parameter) are right within 0.1 % from 1.5 times the macroslip displacement on, 0.25 % from 1 on, 0.7 % from
/// 0.5 on and 2 % from 0.25 on.
///
/// A jump of the stiffness at macroslip (sliders that let go together) becomes an element of its own; for a
/// five-parameter backbone its stiffness is negative. A backbone with jumps inside (Maxwell slip) may give fewer
/// elements than asked for.
///
/// A backbone that never reaches macroslip needs `largest`, the largest displacement of interest [m]: what still sticks
/// there becomes one element that slides there.
std::vector<SlipElement> bin_backbone(const Backbone& backbone, int count,
                                      double largest = std::numeric_limits<double>::infinity());

/// The same with given edges, which rise from 0; what still sticks at the last one slides there.
std::vector<SlipElement> bin_backbone(const Backbone& backbone, const std::vector<double>& edges);

}  // namespace masing
