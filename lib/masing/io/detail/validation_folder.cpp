#include "masing/io/detail/validation_folder.hpp"

#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/validation_values.hpp"
#include "masing/io/study.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

namespace masing {
namespace {

namespace fs = std::filesystem;

/// Names of the study files of a case.
std::vector<std::string> studies_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".toml") && name != "case.toml") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

StudyUse detail::study_use(const ValidationRun& run) {
  if (run.command == "loop") return StudyUse::loops;
  return run.command == "modes" ? StudyUse::modes : StudyUse::analyses;
}

void detail::check_study(const OptionValues& values, const ValidationRun& run, const std::string& folder) {
  if (!fs::is_regular_file(run.study)) {
    const std::string nearest = suggestion(values.text("study"), studies_in(folder));
    values.reject("study", fmt::format("is not a file in the folder of the case.{}", nearest));
  }
  try {
    read_study(run.study, run.overrides, study_use(run));
  } catch (const ModelError& error) {
    const std::string_view said = error.what(), mark = "--set ";  // nobody typed it: the value stands behind `set`
    const bool replaced = said.starts_with(mark);
    const std::string key = replaced ? "set" : "study";
    throw ModelError(
        fmt::format("{}: run '{}': {}: {}", values.where(key), run.name, key, said.substr(replaced ? mark.size() : 0)));
  }
}

std::vector<std::string> validation_cases(const std::string& folder) {
  require(fs::is_directory(folder),
          "{}: there is no such folder. Validation cases are looked for in the folder 'validation' of the working "
          "directory, or in the one that --folder names.",
          folder);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (fs::exists(entry.path() / "case.toml")) names.push_back(entry.path().filename().string());
  }
  require(!names.empty(), "{}: there is no validation case in this folder: no subfolder has a case.toml.", folder);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace masing
