// masing validate [CASE…]
#include "commands.hpp"
#include "progress_line.hpp"

#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/validation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>

namespace masing::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::vector<std::string> cases;
  std::string folder = "validation";
  std::string json;
  std::string report;
  std::string keep;
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  bool list = false;
  bool quiet = false;
};

/// Where result files go: the folder that the user keeps them in, or one that is removed at the end.
class ResultFolder {
 public:
  explicit ResultFolder(const std::string& keep) : kept_(!keep.empty()) {
    std::string name = (fs::temp_directory_path() / "masing_validate_XXXXXX").string();
    if (kept_) fs::create_directories(keep);
    require(kept_ || mkdtemp(name.data()) != nullptr, "no folder for temporary files can be made in {}.",
            fs::temp_directory_path().string());
    path_ = kept_ ? keep : name;
  }
  ~ResultFolder() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(path_, ignored);
  }
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  bool kept_;
  std::string path_;
};

std::vector<ValidationCase> chosen_cases(const Arguments& arguments) {
  const std::vector<std::string> known = validation_cases(arguments.folder);
  for (const std::string& name : arguments.cases) {
    require(std::count(known.begin(), known.end(), name) > 0, "validate: there is no case '{}' in {}.{}", name,
            arguments.folder, suggestion(name, known));
  }
  std::vector<ValidationCase> cases;
  for (const std::string& name : arguments.cases.empty() ? known : arguments.cases) {
    cases.push_back(read_validation_case((fs::path(arguments.folder) / name).string()));
  }
  return cases;
}

/// Before anything is computed.
void require_writable(const std::string& file) {
  const fs::path parent = fs::path(file).parent_path();
  require(!fs::is_directory(file), "validate: {0} cannot be written, it is a folder; name a file in it, as {0}/out.",
          file);
  require(parent.empty() || fs::is_directory(parent), "validate: {} cannot be written, there is no folder {}.", file,
          parent.string());
}

void validate(const Arguments& arguments) {
  const std::vector<ValidationCase> cases = chosen_cases(arguments);
  if (arguments.list) {
    for (const ValidationCase& one : cases) fmt::print("{}\n    {}\n    {}\n", one.name, one.title, one.publication);
    return;
  }
  require_writable(arguments.json);
  require_writable(arguments.report);
  require(arguments.keep.empty() || !fs::exists(arguments.keep) || fs::is_directory(arguments.keep),
          "validate: --keep {} is a file; it needs a folder.", arguments.keep);
  const ResultFolder folder(arguments.keep);
  ProgressLine line(choose_style(arguments.quiet));
  std::vector<CaseOutcome> outcomes;
  for (const ValidationCase& one : cases) {
    outcomes.push_back(run_validation_case(
        one, {.folder = folder.path(), .threads = arguments.threads, .program_version = MASING_VERSION},
        [&](const Progress& progress) {
          line.show(progress);
          return true;
        }));
  }
  line.clear();
  if (!arguments.quiet) fmt::print("{}", validation_table(outcomes));
  write_validation(outcomes, MASING_VERSION, arguments.json, arguments.report);
  std::vector<std::string> failed;
  for (const CaseOutcome& one : outcomes) {
    if (!one.accepted()) failed.push_back(one.source.name);
  }
  if (!failed.empty()) throw NumericalError(fmt::format("Validation failed: {}.", join(failed, ", ")));
}

}  // namespace

void add_validate(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("validate", "Recompute published numbers and judge the differences.");
  command->add_option("case", arguments->cases, "Names of cases: subfolders with a case.toml; default: all");
  command->add_option("--folder", arguments->folder, "Where the cases are; default: validation, here");
  command->add_option("--json", arguments->json, "File to write all outcomes to, as JSON");
  command->add_option("--report", arguments->report, "HTML page to write: figures, tables, assumptions");
  command->add_option("--keep", arguments->keep, "Folder to keep the result files in");
  command->add_option("--threads", arguments->threads, "Runs at once; outcomes do not depend on it")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--list", arguments->list, "Only list the cases");
  command->add_flag("-q,--quiet", arguments->quiet, "Only errors are printed");
  command->callback([arguments] { validate(*arguments); });
}

}  // namespace masing::app
