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

BalanceOptions read_balance(StudyDocument& document) {
  const OptionValues values = completed(document, "harmonic_balance");
  BalanceOptions balance;
  balance.harmonics = read_harmonics(values);
  balance.samples = read_samples(values, balance.harmonics.back());
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

SparseMatrix all_directions(const Model& model) {
  std::vector<Eigen::Triplet<double>> entries;
  Index column = 0;
  for (const Joint& joint : model.joints) {
    for (Index j = 0; j < joint.directions.cols(); ++j, ++column) {
      for (SparseMatrix::InnerIterator it(joint.directions, j); it; ++it)
        entries.emplace_back(it.row(), column, it.value());
    }
  }
  SparseMatrix directions(model.structure->size(), column);
  directions.setFromTriplets(entries.begin(), entries.end());
  return directions;
}

SolverPart read_solver(StudyDocument& document, const Model& model) {
  SolverPart solver{read_balance(document), read_newton(document), read_continuation(document)};
  check_loads(document, model, solver.balance.harmonics);
  check_static(document, model, solver.balance.harmonics);
  return solver;
}

}  // namespace masing::detail
