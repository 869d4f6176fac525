#include "masing/io/export.hpp"

#include "masing/io/detail/csv_folder.hpp"
#include "masing/io/detail/loop_layout.hpp"
#include "masing/io/detail/mode_layout.hpp"

#include <algorithm>
#include <cmath>

namespace masing {

namespace {

using detail::csv_number;
using detail::file_name_part;
using Table = detail::CsvTable;
using Folder = detail::CsvFolder;

void observable_heads(const BranchHeader& header, Table& table) {
  for (const Observable& seen : header.observables) {
    const std::string unit(unit_of(seen));
    table.cell(fmt::format("{}_rms_{}", seen.name, unit));
    table.cell(fmt::format("{}_peak_{}", seen.name, unit));
    for (const int harmonic : header.harmonics) table.cell(fmt::format("{}_amplitude{}_{}", seen.name, harmonic, unit));
    for (const int harmonic : header.harmonics) table.cell(fmt::format("{}_phase{}_rad", seen.name, harmonic));
  }
}

void observable_cells(const BranchHeader& header, const ResponsePoint& point, Table& table) {
  for (std::size_t i = 0; i < header.observables.size(); ++i) {
    const Observation& seen = point.observations.at(i);
    table.cell(seen.rms);
    table.cell(seen.peak);
    for (const double value : seen.amplitude) table.cell(value);
    for (const double value : seen.phase) table.cell(value);
  }
}

void quantity_heads(const BranchHeader& header, Table& table) {
  for (const PointQuantity& quantity : header.quantities) {
    table.cell(quantity.unit == "1" ? quantity.name : fmt::format("{}_{}", quantity.name, quantity.unit));
  }
  for (const std::string& joint : header.joints) table.cell(fmt::format("{}_energy_J", joint));
  for (const std::string& joint : header.joints) table.cell(fmt::format("{}_amplitude_m", joint));
}

void quantity_cells(const BranchHeader& header, const ResponsePoint& point, Table& table) {
  for (const double value : point.quantities) table.cell(value);
  for (const Vector* values : {&point.joint_energy, &point.joint_amplitude}) {
    for (std::size_t j = 0; j < header.joints.size(); ++j) {
      const auto at = static_cast<Index>(j);
      table.cell(at < values->size() ? csv_number((*values)[at]) : std::string());
    }
  }
}

Table branch_table(const StoredBranch& branch) {
  Table table;
  for (const char* head : {"frequency_Hz", "iterations", "residual", "truncation"}) table.cell(head);
  quantity_heads(branch.header, table);
  observable_heads(branch.header, table);
  table.end_row();
  for (const ResponsePoint& point : branch.points) {
    table.cell(point.frequency);
    table.cell(std::to_string(point.iterations));
    table.cell(point.residual);
    table.cell(point.truncation);
    quantity_cells(branch.header, point, table);
    observable_cells(branch.header, point, table);
    table.end_row();
  }
  return table;
}

// Who takes part in the motion: shares of harmonics in the velocity, of modes in each harmonic, frequencies of the modes.
Table share_table(const StoredBranch& branch) {
  const BranchHeader& header = branch.header;
  Table table;
  table.cell("frequency_Hz");
  for (const int k : header.harmonics) table.cell(fmt::format("harmonic{}_share", k));
  for (std::size_t m = 1; m <= header.modes.size(); ++m) table.cell(fmt::format("mode{}_frequency_Hz", m));
  for (const int k : header.harmonics) {
    for (std::size_t m = 1; m <= header.modes.size(); ++m) table.cell(fmt::format("harmonic{}_in_mode{}", k, m));
  }
  table.end_row();
  for (const ResponsePoint& point : branch.points) {
    table.cell(point.frequency);
    for (const Vector* values : {&point.harmonic_share, &point.mode_frequency, &point.modal_share}) {
      for (const double value : *values) table.cell(value);
    }
    table.end_row();
  }
  return table;
}

bool same_columns(const BranchHeader& a, const BranchHeader& b) {
  const auto same_name = [](const PointQuantity& p, const PointQuantity& q) { return p.name == q.name; };
  return a.harmonics == b.harmonics &&
         std::equal(a.quantities.begin(), a.quantities.end(), b.quantities.begin(), b.quantities.end(), same_name);
}

// Of the branches that have the columns of this one. Branches of a longer period have more harmonics, isolas other
// quantities: they get a table of their own.
Table special_table(const StoredAnalysis& analysis, const BranchHeader& columns) {
  Table table;
  for (const char* head :
       {"branch", "level", "level_unit", "kind", "observable", "harmonic", "after_point", "frequency_Hz"})
    table.cell(head);
  quantity_heads(columns, table);
  observable_heads(columns, table);
  table.end_row();
  for (const StoredBranch& branch : analysis.branches) {
    if (!same_columns(branch.header, columns)) continue;
    for (const SpecialPoint& special : branch.special_points) {
      table.cell(std::to_string(branch.header.index));
      table.cell(branch.header.level);
      table.cell(branch.header.level_unit);
      table.cell(special.kind);
      table.cell(special.observable);
      table.cell(std::to_string(special.harmonic));
      table.cell(std::to_string(special.after_point));
      table.cell(special.point.frequency);
      quantity_cells(branch.header, special.point, table);
      observable_cells(branch.header, special.point, table);
      table.end_row();
    }
  }
  return table;
}

void export_special_points(const StoredAnalysis& analysis, const std::string& stem, Folder& folder) {
  const std::vector<StoredBranch>& branches = analysis.branches;
  for (auto branch = branches.begin(); branch != branches.end(); ++branch) {
    const auto is_alike = [&](const StoredBranch& other) { return same_columns(other.header, branch->header); };
    if (std::none_of(branches.begin(), branch, is_alike)) {
      folder.add(stem + "_special_points", special_table(analysis, branch->header));
    }
  }
}

Table resonance_table(const StoredAnalysis& analysis) {
  Table table;
  for (const char* head : {"branch", "level", "level_unit", "observable", "harmonic", "frequency_Hz", "amplitude",
                           "damping_ratio", "note"})
    table.cell(head);
  table.end_row();
  for (const StoredBranch& branch : analysis.branches)
    for (const Resonance& resonance : branch.end.resonances) {
      table.cell(std::to_string(branch.header.index));
      table.cell(branch.header.level);
      table.cell(branch.header.level_unit);
      table.cell(resonance.observable);
      table.cell(std::to_string(resonance.harmonic));
      table.cell(resonance.frequency);
      table.cell(resonance.amplitude);
      table.cell(resonance.damping_ratio < 0.0 ? std::string() : csv_number(resonance.damping_ratio));
      table.cell(resonance.note);
      table.end_row();
    }
  return table;
}

Table history_table(const TimeHistory& history) {
  Table table;
  table.cell("time_s");
  for (const Observable& seen : history.observables) table.cell(fmt::format("{}_{}", seen.name, unit_of(seen)));
  for (const std::string& joint : history.joint_forces) {
    table.cell(joint + "_force_N");
    table.cell(joint + "_motion_m");
  }
  table.end_row();
  for (Index sample = 0; sample < history.time.size(); ++sample) {
    table.cell(history.time[sample]);
    for (Index i = 0; i < history.values.cols(); ++i) table.cell(history.values(sample, i));
    for (Index i = 0; i < history.joint_force.cols(); ++i) {
      table.cell(history.joint_force(sample, i));
      table.cell(history.joint_motion(sample, i));
    }
    table.end_row();
  }
  return table;
}

// One row an instant: the share of the period that has passed, then motion and force of every input.
Table cycles_table(const BranchHeader& header, const JointCycles& cycles) {
  Table table;
  table.cell("period");
  for (const std::string& input : header.joint_inputs) {
    table.cell(input + "_motion_m");
    table.cell(input + "_force_N");
  }
  table.end_row();
  for (Index sample = 0; sample < cycles.motion.rows(); ++sample) {
    table.cell(static_cast<double>(sample) / static_cast<double>(cycles.motion.rows()));
    for (Index i = 0; i < cycles.motion.cols(); ++i) {
      table.cell(cycles.motion(sample, i));
      table.cell(cycles.force(sample, i));
    }
    table.end_row();
  }
  return table;
}

// The loops of a branch, one table each, and a table that says where each of them belongs.
void export_cycles(const StoredBranch& branch, const std::string& stem, Folder& folder) {
  if (branch.cycles.empty()) return;
  Table list;
  for (const char* head : {"cycle", "kind", "point", "frequency_Hz"}) list.cell(head);
  list.end_row();
  for (std::size_t i = 0; i < branch.cycles.size(); ++i) {
    const JointCycles& cycles = branch.cycles[i];
    list.cell(std::to_string(i));
    list.cell(cycles.kind);
    list.cell(std::to_string(cycles.point));
    list.cell(cycles.frequency);
    list.end_row();
    folder.add(fmt::format("{}_cycle{}", stem, i), cycles_table(branch.header, cycles));
  }
  folder.add(stem + "_cycles", list);
}

Table loop_table(const JointLoop& loop) {
  Table table;
  for (const std::string& input : loop.inputs) {
    table.cell(fmt::format("{}_displacement_m", file_name_part(input)));
    table.cell(fmt::format("{}_force_N", file_name_part(input)));
  }
  table.cell("work_J");
  table.end_row();
  for (Index sample = 0; sample < loop.work.size(); ++sample) {
    for (Index i = 0; i < loop.displacement.cols(); ++i) {
      table.cell(loop.displacement(sample, i));
      table.cell(loop.force(sample, i));
    }
    table.cell(loop.work[sample]);
    table.end_row();
  }
  return table;
}

// One table for all loops of a name; numbers that a loop does not have are left empty.
Table measures_table(const std::vector<JointLoop>& loops, const std::string& name) {
  Table table;
  for (const char* head : {"joint", "index", "motion", "closed"}) table.cell(head);
  for (const detail::LoopMeasure& measure : detail::loop_measures()) {
    table.cell(std::string(measure.unit) == "1" ? measure.name : fmt::format("{}_{}", measure.name, measure.unit));
  }
  table.end_row();
  for (const JointLoop& loop : loops) {
    if (loop.loop != name) continue;
    table.cell(loop.joint);
    table.cell(std::to_string(loop.index));
    table.cell(loop.motion);
    table.cell(std::string(loop.closed ? "1" : "0"));
    for (const detail::LoopMeasure& measure : detail::loop_measures()) {
      const double value = loop.*measure.value;
      table.cell(std::isnan(value) ? std::string() : csv_number(value));
    }
    table.end_row();
  }
  return table;
}

void export_loops(const std::vector<JointLoop>& loops, Folder& folder) {
  std::vector<std::string> names;
  for (const JointLoop& loop : loops) {
    if (std::find(names.begin(), names.end(), loop.loop) == names.end()) names.push_back(loop.loop);
    folder.add(fmt::format("{}_{}_loop{}", file_name_part(loop.loop), file_name_part(loop.joint), loop.index),
               loop_table(loop));
  }
  for (const std::string& name : names) folder.add(file_name_part(name) + "_loops", measures_table(loops, name));
}

// A row a mode: numbers, then the shape.
Table modes_table(const ModeSet& set) {
  Table table;
  for (const char* head :
       {"mode", "kind", "frequency_Hz", "damping_ratio", "damped_frequency_Hz", "modal_mass_kg", "largest"})
    table.cell(head);
  for (const std::string& coordinate : set.coordinates) table.cell(coordinate);
  table.end_row();
  for (std::size_t i = 0; i < set.modes.size(); ++i) {
    const LinearMode& found = set.modes[i];
    table.cell(std::to_string(i + 1));
    table.cell(std::string(detail::to_string(found.mode.kind)));
    table.cell(found.mode.omega / (2.0 * pi));
    table.cell(std::isnan(found.mode.damping_ratio) ? std::string() : csv_number(found.mode.damping_ratio));
    table.cell(std::isnan(found.mode.damped_omega) ? std::string() : csv_number(found.mode.damped_omega / (2.0 * pi)));
    table.cell(found.modal_mass);
    table.cell(found.largest);
    for (const double value : found.mode.shape) table.cell(value);
    table.end_row();
  }
  return table;
}

Table points_table(const Identification& result) {
  Table table;
  for (const char* head : {"data", "at", "measured", "deviation", "at_start", "computed"}) table.cell(head);
  table.end_row();
  for (const MeasuredPoint& point : result.points) {
    table.cell(point.data);
    for (const double value : {point.at, point.measured, point.deviation, point.at_start, point.computed}) {
      table.cell(value);
    }
    table.end_row();
  }
  return table;
}

Table parameters_table(const Identification& result) {
  Table table;
  for (const char* head : {"parameter", "value", "standard_error", "start", "lower", "upper"}) table.cell(head);
  for (const FitParameter& parameter : result.parameters) table.cell(fmt::format("correlation_{}", parameter.name));
  table.end_row();
  for (std::size_t j = 0; result.fit.usable() && j < result.parameters.size(); ++j) {
    const FitParameter& parameter = result.parameters[j];
    const auto i = static_cast<Index>(j);
    table.cell(parameter.name);
    for (const double value :
         {result.fit.values[i], result.fit.standard_errors[i], parameter.start, parameter.lower, parameter.upper})
      table.cell(value);
    for (const double value : result.fit.correlation.row(i)) table.cell(value);
    table.end_row();
  }
  return table;
}

Table starts_table(const Identification& result) {
  Table table;
  for (const char* head : {"start", "begin_cost", "cost", "iterations", "converged", "message"}) table.cell(head);
  for (const FitParameter& parameter : result.parameters) table.cell(fmt::format("begin_{}", parameter.name));
  for (const FitParameter& parameter : result.parameters) table.cell(fmt::format("end_{}", parameter.name));
  table.end_row();
  for (std::size_t i = 0; i < result.fit.starts.size(); ++i) {
    const FitStart& start = result.fit.starts[i];
    table.cell(std::to_string(i + 1));
    table.cell(start.begin_cost);
    table.cell(start.cost);
    table.cell(std::to_string(start.iterations));
    table.cell(start.converged ? "1" : "0");
    table.cell(start.message);
    for (const double value : start.begin) table.cell(value);
    for (const double value : start.end) table.cell(value);
    table.end_row();
  }
  return table;
}

void export_identification(const Identification& result, Folder& folder) {
  folder.add("identification_parameters", parameters_table(result));
  folder.add("identification_points", points_table(result));
  folder.add("identification_starts", starts_table(result));
}

}  // namespace

std::vector<std::string> export_csv(const Results& results, const std::string& folder_path) {
  Folder folder(folder_path);
  for (const StoredAnalysis& analysis : results.analyses) {
    const std::string stem = file_name_part(analysis.name);
    for (const StoredBranch& branch : analysis.branches) {
      const std::string name = fmt::format("{}_branch{}", stem, branch.header.index);
      folder.add(name, branch_table(branch));
      export_cycles(branch, name, folder);
    }
    export_special_points(analysis, stem, folder);
    if (!analysis.branches.empty()) folder.add(stem + "_resonances", resonance_table(analysis));
    for (std::size_t i = 0; i < analysis.histories.size(); ++i)
      folder.add(fmt::format("{}_history{}", stem, i), history_table(analysis.histories[i]));
    for (const StoredBranch& branch : analysis.branches) {
      const bool shared = !branch.points.empty() && branch.points.front().harmonic_share.size() > 0;
      if (shared) folder.add(fmt::format("{}_branch{}_shares", stem, branch.header.index), share_table(branch));
    }
  }
  export_loops(results.loops, folder);
  for (const ModeSet& set : results.modes) folder.add(fmt::format("modes_{}", to_string(set.state)), modes_table(set));
  if (results.identification) export_identification(*results.identification, folder);
  return folder.files();
}

std::vector<std::string> export_csv(const std::string& results_path, const std::string& folder) {
  return export_csv(read_results(results_path), folder);
}

}  // namespace masing
