// masing density DATA.csv, masing estimate DATA.csv
#include "commands.hpp"

#include "masing/core/error.hpp"
#include "masing/io/dissipation.hpp"

#include <fmt/core.h>

#include <memory>

namespace masing::app {
namespace {

void add_file_options(CLI::App& command, DissipationFile& file) {
  command.add_option("data", file.path, "CSV file: a line with the names of the columns, then a row an amplitude")
      ->required();
  command.add_option("--amplitude", file.amplitude, "Column of the amplitudes; default: amplitude");
  command.add_option("--energy", file.energy, "Column of the energies per cycle; default: energy");
  command.add_option("--amplitude-unit", file.amplitude_unit, "Unit of the amplitudes; default: m");
  command.add_option("--energy-unit", file.energy_unit, "Unit of the energies; default: J");
}

struct DensityArguments {
  DissipationFile file;
  double stiffness = 0.0;
  std::string output;
};

void density(const DensityArguments& arguments) {
  const DissipationData data = read_dissipation(arguments.file);
  const DissipationDensity found = density_from_dissipation(data.amplitude, data.energy, arguments.stiffness);
  if (!arguments.output.empty()) write_density(found, arguments.stiffness, arguments.output);
  fmt::print("{}", density_text(found));
}

struct EstimateArguments {
  DissipationFile file;
  ModalMeasurement measured;
};

void estimate(EstimateArguments& arguments) {
  const DissipationData data = read_dissipation(arguments.file);
  arguments.measured.amplitude = data.amplitude;
  arguments.measured.energy = data.energy;
  fmt::print("{}", estimate_text(estimate_four_parameters(arguments.measured)));
}

}  // namespace

void add_density(CLI::App& app) {
  auto arguments = std::make_shared<DensityArguments>();
  CLI::App* command =
      app.add_subcommand("density", "The density of slip forces of a joint from the energies it dissipates.");
  add_file_options(*command, arguments->file);
  command->add_option("--stiffness", arguments->stiffness, "Of the joint at small amplitude [N/m]")->required();
  command->add_option("-o,--output", arguments->output,
                      "CSV file to write, as a tabulated density of a joint reads it");
  command->callback([arguments] { density(*arguments); });
}

void add_estimate(CLI::App& app) {
  auto arguments = std::make_shared<EstimateArguments>();
  CLI::App* command = app.add_subcommand("estimate", "Four Iwan parameters from a modal test, by formulas.");
  add_file_options(*command, arguments->file);
  ModalMeasurement& measured = arguments->measured;
  command->add_option("--modal-mass", measured.modal_mass, "Of the mode, for the motion of the joint [kg]")->required();
  command->add_option("--low-frequency", measured.low_frequency, "At small amplitude, the joint stuck [Hz]")
      ->required();
  command->add_option("--high-frequency", measured.high_frequency, "At large amplitude, the joint lost [Hz]")
      ->required();
  command->add_option("--macroslip", measured.macroslip, "Amplitude from which on all slides [m]")->required();
  command
      ->add_option("--slip-force", measured.slip_force,
                   "Of the joint, if it is known: beta follows from it, and the energies give chi only [N]")
      ->check(CLI::PositiveNumber);
  command->callback([arguments] { estimate(*arguments); });
}

}  // namespace masing::app
