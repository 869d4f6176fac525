// The subcommands. Each adds itself to the command line, with a callback that does the work; errors leave it as
// exceptions, and main maps them to exit codes.
#pragma once

#include <CLI/CLI.hpp>

namespace masing::app {

void add_run(CLI::App& app);
void add_loop(CLI::App& app);
void add_modes(CLI::App& app);
void add_identify(CLI::App& app);
void add_density(CLI::App& app);
void add_estimate(CLI::App& app);
void add_check(CLI::App& app);
void add_export(CLI::App& app);
void add_report(CLI::App& app);
void add_describe(CLI::App& app);
void add_new(CLI::App& app);
void add_validate(CLI::App& app);
void add_bench(CLI::App& app);

}  // namespace masing::app
