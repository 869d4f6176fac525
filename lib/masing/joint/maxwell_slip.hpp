// A rough interface as a finite set of Jenkins elements (Maxwell slip), grouped by physics.
//
// The heights between y and z_max are divided into equal regions; the summits of a region are one mean summit, whose
// contact circle is divided into annuli of equal width. Region n has N_a,n summits, mean contact radius ā_n, normal
// force F_n and the stiffness 8 Ḡ N_a,n ā_n; an annulus between s₁ and s₂ (s = r/ā_n) has the share s₂ − s₁ of it,
// and slides at
//
//   printed       μ F_n [(1−s₁²)^{3/2} − (1−s₂²)^{3/2}]              the Hertz pressure that it carries
//   consistent    (3/2) μ F_n [(s₂ − s₂³/3) − (s₁ − s₁³/3)]          what Mindlin's stick radius says of it
//
// Printed, the annuli at the centre and at the edge slide first; consistent, the outermost does. With many annuli both
// have the same distribution of stiffness over slip displacement, and converge to the exact Q(x). Dividing Q(x) itself into bins
// (binning.hpp) is far more accurate for the same number of elements.
//
// Reference: H. Jamshidi, H. Ahmadian, J. Theor. Appl. Vib. Acoust. (2024), section 3.
#pragma once

#include "masing/contact/slip_element.hpp"
#include "masing/joint/roughness.hpp"

#include <vector>

namespace masing {

enum class AnnulusAssignment { printed, consistent };

struct AnnulusGrid {
  int regions = 3;  ///< height regions, >= 1
  int annuli = 7;   ///< of each, >= 1
  AnnulusAssignment assignment = AnnulusAssignment::consistent;
};

/// regions × annuli elements under this load. Their stiffnesses add up to K_T, their slip forces to μN.
std::vector<SlipElement> maxwell_slip_elements(const RoughInterface& interface, double load, const AnnulusGrid& grid);

/// Q(x) divided into `count` >= 1 equal steps of displacement up to macroslip: the density of a rough interface is so
/// smooth that even bins are hard to beat.
std::vector<SlipElement> binned_elements(const Backbone& rough, int count);

}  // namespace masing
