// What a validation tells beside its table: reasons, assumptions, what a figure calls published values; and mistakes in the studies of a
// case.
#include "masing/io/detail/wrapped_text.hpp"
#include "masing/io/validation.hpp"
#include "support/slider_case.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>

using namespace masing;
using namespace masing::test;
using Catch::Matchers::Contains;

namespace {

QuantityOutcome judged(const std::string& name, Verdict verdict, const std::string& why) {
  QuantityOutcome outcome;
  outcome.quantity.name = name;
  outcome.quantity.why = why;
  outcome.verdict = verdict;
  return outcome;
}

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("below the table each reason stands once, with its rows", "[io][validation]") {
  CaseOutcome one;
  one.source.name = "slider";
  one.quantities = {judged("area, 3 × 7, small", Verdict::not_reproduced, "too few elements"),
                    judged("area, 3 × 7, large", Verdict::not_reproduced, "too few elements"),
                    judged("area, 7 × 3, small", Verdict::not_reproduced, "too few elements"),
                    judged("frequency", Verdict::calibrated, "the length was chosen on it"),
                    judged("energy", Verdict::reproduced, "")};
  const std::string text = validation_table({one});
  CHECK_THAT(text, Contains("Why, and on which data what is calibrated was chosen:\n\nslider\n"
                            "  not reproduced: too few elements\n"
                            "      area, 3 × 7, small; large; 7 × 3, small\n"
                            "  calibrated: the length was chosen on it\n"
                            "      frequency\n"));
  CHECK(count_of(text, "too few elements") == 1);
  one.quantities = {judged("energy", Verdict::reproduced, "")};
  CHECK_THAT(validation_table({one}), !Contains("Why, and"));
}

TEST_CASE("below the table the reason of a cost stands, if its factor is published", "[io][validation]") {
  const CaseOutcome outcome = CaseFolder(head + quantity() +
                                         "[[cost]]\nname = \"a loop\"\nreference = \"fine\"\nruns = [\"coarse\"]\n"
                                         "published = [\"unused\"]\nwhy = [\"files are written\"]\n")
                                  .run();
  CHECK_THAT(validation_table({outcome}),
             Contains(": files are written\n") && Contains("\n      cost of a loop, coarse\n"));
}

TEST_CASE("long reasons are wrapped, by characters and not by bytes", "[io][validation]") {
  std::string long_text;
  for (int i = 0; i < 40; ++i) long_text += "µµµµµ ";
  const std::string text = detail::wrapped(long_text, 4);
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, detail::width_of(line));
  CHECK(widest == 99);  // 4 blanks, 16 words of 5 letters, 15 blanks between them
  CHECK(detail::wrapped("one\ntwo", 2) == "  one\n  two\n");
}

TEST_CASE("the JSON has assumptions and inconsistencies", "[io][validation]") {
  const std::string told = "assumptions = [\"no mass\"]\ninconsistencies = [\"says \\\"two\\\"\"]\n";
  const CaseOutcome outcome = CaseFolder(told + head + quantity()).run();
  CHECK_THAT(validation_json({outcome}, "1"), Contains("\"assumptions\": [\n       \"no mass\"\n     ]") &&
                                                  Contains("\"inconsistencies\": [\n       \"says \\\"two\\\"\""));
  const CaseOutcome plain = CaseFolder(head + quantity()).run();
  CHECK_THAT(validation_json({plain}, "1"), Contains("\"assumptions\": []"));
}

TEST_CASE("a wrong study or replaced value is told with the place in the case", "[io][validation]") {
  const auto run = [](const std::string& study, const std::string& set) {
    return message_of(head + "[[run]]\nname = \"x\"\nstudy = \"" + study + "\"\ncommand = \"loop\"\n" + set +
                      quantity());
  };
  CHECK_THAT(run("slyder.toml", ""),
             Contains("case.toml:14: run 'x': study = \"slyder.toml\" is not a file in the folder of the case. Did you "
                      "mean 'slider.toml'?"));
  const std::string wrong = run("slider.toml", "set = [\"loop.swep.samples=8000\"]\n");
  CHECK_THAT(wrong, Contains("case.toml:16: run 'x': set: loop.swep.samples=8000: ") && Contains("'swep'"));
  CHECK_THAT(wrong, !Contains("--set "));
  CHECK_THAT(run("slider.toml", "set = [\"joint.0.stiffness=-1\"]\n"),
             Contains("case.toml:16: run 'x': set: joint.0.stiffness=-1") && Contains("must be > 0"));
  CHECK_THAT(run("slider.toml", "modes = 0\n"), Contains("run 'x': modes = 0"));
  // What is wrong in the study itself.
  const CaseFolder folder(head + quantity());
  folder.scratch.write("slider/slider.toml", "[[joint]]\nlaw = \"jenkin\"\n");
  CHECK_THROWS_WITH(read_validation_case(folder.path()),
                    Contains("case.toml:5: run 'coarse': study: ") && Contains("slider.toml:2"));
}

TEST_CASE("far behind its bound a numerical error as large as the acceptance decides nothing", "[io][validation]") {
  QuantityOutcome outcome;
  outcome.quantity.published.value = 1.2;
  outcome.quantity.compare = "at-least";
  outcome.quantity.acceptance = 0.1;
  outcome.computed = 4.2;
  outcome.numerical_error = 0.15;  // a twentieth of the way to the bound
  judge(outcome);
  CHECK(outcome.verdict == Verdict::reproduced);
  outcome.computed = 1.12;  // beyond the bound, within the acceptance, by less than the error
  outcome.numerical_error = 0.03;
  judge(outcome);
  CHECK(outcome.verdict == Verdict::unverified);
}

TEST_CASE("a series names what is published by its origin, draws it once, and the null tests", "[io][validation]") {
  const std::string series = quantity("reason = \"test\"\nseries = \"areas\"\nat = 1", "reason");
  const std::string again = quantity("reason = \"test\"\nseries = \"areas again\"\nat = 1", "reason");
  const std::string figure =
      "[[null_test]]\nname = \"a guess\"\nhow = \"by eye\"\nseries = \"areas\"\nvalues = [0.43]\n"
      "[[figure]]\nkind = \"series\"\ntitle = \"Areas\"\nseries = [\"areas\", \"areas again\"]\nx_label = "
      "\"x\"\ny_label = \"y\"\n";
  const CaseOutcome outcome = CaseFolder(head + series + again + figure).run();
  const std::string& svg = outcome.figures.front().svg;
  CHECK_THAT(svg, Contains("areas, computed") && Contains("areas again, computed"));
  CHECK(count_of(svg, ">evaluated from printed equations<") == 1);
  CHECK(count_of(svg, "energy: evaluated from printed equations 0.4 mJ") == 1);
  CHECK(count_of(svg, ">null test: a guess<") == 1);
}

TEST_CASE("loops of a model without dimensions have no units", "[io][validation]") {
  const std::string figure = "[[figure]]\nkind = \"loops\"\ntitle = \"Loop\"\nruns = [\"coarse\"]\n";
  const CaseOutcome outcome = CaseFolder(head + quantity() + figure + figure + "dimensionless = true\n").run();
  CHECK_THAT(outcome.figures[0].svg, Contains("force (N)") && Contains(" m)<"));
  CHECK_THAT(outcome.figures[1].svg, Contains(">force<") && !Contains("(N)") && !Contains(" m)<"));
}

TEST_CASE("the loop of a joint through a transient is drawn", "[io][validation]") {
  const std::string figure =
      "[[run]]\nname = \"time\"\nstudy = \"time.toml\"\ncommand = \"run\"\n"
      "[[figure]]\nkind = \"history-loops\"\ntitle = \"In time\"\nruns = [\"time\"]\njoint = \"slider\"\n"
      "[[figure]]\nkind = \"history-loops\"\ntitle = \"None\"\nruns = [\"time\"]\njoint = \"slyder\"\n";
  const CaseFolder folder(head + quantity() + figure);
  folder.scratch.write(
      "slider/time.toml",
      "structure = { kind = \"oscillator\", mass = 1.0, stiffness = 4e4, damping_ratio = 0.01 }\n"
      "excitation = { at = \"x\", force = 20.0 }\n"
      "[[joint]]\nname = \"slider\"\nlaw = \"jenkins\"\nstiffness = 1e6\nslip_force = 10\n"
      "direction = { x = 1.0 }\n[[analysis]]\nkind = \"transient\"\nfrequency = 30.0\nduration = 0.1\n");
  const CaseOutcome outcome = folder.run();
  CHECK_THAT(outcome.figures[0].svg, Contains("In time") && Contains("class=\"curve\"") && Contains("joint force"));
  CHECK_THAT(outcome.figures[1].caption, Contains("None: not drawn, run 'time' stores no joint 'slyder'."));
}
