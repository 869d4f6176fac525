// masing bench: whole solves, timed. Kernels are timed by tests/bench (Google Benchmark).
#include "bench_models.hpp"
#include "commands.hpp"

#include "masing/analysis/backbone.hpp"
#include "masing/analysis/frequency_response.hpp"
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <memory>
#include <numeric>

namespace masing::app {
namespace {

struct Solve {
  std::string name;
  std::string what;
  std::function<ResponseCurves()> run;
};

struct Timing {
  Index unknowns = 0;
  std::size_t branches = 0;
  std::size_t points = 0;
  int iterations = 0;
  double seconds = 0.0;    ///< fastest repetition
  double processor = 0.0;  ///< [s] of the processor, all threads; the least of the repetitions: other work counts less
  bool complete = false;
};

FrequencyResponseRequest request(double from, double to, std::vector<double> levels, int highest, Index samples) {
  FrequencyResponseRequest request;
  request.from = from;
  request.to = to;
  request.levels = std::move(levels);
  request.balance.harmonics.resize(static_cast<std::size_t>(highest) + 1);
  std::iota(request.balance.harmonics.begin(), request.balance.harmonics.end(), 0);
  request.balance.samples = samples;
  return request;
}

std::vector<Observable> last_coordinate(const Model& model) {
  return {{.name = "last", .coordinate = model.structure->size() - 1, .quantity = Quantity::displacement}};
}

Solve response(const std::string& name, const std::string& what, const Model& model, FrequencyResponseRequest asked) {
  if (name.starts_with("jenkins-chain")) asked.continuation.step.maximum = 0.04;  // about 150 points
  asked.observables = last_coordinate(model);
  asked.threads = static_cast<int>(std::min<std::size_t>(asked.levels.size(), 2));
  return {name, what, [model, asked] { return frequency_response(model, asked); }};
}

/// EPMC of the first mode over the modal amplitudes from … to.
Solve epmc(const std::string& name, const std::string& what, const Model& model, double from, double to) {
  BackboneRequest asked;
  asked.name = name;
  asked.from = from;
  asked.to = to;
  asked.balance = {.harmonics = {1, 3, 5}, .samples = 128};
  asked.observables = last_coordinate(model);
  return {name, what, [model, asked] { return backbone(model, asked); }};
}

/// The same with as many harmonics as each point needs, at most those of `asked`.
FrequencyResponseRequest adaptive(FrequencyResponseRequest asked) {
  asked.balance.adaptive = AdaptiveHarmonics{.samples = asked.balance.samples};
  return asked;
}

std::vector<Solve> solves() {
  return {
      response("duffing", "Duffing, 0.3 N, H = 9, N = 128", duffing_model(), request(0.02, 0.5, {0.3}, 9, 128)),
      response("jenkins-oscillator", "oscillator with one Jenkins element, three levels, H = 9, N = 256",
               jenkins_oscillator_model(), request(0.08, 0.3, {0.02, 0.1, 0.5}, 9, 256)),
      response("jenkins-chain-20", "chain of 20 masses with 20 Jenkins elements, H = 7, N = 128",
               jenkins_chain_model(20), request(60.0, 110.0, {4.0}, 7, 128)),
      response("jenkins-chain-20-adaptive", "the same with adaptive harmonics, at most 15", jenkins_chain_model(20),
               adaptive(request(60.0, 110.0, {4.0}, 15, 128))),
      response("jenkins-chain-20-threads", "the same at two force levels in two threads", jenkins_chain_model(20),
               request(60.0, 110.0, {4.0, 12.0}, 7, 128)),
      epmc("epmc-iwan", "EPMC of an oscillator with an Iwan joint, four decades, 3 harmonics, N = 128",
           iwan_oscillator_model(), 1e-7, 1e-3),
      epmc("epmc-chain-100", "EPMC of a chain with 100 Jenkins elements, four decades, 3 harmonics, N = 128",
           jenkins_chain_model(100), 1e-6, 1e-2),
  };
}

/// Of the balance at this point: fewer than are stored where harmonics are adaptive.
Index unknowns_of(const BranchHeader& header, const ResponsePoint& point) {
  const Index highest = header.find_quantity("highest_harmonic"), count = header.find_quantity("harmonic_count");
  if (highest < 0) return point.coefficients.size();
  const auto harmonics = static_cast<Index>(point.quantities[count]);
  const bool has_mean = point.quantities[count] > point.quantities[highest];
  return static_cast<Index>(header.kept_motions.size()) * (2 * harmonics - (has_mean ? 1 : 0));
}

Timing time_once(const Solve& solve) {
  const std::clock_t processor = std::clock();
  const auto begin = std::chrono::steady_clock::now();
  const ResponseCurves response = solve.run();
  Timing timing;
  timing.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  timing.processor = static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
  timing.complete = response.complete();
  timing.branches = response.branches.size();
  for (const ResponseBranch& branch : response.branches) {
    timing.points += branch.points.size();
    for (const ResponsePoint& point : branch.points) {
      timing.unknowns = std::max(timing.unknowns, unknowns_of(branch.header, point));
      timing.iterations += point.iterations;
    }
  }
  return timing;
}

Timing time_best(const Solve& solve, int repetitions) {
  Timing best = time_once(solve);
  for (int i = 1; i < repetitions; ++i) {
    const Timing again = time_once(solve);
    best.seconds = std::min(best.seconds, again.seconds);
    best.processor = std::min(best.processor, again.processor);
  }
  return best;
}

/// Peak resident memory of this process [MB].
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void print_row(const Solve& solve, const Timing& t) {
  fmt::print("{:26} {:8} {:7} {:10} {:9.3f} {:9.3f} {:9.3f}  {}{}\n", solve.name, t.unknowns, t.points, t.iterations,
             t.seconds, t.processor, 1e3 * t.seconds / static_cast<double>(std::max<std::size_t>(t.points, 1)),
             solve.what, t.complete ? "" : " (INCOMPLETE)");
  std::fflush(stdout);
}

std::string json_row(const Solve& solve, const Timing& t) {
  return fmt::format(
      R"({{"name": "{}", "what": "{}", "unknowns": {}, "branches": {}, "points": {}, "newton_iterations": {}, )"
      R"("seconds": {:.6f}, "processor_seconds": {:.6f}, "complete": {}}})",
      solve.name, solve.what, t.unknowns, t.branches, t.points, t.iterations, t.seconds, t.processor, t.complete);
}

struct BenchOptions {
  bool json = false;
  int repetitions = 3;
  std::vector<std::string> names;  ///< of the solves; empty: all
};

bool is_wanted(const BenchOptions& options, const Solve& solve) {
  return options.names.empty() ||
         std::find(options.names.begin(), options.names.end(), solve.name) != options.names.end();
}

/// Throws when a solve is asked for that does not exist.
void check_names(const BenchOptions& options) {
  std::vector<std::string> known;
  for (const Solve& solve : solves()) known.push_back(solve.name);
  for (const std::string& name : options.names) {
    require(std::find(known.begin(), known.end(), name) != known.end(), "There is no solve '{}'. Known are {}.", name,
            join(known, ", "));
  }
}

void bench(const BenchOptions& options) {
  check_names(options);
  if (!options.json) {
    fmt::print("{:26} {:>8} {:>7} {:>10} {:>9} {:>9} {:>9}\n", "solve", "unknowns", "points", "iterations", "s",
               "CPU s", "ms/point");
  }
  std::string rows;
  bool complete = true;
  for (const Solve& solve : solves()) {
    if (!is_wanted(options, solve)) continue;
    const Timing timing = time_best(solve, options.repetitions);
    complete = complete && timing.complete;
    if (options.json) {
      rows += fmt::format("{}    {}", rows.empty() ? "" : ",\n", json_row(solve, timing));
    } else {
      print_row(solve, timing);
    }
  }
  if (options.json) {
    fmt::print("{{\n  \"version\": \"{}\",\n  \"peak_memory_MB\": {:.1f},\n  \"solves\": [\n{}\n  ]\n}}\n",
               MASING_VERSION, peak_memory(), rows);
  } else {
    fmt::print("peak memory {:.1f} MB; seconds (elapsed, and of the processor) are the least of {}\n", peak_memory(),
               options.repetitions);
  }
  if (!complete) throw NumericalError("A benchmark solve did not reach the end of its range.");
}

}  // namespace

void add_bench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "Time whole solves on this machine.");
  command->add_option("solves", options->names, "Names of the solves; all unless told");
  command->add_flag("--json", options->json, "Print JSON instead of a table");
  command->add_option("--repeat", options->repetitions, "Solve this many times and report the fastest")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->callback([options] { bench(*options); });
}

}  // namespace masing::app
