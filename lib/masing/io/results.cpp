#include "masing/io/results.hpp"

#include "masing/continuation/branch.hpp"
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/result_writer.hpp"

#include <algorithm>
#include <ctime>
#include <mutex>
#include <sstream>
#include <utility>

namespace masing {

namespace {

std::string now_in_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[sizeof "2026-01-31T12:00:00Z"];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string line_or_nothing(const std::vector<std::string>& lines, std::size_t i) {
  return i < lines.size() ? "'" + lines[i] + "'" : "nothing";
}

void check_same_study(const std::string& path, const ResultMetadata& stored, const ResultMetadata& present) {
  const auto shown = [](const std::vector<std::string>& overrides) {
    return overrides.empty() ? std::string("no overrides") : "--set " + join(overrides, " --set ");
  };
  require(stored.overrides == present.overrides,
          "'{}' cannot be resumed: it was made with {}, now {} given. Give the same ones, or run without --resume.",
          path, shown(stored.overrides), shown(present.overrides) + (present.overrides.empty() ? " are" : " is"));
  if (stored.study_text == present.study_text) return;
  const std::vector<std::string> old_lines = lines_of(stored.study_text), new_lines = lines_of(present.study_text);
  std::size_t i = 0;
  while (i < old_lines.size() && i < new_lines.size() && old_lines[i] == new_lines[i]) ++i;
  throw ModelError(
      fmt::format("'{}' cannot be resumed: the study has changed since. First difference in line {}: it was "
                  "{}, now it is {}. Run without --resume, or write to another file with -o.",
                  path, i + 1, line_or_nothing(old_lines, i), line_or_nothing(new_lines, i)));
}

// Takes back the last point of an interrupted branch, and the special points that were found on arriving at it.
void withdraw_last_step(StoredBranch& branch) {
  if (branch.ended) return;
  if (!branch.points.empty()) branch.points.pop_back();
  const auto last = static_cast<Index>(branch.points.size()) - 1;
  std::erase_if(branch.special_points, [&](const SpecialPoint& special) { return special.after_point >= last; });
  std::erase_if(branch.cycles, [&](const JointCycles& cycles) {
    return cycles.kind == JointCycles::at_point ? cycles.point > last : cycles.point >= last;
  });
}

}  // namespace

const StoredAnalysis* Results::find(const std::string& analysis) const {
  const auto found = std::find_if(analyses.begin(), analyses.end(),
                                  [&](const StoredAnalysis& stored) { return stored.name == analysis; });
  return found == analyses.end() ? nullptr : &*found;
}

std::unique_ptr<ResultFile> ResultFile::create(const std::string& path, const ResultMetadata& metadata) {
  const std::lock_guard lock(h5::library_mutex());
  auto writer = std::make_unique<detail::ResultWriter>(path, metadata, now_in_utc());
  return std::unique_ptr<ResultFile>(new ResultFile(std::move(writer), {}));
}

std::unique_ptr<ResultFile> ResultFile::open_for_resume(const std::string& path, const ResultMetadata& metadata) {
  const std::lock_guard lock(h5::library_mutex());
  Results previous = read_results(path);
  check_same_study(path, previous.metadata, metadata);
  for (StoredAnalysis& analysis : previous.analyses)
    for (StoredBranch& branch : analysis.branches) {
      withdraw_last_step(branch);
      // Stopped while its first point was sought: what its points will look like is not known yet.
      if (branch.points.empty() && branch.end.stop == to_string(ContinuationStop::stopped_by_user))
        branch.ended = false;
    }
  auto writer = std::make_unique<detail::ResultWriter>(path + ".resumed", metadata, previous.created);
  writer->replay(previous);
  writer->rename(path);
  return std::unique_ptr<ResultFile>(new ResultFile(std::move(writer), std::move(previous)));
}

ResultFile::ResultFile(std::unique_ptr<detail::ResultWriter> writer, Results previous)
    : writer_(std::move(writer)), previous_(std::move(previous)) {}

ResultFile::~ResultFile() {
  const std::lock_guard lock(h5::library_mutex());
  writer_.reset();
}

BranchRestart ResultFile::restart(const std::string& analysis, int branch) const {
  const StoredAnalysis* stored = previous_.find(analysis);
  if (stored == nullptr) return {};
  for (const StoredBranch& candidate : stored->branches)
    if (candidate.header.index == branch)
      return {candidate.points, candidate.special_points, candidate.ended,
              candidate.ended ? candidate.end : BranchEnd{}, candidate.cycles};
  return {};
}

std::vector<TimeHistory> ResultFile::finished_histories(const std::string& analysis) const {
  std::vector<TimeHistory> finished;
  if (const StoredAnalysis* stored = previous_.find(analysis))
    for (const TimeHistory& history : stored->histories)
      if (history.complete) finished.push_back(history);
  return finished;
}

void ResultFile::begin_branch(const BranchHeader& header) {
  const std::lock_guard lock(h5::library_mutex());
  writer_->begin_branch(header);
}

void ResultFile::add_point(const BranchHeader& header, const ResponsePoint& point) {
  const std::lock_guard lock(h5::library_mutex());
  writer_->add_point(header, point);
}

void ResultFile::add_special_point(const BranchHeader& header, const SpecialPoint& special) {
  const std::lock_guard lock(h5::library_mutex());
  writer_->add_special_point(header, special);
}

void ResultFile::add_cycles(const BranchHeader& header, const JointCycles& cycles) {
  const std::lock_guard lock(h5::library_mutex());
  writer_->add_cycles(header, cycles);
}

void ResultFile::end_branch(const BranchHeader& header, const BranchEnd& end) {
  const std::lock_guard lock(h5::library_mutex());
  writer_->end_branch(header, end);
}

void ResultFile::add_history(const TimeHistory& history) {
  const std::lock_guard lock(h5::library_mutex());
  writer_->add_history(history);
}

void ResultFile::add_loop(const JointLoop& loop) {
  const std::lock_guard lock(h5::library_mutex());
  writer_->add_loop(loop);
}

void ResultFile::add_modes(const ModeSet& set) {
  const std::lock_guard lock(h5::library_mutex());
  writer_->add_modes(set);
}

void ResultFile::add_identification(const Identification& result) {
  const std::lock_guard lock(h5::library_mutex());
  writer_->add_identification(result);
}

void ResultFile::set_summary(const std::string& text) {
  const std::lock_guard lock(h5::library_mutex());
  writer_->set_summary(text);
}

void ResultFile::flush() {
  const std::lock_guard lock(h5::library_mutex());
  writer_->flush();
}

std::string ResultFile::path() const {
  const std::lock_guard lock(h5::library_mutex());
  return writer_->path();
}

}  // namespace masing
