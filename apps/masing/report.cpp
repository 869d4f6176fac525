// masing report results.h5 [-o report.html] [--svg picture.svg]
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
    std::string picture;
    PictureRequest request;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("report", "Make the HTML page of a result file.");
  command->add_option("results", arguments->results, "Result file (HDF5)")->required();
  command->add_option("-o,--output", arguments->page, "HTML file; default: the result file's name with .html");
  command->add_option("--svg", arguments->picture, "Write one response plot as an SVG picture instead of the page");
  command->add_option("--analysis", arguments->request.analysis, "Analysis shown in the picture; default: the first");
  command->add_option("--sensor", arguments->request.observable, "Sensor shown in the picture; default: the first");
  command->add_flag("--log", arguments->request.logarithmic, "Logarithmic amplitude in the picture");
  command->callback([arguments] {
    if (!arguments->picture.empty()) {
      write_svg(read_results(arguments->results), arguments->picture, arguments->request);
      fmt::print("{}\n", arguments->picture);
      return;
    }
    std::filesystem::path page = arguments->page;
    if (page.empty()) page = std::filesystem::path(arguments->results).replace_extension(".html");
    write_report(arguments->results, page.string());
    fmt::print("{}\n", page.string());
  });
}

}  // namespace masing::app
