// The loops of the shipped models against stored ones. loops.csv was written by the program itself; that the energies are
// right is checked here too, wherever the backbone tells them by itself.
#include "masing/io/study.hpp"
#include "support/source_folder.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace masing;

namespace {

struct Stored {
  std::string model, loop, joint;
  int index = 0;
  double amplitude = 0.0;
  double energy = 0.0;
  double secant_stiffness = 0.0;
};

// Closed forms and sampling at fixed instants: what is left is the difference between compilers.
constexpr double computed = 1e-7;
// Of the elastic energy: a stuck joint loses nothing but rounding.
constexpr double rounding = 1e-12;
// Of the energy by sampling against the one of the backbone: corners of the loop lie between samples.
constexpr double sampled = 1e-5;

std::vector<Stored> stored_loops() {
  std::ifstream file(test::source_folder() + "/tests/regression/loops.csv");
  std::vector<Stored> loops;
  std::string line;
  std::getline(file, line);  // names of the columns
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::vector<std::string> cell(7);
    for (std::string& text : cell) std::getline(cells, text, ',');
    loops.push_back(
        {cell[0], cell[1], cell[2], std::stoi(cell[3]), std::stod(cell[4]), std::stod(cell[5]), std::stod(cell[6])});
  }
  return loops;
}

std::vector<JointLoop> compute(const std::string& model) {
  const Study study = read_study(test::source_folder() + "/models/" + model + ".toml", {}, StudyUse::loops);
  std::vector<JointLoop> loops;
  for (const LoopTask& task : study.loops) {
    for (const std::size_t joint : task.joints) {
      for (JointLoop& loop : joint_loops(study.joints[joint], task.request)) loops.push_back(std::move(loop));
    }
  }
  return loops;
}

}  // namespace

TEST_CASE("shipped models give the stored loops") {
  const std::vector<Stored> stored = stored_loops();
  for (const std::string model : {"05_iwan_loops", "06_contact_from_surfaces", "07_oscillator_iwan",
                                  "08_variable_normal_load", "11_ripp_and_stribeck_loops"}) {
    std::vector<Stored> expected;
    for (const Stored& loop : stored) {
      if (loop.model == model) expected.push_back(loop);
    }
    const std::vector<JointLoop> found = compute(model);
    std::string table;
    for (const JointLoop& loop : found) {
      table += fmt::format("{},{},{},{},{:.12g},{:.12g},{:.12g}\n", model, loop.loop, loop.joint, loop.index,
                           loop.amplitude, loop.energy, loop.secant_stiffness);
    }
    INFO("found:\n" << table);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].complete);
      CHECK(found[i].loop == expected[i].loop);
      CHECK(found[i].joint == expected[i].joint);
      CHECK(found[i].index == expected[i].index);
      const double elastic =
          std::isnan(found[i].amplitude) ? 0.0 : found[i].secant_stiffness * found[i].amplitude * found[i].amplitude;
      CHECK(found[i].energy == Approx(expected[i].energy).epsilon(computed).margin(rounding * elastic));
      CHECK(found[i].secant_stiffness == Approx(expected[i].secant_stiffness).epsilon(computed));
      const bool obeys_masing = found[i].joint != "reduced";  // RIPP: in macroslip only
      if (obeys_masing && std::isfinite(found[i].energy_of_backbone)) {
        CHECK(found[i].energy == Approx(found[i].energy_of_backbone).epsilon(sampled).margin(rounding * elastic));
      }
    }
  }
}

TEST_CASE("the bolted joint of model 05 has the published numbers") {
  const std::vector<JointLoop> loops = compute("05_iwan_loops");
  // Nine digits in the source; sampled where pinning begins, a corner of the force.
  CHECK(loops[6].amplitude == 2.25e-3);
  CHECK(loops[6].energy_of_backbone == Approx(28.3207455).epsilon(1e-8));
  CHECK(loops[6].energy == Approx(28.3207455).epsilon(sampled));
  // The energy of microslip grows as amplitude^(3 + chi).
  CHECK(loops[1].slope == Approx(2.5).epsilon(1e-4));
  for (const JointLoop& loop : loops) {
    if (loop.motion == "minor") CHECK(loop.closed);
  }
}
