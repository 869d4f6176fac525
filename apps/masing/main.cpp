// masing: the command line.
//
// Exit codes: 0 done, 1 the user's input is wrong, 2 the numerics could not finish (what was computed is saved) or a
// validation missed its acceptance, 3 a fault of Masing.
#include "commands.hpp"

#include "masing/core/error.hpp"

#include <fmt/core.h>

#include <new>

namespace {

constexpr int done = 0;
constexpr int wrong_input = 1;
constexpr int not_finished = 2;
constexpr int our_fault = 3;

void add_commands(CLI::App& app) {
  using namespace masing::app;
  add_run(app);
  add_loop(app);
  add_modes(app);
  add_identify(app);
  add_density(app);
  add_estimate(app);
  add_check(app);
  add_export(app);
  add_report(app);
  add_describe(app);
  add_new(app);
  add_validate(app);
  add_bench(app);
}

int complain(int code, const char* message) {
  fmt::print(stderr, "{}\n", message);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("How structures with frictional joints vibrate.", "masing");
  app.set_version_flag("--version", MASING_VERSION);
  app.require_subcommand(1);
  try {
    add_commands(app);
    app.parse(argc, argv);
    return done;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : wrong_input;
  } catch (const masing::ModelError& error) {
    return complain(wrong_input, error.what());
  } catch (const masing::NumericalError& error) {
    return complain(not_finished, error.what());
  } catch (const std::bad_alloc&) {
    return complain(not_finished,
                    "There is not enough memory for this study; fewer harmonics or kept motions need less.");
  } catch (const std::exception& error) {
    const std::string message = fmt::format("This is a fault of Masing, please report it: {}", error.what());
    return complain(our_fault, message.c_str());
  }
}
