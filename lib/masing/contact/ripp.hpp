// RIPP, the reduced Iwan model plus pinning, as published: one reversal remembered, its branch a scaled backbone.
//
//   after the reversal (x₀, F₀), in direction d:    F = F₀ + d g F̂( d (x − x₀) / g ),    g = (F_g − d F₀) / F_g
//   first loading                                   x₀ = 0, F₀ = 0, g = 1
//
// F_g is the force in macroslip. For a five-parameter backbone that is F_lim < F_S; the paper scales by F_S, with which the
// peaks of equal cycles in gross slip drift from the first to the later ones, so F_S has to be asked for. F₀ is the force of
// sliding alone: pinning stands beside it (parallel_springs.hpp).
//
// A backbone with a maximum lets |F₀| exceed F_g. Then g > 2 against F₀, so that the branch still ends at d F_g; along F₀
// the published g would be negative: it is taken as 0, and the excess over F_g falls linearly to 0 on the way ϕ_max. The
// force is continuous in x, x₀ and F₀.
//
// Stability. A branch of the length u keeps the share 1 − (F̂ − u F̂')/F_g of a change of F₀, u in units of first loading.
// Were it beyond ±1, forces at reversals would grow from cycle to cycle up to several F_g, with many periodic states and
// none that marching reaches. So the backbone must keep 0 <= F̂ − u F̂' <= 2 F_g up to macroslip (ModelError): true of
// every concave rising one. A five-parameter backbone with F_g = F_lim needs
//
//   θ >= (χ+2)(χ+1−2β) / ((χ+1)(χ+3)),        0.588 for χ = −0.5, β = 0.005
//
// and its forces then stay below 1.55 F_lim; with F_g = F_S any θ will do. Within this rule the periodic force is unique
// but for joints that stick.
//
// Limits. The law equals the exact one (iwan.hpp) only where every reversal comes from macroslip. In steady partial slip
// it closes only asymptotically when marched, and it dissipates too much: for χ = −0.5 28 % at 0.1 ϕ_max, 15 % at 0.3,
// 5 % at 0.6, and 2^(χ+1) − 1 = 41 % for small amplitudes. Older reversals are forgotten, so a tiny reversal during loading
// raises the force by up to 10 % of the slip force, and the force jumps where a motion grows a new pair of reversals. An
// offset in partial slip is forgotten, too: a steady vibration about any mean displacement has the same force.
//
// Periodic state: the force at a reversal, from one scalar equation; for a symmetric cycle of amplitude A its peak force a
// solves 2 a = g F̂(2 A / g), g = 1 + a / F_g. A constant motion has the force of first loading. Reversals are located
// between samples where the motion is known there.
//
// Reference: M. R. W. Brake, A reduced Iwan model that includes pinning for bolted joint mechanics, Nonlinear Dynamics 87
// (2017) 1335-1349, eqs. (17), (24), (25), with a sign in front of the scaled term.
#pragma once

#include "masing/contact/backbone.hpp"
#include "masing/contact/element.hpp"

namespace masing {

/// The backbone must reach macroslip and keep the rule of stability (ModelError). `scaling_force` is F_g >= F̂(∞) [N];
/// 0: F̂(∞). In time integration the phases are named "forward" and "backward"; macroslip is located, too.
std::shared_ptr<const ContactElement> make_ripp(BackbonePointer backbone, double scaling_force = 0.0);

}  // namespace masing
