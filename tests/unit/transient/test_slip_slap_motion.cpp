// A mass on a slip/slap contact: the phases of the time integration against the steady cycle of the harmonic balance.
#include "masing/contact/slip_slap.hpp"
#include "masing/transient/integrator.hpp"
#include "systems.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>

using namespace masing;
using masing::test::load;
using masing::test::vector;

namespace {

Joint contact(const SlipSlap::Parameters& p) {
  SparseMatrix directions(2, 2);
  directions.setIdentity();
  return {"contact", make_slip_slap(p), directions};
}

struct Steady {
  Matrix displacement, force;
  std::set<std::string> phases;
};

/// The last of many periods of the mass, sampled.
Steady settle(const SlipSlap::Parameters& p, double normal_load, double tolerance) {
  const Index samples = 512;
  const auto structure = chain({.masses = {1.0, 1.0},
                                .stiffnesses = {0.5, 0.0, 0.5},
                                .dampings = {0.3, 0.0, 0.5},
                                .ground = ChainGround::both,
                                .further_damping = {}});
  const std::vector<Joint> joints = {contact(p)};
  const std::vector<Load> loads = {load({0.0, 5.0}, 0), load({1.5, 0.0}), load({0.0, normal_load}, 1, 0.7)};
  TimeIntegrator integrator(*structure, joints, loads, {.omega = 1.0}, {.relative_tolerance = tolerance});
  integrator.set_state(vector({0.0, 1.0}), vector({0.0, 0.0}));
  const int periods = 30;
  integrator.advance_to(periods * 2.0 * pi);
  Steady steady{Matrix(samples, 2), Matrix(samples, 2), {}};
  for (Index i = 0; i < samples; ++i) {
    integrator.advance_to(2.0 * pi * (periods + static_cast<double>(i) / static_cast<double>(samples)));
    steady.displacement.row(i) = integrator.joint_motion(0).displacement.transpose();
    steady.force.row(i) = integrator.joint_force(0).transpose();
    steady.phases.emplace(integrator.joint_phase(0));
  }
  return steady;
}

}  // namespace

TEST_CASE("a mass on a slip/slap contact: the integrated force is that of the steady cycle") {
  for (const double normal_load : {2.0, 9.0}) {
    for (const bool smooth : {false, true}) {
      const SlipSlap::Parameters p{.normal_coefficient = 4.0,
                                   .friction_coefficient = 0.26,
                                   .unloading_rate = 0.5,
                                   .stiffness_ratio = 0.7,
                                   .smooth_refresh = smooth};
      CAPTURE(normal_load, smooth);
      const Steady coarse = settle(p, normal_load, 1e-7);
      const Steady fine = settle(p, normal_load, 1e-9);
      // Errors of a hundred steps a period, carried on by the memory.
      CHECK((coarse.displacement - fine.displacement).cwiseAbs().maxCoeff() < 1e-4);
      CHECK(fine.phases.contains("open") == (normal_load > 5.0));
      CHECK(fine.phases.size() >= 4);

      const Matrix velocity = Matrix::Zero(512, 2);
      CycleResult cycle;
      contact(p).element->steady_cycle({.displacement = fine.displacement, .velocity = velocity}, {}, cycle);
      const double largest = fine.force.cwiseAbs().maxCoeff();
      // 512 samples take a reversal 0.006 away from where it is; what is left of the transient is less.
      CHECK((cycle.force - fine.force).cwiseAbs().maxCoeff() < 0.02 * largest);
      CHECK((cycle.force - fine.force).cwiseAbs().mean() < 0.002 * largest);
    }
  }
}
