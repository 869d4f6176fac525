// Progress of long work as a callback; the library itself never prints.
#pragma once

#include <functional>
#include <string>

namespace masing {

struct Progress {
  std::string task;        ///< "response, 0.2 N"
  double frequency = 0.0;  ///< [Hz]
  double amplitude = 0.0;  ///< of the first observable
  double step = 0.0;
  int iterations = 0;
  int points = 0;
  double fraction = 0.0;  ///< done of this task, 0 … 1, an estimate
  double seconds = 0.0;   ///< since the task began
  bool finished = false;
};

/// Called after every point, possibly from several threads. Return false to stop: what was computed is kept.
using ProgressCallback = std::function<bool(const Progress&)>;

}  // namespace masing
