// Loops of joints in the result file: /loops/<name>/<joint>/<i>.
#pragma once

#include "masing/analysis/joint_loops.hpp"
#include "masing/io/hdf5.hpp"

#include <map>
#include <string>
#include <vector>

namespace masing::detail {

class LoopWriter {
 public:
  explicit LoopWriter(h5::Group& root);
  void add(const JointLoop& loop);

 private:
  h5::Group& child(h5::Group& parent, const std::string& place, const std::string& name,
                   const std::string& description);
  h5::Group loops_;
  std::map<std::string, h5::Group> groups_;  // by place: "name" and "name/joint", names encoded
  std::int64_t written_ = 0;
};

/// Everything below /loops, in the order it was written.
std::vector<JointLoop> read_loops(const h5::Group& loops);

/// A number that is read off a loop: how files and tables call it, its unit and its meaning.
struct LoopMeasure {
  const char* name;
  const char* unit;
  const char* description;
  double JointLoop::*value;
};
const std::vector<LoopMeasure>& loop_measures();

}  // namespace masing::detail
