// What can be checked only when the whole model is known, reduced or not: stability, and modes that analyses begin at.
#include "masing/core/error.hpp"
#include "masing/io/detail/study_parts.hpp"

#include <algorithm>
#include <cassert>

namespace masing::detail {
namespace {

/// The table that an analysis was read from.
const OptionValues& table_of_analysis(const StudyDocument& document, const std::string& name, std::string_view key) {
  const auto asked = std::find_if(document.sections.begin(), document.sections.end(), [&](const StudySection& section) {
    return section.values.has(key) && section.values.text("name") == name;
  });
  assert(asked != document.sections.end());
  return asked->values;
}

/// Refuses the first of the numbers that is not one of a mode.
void check_numbers(const OptionValues& values, std::string_view key, const Model& model, const BalanceOptions& balance,
                   const std::vector<int>& modes) {
  for (const int mode : modes) {
    const std::optional<Index> there = modes_if_fewer(model, balance, mode);
    if (!there) continue;
    const std::string entry = key == "modes" ? fmt::format("has the entry {}, but ", mode) : "does not exist: ";
    values.reject(key, fmt::format("{}this model has {} that vibrate{} with its joints as at rest; rigid-body motions "
                                   "do not count.{}",
                                   entry, *there == 1 ? "only 1 mode" : fmt::format("only {} modes", *there),
                                   *there == 1 ? "s" : "",
                                   *there > 1   ? fmt::format(" Give a number from 1 to {}.", *there)
                                   : *there > 0 ? " Give 1."
                                                : ""));
  }
}

}  // namespace

void check_stability(const StudyDocument& document, const Model& model, const std::vector<AnalysisRequest>& analyses) {
  const auto check = [&](const auto& request) {
    if constexpr (requires { request.stability; }) {
      if (request.stability.method == StabilityMethod::none) return;
      const auto compute = [&] {
        Stability(model, request.balance.harmonics, request.stability, request.balance.cycle);
      };
      placed(table_of_analysis(document, request.name, "stability"), document, compute, "stability");
    }
  };
  for (const AnalysisRequest& analysis : analyses) std::visit(check, analysis);
}

void check_modes(const StudyDocument& document, const Model& model, const std::vector<AnalysisRequest>& analyses) {
  const auto check = [&](const CurveRequest& request, const char* key, const std::vector<int>& modes) {
    const OptionValues& values = table_of_analysis(document, request.name, key);
    placed(
        values, document, [&] { check_numbers(values, key, model, request.balance, modes); }, key);
  };
  for (const AnalysisRequest& analysis : analyses) {
    if (const auto* backbone = std::get_if<BackboneRequest>(&analysis)) {
      if (backbone->near <= 0.0) check(*backbone, "mode", {backbone->mode});
    }
    if (const auto* search = std::get_if<IsolaSearchRequest>(&analysis)) check(*search, "modes", search->modes);
  }
}

}  // namespace masing::detail
