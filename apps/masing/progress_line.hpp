// Progress for people: one line that is written over on a terminal, a plain line now and then in a log.
#pragma once

#include "masing/core/progress.hpp"

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace masing::app {

enum class ProgressStyle { quiet, terminal, log };

/// Terminal when standard error is one, else log; quiet when asked for.
ProgressStyle choose_style(bool quiet);

class ProgressLine {
 public:
  explicit ProgressLine(ProgressStyle style) : style_(style) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Called from several threads.
  void show(const Progress& progress);
  /// Removes the line from a terminal.
  void clear();

 private:
  std::mutex mutex_;
  ProgressStyle style_;
  bool drawn_ = false;
  std::map<std::string, std::chrono::steady_clock::time_point> last_;  // by task
};

/// "response, 0.2 N: 318.42 Hz, amplitude 1.2e-03, step 0.02, 3 iterations, 57 points, 43 %, 12.0 s left"
std::string progress_text(const Progress& progress);

}  // namespace masing::app
