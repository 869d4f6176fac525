// Results on disk: an HDF5 file that grows while the analyses run, and the plain structs read back from it.
//
// Layout (docs/result-file.md describes every dataset; each carries `unit` and `description`):
//
//   /                       attributes layout_version, program, program_version, created, title
//   /study  /overrides  /summary                                                          texts
//   /analyses/<name>/branches/<i>/{parameter, coefficients, tangent, step, iterations, residual, truncation, harmonics,
//        kept_motions, observables/<sensor>/{amplitude, phase, rms, peak}, special_points/…, resonances/…,
//        cycles/<i>/{motion, force}}
//   /loops/<name>/<joint>/<i>/{displacement, force, work, energy, …}
//   /modes/<state>/{frequency, damping_ratio, shapes, …}
//   /identification/{parameters, points, sets, starts}/…
//   /analyses/<name>/histories/<i>/{time, values/<sensor>, joint_force/<name>, joint_motion/<name>, steady/<sensor>/…}
//
// A killed run leaves a readable file. Points are collected in memory and go to disk together (write, then flush) when
// 50 ms have passed since the last time, and always at special points, ends of branches, histories and in the
// destructor; so what a kill can take is at most the points computed within 50 ms.
#pragma once

#include "masing/analysis/joint_loops.hpp"
#include "masing/analysis/linear_modes.hpp"
#include "masing/analysis/results.hpp"
#include "masing/identification/identification.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace masing {

namespace detail {
class ResultWriter;
}

/// What the file says about the run as a whole.
struct ResultMetadata {
  std::string title = {};
  std::string study_text = {};              ///< the exact text of the study file
  std::vector<std::string> overrides = {};  ///< as given with --set: "joint.0.slip_force=0.3"
  std::string program_version = {};
};

struct StoredBranch {
  BranchHeader header = {};
  std::vector<ResponsePoint> points = {};
  std::vector<SpecialPoint> special_points = {};
  std::vector<JointCycles> cycles = {};
  bool ended = false;  ///< false: the run was interrupted in this branch
  BranchEnd end = {};  ///< when not ended: stop = "interrupted"
};

struct StoredAnalysis {
  std::string name;
  std::vector<StoredBranch> branches;  ///< ordered by header.index
  std::vector<TimeHistory> histories;
};

struct Results {
  ResultMetadata metadata;
  std::string created;  ///< UTC, "2026-01-31T12:00:00Z"
  std::string summary;
  std::vector<StoredAnalysis> analyses;  ///< in the order of the run
  std::vector<JointLoop> loops;          ///< in the order of the run
  std::vector<ModeSet> modes;            ///< in the order of the run
  std::optional<Identification> identification;

  const StoredAnalysis* find(const std::string& analysis) const;  ///< null: none of that name
};

/// Reads a whole file, also one left by a killed run. Throws ModelError if it is missing, not HDF5, not a result file
/// of Masing, or of a newer layout than this program knows.
Results read_results(const std::string& path);

/// The growing file. Every member may be called from several threads.
///
///   auto file = ResultFile::create("results.h5", {.title = "Duffing", .study_text = text});
///   frequency_response(model, request, file.get());
///   file->set_summary("2 branches, 311 points");
class ResultFile final : public ResultSink {
 public:
  /// Makes a new file; an old one of that name is replaced.
  static std::unique_ptr<ResultFile> create(const std::string& path, const ResultMetadata& metadata);

  /// Goes on with the file of an interrupted run. Its study text and overrides must be those of `metadata`, else
  /// ModelError naming the first difference. The file is rewritten beside the old one and takes its place in one step,
  /// so a kill while resuming costs nothing.
  ///
  /// Of a branch that was interrupted the last point is withdrawn, with the special points behind it, because the
  /// special points found on arriving there may not have reached the disk: the run computes that step again.
  static std::unique_ptr<ResultFile> open_for_resume(const std::string& path, const ResultMetadata& metadata);

  ~ResultFile() override;
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  /// What an earlier run left of a branch, in exactly the doubles it had; empty for a new file. A later begin_branch
  /// for it goes on behind the last of these points: the run hands in new points only.
  BranchRestart restart(const std::string& analysis, int branch) const;
  /// Complete histories that an earlier run left for this analysis; one handed in again (same level and frequency)
  /// replaces the stored one.
  std::vector<TimeHistory> finished_histories(const std::string& analysis) const;

  void begin_branch(const BranchHeader& header) override;
  void add_point(const BranchHeader& header, const ResponsePoint& point) override;
  void add_special_point(const BranchHeader& header, const SpecialPoint& special) override;
  void add_cycles(const BranchHeader& header, const JointCycles& cycles) override;
  void end_branch(const BranchHeader& header, const BranchEnd& end) override;
  void add_history(const TimeHistory& history) override;

  void add_loop(const JointLoop& loop);
  void add_modes(const ModeSet& set);
  void add_identification(const Identification& result);  ///< at most once

  void set_summary(const std::string& text);  ///< replaces the text of /summary
  void flush();                               ///< everything handed in is on disk afterwards
  std::string path() const;

 private:
  ResultFile(std::unique_ptr<detail::ResultWriter> writer, Results previous);
  std::unique_ptr<detail::ResultWriter> writer_;
  Results previous_;  // of the run that is resumed
};

}  // namespace masing
