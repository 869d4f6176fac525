// A discretised population of sliders: n Jenkins elements side by side, each with its own stiffness and slip force.
//
//   slider   z_j = clamp(z_j before, x − x̄_j, x + x̄_j)         x̄_j = slip force / stiffness [m]
//   force    F = Σ K_j (x − z_j)                                stick stiffness Σ K_j [N/m], slip force Σ K_j x̄_j [N]
//
// What most codes do when they say "Iwan": a loop over all elements in every sample. It is here as the brute-force
// check of the exact law (iwan.hpp) and for comparison with other codes. binning.hpp places the elements on a backbone;
// its loops converge with 1/n². Stiffnesses may be negative (five-parameter backbones) if each x̄_j is positive.
//
// Elements are kept by rising x̄. From the virgin state (all z_j = 0) those that slide at one instant are always the
// first p of them: whoever is dragged has the shorter springs dragged too. So the memory needs no flag an element: the
// stuck ones form a short stack of groups, each with the instant at which its elements slid last. A group's springs all
// depend on the motion there, x_r, with the same derivative: one source a group, one use a group and sample.
//
// Periodic state: at the largest |x| every element is as if it had been loaded there for the first time, so one pass
// from there is exact. Elements that never slide in the period stay where that loading left them, as a Jenkins element
// does. Where the motion is known between samples, up to 2048 elements are given in linear pieces, every onset of slip located;
// the march, for more than 2048 of them, visits the turning points.
//
// Limits: constant normal load, one direction. Time integration commits the state after every accepted step; the many
// small kinks are stepped over, not located.
//
// Reference: W. D. Iwan, A distributed-element model for hysteresis and its steady-state dynamic response, Journal of
// Applied Mechanics 33 (1966) 893-900.
#pragma once

#include "masing/contact/element.hpp"
#include "masing/contact/slip_element.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace masing {

class SliderPopulation {
 public:
  static constexpr std::string_view name = "iwan-population";

  struct State {
    Eigen::ArrayXd sliders;  ///< z_j [m]
    double position = 0.0;   ///< x [m]
    double direction = 0.0;  ///< sign of the last move
    Index sliding = 0;       ///< the first p elements slide
  };

  /// In any order.
  explicit SliderPopulation(std::vector<SlipElement> elements);

  Index size() const { return stiffness_.size(); }
  double slip_displacement(Index j) const { return limit_[j]; }
  /// Σ K_j over elements begin to end − 1.
  double stiffness(Index begin, Index end) const { return cumulative_[end] - cumulative_[begin]; }

  State virgin() const { return {.sliders = Eigen::ArrayXd::Zero(size())}; }
  void move_to(double x, State& state) const;
  double force(const State& state) const { return (stiffness_ * (state.position - state.sliders)).sum(); }
  double tangent(const State& state) const { return stiffness(state.sliding, size()); }
  /// The force that move_to(x) would lead to.
  double force_at(double x, const State& state) const;

 private:
  Eigen::ArrayXd stiffness_;   // K_j
  Eigen::ArrayXd limit_;       // x̄_j, rising
  Eigen::ArrayXd cumulative_;  // n + 1: Σ K of the first j
};

std::shared_ptr<const ContactElement> make_element(SliderPopulation population);

}  // namespace masing
