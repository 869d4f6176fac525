// The first point of a branch: a solution of the balance at one frequency and level, from nothing.
#pragma once

#include "masing/balance/harmonic_balance.hpp"
#include "masing/continuation/continuation.hpp"

#include <string>

namespace masing::detail {

struct FirstSolution {
  Vector x;
  bool found = false;
  std::string message;  ///< why there is none
};

/// One Newton step from rest: the linear answer with every joint in the state it has at rest (friction stuck).
Vector linear_answer(HarmonicBalance& balance, double omega);

/// The same from any motion x: one Newton step.
Vector linear_answer_about(HarmonicBalance& balance, const Vector& x, double omega);

/// Levenberg-Marquardt descent on |R|² from x, which gets on where the Jacobian is singular (a contact that is open at rest
/// and closed by a preload) or the way is long. Ends near a solution if it finds one.
Vector descend(HarmonicBalance& balance, Vector x, double omega);

/// At `frequency` [Hz] and the level of the balance: Newton's method from the linear answer; then from where a damped
/// descent gets; then by raising the load.
FirstSolution first_solution(HarmonicBalance& balance, double frequency, const NewtonOptions& newton);

}  // namespace masing::detail
