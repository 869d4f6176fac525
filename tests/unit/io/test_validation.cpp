// Validation cases: reading them, their mistakes, how numbers are taken and judged.
#include "masing/core/error.hpp"
#include "masing/io/validation.hpp"
#include "support/slider_case.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <complex>
#include <filesystem>

using namespace masing;
using Catch::Matchers::Contains;
using namespace masing::test;

TEST_CASE("a case runs its studies, takes a number twice and judges it", "[io][validation]") {
  const CaseOutcome outcome = CaseFolder(head + quantity()).run();
  REQUIRE(outcome.quantities.size() == 1);
  const QuantityOutcome& energy = outcome.quantities.front();
  CHECK(energy.verdict == Verdict::reproduced);
  CHECK(energy.computed == Approx(0.4).epsilon(1e-6));  // in the unit of the table, mJ
  CHECK(energy.difference == Approx(energy.computed - 0.4).margin(1e-15));
  CHECK(energy.numerical_error >= 0.0);
  CHECK(energy.quantity.acceptance == Approx(0.4e-5));
  CHECK(outcome.accepted());
  REQUIRE(outcome.source.not_compared.size() == 2);
  CHECK(outcome.source.not_compared.front().note == "says \"half\"");
}

TEST_CASE("an acceptance that is missed is a failure; a claim of no reproduction is not", "[io][validation]") {
  const std::string wrong = quantity("published = \"W_wrong\"", "published");
  const CaseOutcome missed = CaseFolder(head + wrong).run();
  CHECK(missed.quantities.front().verdict == Verdict::missed);
  CHECK_FALSE(missed.accepted());
  CHECK_THAT(validation_table({missed}), Contains("MISSED") && Contains("more than the acceptance"));
  CHECK_THAT(validation_json({missed}, "1"), Contains("\"accepted\": false"));

  const std::string told = "claim = \"not reproduced\"\nwhy = \"it is 0.4\"";
  std::string expected = wrong;
  expected.replace(expected.find("claim = \"reproduced\""), 20, told);
  const CaseOutcome shown = CaseFolder(head + expected).run();
  CHECK(shown.quantities.front().verdict == Verdict::not_reproduced);
  CHECK(shown.accepted());

  const CaseOutcome after_all = CaseFolder(head + quantity(told, "claim")).run();
  CHECK(after_all.quantities.front().verdict == Verdict::reproduced_now);
  CHECK(after_all.accepted());
  CHECK_THAT(validation_table({after_all}), Contains("reproduced after all"));
}

TEST_CASE("what cannot be taken from the results is not computed, with the reason", "[io][validation]") {
  const std::string no_such =
      quantity("take = { kind = \"loop\", run = \"coarse\", value = \"energy\", amplitude = 3e-5 }", "take");
  const CaseOutcome outcome = CaseFolder(head + no_such).run();
  CHECK(outcome.quantities.front().verdict == Verdict::not_computed);
  CHECK_THAT(outcome.quantities.front().message, Contains("there is no loop of amplitude 3e-05 m; there are 2e-05"));
  CHECK_FALSE(outcome.accepted());
}

TEST_CASE("a run that does not finish says why, and leaves the others", "[io][validation]") {
  const std::string wild = "[[run]]\nname = \"wild\"\nstudy = \"wild.toml\"\ncommand = \"loop\"\n";
  const std::string fails = quantity("take = { kind = \"loop\", run = \"wild\", value = \"energy\" }", "take");
  const CaseOutcome outcome = CaseFolder(head + wild + fails + quantity()).run();
  CHECK(outcome.quantities[0].verdict == Verdict::not_computed);
  CHECK_THAT(outcome.quantities[0].message,
             Contains("the run 'wild' did not finish: ") && Contains("returned the force"));
  CHECK(outcome.quantities[1].verdict == Verdict::reproduced);
}

TEST_CASE("each: several quantities of one kind; two numbers put together", "[io][validation]") {
  const std::string both = R"([[quantity]]
name = "area"
take = { kind = "loop", run = "coarse", value = "energy" }
verify = { run = "fine" }
verified_how = "finer"
absolute = 0.01
reason = "test"
claim = "reproduced"
each = [
  { name = "alone", published = "W" },
  { name = "half more", published = "W_wrong", claim = "not reproduced", why = "test" },
  { name = "over itself", published = "unused", against = { run = "fine" }, combine = "ratio", absolute = 3.0 },
]
)";
  const CaseOutcome outcome = CaseFolder(head + both).run();
  REQUIRE(outcome.quantities.size() == 3);
  CHECK(outcome.quantities[0].quantity.name == "area, alone");
  CHECK(outcome.quantities[1].verdict == Verdict::not_reproduced);
  CHECK(outcome.quantities[2].computed == Approx(1.0).epsilon(1e-4));
}

TEST_CASE("mistakes in a case say where, what and what to do", "[io][validation]") {
  CHECK(message_of(head + quantity()) == "accepted");
  const auto said = [](const std::string& text, const std::string& part) {
    INFO(text);
    CHECK_THAT(message_of(text), Contains(part));
  };
  said("title = \"x\"\n", "'publication' is missing");
  said(head, "there is no [[quantity]]");
  said(head + "[[quantitiy]]\n", "unknown key 'quantitiy'. Did you mean 'quantity'?");
  said(head + quantity("published = \"V\"", "published"),
       "case.toml:14: quantity 'energy': published = \"V\" is not in");
  said(head + quantity("take = { kind = \"loop\", run = \"corse\", value = \"energy\" }", "take"),
       "is not a run of this case. Did you mean 'coarse'?");
  said(head + quantity("take = { kind = \"lop\", run = \"coarse\" }", "take"), "kind = \"lop\"");
  said(head + quantity("", "take"), "'take' is missing");
  said(head + quantity("take = { kind = \"curve\", run = \"coarse\", value = \"frequency\", at = 3 }", "take"),
       "needs either `point`, or `along` and `at`");
  said(head +
           quantity("take = { kind = \"loop\", run = \"coarse\", value = \"end\", number = 1, amplitude = 2 }", "take"),
       "and amplitude exclude each other");
  said(head + quantity("verify = { run = \"coarse\" }", "verify"), "it must be another computation");
  said(head + quantity("", "verify"), "every number is computed a second time");
  said(head + quantity("", "relative"), "either `relative` or `absolute`");
  said(head + quantity("relative = 1e-5\nabsolute = 1", "relative"), "either `relative` or `absolute`");
  said(head + quantity("claim = \"not reproduced\"", "claim"), "needs a `why`");
  said(head + quantity("claim = \"perfect\"", "claim"), "claim = \"perfect\"");
  said(head + quantity("reason = \"x\"\nagainst = { run = \"fine\" }", "reason"),
       "`against` and `combine` go together");
  said(head + "[[run]]\nname = \"fine\"\nstudy = \"slider.toml\"\ncommand = \"loop\"\n" + quantity(),
       "is the name of another run");
  said(head + "[[run]]\nname = \"x\"\nstudy = \"no.toml\"\ncommand = \"loop\"\n" + quantity(),
       "study = \"no.toml\" is not a file in the folder of the case");
  said(head + quantity() + "[[figure]]\nkind = \"loops\"\ntitle = \"t\"\nruns = [\"none\"]\n",
       "is not a run of this case");
}

TEST_CASE("mistakes in the table of published values", "[io][validation]") {
  const std::string first = "id,value,unit,origin,source,note\n";
  const auto said = [&](const std::string& values, const std::string& part) {
    INFO(values);
    CHECK_THAT(message_of(head + quantity(), values), Contains(part));
  };
  said("id,value\n", "published.csv:1: the first line must be");
  said(first, "there is no value in it");
  said(first + "W,0.4,mJ,measured,p. 1\n", "published.csv:2: 5 cells instead of 6");
  said(first + "W,many,mJ,measured,p. 1,\n", "value 'many' is not a finite number");
  said(first + "W,0.4,furlong,measured,p. 1,\n", "the unit 'furlong' is not known");
  said(first + "W,0.4,mJ,guessed,p. 1,\n", "there is no origin 'guessed'");
  said(first + "W,0.4,mJ,measured,,\n", "does not say where it is printed");
  said(first + "W,0.4,mJ,measured,\"p. 1,\n", "a quote is opened and not closed");
  said(first + "W,0.4,mJ,measured,p. 1,\nW,0.5,mJ,measured,p. 1,\n", "published.csv:3: the id 'W' is there already");
}

TEST_CASE("the page has figures, tables and verdicts", "[io][validation]") {
  const std::string figure =
      "[[figure]]\nkind = \"loops\"\ntitle = \"The loop\"\ncaption = \"drawn\"\nruns = [\"coarse\"]\n"
      "[[figure]]\nkind = \"curves\"\ntitle = \"None\"\nruns = [\"coarse\"]\n";
  const CaseOutcome outcome = CaseFolder(head + quantity() + figure).run();
  REQUIRE(outcome.figures.size() == 2);
  CHECK_THAT(outcome.figures[0].svg, Contains("The loop") && Contains("class=\"curve\""));
  CHECK_THAT(outcome.figures[1].caption, Contains("None: not drawn"));
  const std::string page = validation_html({outcome}, "0.1");
  CHECK_THAT(page, Contains("A. Author, 2020") && Contains("Published and not compared") && Contains("reproduced") &&
                       Contains("four times the samples") && Contains("masing loop"));
}

TEST_CASE("modes, resonances, curves and histories: an oscillator with everything in closed form", "[io][validation]") {
  // m = 1 kg, k = 400 N/m in all, ζ = 0.05; unit force.
  const std::string study = R"(structure = { kind = "oscillator", mass = 1.0, stiffness = 300.0, damping = 2.0 }
excitation = { at = "x", force = 1.0 }
harmonic_balance = { harmonics = 3 }
[[joint]]
law = "linear-spring"
stiffness = 100.0
direction = { x = 1.0 }
[[analysis]]
kind = "frequency-response"
name = "response"
from = 2.5
to = 4.0
[[analysis]]
kind = "backbone"
name = "phase"
method = "phase-resonance"
from_force = 0.5
to_force = 2.0
[[analysis]]
kind = "transient"
name = "start"
frequency = 3.0
duration = 0.5
[[analysis]]
kind = "transient"
name = "steady"
frequency = 3.0
)";
  const double omega = 20.0, zeta = 0.05, stiffness = 400.0, driven = 6.0 * pi;
  const std::complex<double> answer = 1.0 / std::complex<double>(stiffness - driven * driven, 2.0 * driven);
  const std::string values = fmt::format(
      "id,value,unit,origin,source,note\nmode,{:.17g},Hz,evaluated,a,\npeak,{:.17g},mm,evaluated,a,\n"
      "place,{:.17g},Hz,evaluated,a,\nlevel,{:.17g},mm,evaluated,a,\nbelow,{:.17g},mm,ours,a,\nthird,0,%,evaluated,a,"
      "\nrest,0,mm,evaluated,a,\n"
      "lag,-90,,evaluated,a,\nanswer,{:.17g},mm,evaluated,a,\nangle,{:.17g},,evaluated,a,\nspring,{:.17g},N,evaluated,"
      "a,\n",
      omega / (2.0 * pi), 1e3 / (stiffness * 2.0 * zeta * std::sqrt(1.0 - zeta * zeta)),
      omega * std::sqrt(1.0 - 2.0 * zeta * zeta) / (2.0 * pi), 1.3e3 / (stiffness * 2.0 * zeta),
      -1.3e3 / (stiffness * 2.0 * zeta), 1e3 * std::abs(answer), std::arg(answer) * 180.0 / pi,
      100.0 * std::abs(answer));
  const std::string text = R"(title = "Oscillator"
publication = "A. Author, 2020"
[[run]]
name = "modes"
study = "oscillator.toml"
command = "modes"
[[run]]
name = "run"
study = "oscillator.toml"
command = "run"
[[run]]
name = "modes, more"
study = "oscillator.toml"
command = "modes"
modes = 1
[[run]]
name = "run, more"
study = "oscillator.toml"
command = "run"
set = ["harmonic_balance.harmonics=5"]
[[quantity]]
name = "oscillator"
verify = { run = "run, more" }
verified_how = "more harmonics"
absolute = 1e-6
reason = "closed forms; Newton's tolerance"
claim = "reproduced"
each = [
  { name = "mode", published = "mode", take = { kind = "mode", run = "modes", mode = 1, value = "frequency" }, verify = { run = "modes, more" } },
  { name = "peak", published = "peak", take = { kind = "resonance", run = "run", value = "amplitude" } },
  { name = "place", published = "place", take = { kind = "resonance", run = "run", value = "frequency" } },
  { name = "level", published = "level", absolute = 1e-3, take = { kind = "curve", run = "run", analysis = "phase", along = "level", at = 1.3, value = "amplitude" } },
  { name = "highest", published = "level", absolute = 1e-3, take = { kind = "curve", run = "run", analysis = "phase", along = "level", at = 1.3, value = "highest" } },
  { name = "lowest", published = "below", absolute = 1e-3, take = { kind = "curve", run = "run", analysis = "phase", along = "level", at = 1.3, value = "lowest" } },
  { name = "third", published = "third", take = { kind = "curve", run = "run", point = "last", harmonic = 3, value = "harmonic-share" } },
  { name = "rest", published = "rest", take = { kind = "history", run = "run", analysis = "start", time = 0.0 } },
  { name = "lag", published = "lag", take = { kind = "curve", run = "run", analysis = "phase", point = "last", value = "phase" } },
  { name = "answer", published = "answer", absolute = 1e-3, take = { kind = "history", run = "run", analysis = "steady", value = "steady-amplitude" } },
  { name = "angle", published = "angle", absolute = 1e-2, take = { kind = "history", run = "run", analysis = "steady", value = "steady-phase" } },
  { name = "spring", published = "spring", absolute = 1e-3, take = { kind = "cycle", run = "run", analysis = "steady", at = "steady", value = "largest-force" } },
]
)";
  const CaseFolder folder(text, values);
  folder.scratch.write("slider/oscillator.toml", study);
  for (const QuantityOutcome& outcome : folder.run().quantities) {
    INFO(outcome.quantity.name << ": " << outcome.computed << " " << outcome.message);
    CHECK(outcome.verdict == Verdict::reproduced);
  }
}

TEST_CASE("a null test is told beside what was computed", "[io][validation]") {
  const std::string series = quantity("reason = \"test\"\nseries = \"areas\"\nat = 1", "reason");
  const std::string null = "[[null_test]]\nname = \"a guess\"\nhow = \"by eye\"\nseries = \"areas\"\n";
  const CaseOutcome outcome = CaseFolder(head + series + null + "values = [0.43]\n").run();
  const NullOutcome told = null_outcome(outcome.source.null_tests.front(), outcome.quantities);
  CHECK(told.null_difference == Approx(0.03));
  CHECK(told.computed_difference == Approx(std::abs(outcome.quantities.front().difference)).margin(1e-15));
  CHECK_THAT(validation_table({outcome}), Contains("null test on areas, a guess: largest difference 0.03 mJ"));
  CHECK_THAT(validation_json({outcome}, "1"), Contains("\"null_difference\": 0.02"));
  CHECK_THAT(message_of(head + series + null + "values = [1.0, 2.0]\n"), Contains("one value for each of the 1"));
  CHECK_THAT(message_of(head + quantity() + null + "values = [1.0]\n"), Contains("is the series of no quantity"));
}

TEST_CASE("what runs cost is told, and fails no case", "[io][validation]") {
  const std::string cost = "[[cost]]\nname = \"a loop\"\nreference = \"fine\"\n";
  const CaseOutcome outcome =
      CaseFolder(head + quantity() + cost + "runs = [\"coarse\"]\npublished = [\"unused\"]\n").run();
  REQUIRE(outcome.source.costs.size() == 1);
  CHECK(outcome.source.not_compared.size() == 1);  // W_wrong; "unused" is told beside the cost
  const CostOutcome told = cost_outcome(outcome.source.costs.front(), outcome.runs);
  CHECK(told.reference > 0.0);
  CHECK(told.costs == std::vector<double>{outcome.runs.front().processor_seconds});
  CHECK(told.factor(0) == Approx(outcome.runs.back().processor_seconds / outcome.runs.front().processor_seconds));
  CHECK_THAT(validation_table({outcome}),
             Contains("cost of a loop: fine ") && Contains(" times ") && Contains(" (published 3)"));
  std::vector<RunOutcome> dearer = outcome.runs;
  dearer.front().processor_seconds = 4.0 * dearer.back().processor_seconds;
  CaseOutcome slow = outcome;
  slow.runs = dearer;
  CHECK_THAT(validation_table({slow}), Contains("4 times more (published 3)"));
  CHECK_THAT(validation_json({outcome}, "1"), Contains("\"costs\": [\n") && Contains("\"reference\": \"fine\""));
  CHECK_THAT(validation_html({outcome}, "1"),
             Contains("Cost (processor time; it does not decide whether the case is accepted)"));

  std::vector<RunOutcome> failed = outcome.runs;
  failed.front().complete = false;
  CHECK(std::isnan(cost_outcome(outcome.source.costs.front(), failed).costs.front()));
  CHECK_THAT(message_of(head + quantity() + cost + "runs = [\"corse\"]\n"), Contains("Did you mean 'coarse'"));
  CHECK_THAT(message_of(head + quantity() + cost + "runs = [\"coarse\"]\npublished = [\"W\", \"W\"]\n"),
             Contains("one id for each of `runs`"));
  CHECK_THAT(message_of(head + quantity() + cost + "runs = [\"coarse\"]\nwhy = [\"a\", \"b\"]\n"),
             Contains("one text for each of `runs`"));
  CHECK_THAT(message_of(head + quantity() + cost + "runs = [\"coarse\"]\nclaims = [\"\", \"reproduced\"]\n"),
             Contains("claims") && Contains("one text for each of `runs`"));
  CHECK_THAT(message_of(head + quantity() + cost + "runs = [\"coarse\"]\nclaims = [\"faster\"]\n"), Contains("claims"));
}

TEST_CASE("a published factor of costs has a verdict by its own band", "[io][validation]") {
  CaseOutcome outcome = CaseFolder(head + quantity() +
                                   "[[cost]]\nname = \"a loop\"\nreference = \"fine\"\nruns = [\"coarse\"]\n"
                                   "published = [\"unused\"]\nreason = \"a guess\"\nwhy = [\"it is slow\"]\n")
                            .run();
  const CostComparison& comparison = outcome.source.costs.front();  // published: 3, within a factor of 2
  const auto verdict = [&](double factor) {
    outcome.runs.front().processor_seconds = 1.0;
    outcome.runs.back().processor_seconds = factor;
    return cost_outcome(comparison, outcome.runs).verdict(comparison, 0);
  };
  CHECK(verdict(3.4) == Verdict::reproduced);
  CHECK(verdict(5.9) == Verdict::reproduced);
  CHECK(verdict(1.4) == Verdict::not_reproduced);
  CHECK(verdict(6.1) == Verdict::not_reproduced);
  CHECK(outcome.accepted());
  CHECK_THAT(validation_table({outcome}), Contains("cost of a loop: fine over coarse") && Contains("factor 2") &&
                                              Contains("Costs: 1 not reproduced; these do not count"));
  CHECK_THAT(validation_json({outcome}, "1"), Contains("\"verdict\": \"not reproduced\", \"why\": \"it is slow\""));
  CHECK_THAT(validation_html({outcome}, "1"), Contains("within 2 times: a guess") && Contains("coarse: it is slow"));
  // On the other side than claimed: undecided while times may scatter about the bound.
  outcome.source.costs.front().claims = {Claim::reproduced};
  CHECK(verdict(5.9) == Verdict::reproduced);
  CHECK(verdict(8.9) == Verdict::undecided);
  CHECK(verdict(9.1) == Verdict::not_reproduced);
  outcome.source.costs.front().claims = {Claim::not_reproduced};
  CHECK(verdict(6.1) == Verdict::not_reproduced);
  CHECK(verdict(4.1) == Verdict::undecided);
  CHECK(verdict(3.9) == Verdict::reproduced);
  outcome.source.costs.front().claims = {Claim::undecided};
  CHECK(verdict(3.0) == Verdict::undecided);
  outcome.runs.front().complete = false;
  CHECK(cost_outcome(comparison, outcome.runs).verdict(comparison, 0) == Verdict::not_computed);
  CHECK(outcome.accepted());
}

// In gross slip with one harmonic a Jenkins element dissipates 4 f (X − f/k) a cycle.
TEST_CASE("the energy of joints is taken from a curve", "[io][validation]") {
  const std::string study = R"(structure = { kind = "oscillator", mass = 1.0, stiffness = 4e4, damping_ratio = 0.01 }
excitation = { at = "x", force = 20.0 }
harmonic_balance = { harmonics = [1] }
[[joint]]
name = "slider"
law = "jenkins"
stiffness = 1e6
slip_force = 10
direction = { x = 1.0 }
[[analysis]]
kind = "frequency-response"
from = 30.0
to = 31.0
)";
  const std::string runs = R"(title = "A slider"
publication = "A. Author, 2020"
[[run]]
name = "run"
study = "oscillator.toml"
command = "run"
[[run]]
name = "more"
study = "oscillator.toml"
command = "run"
set = ["harmonic_balance.samples=2048"]
[[quantity]]
name = "energy"
verify = { run = "more" }
verified_how = "more samples"
relative = 1.0
reason = "read below"
claim = "reproduced"
each = [
  { name = "joint", published = "W", take = { kind = "curve", run = "run", point = "last", value = "joint-energy" } },
  { name = "motion", published = "X", take = { kind = "curve", run = "run", point = "last", value = "amplitude" } },
]
)";
  const std::string figures =
      "[[figure]]\nkind = \"cycles\"\ntitle = \"Loops\"\nruns = [\"run\", \"more\"]\nat = \"last\"\nlabels = [\"first "
      "of "
      "two\"]\ncentred = true\n[[figure]]\nkind = \"cycles\"\ntitle = \"Normal\"\nruns = [\"run\"]\nat = "
      "\"last\"\ninput = 2\n";
  const CaseFolder folder(runs + figures,
                          "id,value,unit,origin,source,note\nW,1,J,evaluated,here,\nX,1,m,evaluated,here,\n");
  folder.scratch.write("slider/oscillator.toml", study);
  const CaseOutcome outcome = folder.run();
  const double energy = outcome.quantities.front().computed, amplitude = outcome.quantities.back().computed;
  CHECK(amplitude > 1e-4);                                                       // ten times the limit of stick
  CHECK(energy == Approx(4.0 * 10.0 * (amplitude - 10.0 / 1e6)).epsilon(1e-9));  // events are located: rounding only
  CHECK_THAT(outcome.figures[0].svg, Contains("first of two") && Contains(">more<") && !Contains(">run<"));
  CHECK_THAT(outcome.figures[1].caption, Contains("not drawn, the joint has 1 relative motions, not 2"));
}

TEST_CASE("the folder of cases", "[io][validation]") {
  const CaseFolder folder(head + quantity());
  CHECK(validation_cases(folder.scratch.path().string()) == std::vector<std::string>{"slider"});
  CHECK_THROWS_WITH(validation_cases(folder.scratch.file("none")), Contains("--folder names"));
  CHECK_THROWS_WITH(validation_cases(folder.path()), Contains("no subfolder has a case.toml"));
}
