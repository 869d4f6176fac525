// Backbones of models whose displacement x is coordinate 0, and what comes out when that is one branch.
#pragma once

#include "masing/analysis/backbone.hpp"

#include <catch2/catch.hpp>

#include <utility>
#include <vector>

namespace masing::test {

inline BackboneRequest backbone_request(BackboneMethod method, double from, double to, std::vector<int> harmonics) {
  BackboneRequest r;
  r.name = "backbone";
  r.method = method;
  r.from = from;
  r.to = to;
  r.balance = {.harmonics = std::move(harmonics), .samples = 128};
  r.observables = {{.name = "x", .coordinate = 0}};
  return r;
}

inline ResponseBranch only(const ResponseCurves& curves) {
  REQUIRE(curves.branches.size() == 1);
  INFO(curves.branches[0].end.message);
  REQUIRE(curves.complete());
  return curves.branches[0];
}

}  // namespace masing::test
