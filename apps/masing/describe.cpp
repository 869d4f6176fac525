// masing describe [law|source|structure|analysis|validation|SECTION] [NAME]
#include "commands.hpp"

#include "masing/io/describe.hpp"

#include <fmt/core.h>

#include <memory>

namespace masing::app {

void add_describe(CLI::App& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("describe", "Reference of every key: meaning, unit, default, range.");
  command
      ->add_option("what", *words,
                   "law, source, structure, analysis, validation or a section, then a name; nothing: list all")
      ->expected(0, 2);
  command->callback([words] { fmt::print("{}", describe(*words)); });
}

}  // namespace masing::app
