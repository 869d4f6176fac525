// masing report results.h5 [-o report.html]
#include "commands.hpp"

#include "masing/io/report.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <memory>

namespace masing::app {

void add_report(CLI::App& app) {
  struct Arguments {
    std::string results;
    std::string page;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("report", "Make the HTML page of a result file.");
  command->add_option("results", arguments->results, "Result file (HDF5)")->required();
  command->add_option("-o,--output", arguments->page, "HTML file; default: the result file's name with .html");
  command->callback([arguments] {
    std::filesystem::path page = arguments->page;
    if (page.empty()) page = std::filesystem::path(arguments->results).replace_extension(".html");
    write_report(arguments->results, page.string());
    fmt::print("{}\n", page.string());
  });
}

}  // namespace masing::app
