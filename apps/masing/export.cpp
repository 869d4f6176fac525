// masing export results.h5 --csv DIR
#include "commands.hpp"

#include "masing/io/export.hpp"

#include <fmt/core.h>

#include <memory>

namespace masing::app {

void add_export(CLI::App& app) {
  struct Arguments {
    std::string results;
    std::string folder;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("export", "Write results as comma-separated tables.");
  command->add_option("results", arguments->results, "Result file (HDF5)")->required();
  command->add_option("--csv", arguments->folder, "Folder for the tables; made if missing")->required();
  command->callback([arguments] {
    for (const std::string& file : export_csv(arguments->results, arguments->folder)) fmt::print("{}\n", file);
  });
}

}  // namespace masing::app
