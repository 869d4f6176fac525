#include "duffing_results.hpp"

#include "masing/core/error.hpp"
#include "masing/io/detail/report_plots.hpp"
#include "masing/io/detail/svg.hpp"
#include "masing/io/report.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <limits>
#include <regex>
#include <sstream>

using namespace masing;
using namespace masing::test;
using Catch::Matchers::Contains;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

// Every element is closed, in the right order.
bool well_formed(const std::string& xml) {
  static const std::regex tag(R"re(<(/?)([A-Za-z]+)((?:[^<>"]|"[^"<>]*")*?)(/?)>)re");
  std::vector<std::string> open;
  std::string between;
  auto from = xml.cbegin();
  for (std::smatch match; std::regex_search(from, xml.cend(), match, tag); from = match.suffix().first) {
    between += match.prefix();
    if (match[1].length() == 0 && match[4].length() == 0) open.push_back(match[2]);
    if (match[1].length() == 0) continue;
    if (open.empty() || open.back() != match[2]) return false;
    open.pop_back();
  }
  return open.empty() && between.find_first_of("<>") == std::string::npos;
}

std::string attribute(const std::string& text, const std::string& name) {
  std::smatch match;
  const std::regex pattern(" " + name + "=\"([^\"]*)\"");
  return std::regex_search(text, match, pattern) ? match[1].str() : "";
}

std::vector<double> numbers(const std::string& text) {
  std::vector<double> values;
  static const std::regex number(R"(-?\d+\.?\d*(?:e[-+]?\d+)?)");
  for (std::sregex_iterator i(text.begin(), text.end(), number), end; i != end; ++i)
    values.push_back(std::stod(i->str()));
  return values;
}

std::string read_file(const std::string& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("round ticks are inside, evenly spaced and about as many as wanted") {
  const auto ticks = svg::round_ticks(0.0867, 0.361, 8);
  REQUIRE(ticks.size() >= 4);
  CHECK(ticks.size() <= 16);
  CHECK(ticks.front() >= 0.0867);
  CHECK(ticks.back() <= 0.361);
  const double rounding = 1e-12;  // of sums of ticks of order one
  for (std::size_t i = 1; i < ticks.size(); ++i)
    CHECK(ticks[i] - ticks[i - 1] == Approx(ticks[1] - ticks[0]).margin(rounding));
  CHECK(svg::round_ticks(0.0, 1.0, 5) == std::vector<double>{0.0, 0.2, 0.4, 0.2 * 3, 0.8, 1.0});
  CHECK(svg::round_ticks(3.0, 3.0, 5) == std::vector<double>{3.0});
  CHECK(svg::round_ticks(180.0, 180.0 + 3e-14, 6).size() == 1);  // a constant but for rounding
  CHECK(svg::decade_ticks(0.5, 2000.0).size() == 4);
  CHECK(svg::decade_ticks(1.5, 6.0).size() == 2);
}

TEST_CASE("text of users cannot become markup") {
  CHECK(svg::escape("<b> & \"x\" 'y'") == "&lt;b&gt; &amp; &quot;x&quot; &#39;y&#39;");
  Results results = duffing_results();
  const std::string attack = "<script>alert(1)</script>";
  results.metadata.title = results.metadata.study_text = results.summary = attack;
  results.metadata.overrides = {attack};
  results.analyses[0].name = results.analyses[1].histories[0].message = attack;
  for (StoredBranch& branch : results.analyses[0].branches) {
    branch.header.observables[0].name = branch.header.level_unit = branch.header.kept_motions[0] = attack;
    branch.end.stop = branch.end.message = branch.end.resonances[0].note = branch.end.resonances[0].observable = attack;
  }
  results.analyses[1].histories[0].joint_forces[0] = attack;
  const std::string page = report_html(results);
  CHECK(page.find(attack) == std::string::npos);
  CHECK(count(page, "<script") == 1);
  CHECK(well_formed(response_svg(results)));
}

TEST_CASE("the page is self-contained and tells everything") {
  const std::string page = report_html(duffing_results());
  const std::string name_space = "http://www.w3.org/2000/svg";
  CHECK(count(page, "http") == count(page, name_space));
  for (const char* loader : {"src=", "href=", "@import", "url(", "fetch("})
    CHECK(page.find(loader) == std::string::npos);
  for (const char* part : {"Duffing &lt;oscillator&gt; &amp; friends", "0.1 N", "0.3 N", "joint.0.slip_force=0.3",
                           "the curve is folded: no half-power bandwidth", "reached the end", "Steady after 4 periods.",
                           "joint support.1", "first-harmonic amplitude (m)", "phase (°)", "2 branches", "Folds"})
    CHECK_THAT(page, Contains(part));
  CHECK(count(page, "<svg") == count(page, "</svg>"));
}

TEST_CASE("points of the picture are the points of the curve") {
  const Results results = duffing_results();
  for (const bool logarithmic : {false, true}) {
    const std::string picture = response_svg(results, {.analysis = {}, .observable = {}, .logarithmic = logarithmic});
    REQUIRE(well_formed(picture));
    const std::vector<double> x = numbers(attribute(picture, "data-x")), y = numbers(attribute(picture, "data-y"));
    const double left = std::stod(attribute(picture, "data-left")), top = std::stod(attribute(picture, "data-top"));
    const double width = std::stod(attribute(picture, "data-width")),
                 height = std::stod(attribute(picture, "data-height"));
    const std::size_t start = picture.find("<path class=\"curve\"");
    const std::vector<double> path = numbers(attribute(picture.substr(start, picture.find("/>", start) - start), "d"));
    const auto& points = results.analyses[0].branches[0].points;
    REQUIRE(path.size() == 2 * points.size());
    const double pixel = 0.01;  // coordinates are written with two decimals
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double amplitude = points[i].observations[0].amplitude[1];
      const double share =
          logarithmic ? std::log(amplitude / y[0]) / std::log(y[1] / y[0]) : (amplitude - y[0]) / (y[1] - y[0]);
      CHECK(path[2 * i] == Approx(left + width * (points[i].frequency - x[0]) / (x[1] - x[0])).margin(pixel));
      CHECK(path[2 * i + 1] == Approx(top + height * (1.0 - share)).margin(pixel));
    }
  }
}

TEST_CASE("a phase that is a convention is not drawn") {
  StoredAnalysis analysis{.name = "free", .branches = {duffing_branch(0, 0.2)}, .histories = {}};
  CHECK(detail::varies(detail::phase_plot(analysis, 0), 1e-6));
  // Of a free motion the phase of the first harmonic is zero, but for rounding.
  double sign = 1.0;
  for (ResponsePoint& point : analysis.branches[0].points) {
    for (Observation& seen : point.observations) seen.phase[1] = (sign = -sign) * 1e-26;
  }
  CHECK_FALSE(detail::varies(detail::phase_plot(analysis, 0), 1e-6));
}

TEST_CASE("peaks and folds are marked once each") {
  const Results results = duffing_results();
  std::size_t folds = 0, peaks = 0;
  for (const StoredBranch& branch : results.analyses[0].branches)
    for (const SpecialPoint& special : branch.special_points) ++(special.kind == "fold" ? folds : peaks);
  const std::string picture = response_svg(results);
  CHECK(folds == 4);
  CHECK(count(picture, "<title>fold, ") == folds);
  CHECK(count(picture, "<title>peak, ") == peaks);
  CHECK(count(response_svg(results, {.analysis = "levels", .observable = "tip speed"}), "<title>peak, ") == 0);
}

TEST_CASE("small numbers get a power of ten in the label, gaps break the line") {
  svg::Plot plot{.title = "t", .x_label = "x", .x_unit = "", .y_label = "y", .y_unit = "m", .curves = {}, .marks = {}};
  const double gap = std::numeric_limits<double>::quiet_NaN();
  plot.curves.push_back({.label = "", .x = {0.0, 1.0, 2.0, 3.0, 4.0}, .y = {1e-6, 2e-6, gap, 3e-6, 4e-6}});
  const std::string picture = svg::draw(plot);
  CHECK_THAT(picture, Contains("y (10⁻⁶ m)"));
  const std::size_t start = picture.find("<path class=\"curve\"");
  CHECK(count(attribute(picture.substr(start, picture.find("/>", start) - start), "d"), "M") == 2);
  plot.curves.clear();
  CHECK(well_formed(svg::draw(plot)));
  plot.curves.push_back({.label = "zero", .x = {1.0}, .y = {0.0}});
  plot.logarithmic = true;
  CHECK(well_formed(svg::draw(plot)));
  CHECK(svg::draw(plot).find("nan") == std::string::npos);
}

TEST_CASE("a harmonic set that is too small draws a warning") {
  Results results = duffing_results();
  for (StoredBranch& branch : results.analyses[0].branches)
    for (ResponsePoint& point : branch.points) point.truncation = 0.5 * truncation_warning;
  CHECK(report_html(results).find("card warn") == std::string::npos);
  results.analyses[0].branches[1].points[3].truncation = 0.02;
  CHECK_THAT(report_html(results), Contains("At level 0.3 N the last two harmonics hold up to 0.02 of the amplitude"));
}

TEST_CASE("incomplete results still make a page") {
  CHECK_THAT(report_html({}), Contains("There are no results yet."));
  Results results = duffing_results();
  for (StoredBranch& branch : results.analyses[0].branches) {
    branch.points.clear();
    branch.special_points.clear();
  }
  results.analyses[1].histories[0] = {};
  const std::string page = report_html(results);
  CHECK_FALSE(std::regex_search(page, std::regex(R"(\bnan\b)")));
  results.analyses[0].branches[0].header.observables.clear();
  CHECK_THAT(report_html(results), Contains("reached the end"));
}

TEST_CASE("report and picture are written, or the reason is said") {
  const TemporaryFolder folder;
  const Results results = duffing_results();
  { send(results.analyses[0].branches[0], *ResultFile::create(folder / "r.h5", results.metadata)); }
  write_report(folder / "r.h5", folder / "r.html");
  CHECK_THAT(read_file(folder / "r.html"), Contains("</html>"));
  write_svg(results, folder / "r.svg");
  CHECK(read_file(folder / "r.svg") == response_svg(results));
  CHECK_THROWS_WITH(write_report(results, folder / "no/r.html"),
                    Contains("cannot write '") && Contains("Check that the folder exists"));
  CHECK_THROWS_WITH(response_svg(results, {.analysis = "level", .observable = {}}),
                    Contains("no response curve of an analysis 'level'") && Contains("levels"));
  CHECK_THROWS_WITH(response_svg(results, {.analysis = {}, .observable = "tipp"}),
                    Contains("analysis 'levels' has no observable 'tipp'") && Contains("tip"));
  CHECK_THROWS_WITH(response_svg({}), Contains("there is no response curve to draw"));
}
