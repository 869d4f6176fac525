// The first point of a branch: a solution of the balance at one frequency and level, from nothing.
#pragma once

#include "masing/balance/harmonic_balance.hpp"
#include "masing/continuation/continuation.hpp"

#include <functional>
#include <string>

namespace masing::detail {

struct FirstSolution {
  Vector x;
  bool found = false;
  std::string message;   ///< why there is none
  bool stopped = false;  ///< by the user, while it was sought
};

/// What a search may do besides.
struct StartSearch {
  /// Another frequency [Hz] that the branch is to be followed to: between it and the first one solutions may be easier to
  /// find, and are followed back. 0: there is none.
  double towards = 0.0;
  /// Called often, with what is being tried ("raising the load"). Return false to stop.
  std::function<bool(const std::string& trying)> go_on = {};
};

/// One Newton step from rest: the linear answer with every joint in the state it has at rest (friction stuck).
Vector linear_answer(HarmonicBalance& balance, double omega);

/// The same from any motion x: one Newton step.
Vector linear_answer_about(HarmonicBalance& balance, const Vector& x, double omega);

/// Levenberg-Marquardt descent on |R|² from x, which gets on where the Jacobian is singular (a contact that is open at rest
/// and closed by a preload) or the way is long. Ends near a solution if it finds one, or when go_on says so.
Vector descend(HarmonicBalance& balance, Vector x, double omega, const std::function<bool()>& go_on = {});

/// At `frequency` [Hz] and the level of the balance. In this order, until one of them succeeds:
///
///   1. Newton's method from the linear answer about rest, then about the static equilibrium
///   2. Newton's method from where a damped descent gets
///   3. the load is raised from a thousandth, along a curve that must get on by 5 % of the load in 400 points
///   4. 1 and 2 at frequencies on the way to `search.towards`; the curve from there is followed back likewise
///   5. 3 there, and back
FirstSolution first_solution(HarmonicBalance& balance, double frequency, const NewtonOptions& newton,
                             const StartSearch& search = {});

}  // namespace masing::detail
