// The writing side of result files: groups and growing datasets, without locking (ResultFile does that).
#pragma once

#include "masing/io/detail/identification_layout.hpp"
#include "masing/io/detail/loop_layout.hpp"
#include "masing/io/detail/mode_layout.hpp"
#include "masing/io/detail/result_layout.hpp"
#include "masing/io/results.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace masing::detail {

/// The datasets that hold a list of response points, one row a point.
class PointSeries {
 public:
  struct Sizes {
    Index coefficients = 0;
    Index tangent = 0;
    Index unknowns = 0;  ///< 0: they are the coefficients and the frequency
    Index expected_rows = 256;
  };
  PointSeries(h5::Group& group, const std::string& frequency_name, const BranchHeader& header, const Sizes& sizes);
  void append(const ResponsePoint& point);
  void write();

 private:
  struct ObservableSeries {
    h5::Series amplitude, phase, rms, peak;
  };
  h5::Series frequency_, coefficients_, tangent_, step_, iterations_, residual_, truncation_, harmonic_share_;
  std::vector<h5::Series> quantities_;
  std::optional<h5::Series> joint_energy_, joint_amplitude_, unknowns_, modal_share_, mode_frequency_;
  std::vector<ObservableSeries> observables_;
  Sizes sizes_;
  Index harmonics_ = 0;
  Index joints_ = 0;
  Index modes_ = 0;
};

/// One branch of the file while it grows.
class BranchWriter {
 public:
  BranchWriter(h5::Group group, const BranchHeader& header);
  const BranchHeader& header() const { return header_; }
  void add(const ResponsePoint& point);
  bool add(const SpecialPoint& special);  ///< false: it was there already
  void add(const JointCycles& cycles);    ///< nothing is done if they were there already
  void end(const BranchEnd& end);
  void write();

 private:
  void open_series(const PointSeries::Sizes& sizes);
  void mark_interrupted();
  void write_resonances(const std::vector<Resonance>& resonances);

  struct SpecialSeries {
    h5::Series kind, observable, harmonic, after_point;
    PointSeries points;
  };
  using SpecialKey = std::tuple<std::string, std::string, int, Index, double>;  // …, harmonic, after_point, frequency
  using CyclesKey = std::tuple<std::string, Index, double>;                     // kind, point, frequency
  h5::Group group_;
  BranchHeader header_;
  std::optional<PointSeries> points_;
  std::optional<SpecialSeries> special_;
  std::vector<SpecialKey> special_keys_;
  std::optional<h5::Group> cycles_;
  std::vector<CyclesKey> cycles_keys_;
  bool ended_ = false;
};

class ResultWriter {
 public:
  ResultWriter(const std::string& path, const ResultMetadata& metadata, const std::string& created);
  ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  void begin_branch(const BranchHeader& header);
  void add_point(const BranchHeader& header, const ResponsePoint& point);
  void add_special_point(const BranchHeader& header, const SpecialPoint& special);
  void add_cycles(const BranchHeader& header, const JointCycles& cycles) { branch(header).add(cycles); }
  void end_branch(const BranchHeader& header, const BranchEnd& end);
  void add_history(const TimeHistory& history);
  void add_loop(const JointLoop& loop);
  void add_modes(const ModeSet& set);
  void add_identification(const Identification& result);
  void set_summary(const std::string& text);
  void flush();
  /// Replays what an interrupted run left.
  void replay(const Results& results);
  /// Gives the file another name, replacing what bears it.
  void rename(const std::string& path);
  const std::string& path() const { return path_; }

 private:
  struct Analysis {
    h5::Group group;
    std::optional<h5::Group> branches;
    std::optional<h5::Group> histories;
    std::vector<std::pair<double, double>> history_keys;  // level, frequency
  };
  Analysis& analysis(const std::string& name);
  BranchWriter& branch(const BranchHeader& header);

  std::string path_;
  h5::File file_;
  h5::Group root_;
  h5::Group analyses_group_;
  std::map<std::string, Analysis> analyses_;
  std::map<std::pair<std::string, int>, BranchWriter> branches_;
  std::optional<LoopWriter> loops_;
  std::optional<h5::Group> modes_;
  std::int64_t mode_sets_ = 0;
  std::chrono::steady_clock::time_point last_flush_;
};

}  // namespace masing::detail
