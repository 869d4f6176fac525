// How computed numbers are judged beside published ones, and how the table tells it.
#include "masing/io/validation.hpp"
#include "support/slider_case.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>

using namespace masing;
using namespace masing::test;
using Catch::Matchers::Contains;

TEST_CASE("a numerical error beyond a tenth of what it judges is a failure", "[io][validation]") {
  QuantityOutcome outcome;
  outcome.quantity.published.value = 10.0;
  outcome.quantity.acceptance = 1.0;
  outcome.computed = 10.5;
  outcome.numerical_error = 0.1;  // a tenth of the acceptance
  judge(outcome);
  CHECK(outcome.verdict == Verdict::reproduced);
  outcome.numerical_error = 0.11;
  judge(outcome);
  CHECK(outcome.verdict == Verdict::unverified);
  CHECK_FALSE(is_accepted(outcome.verdict));
  // What is not reproduced is judged by its difference, here 5.
  outcome.quantity.claim = Claim::not_reproduced;
  outcome.computed = 15.0;
  outcome.numerical_error = 0.4;
  judge(outcome);
  CHECK(outcome.verdict == Verdict::not_reproduced);
}

TEST_CASE("two computations that are the same but for rounding are told as such", "[io][validation]") {
  CaseOutcome one;
  QuantityOutcome& outcome = one.quantities.emplace_back();
  outcome.quantity.published.value = 10.0;
  outcome.quantity.acceptance = 1.0;
  outcome.computed = 10.5;
  outcome.numerical_error = 1e-14;
  judge(outcome);
  CHECK(outcome.is_rounding());
  CHECK_THAT(validation_table({one}),
             Contains("  rounding  reproduced") && Contains("the same but for rounding, as closed forms are: 1;"));
  outcome.numerical_error = 1e-9;
  CHECK_FALSE(outcome.is_rounding());
  CHECK_THAT(validation_table({one}), Contains("1e-09") && !Contains("rounding"));
  outcome.numerical_error = QuantityOutcome::none;  // it was not computed
  CHECK_FALSE(outcome.is_rounding());
}

TEST_CASE("a difference of less than ten times the numerical error says so", "[io][validation]") {
  QuantityOutcome outcome;
  outcome.quantity.published.value = 10.0;
  outcome.quantity.acceptance = 1.0;
  outcome.computed = 10.5;
  const auto judged = [&](double error) {
    outcome.numerical_error = error;
    judge(outcome);
    return outcome.resolution;
  };
  CHECK(judged(0.05) == Resolution::resolved);
  CHECK(judged(0.06) == Resolution::unresolved);
  CHECK(outcome.verdict == Verdict::reproduced);  // a tenth of the acceptance is enough to judge by
  outcome.computed = 10.01;
  CHECK(judged(0.02) == Resolution::within_error);
  CHECK(outcome.verdict == Verdict::reproduced);
  outcome.computed = 10.0;
  CHECK(judged(0.0) == Resolution::resolved);  // both exact
  // A bound that is kept: what counts is the way to it.
  outcome.quantity.compare = "at-most";
  outcome.computed = 9.0;
  CHECK(judged(0.05) == Resolution::resolved);
  outcome.computed = 9.9;
  CHECK(judged(0.05) == Resolution::unresolved);
  outcome.computed = 5.0;
  CHECK(judged(0.5) == Resolution::resolved);
  CHECK(outcome.verdict == Verdict::reproduced);  // far from the bound less is enough
  CHECK(judged(0.6) == Resolution::unresolved);
  CHECK(outcome.verdict == Verdict::unverified);
}

TEST_CASE("a numerical error that decides the verdict leaves it undecided", "[io][validation]") {
  QuantityOutcome outcome;
  outcome.quantity.published.value = 10.0;
  outcome.quantity.acceptance = 1.0;
  outcome.computed = 11.02;
  outcome.numerical_error = 0.05;  // less than a tenth, but the acceptance is nearer
  for (const Claim claim : {Claim::reproduced, Claim::not_reproduced}) {
    outcome.quantity.claim = claim;
    judge(outcome);
    CHECK(outcome.verdict == Verdict::unverified);
    CHECK_THAT(outcome.message, Contains("nearer to the acceptance"));
  }
  outcome.quantity.claim = Claim::undecided;
  judge(outcome);
  CHECK(outcome.verdict == Verdict::undecided);
  CHECK(is_accepted(outcome.verdict));
  // What is called undecided and is not: told when it is within, a failure when it is outside.
  outcome.numerical_error = 0.01;
  judge(outcome);
  CHECK(outcome.verdict == Verdict::missed);
  outcome.computed = 10.5;
  judge(outcome);
  CHECK(outcome.verdict == Verdict::reproduced_now);
}

TEST_CASE("of several second computations the largest change is the numerical error", "[io][validation]") {
  const std::string third =
      "[[run]]\nname = \"other\"\nstudy = \"slider.toml\"\ncommand = \"loop\"\nset = "
      "[\"joint.slider.slip_force=10.1\"]\n";
  const auto error_with = [&](const std::string& verify) {
    return CaseFolder(head + third + quantity(verify, "verify")).run().quantities.front().numerical_error;
  };
  const double fine = error_with("verify = { run = \"fine\" }"), other = error_with("verify = { run = \"other\" }");
  CHECK(other > fine);
  CHECK(error_with("verify = [{ run = \"fine\" }, { run = \"other\" }]") == other);
  CHECK(error_with("verify = [{ run = \"other\" }, { run = \"fine\" }]") == other);
  CHECK_THAT(message_of(head + quantity("verify = [{ run = \"fine\" }, { run = \"coarse\" }]", "verify")),
             Contains("it must be another computation"));
  const std::string ratio = quantity("reason = \"x\"\ncombine = \"ratio\"\nagainst = { run = \"fine\" }\n", "reason");
  const std::string two = "verify_against = [{ run = \"fine\" }, { run = \"fine\" }]\n";
  CHECK_THAT(message_of(head + ratio + two), Contains("one for each of the 1 of `verify`"));
}

TEST_CASE("parameters by formulas are taken without a run, impossible ones too", "[io][validation]") {
  // D = 4 K ϕ² (χ+1) (u/ϕ)^(χ+3) / ((1+β)(χ+2)(χ+3)) with K = 1e6 N/m, ϕ = 1 mm, χ = −0.5, β = 0.25; F_S by (10).
  const auto energy = [](double u) { return 4.0 * 1e6 * 1e-6 * 0.5 * std::pow(u / 1e-3, 2.5) / (1.25 * 1.5 * 2.5); };
  const std::string text = R"([[quantity]]
name = "joint"
take = { kind = "estimate", data = "energies.csv", stiffness = 1e6, macroslip = 1e-3 }
verify = { kind = "estimate", data = "energies.csv", energy = "other", amplitude = "at", stiffness = 1e6, macroslip = 1e-3 }
verified_how = "other amplitudes"
absolute = 1e-9
reason = "closed form"
claim = "reproduced"
each = [
  { name = "beta", published = "beta", take = { value = "beta" }, verify = { value = "beta" } },
  { name = "force", published = "force", absolute = 1e-6, take = { value = "slip-force" }, verify = { value = "slip-force" } },
  { name = "refused", published = "negative", take = { value = "beta", slip_force = 300 }, verify = { value = "beta", slip_force = 300 } },
]
)";
  const double force = 1e6 * 1e-3 * (0.25 + 1.0 / 3.0) / 1.25, negative = (0.3 - 1.0 / 3.0) / 0.7;
  const CaseFolder folder(head + text, fmt::format("id,value,unit,origin,source,note\nbeta,0.25,,evaluated,a,\n"
                                                   "force,{:.17g},N,evaluated,a,\nnegative,{:.17g},,evaluated,a,\n",
                                                   force, negative));
  folder.scratch.write("slider/energies.csv",
                       fmt::format("amplitude,energy,at,other\n1e-5,{:.17g},2e-5,{:.17g}\n1e-4,{:.17g},3e-4,{:.17g}\n",
                                   energy(1e-5), energy(2e-5), energy(1e-4), energy(3e-4)));
  for (const QuantityOutcome& outcome : folder.run().quantities) {
    INFO(outcome.quantity.name << ": " << outcome.computed << " " << outcome.message);
    CHECK(outcome.verdict == Verdict::reproduced);
  }
  const CaseFolder without(
      head + text, "id,value,unit,origin,source,note\nbeta,1,,ours,a,\nforce,1,N,ours,a,\nnegative,1,,ours,a,\n");
  CHECK_THAT(without.run().quantities.front().message, Contains("there is no estimate") && Contains("energies.csv"));
}

TEST_CASE("the table tells where each number comes from", "[io][validation]") {
  const std::string text = validation_table({CaseFolder(head + quantity()).run()});
  CHECK_THAT(text, Contains("origin") && Contains("evaluated") && Contains("num. error"));
}

TEST_CASE("long names of quantities take two lines of the table", "[io][validation]") {
  const std::string name = "name = \"the energy that a slider of one million newtons a metre dissipates in a cycle\"";
  const std::string text = validation_table({CaseFolder(head + quantity(name, "name")).run()});
  CHECK_THAT(text, Contains("slider  the energy that a slider of one million newtons a metre\n"));
  CHECK_THAT(text, Contains("slider    dissipates in a cycle ") && !Contains("metre dissipates"));
  const std::string word = "name = \"a " + std::string(80, 'x') + "\"";  // cannot be broken
  CHECK_THAT(validation_table({CaseFolder(head + quantity(word, "name")).run()}), Contains(std::string(80, 'x') + " "));
}

TEST_CASE("a published bound counts only what lies beyond it", "[io][validation]") {
  QuantityOutcome outcome;
  outcome.quantity.published.value = 1.0;
  outcome.quantity.acceptance = 0.01;
  outcome.numerical_error = 0.0;
  outcome.quantity.compare = "at-most";
  outcome.computed = 0.2;
  judge(outcome);
  CHECK(outcome.difference == 0.0);
  CHECK(outcome.verdict == Verdict::reproduced);
  outcome.computed = 1.2;
  judge(outcome);
  CHECK(outcome.verdict == Verdict::missed);
  outcome.quantity.compare = "at-least";
  judge(outcome);
  CHECK(outcome.verdict == Verdict::reproduced);
}
