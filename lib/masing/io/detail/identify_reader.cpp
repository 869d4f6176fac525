// Reading [identify]: parameters, derived values, measured data.
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/identify_schema.hpp"
#include "masing/io/detail/measured_table.hpp"
#include "masing/io/detail/published_table.hpp"
#include "masing/io/detail/study_parts.hpp"
#include "masing/io/detail/toml_values.hpp"
#include "masing/io/identify.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace masing {
namespace {

std::string column_or_number(const std::string& label, Index row) {
  return fmt::format("{} of row {}", label, row + 1);
}

std::vector<std::string> keys_of(const OptionValues& values) {
  return values.has("key") ? values.texts("key") : std::vector<std::string>();
}

class Reader {
 public:
  Reader(const std::string& path, const std::vector<std::string>& overrides) {
    task_.study = read_study(path, overrides, StudyUse::either);
    task_.folder = std::filesystem::path(path).parent_path().string();
    detail::StudyDocument document{
        .root = detail::toml_values(task_.study.text, path, overrides), .folder = task_.folder, .sections = {}};
    require(document.root.has("identify"),
            "{}: there is no [identify]: it says which values of the study are sought, and what was measured. `masing "
            "describe identify` lists its keys.",
            path);
    values_ = detail::table_of(document, "identify");
    values_.set_context("identify", values_.where(""));
    values_.complete(detail::identify_table());
  }

  IdentificationTask read() {
    read_options();
    for (const OptionValues& parameter : values_.tables("parameter")) read_parameter(parameter);
    if (values_.has("derived")) {
      for (const OptionValues& derived : values_.tables("derived")) read_derived(derived);
    }
    require_uses();
    for (const OptionValues& data : values_.tables("data")) read_data(data);
    check_values();
    return std::move(task_);
  }

 private:
  void read_options() {
    FitOptions& options = task_.options;
    options.starts = static_cast<int>(values_.integer("starts"));
    options.seed = static_cast<std::uint64_t>(values_.integer("seed"));
    options.max_iterations = static_cast<int>(values_.integer("max_iterations"));
    options.step = values_.number("step");
    options.cost_tolerance = values_.number("cost_tolerance");
    options.parameter_tolerance = values_.number("parameter_tolerance");
    task_.modes = values_.integer("modes");
  }

  void read_parameter(const OptionValues& values) {
    const std::vector<std::string> keys = keys_of(values);
    FitParameter parameter;
    parameter.name = values.has("name") ? values.text("name") : keys.empty() ? "" : keys.front();
    if (parameter.name.empty()) {
      throw ModelError(fmt::format("{}: identify: a parameter needs a `key`, or a `name` that `derived` refers to.",
                                   values.where("")));
    }
    if (find_parameter(parameter.name) != task_.parameters.size()) {
      throw ModelError(fmt::format("{}: identify: there are two parameters '{}'.", values.where(""), parameter.name));
    }
    parameter.start = values.number("start");
    parameter.lower = values.number("lower");
    parameter.upper = values.number("upper");
    if (values.text("scale") == "logarithmic") parameter.scale = ParameterScale::logarithmic;
    if (!(parameter.lower < parameter.upper)) {
      values.reject("upper", fmt::format("must be above the lower bound {:g}.", parameter.lower));
    }
    if (parameter.scale == ParameterScale::logarithmic && parameter.lower <= 0.0) {
      values.reject("lower", "must be > 0 on a logarithmic scale.");
    }
    if (parameter.start < parameter.lower || parameter.start > parameter.upper) {
      values.reject("start",
                    fmt::format("must lie between the bounds {:g} and {:g}.", parameter.lower, parameter.upper));
    }
    if (values.has("prior") != values.has("prior_deviation")) {
      values.reject(values.has("prior") ? "prior" : "prior_deviation",
                    "needs its partner: `prior` and `prior_deviation` go together.");
    }
    if (values.has("prior")) parameter.prior = {values.number("prior"), values.number("prior_deviation")};
    task_.parameters.push_back(std::move(parameter));
    task_.keys.push_back(keys);
    places_.push_back(values.where(""));
  }

  std::size_t find_parameter(const std::string& name) const {
    const auto& all = task_.parameters;
    return static_cast<std::size_t>(
        std::find_if(all.begin(), all.end(), [&](const FitParameter& one) { return one.name == name; }) - all.begin());
  }

  void read_derived(const OptionValues& values) {
    DerivedValue derived{
        .keys = keys_of(values), .factor = values.number("factor"), .offset = values.number("offset"), .powers = {}};
    std::vector<std::string> known;
    for (const FitParameter& parameter : task_.parameters) known.push_back(parameter.name);
    for (const auto& [name, power] : values.weights("powers")) {
      const std::size_t number = find_parameter(name);
      if (number == known.size()) {
        values.reject("powers", fmt::format("names '{}', which is no parameter.{}", name, suggestion(name, known)));
      }
      if (task_.parameters[number].lower <= 0.0 && power != std::round(power)) {
        values.reject("powers", fmt::format("raises '{}' to {:g}, but it may be 0 or negative.", name, power));
      }
      derived.powers.emplace_back(number, power);
    }
    task_.derived.push_back(std::move(derived));
  }

  /// A parameter that changes nothing is a mistake.
  void require_uses() const {
    for (std::size_t j = 0; j < task_.parameters.size(); ++j) {
      const bool derives = std::any_of(task_.derived.begin(), task_.derived.end(), [&](const DerivedValue& one) {
        return std::any_of(one.powers.begin(), one.powers.end(), [&](const auto& p) { return p.first == j; });
      });
      require(!task_.keys[j].empty() || derives,
              "{}: identify: parameter '{}' has no `key`, and no derived value uses it.", places_[j],
              task_.parameters[j].name);
    }
  }

  void read_data(const OptionValues& values) {
    try {
      task_.data.push_back(data_of(values));
    } catch (const ModelError& error) {
      const std::string message = error.what();
      throw message.starts_with(values.where("")) || message.starts_with(task_.study.name)
          ? error
          : ModelError(fmt::format("{}: identify: data: {}", values.where(""), message));
    }
  }

  IdentificationData data_of(const OptionValues& values) const {
    const detail::MeasuredTable file(std::filesystem::path(task_.folder) / values.text("file"));
    const std::vector<long> rows = values.has("rows") ? values.integers("rows") : std::vector<long>();
    IdentificationData data;
    const OptionValues& take = values.table("take");
    data.set.name =
        values.has("name") ? values.text("name") : std::filesystem::path(values.text("file")).stem().string();
    for (const IdentificationData& other : task_.data) {
      require(other.set.name != data.set.name, "there are two sets of data '{}'; give them a `name`.", data.set.name);
    }
    data.set.at_label = values.has("at") ? values.text("at") : "row";
    data.set.at_unit = values.text("at_unit");
    data.set.value_label = values.text("value");
    data.set.value_unit = values.text("unit");
    data.factor = detail::unit_factor(data.set.value_unit);
    data.measured = file.column(values.text("value"), rows);
    data.at = values.has("at")
                  ? file.column(values.text("at"), rows)
                  : Vector(Vector::LinSpaced(data.measured.size(), 1.0, static_cast<double>(data.measured.size())));
    data.deviation = deviation_of(values, file, rows, data.measured);
    check_take(values, take);
    for (Index i = 0; i < data.at.size(); ++i) data.takes.push_back(take_of(values, take, data, i));
    return data;
  }

  static Vector deviation_of(const OptionValues& values, const detail::MeasuredTable& file,
                             const std::vector<long>& rows, const Vector& measured) {
    require(values.has("deviation") != values.has("relative_deviation"),
            "either `deviation` or `relative_deviation` says how exact the measurement is: it weighs the data.");
    Vector deviation = measured.cwiseAbs();
    if (values.has("relative_deviation")) {
      deviation *= values.number("relative_deviation");
    } else if (const auto* column = std::get_if<std::string>(&values.at("deviation"))) {
      deviation = file.column(*column, rows);
    } else {
      deviation.setConstant(values.number("deviation"));
    }
    require(deviation.minCoeff() > 0.0, "a standard deviation of {:g} is not possible: it must be > 0 at every point.",
            deviation.minCoeff());
    return deviation;
  }

  /// Whether the abscissa is a number of something: of a mode, of a special point.
  static bool is_counted(const std::string& kind) { return kind == "mode" || kind == "cycle"; }

  void check_take(const OptionValues& values, const OptionValues& take) const {
    const std::string& kind = take.text("kind");
    const std::string& key = detail::abscissa_key(kind);
    const bool given = take.has(key) && !is_counted(kind);
    if (values.has("at") && (given || take.has("point"))) {
      values.reject("at", fmt::format("is not needed: `take` says {} already.", given ? key : "point"));
    }
    if (kind == "curve" && !take.has("point")) {
      require(take.has("along"), "a curve needs `along`: which number of its points the column `at` has.");
      require(values.has("at") || take.has("at"), "a curve needs the column `at`, or `at` in `take`.");
    }
    const bool one_number = is_counted(kind) || kind == "resonance" || kind == "curve" || kind == "loop-sample" ||
                            (kind == "history" && take.text("value") == "steady-peak");
    require(one_number || values.has("at") || given, "{} needs the column `at`.", kind);
    if (!take.has("analysis")) return;
    std::vector<std::string> known;
    for (const AnalysisRequest& analysis : task_.study.analyses) known.push_back(name_of(analysis));
    if (std::count(known.begin(), known.end(), take.text("analysis")) == 0) {
      take.reject("analysis", fmt::format("is no analysis of this study.{}", suggestion(take.text("analysis"), known)));
    }
  }

  static OptionValues take_of(const OptionValues& values, const OptionValues& take, const IdentificationData& data,
                              Index i) {
    OptionValues one = take;
    const std::string& kind = take.text("kind");
    const std::string& key = detail::abscissa_key(kind);
    const double at = data.at[i] * detail::unit_factor(data.set.at_unit);
    if (values.has("at") && is_counted(kind)) {
      require(at == std::round(at) && at >= 1.0, "{} is {:g}: {} are counted from 1.",
              column_or_number(data.set.at_label, i), at, kind == "mode" ? "modes" : "special points");
      one.set(key, static_cast<long>(at));
    } else if (values.has("at")) {
      one.set(key, at);
    } else if (kind == "loop-sample" && !take.has("at")) {
      one.set(key, data.at.size() > 1 ? static_cast<double>(i) / static_cast<double>(data.at.size() - 1) : 0.0);
    }
    if (kind == "loop-sample") {
      const double share = one.number("at");
      require(share >= 0.0 && share <= 1.0, "{} is {:g}: places in a loop are between 0 and 1.",
              column_or_number(data.set.at_label, i), share);
    }
    return one;
  }

  /// Addresses and bounds are tried out on the study before anything is computed.
  void check_values() const {
    Vector start(static_cast<Index>(task_.parameters.size()));
    for (Index j = 0; j < start.size(); ++j) start[j] = task_.parameters[static_cast<std::size_t>(j)].start;
    try_values(start, fmt::format("{}: identify, with all parameters at their start", values_.where("")));
    for (Index j = 0; j < start.size(); ++j) {
      const FitParameter& parameter = task_.parameters[static_cast<std::size_t>(j)];
      for (const double bound : {parameter.lower, parameter.upper}) {
        Vector there = start;
        there[j] = bound;
        try_values(there, fmt::format("{}: identify: parameter '{}' at its bound {:g}, the others at their start",
                                      places_[static_cast<std::size_t>(j)], parameter.name, bound));
      }
    }
  }

  void try_values(const Vector& values, const std::string& what) const {
    try {
      const Study& study = task_.study;
      read_study_text(study.text, study.name, task_.folder, task_.overrides(values), StudyUse::either);
    } catch (const ModelError& error) {
      throw ModelError(fmt::format("{}: {}", what, error.what()));
    }
  }

  IdentificationTask task_;
  OptionValues values_;
  std::vector<std::string> places_;  // of the parameters
};

}  // namespace

std::vector<std::string> IdentificationTask::overrides(const Vector& values) const {
  std::vector<std::string> all = study.overrides;
  // With a decimal point, so that whole numbers stay numbers.
  const auto add = [&](const std::vector<std::string>& addresses, double value) {
    for (const std::string& key : addresses) all.push_back(fmt::format("{}={:#.17g}", key, value));
  };
  for (std::size_t j = 0; j < keys.size(); ++j) add(keys[j], values[static_cast<Index>(j)]);
  for (const DerivedValue& one : derived) {
    double value = one.factor;
    for (const auto& [parameter, power] : one.powers) value *= std::pow(values[static_cast<Index>(parameter)], power);
    add(one.keys, one.offset + value);
  }
  return all;
}

IdentificationTask read_identification(const std::string& path, const std::vector<std::string>& overrides) {
  return Reader(path, overrides).read();
}

}  // namespace masing
