// Two masses in a line; the second one rubs against the ground through a Jenkins element. The frequency response at three
// force levels shows what friction does to the resonance: it softens and damps, most where the contact slips about half of
// the time.
#include "masing/masing.hpp"

#include <cstdio>

int main() {
  using namespace masing;

  const auto structure = chain({.masses = {1.0, 1.0}, .stiffnesses = {4e4, 4e4}, .dampings = {4.0, 4.0}});

  // The joint feels the second coordinate, x2, against the ground: relative motion u = 1 · x2.
  SparseMatrix direction(2, 1);
  direction.insert(1, 0) = 1.0;
  const Joint friction = {.name = "friction",
                          .element = make_element(Jenkins({.stiffness = 1e4, .slip_force = 2.0})),
                          .directions = direction};

  // One newton on x1, turned up and down by the levels of the request.
  const Load shaker = {.name = "shaker", .shape = Vector::Unit(2, 0)};
  const Model model = {.structure = structure, .joints = {friction}, .loads = {shaker}};

  FrequencyResponseRequest request;
  request.from = 15.0;  // Hz
  request.to = 27.0;
  request.levels = {0.2, 1.0, 5.0};  // N
  request.observables = {{.name = "x2", .coordinate = structure->find("x2"), .quantity = Quantity::displacement}};
  request.balance = {.harmonics = {0, 1, 2, 3, 4, 5}, .samples = 256};

  const FrequencyResponse response = frequency_response(model, request);
  for (const ResponseBranch& branch : response.branches) {
    const Resonance& peak = branch.end.resonances.at(0);
    std::printf("%4.1f N: peak at %.3f Hz, %.3f mm, damping ratio %.4f\n", branch.header.level, peak.frequency,
                1e3 * peak.amplitude, peak.damping_ratio);
  }
  return response.complete() ? 0 : 1;
}
