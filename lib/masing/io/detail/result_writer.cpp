#include "masing/io/detail/result_writer.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace masing::detail {

namespace {

using Clock = std::chrono::steady_clock;

// A flush costs some 0.3 ms. At most one in 50 ms keeps that below 1 % of the run, and a kill loses at most the points
// of that time.
constexpr std::chrono::milliseconds flush_interval{50};

void write_observations(h5::Group& parent, const TimeHistory& history) {
  h5::Group steady = parent.create_group("steady", "observables over the last period, if it is steady");
  for (std::size_t i = 0; i < history.steady.size() && i < history.observables.size(); ++i) {
    const Observable& observable = history.observables[i];
    const std::string unit(unit_of(observable));
    h5::Group one = create_observable(steady, observable, static_cast<std::int64_t>(i));
    one.write("amplitude", history.steady[i].amplitude, unit, "amplitude of each harmonic; harmonic 0: the mean");
    one.write("phase", history.steady[i].phase, "rad", "phase of each harmonic");
    one.write("rms", Vector::Constant(1, history.steady[i].rms), unit, "root mean square over the period");
    one.write("peak", Vector::Constant(1, history.steady[i].peak), unit, "largest absolute value over the period");
  }
}

void write_joints(h5::Group& parent, const TimeHistory& history) {
  h5::Group forces = parent.create_group("joint_force", "forces of the joints");
  h5::Group motions = parent.create_group("joint_motion", "relative displacements across the joints");
  for (std::size_t i = 0; i < history.joint_forces.size(); ++i) {
    const auto column = static_cast<Index>(i);
    const std::string link = encode_name(history.joint_forces[i]);
    forces.write(link, history.joint_force.col(column), "N", "force of the joint, positive against its motion");
    motions.write(link, history.joint_motion.col(column), "m", "relative displacement across the joint");
  }
  parent.write("joints", history.joint_forces, "names of the joints, in their order");
}

void write_history(h5::Group group, const TimeHistory& history) {
  group.set_attribute("level", history.level);
  group.set_attribute("frequency", history.frequency);
  group.set_attribute("message", history.message);
  group.set_attribute("is_steady", std::int64_t{history.is_steady ? 1 : 0});
  group.set_attribute("complete", std::int64_t{history.complete ? 1 : 0});
  group.write("time", history.time, "s", "time");
  h5::Group values = group.create_group("values", "observables over time, by sensor");
  h5::Group list = group.create_group("observables", "what was asked for, by sensor");
  for (std::size_t i = 0; i < history.observables.size(); ++i) {
    const Observable& observable = history.observables[i];
    create_observable(list, observable, static_cast<std::int64_t>(i));
    values.write(encode_name(observable.name), history.values.col(static_cast<Index>(i)),
                 std::string(unit_of(observable)), std::string(to_string(observable.quantity)) + " over time");
  }
  write_joints(group, history);
  write_observations(group, history);
}

}  // namespace

ResultWriter::ResultWriter(const std::string& path, const ResultMetadata& metadata, const std::string& created)
    : path_(path),
      file_(h5::File::create(path)),
      root_(file_.root()),
      analyses_group_(root_.create_group("analyses", "results by analysis")),
      last_flush_(Clock::now()) {
  root_.set_attribute("layout_version", layout_version);
  root_.set_attribute("program", std::string(program_name));
  root_.set_attribute("program_version", metadata.program_version);
  root_.set_attribute("created", created);
  root_.set_attribute("title", metadata.title);
  root_.write_text("study", metadata.study_text, "the exact text of the study file");
  if (!metadata.overrides.empty())
    root_.write("overrides", metadata.overrides, "values changed on the command line, in their order");
  root_.write_text("summary", "", "what was done, for people");
  file_.flush();
}

ResultWriter::~ResultWriter() {
  try {
    flush();
  } catch (const std::exception&) {
    // A destructor has no one to tell; whoever must know calls flush() before.
  }
}

ResultWriter::Analysis& ResultWriter::analysis(const std::string& name) {
  const auto found = analyses_.find(name);
  if (found != analyses_.end()) return found->second;
  h5::Group group = analyses_group_.create_group(encode_name(name), "one analysis of the study");
  group.set_attribute("name", name);
  group.set_attribute("order", static_cast<std::int64_t>(analyses_.size()));
  return analyses_.emplace(name, Analysis{std::move(group), {}, {}, {}}).first->second;
}

BranchWriter& ResultWriter::branch(const BranchHeader& header) {
  const auto found = branches_.find({header.analysis, header.index});
  if (found == branches_.end())
    throw Error(fmt::format("branch {} of analysis '{}' was not begun.", header.index, header.analysis));
  return found->second;
}

void ResultWriter::begin_branch(const BranchHeader& header) {
  const auto found = branches_.find({header.analysis, header.index});
  if (found != branches_.end()) {
    const BranchHeader& old = found->second.header();
    require(old.harmonics == header.harmonics && old.kept_motions == header.kept_motions &&
                old.observables.size() == header.observables.size(),
            "'{}' holds branch {} of analysis '{}' with other harmonics, motions or observables, so it cannot be "
            "resumed. Run again without --resume.",
            path_, header.index, header.analysis);
    return;
  }
  Analysis& owner = analysis(header.analysis);
  if (!owner.branches) owner.branches = owner.group.create_group("branches", "branches by number, one a force level");
  h5::Group group = owner.branches->create_group(std::to_string(header.index), "one branch of periodic responses");
  branches_.try_emplace({header.analysis, header.index}, std::move(group), header);
  flush();
}

void ResultWriter::add_point(const BranchHeader& header, const ResponsePoint& point) {
  branch(header).add(point);
  if (Clock::now() - last_flush_ >= flush_interval) flush();
}

void ResultWriter::add_special_point(const BranchHeader& header, const SpecialPoint& special) {
  if (branch(header).add(special)) flush();
}

void ResultWriter::end_branch(const BranchHeader& header, const BranchEnd& end) {
  flush();
  branch(header).end(end);
  flush();
}

void ResultWriter::add_history(const TimeHistory& history) {
  Analysis& owner = analysis(history.analysis);
  if (!owner.histories) owner.histories = owner.group.create_group("histories", "time histories by number");
  const std::pair<double, double> key{history.level, history.frequency};
  const auto found = std::find(owner.history_keys.begin(), owner.history_keys.end(), key);
  const std::string link = std::to_string(found - owner.history_keys.begin());
  if (found == owner.history_keys.end())
    owner.history_keys.push_back(key);
  else
    owner.histories->remove(link);
  write_history(owner.histories->create_group(link, "one integration in time"), history);
  flush();
}

void ResultWriter::add_loop(const JointLoop& loop) {
  if (!loops_) loops_.emplace(root_);
  loops_->add(loop);
  flush();
}

void ResultWriter::add_modes(const ModeSet& set) {
  if (!modes_) modes_ = root_.create_group("modes", "modes of the structure with linearised joints");
  write_modes(*modes_, set, mode_sets_++);
  flush();
}

void ResultWriter::add_identification(const Identification& result) {
  h5::Group group = root_.create_group("identification", "parameters of the study from measurements");
  write_identification(group, result);
  flush();
}

void ResultWriter::set_summary(const std::string& text) {
  root_.write_text("summary", text, "what was done, for people");
  flush();
}

void ResultWriter::flush() {
  for (auto& [key, branch_writer] : branches_) branch_writer.write();
  file_.flush();
  last_flush_ = Clock::now();
}

void ResultWriter::replay(const Results& results) {
  for (const StoredAnalysis& stored : results.analyses) {
    analysis(stored.name);
    for (const StoredBranch& old : stored.branches) {
      if (!old.ended && old.points.empty()) continue;  // begun again from nothing, with its own header
      begin_branch(old.header);
      BranchWriter& target = branch(old.header);
      for (const ResponsePoint& point : old.points) target.add(point);
      for (const SpecialPoint& special : old.special_points) target.add(special);
      for (const JointCycles& cycles : old.cycles) target.add(cycles);
      if (old.ended) target.end(old.end);
    }
    for (const TimeHistory& history : stored.histories) add_history(history);
  }
  for (const JointLoop& loop : results.loops) add_loop(loop);
  set_summary(results.summary);
}

void ResultWriter::rename(const std::string& path) {
  flush();
  std::error_code problem;
  std::filesystem::rename(path_, path, problem);
  require(!problem, "cannot replace '{}' by the resumed file '{}': {}.", path, path_, problem.message());
  path_ = path;
}

}  // namespace masing::detail
