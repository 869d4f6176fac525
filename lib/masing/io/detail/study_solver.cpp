// [harmonic_balance], [newton], [continuation]
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/study_parts.hpp"
#include "masing/io/study_schema.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace masing::detail {
namespace {

/// Sets with more would not fit in memory long before.
constexpr long largest_harmonic = 100000;

OptionValues completed(StudyDocument& document, const std::string& section) {
  OptionValues values = table_of(document, section);
  values.complete(find_section(section)->table);
  document.sections.push_back({section, values});
  return values;
}

std::vector<int> read_harmonics(const OptionValues& values) {
  std::vector<long> written = values.integers("harmonics");
  const bool highest_only = std::holds_alternative<long>(values.at("harmonics"));
  if (written.empty()) values.reject("harmonics", "must have at least one harmonic.");
  if (written.back() > largest_harmonic) values.reject("harmonics", fmt::format("must be <= {}.", largest_harmonic));
  if (highest_only) {
    for (long k = written.front(); k > 0; --k) written.insert(written.begin(), k - 1);
  }
  const bool ascending = std::adjacent_find(written.begin(), written.end(), std::greater_equal<>()) == written.end();
  if (!ascending) values.reject("harmonics", "must be in ascending order without repetition.");
  if (written.back() == 0) values.reject("harmonics", "must have a harmonic above 0.");
  return {written.begin(), written.end()};
}

Index read_samples(const OptionValues& values, int highest) {
  constexpr unsigned long fewest = 256;
  if (!values.has("samples")) return static_cast<Index>(std::bit_ceil(std::max(fewest, 8UL * highest)));
  const long samples = values.integer("samples");
  if (samples <= 2L * highest) {
    values.reject("samples", fmt::format("must be more than twice the highest harmonic ({}): at least {}; joints with "
                                         "friction or gaps need {} or more.",
                                         highest, 2 * highest + 1, std::bit_ceil(16UL * highest)));
  }
  return samples;
}

bool is_adaptive(const OptionValues& values) {
  const OptionValue& written = values.at("harmonics");
  return std::holds_alternative<std::string>(written) || std::holds_alternative<std::vector<OptionValues>>(written);
}

/// "adaptive", or a table.
void read_adaptive(const OptionValues& values, BalanceOptions& balance) {
  constexpr long fewest = 256;
  constexpr unsigned long for_the_highest = 16;
  OptionValues table;
  if (std::holds_alternative<std::string>(values.at("harmonics"))) {
    table.complete(adaptive_harmonics_table());
  } else {
    table = values.table("harmonics");
  }
  AdaptiveHarmonics adaptive;
  adaptive.tolerance = table.number("tolerance");
  adaptive.force_tolerance = table.number("force_tolerance");
  adaptive.least = static_cast<int>(table.integer("least"));
  adaptive.leave_out_even = table.boolean("leave_out_even");
  adaptive.samples = values.has("samples") ? values.integer("samples") : fewest;
  const long most = table.integer("most");
  if (most < adaptive.least) table.reject("most", fmt::format("must be >= least = {}.", adaptive.least));
  balance.harmonics = HarmonicSet::up_to(static_cast<int>(most)).harmonics();
  const auto wanted = std::bit_ceil(for_the_highest * static_cast<unsigned long>(most));
  balance.samples = std::max(adaptive.samples, static_cast<Index>(wanted));
  balance.adaptive = adaptive;
}

BalanceOptions read_balance(StudyDocument& document) {
  const OptionValues values = completed(document, "harmonic_balance");
  BalanceOptions balance;
  if (is_adaptive(values)) {
    read_adaptive(values, balance);
  } else {
    balance.harmonics = read_harmonics(values);
    balance.samples = read_samples(values, balance.harmonics.back());
  }
  balance.events = values.text("events") == "sampled" ? Events::sampled : Events::located;
  balance.cycle.max_cycles = static_cast<int>(values.integer("max_cycles"));
  balance.cycle.closure_tolerance = values.number("closure_tolerance");
  return balance;
}

NewtonOptions read_newton(StudyDocument& document) {
  const OptionValues values = completed(document, "newton");
  NewtonOptions newton;
  newton.residual_tolerance = values.number("residual_tolerance");
  newton.step_tolerance = values.number("step_tolerance");
  newton.max_iterations = static_cast<int>(values.integer("max_iterations"));
  newton.line_search = values.boolean("line_search");
  newton.jacobian_every = static_cast<int>(values.integer("jacobian_every"));
  return newton;
}

ContinuationOptions read_continuation(StudyDocument& document) {
  const OptionValues values = completed(document, "continuation");
  ContinuationOptions options;
  options.parametrisation =
      values.text("parametrisation") == "natural" ? Parametrisation::natural : Parametrisation::arc_length;
  for (const Predictor predictor : {Predictor::tangent, Predictor::secant, Predictor::cubic}) {
    if (values.text("predictor") == to_string(predictor)) options.predictor = predictor;
  }
  options.step.minimum = values.number("step_minimum");
  options.step.maximum = values.number("step_maximum");
  options.step.initial =
      values.has("step_initial") ? values.number("step_initial") : std::min(options.step.initial, options.step.maximum);
  options.step.target_iterations = static_cast<int>(values.integer("target_iterations"));
  options.step.maximum_angle = values.number("maximum_angle");
  options.max_points = static_cast<int>(values.integer("max_points"));
  options.max_iterations = static_cast<int>(values.integer("max_iterations"));
  options.event_tolerance = values.number("event_tolerance");
  options.locate_folds = values.boolean("locate_folds");
  if (options.step.initial > options.step.maximum) {
    values.reject("step_initial", fmt::format("must be <= step_maximum = {}.", options.step.maximum));
  }
  if (options.step.minimum > options.step.initial) {
    values.reject("step_minimum", fmt::format("must be <= the first step, {}.", options.step.initial));
  }
  return options;
}

/// Every load must have its harmonic in the set, else it would be ignored.
void check_loads(const StudyDocument& document, const Model& model, const std::vector<int>& harmonics) {
  const std::vector<OptionValues> tables = tables_of(document, "excitation");
  for (std::size_t i = 0; i < model.loads.size(); ++i) {
    const int k = model.loads[i].harmonic;
    const bool there = std::find(harmonics.begin(), harmonics.end(), k) != harmonics.end();
    require(there, "{}: excitation: {} acts in harmonic {}, which is not among the harmonics of [harmonic_balance].",
            i < tables.size() ? tables[i].where("") : document.root.where("joint"), model.loads[i].name, k);
  }
}

/// A quadratic motion brings a mean and a second harmonic, and the joint feels up to twice the highest one.
void check_quadratic(const StudyDocument& document, const Model& model, const BalanceOptions& balance) {
  if (!any_quadratic(model.joints)) return;
  const OptionValues values = table_of(document, "harmonic_balance");
  for (const int k : {0, 2}) {
    const bool there = std::find(balance.harmonics.begin(), balance.harmonics.end(), k) != balance.harmonics.end();
    require(
        there,
        "{}: harmonic_balance: harmonics must contain 0 and 2: the shortening of a joint is quadratic in the motion "
        "and brings a mean and a second harmonic. Write the highest harmonic alone for all of 0 … H.",
        values.where("harmonics"));
  }
  const long highest = balance.harmonics.back();
  require(balance.samples > 4 * highest,
          "{}: harmonic_balance: samples = {} must be more than four times the highest harmonic ({}), at least {}: a "
          "joint with shortening feels twice that harmonic.",
          values.where("samples"), balance.samples, highest, 4 * highest + 1);
}

/// With harmonic 0 in the set, what the joints do not hold must stand on its own.
void check_static(const StudyDocument& document, const Model& model, const std::vector<int>& harmonics) {
  if (harmonics.front() != 0) return;
  try {
    model.structure->condense(interface_basis(all_directions(model)))->set_frequency(0.0);
  } catch (const NumericalError& error) {
    throw ModelError(
        fmt::format("{}: structure: {}", tables_of(document, "structure").front().where(""), error.what()));
  }
}

}  // namespace

SparseMatrix all_directions(const Model& model) { return felt_directions(model.joints, model.structure->size()); }

SolverPart read_solver(StudyDocument& document, const Model& model) {
  SolverPart solver{read_balance(document), read_newton(document), read_continuation(document)};
  check_loads(document, model, solver.balance.harmonics);
  check_quadratic(document, model, solver.balance);
  check_static(document, model, solver.balance.harmonics);
  return solver;
}

}  // namespace masing::detail
