// Slip/slap: friction and normal contact of rough surfaces in one law, with separation and re-contact.
//
// Inputs: tangential motion u and penetration w [m], w > 0 in contact. Forces: tangential Q and normal P [N]; P is the
// whole normal force (a static load must hold it) and pushes only. Rate-independent. Memory: the largest penetration
// w_max, the origin u₀ and the friction state Δ₀ of the present branch, and the direction of motion s = ±1, which is held
// while u rests.
//
//   k_T = n C_k C_p^{1−m} / (C_Q w^{1−n(1−m)})         with the current w: Q changes with w at constant u
//   Δ_T = s − (s − Δ₀) exp(−k_T |u − u₀|)              between −1 and 1: share of the friction limit
//   Δ_N = exp(−k_N (w_max − w)),  Δ_P = Δ_N + (1 − Δ_N)|Δ_T|
//   P = C_p wⁿ Δ_P,  Q = C_Q P^m Δ_T
//
//   reversal of u at t_r    u₀ = u(t_r), Δ₀ = Δ_T(t_r), s changes its sign
//   separation, w <= 0      P = Q = 0; at re-contact u₀ = u(t_c), Δ₀ = 0, w_max = 0
//   sliding, |Δ_T| >= 0.99  w_max = w: sliding renews the asperities; otherwise w_max = max(w_max, w)
//
// In the published model P jumps by up to 1 % where sliding begins, and a slide, however brief, changes w_max for good. The
// smooth variant (smooth_refresh) renews the asperities gradually: with b = smoothstep of |Δ_T| over 0.97 … 1,
//
//   w_max = max(w, min(w_max, w + c)),   c = −ln(b)/k_N,   in other words   b <= Δ_N <= 1
//
// a play between two bounds that move with the contact: w_max depends continuously on the history, also where the contact
// first opens, because k_T grows without bound as w → 0 and the contact slides there. Everything else is as published.
//
// Steady cycle, found directly, in one pass:
//   - Over a period without separation, Δ₀ at a reversal is mapped to A + B Δ₀, B = ∏ exp(−k_T |u − u₀|) over the branches;
//     the periodic state is A/(1 − B), also near stick, where B ≈ 1 and no marching would arrive. A separation forgets
//     the past (B = 0). A tangential motion that does not stir the contact (−ln B < 1e-12) or rests leaves it virgin:
//     u₀ = mean of u, Δ₀ = 0, no friction force.
//   - w_max = w at the highest penetration of the period, whatever came before: the pass begins there.
//   - Reversals, crests of w, separation, re-contact and the end of sliding are located between samples where the motion
//     is known there; otherwise on the polygon through the samples. Sensitivities contain their shifts. Two changes of
//     contact or sliding between the same two samples are seen only if a turning point of w lies between them.
//   - find_kinks() adds where Δ_T passes zero, sliding begins and w passes w_max, or the smooth variant its bounds. At samples of
//     chosen instants the jump of the published model at the onset of sliding is told with its shift (CycleResult::jumps).
//   - A penetration that varies by less than 1e-9 of itself is constant: w_max is its largest value, whose derivative is
//     taken as that of the mean, because rounding would decide which sample it is.
//
// Limits. The law is not continuous in the history: it remembers every reversal of u, so that a vanishing reversal matters
// when w has changed since the one before; and friction remains when u vanishes while w varies. It is not thermodynamically
// closed: u alone or w alone dissipates, but both together may give energy back, because Q follows P at a given Δ_T.
//
// Reference: H. Ahmadian, M. Mohammadali, A distributed mechanical joint contact model with slip/slap coupling effects,
// Mechanical Systems and Signal Processing 80 (2016), eqs. (4)-(14), with sgn(u̇) in place of the printed sgn(u).
#pragma once

#include "masing/contact/element.hpp"

#include <cmath>

namespace masing {

class SlipSlap {
 public:
  static constexpr std::string_view name = "slip-slap";
  static constexpr double sliding_limit = 0.99;  ///< |Δ_T| from which on the contact slides
  static constexpr double refresh_begin = 0.97;  ///< of the smooth variant

  struct Parameters {
    double normal_exponent = 1.0;       ///< n > 0
    double friction_exponent = 1.0;     ///< m > 0
    double normal_coefficient = 0.0;    ///< C_p > 0 [N/mⁿ]
    double friction_coefficient = 0.0;  ///< C_Q > 0 [N^{1−m}]
    double unloading_rate = 0.0;        ///< k_N >= 0 [1/m]
    double stiffness_ratio = 0.0;       ///< C_k > 0: tangential over normal stiffness
    double approach = 0.0;              ///< [m]: w = second input + approach
    bool smooth_refresh = false;
  };

  explicit SlipSlap(const Parameters& parameters);

  /// Between two reversals.
  struct Branch {
    double direction = 1.0;  ///< s
    double origin = 0.0;     ///< u₀
    double start = 0.0;      ///< Δ₀
  };
  /// Derivatives by u, w, Δ₀ and w_max; that by u₀ is the negative of the first.
  using Gradient = Eigen::Array4d;
  enum : int { by_u, by_w, by_start, by_peak };

  struct Value {
    double value = 0.0;
    Gradient gradient = Gradient::Zero();
  };
  struct Forces {
    Value tangential;
    Value normal;
  };

  /// The loading curve at w > 0.
  struct Loading {
    double w = 0.0;
    double force = 0.0;   ///< C_p wⁿ
    double factor = 1.0;  ///< (C_p wⁿ)^{1−m}
    double rate = 0.0;    ///< k_T [1/m]
  };
  Loading loading(double w) const;

  /// k_T |u − u₀|
  static double exponent(double u, const Loading& loading, const Branch& branch);
  /// Δ_T
  Value friction(double u, const Loading& loading, const Branch& branch) const;
  /// w_max − w, for a contact that does not slide and w <= w_max.
  static Value unloading(double w, double peak) { return {peak - w, Gradient(0.0, -1.0, 0.0, 1.0)}; }
  /// Smooth variant: the largest w_max − w that friction allows (c); infinite below 97 % of the friction limit.
  Value largest_unloading(const Value& friction) const;
  Forces forces(const Loading& loading, const Value& friction, const Value& unloading) const;

  const Parameters& parameters() const { return p_; }
  /// k_T falls with this power of w.
  double rate_exponent() const { return rate_exponent_; }
  /// Whether P depends on w_max at all.
  bool remembers_peak() const { return p_.unloading_rate > 0.0; }
  /// Whether the contact slides in the sense that resets w_max; never in the smooth variant.
  bool slides(double friction) const { return !p_.smooth_refresh && std::abs(friction) >= sliding_limit; }

 private:
  Parameters p_;
  double rate_factor_;    // n C_k / C_Q
  double rate_exponent_;  // 1 − n(1−m)
  double log_coefficient_;
};

std::shared_ptr<const ContactElement> make_slip_slap(const SlipSlap::Parameters& parameters);

}  // namespace masing
