#include "masing/io/detail/identification_layout.hpp"

#include "masing/core/error.hpp"
#include "masing/io/detail/result_layout.hpp"

#include <limits>

namespace masing::detail {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// One number of every entry of a list.
template <class Entry, class Get>
Vector collected(const std::vector<Entry>& entries, const Get& get) {
  Vector values(static_cast<Index>(entries.size()));
  for (std::size_t i = 0; i < entries.size(); ++i) values[static_cast<Index>(i)] = get(entries[i]);
  return values;
}

template <class Entry>
std::vector<std::string> texts_of(const std::vector<Entry>& entries, std::string Entry::*member) {
  std::vector<std::string> texts;
  for (const Entry& entry : entries) texts.push_back(entry.*member);
  return texts;
}

/// Vectors of the same length as rows.
template <class Entry>
Matrix rows_of(const std::vector<Entry>& entries, Vector Entry::*member, Index columns) {
  Matrix rows(static_cast<Index>(entries.size()), columns);
  for (std::size_t i = 0; i < entries.size(); ++i) rows.row(static_cast<Index>(i)) = (entries[i].*member).transpose();
  return rows;
}

void write_parameters(h5::Group& parent, const Identification& result) {
  h5::Group group = parent.create_group("parameters", "what was sought, an entry a parameter");
  const auto& all = result.parameters;
  const auto write = [&](const std::string& name, const std::string& description, const auto& get) {
    group.write(name, collected(all, get), "SI", description);
  };
  group.write("name", texts_of(all, &FitParameter::name), "names");
  write("start", "where the first start began", [](const FitParameter& p) { return p.start; });
  write("lower", "bound", [](const FitParameter& p) { return p.lower; });
  write("upper", "bound", [](const FitParameter& p) { return p.upper; });
  write("logarithmic", "1: varied by its logarithm",
        [](const FitParameter& p) { return p.scale == ParameterScale::logarithmic ? 1.0 : 0.0; });
  write("prior", "expected before the measurement; NaN: nothing",
        [](const FitParameter& p) { return p.prior ? p.prior->mean : none; });
  write("prior_deviation", "its standard deviation",
        [](const FitParameter& p) { return p.prior ? p.prior->deviation : none; });
  if (!result.fit.usable()) return;
  group.write("value", result.fit.values, "SI", "identified");
  group.write("standard_error", result.fit.standard_errors, "SI", "NaN: on a bound; infinite: not decided");
  Vector bound(static_cast<Index>(result.fit.at_bound.size()));
  for (Index j = 0; j < bound.size(); ++j) bound[j] = result.fit.at_bound[static_cast<std::size_t>(j)] ? 1.0 : 0.0;
  group.write("at_bound", bound, "1", "1: ended on a bound");
  write_rows(group, "correlation", result.fit.correlation, "1", "parameters x parameters");
  if (result.fit.undecided.empty()) return;
  write_rows(group, "undecided",
             rows_of(result.fit.undecided, &UndecidedDirection::direction, result.fit.values.size()), "1",
             "directions x parameters scaled to [0, 1]: combinations that the data leave open");
  group.write("undecided_deviation",
              collected(result.fit.undecided, [](const UndecidedDirection& one) { return one.deviation; }), "1",
              "standard deviation along each, as a share of the range");
}

void write_points(h5::Group& parent, const Identification& result) {
  h5::Group group = parent.create_group("points", "measured and computed numbers, an entry a point");
  const auto& all = result.points;
  group.write("data", texts_of(all, &MeasuredPoint::data), "set that each belongs to");
  const auto write = [&](const std::string& name, const std::string& description, double MeasuredPoint::*member) {
    group.write(name, collected(all, [&](const MeasuredPoint& p) { return p.*member; }), "of the set", description);
  };
  write("at", "abscissa", &MeasuredPoint::at);
  write("measured", "measured", &MeasuredPoint::measured);
  write("deviation", "standard deviation of the measurement", &MeasuredPoint::deviation);
  write("at_start", "computed with the parameters as the user began", &MeasuredPoint::at_start);
  write("computed", "computed with the identified parameters", &MeasuredPoint::computed);
  h5::Group sets = parent.create_group("sets", "names and units of the sets of data");
  sets.write("name", texts_of(result.sets, &MeasuredSet::name), "name");
  sets.write("at_label", texts_of(result.sets, &MeasuredSet::at_label), "abscissa");
  sets.write("at_unit", texts_of(result.sets, &MeasuredSet::at_unit), "unit of the abscissa; empty: SI");
  sets.write("value_label", texts_of(result.sets, &MeasuredSet::value_label), "what was measured");
  sets.write("value_unit", texts_of(result.sets, &MeasuredSet::value_unit), "its unit; empty: SI");
}

void write_starts(h5::Group& parent, const Identification& result) {
  h5::Group group = parent.create_group("starts", "minimisations, an entry each");
  const auto& all = result.fit.starts;
  const auto count = static_cast<Index>(result.parameters.size());
  write_rows(group, "begin", rows_of(all, &FitStart::begin, count), "SI", "starts x parameters: where it began");
  write_rows(group, "end", rows_of(all, &FitStart::end, count), "SI", "starts x parameters: where it ended");
  const auto write = [&](const std::string& name, const std::string& description, const auto& get) {
    group.write(name, collected(all, get), "1", description);
  };
  write("begin_cost", "half the sum of squares there", [](const FitStart& s) { return s.begin_cost; });
  write("cost", "the same at its end", [](const FitStart& s) { return s.cost; });
  write("iterations", "of the minimisation", [](const FitStart& s) { return static_cast<double>(s.iterations); });
  write("usable", "1: its residuals could be computed", [](const FitStart& s) { return s.usable ? 1.0 : 0.0; });
  write("converged", "1: a tolerance was met", [](const FitStart& s) { return s.converged ? 1.0 : 0.0; });
  group.write("message", texts_of(all, &FitStart::message), "why it ended");
}

/// A dataset of a group of equally long ones.
Vector read_column(const h5::Group& group, const std::string& name, std::size_t count) {
  const Matrix values = group.read_reals(name);
  require(
      values.rows() == static_cast<Index>(count) && values.cols() == 1,
      "'{}' of the identification has {} x {} numbers instead of {}: the file is damaged, or its writing was broken "
      "off.",
      name, values.rows(), values.cols(), count);
  return values.col(0);
}

void read_parameters(const h5::Group& group, Identification& result) {
  const std::vector<std::string> names = group.read_texts("name");
  const auto column = [&](const std::string& name) { return read_column(group, name, names.size()); };
  const Vector start = column("start"), lower = column("lower"), upper = column("upper"), prior = column("prior"),
               deviation = column("prior_deviation"), logarithmic = column("logarithmic");
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto i = static_cast<Index>(j);
    FitParameter one{.name = names[j], .start = start[i], .lower = lower[i], .upper = upper[i]};
    if (logarithmic[i] != 0.0) one.scale = ParameterScale::logarithmic;
    if (!std::isnan(prior[i])) one.prior = {prior[i], deviation[i]};
    result.parameters.push_back(std::move(one));
  }
  if (!group.has("value")) return;
  FitResult& fit = result.fit;
  fit.values = column("value");
  fit.standard_errors = column("standard_error");
  for (const double bound : column("at_bound")) fit.at_bound.push_back(bound != 0.0);
  fit.correlation = group.read_reals("correlation");
  if (!group.has("undecided")) return;
  const Matrix directions = group.read_reals("undecided");
  const Vector deviations = read_column(group, "undecided_deviation", static_cast<std::size_t>(directions.rows()));
  for (Index i = 0; i < directions.rows(); ++i) {
    fit.undecided.push_back({.direction = directions.row(i).transpose(), .deviation = deviations[i]});
  }
}

void read_points(const h5::Group& parent, Identification& result) {
  const h5::Group group = parent.group("points"), sets = parent.group("sets");
  const std::vector<std::string> data = group.read_texts("data");
  const auto column = [&](const std::string& name) { return read_column(group, name, data.size()); };
  const Vector at = column("at"), measured = column("measured"), deviation = column("deviation"),
               at_start = column("at_start"), computed = column("computed");
  for (std::size_t k = 0; k < data.size(); ++k) {
    const auto i = static_cast<Index>(k);
    result.points.push_back({.data = data[k],
                             .at = at[i],
                             .measured = measured[i],
                             .deviation = deviation[i],
                             .at_start = at_start[i],
                             .computed = computed[i]});
  }
  const auto names = sets.read_texts("name"), at_labels = sets.read_texts("at_label"),
             at_units = sets.read_texts("at_unit"), labels = sets.read_texts("value_label"),
             units = sets.read_texts("value_unit");
  for (std::size_t k = 0; k < names.size(); ++k) {
    result.sets.push_back({names[k], at_labels.at(k), at_units.at(k), labels.at(k), units.at(k)});
  }
}

void read_starts(const h5::Group& group, FitResult& fit) {
  const std::vector<std::string> messages = group.read_texts("message");
  const auto column = [&](const std::string& name) { return read_column(group, name, messages.size()); };
  const Matrix begin = group.read_reals("begin"), end = group.read_reals("end");
  const Vector begin_cost = column("begin_cost"), cost = column("cost"), iterations = column("iterations"),
               usable = column("usable"), converged = column("converged");
  for (std::size_t k = 0; k < messages.size(); ++k) {
    const auto i = static_cast<Index>(k);
    fit.starts.push_back({.begin = begin.row(i).transpose(),
                          .end = end.row(i).transpose(),
                          .begin_cost = begin_cost[i],
                          .cost = cost[i],
                          .iterations = static_cast<int>(iterations[i]),
                          .evaluations = 0,
                          .usable = usable[i] != 0.0,
                          .converged = converged[i] != 0.0,
                          .message = messages[k]});
  }
}

}  // namespace

void write_identification(h5::Group& group, const Identification& result) {
  const FitResult& fit = result.fit;
  group.set_attribute("best", static_cast<std::int64_t>(fit.best));
  group.set_attribute("converged", std::int64_t{fit.converged ? 1 : 0});
  group.set_attribute("message", fit.message);
  group.set_attribute("chi_squared", fit.chi_squared);
  group.set_attribute("degrees_of_freedom", static_cast<std::int64_t>(fit.degrees_of_freedom));
  group.set_attribute("evaluations", static_cast<std::int64_t>(fit.evaluations));
  group.set_attribute("failed_evaluations", static_cast<std::int64_t>(fit.failed_evaluations));
  group.set_attribute("seconds", fit.seconds);
  write_parameters(group, result);
  write_points(group, result);
  write_starts(group, result);
}

Identification read_identification_group(const h5::Group& group) {
  Identification result;
  FitResult& fit = result.fit;
  fit.best = group.integer_attribute("best");
  fit.converged = group.integer_attribute("converged") != 0;
  fit.message = group.text_attribute("message");
  fit.chi_squared = group.number_attribute("chi_squared");
  fit.degrees_of_freedom = group.integer_attribute("degrees_of_freedom");
  fit.evaluations = static_cast<int>(group.integer_attribute("evaluations"));
  if (group.has_attribute("failed_evaluations")) {  // files of the first version have none
    fit.failed_evaluations = static_cast<int>(group.integer_attribute("failed_evaluations"));
  }
  fit.seconds = group.number_attribute("seconds");
  read_parameters(group.group("parameters"), result);
  read_points(group, result);
  read_starts(group.group("starts"), fit);
  return result;
}

}  // namespace masing::detail
