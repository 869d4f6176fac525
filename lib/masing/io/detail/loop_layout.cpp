#include "masing/io/detail/loop_layout.hpp"

#include "masing/core/error.hpp"
#include "masing/io/detail/result_layout.hpp"

#include <algorithm>
#include <utility>

namespace masing::detail {
namespace {

void write_loop(h5::Group group, const JointLoop& loop, std::int64_t order) {
  group.set_attribute("loop", loop.loop);
  group.set_attribute("joint", loop.joint);
  group.set_attribute("index", std::int64_t{loop.index});
  group.set_attribute("order", order);
  group.set_attribute("motion", loop.motion);
  group.set_attribute("closed", std::int64_t{loop.closed ? 1 : 0});
  group.set_attribute("cycles", std::int64_t{loop.cycles});
  group.set_attribute("complete", std::int64_t{loop.complete ? 1 : 0});
  group.set_attribute("message", loop.message);
  for (const LoopMeasure& measure : loop_measures()) {
    group.write(measure.name, Vector::Constant(1, loop.*measure.value), measure.unit, measure.description);
  }
  group.write("inputs", loop.inputs, "names of the inputs, as the columns of displacement and force");
  write_rows(group, "displacement", loop.displacement, "m", "prescribed motion: samples x inputs");
  write_rows(group, "force", loop.force, "N", "force of the joint, positive against its motion: samples x inputs");
  group.write("work", loop.work, "J", "work done on the joint since the first sample");
}

JointLoop read_loop(const h5::Group& group) {
  JointLoop loop;
  loop.loop = group.text_attribute("loop");
  loop.joint = group.text_attribute("joint");
  loop.index = static_cast<int>(group.integer_attribute("index"));
  loop.motion = group.text_attribute("motion");
  loop.closed = group.integer_attribute("closed") != 0;
  loop.cycles = static_cast<int>(group.integer_attribute("cycles"));
  loop.complete = group.integer_attribute("complete") != 0;
  loop.message = group.text_attribute("message");
  for (const LoopMeasure& measure : loop_measures()) loop.*measure.value = group.read_reals(measure.name)(0, 0);
  loop.inputs = group.read_texts("inputs");
  loop.displacement = group.read_reals("displacement");
  loop.force = group.read_reals("force");
  loop.work = group.read_reals("work");
  return loop;
}

}  // namespace

const std::vector<LoopMeasure>& loop_measures() {
  static const std::vector<LoopMeasure> measures = {
      {"amplitude", "m", "amplitude of the first input; of a ramp its end", &JointLoop::amplitude},
      {"largest_force", "N", "largest force of the first input", &JointLoop::largest_force},
      {"smallest_force", "N", "smallest force of the first input", &JointLoop::smallest_force},
      {"mean_force", "N", "mean force of the first input over the cycle", &JointLoop::mean_force},
      {"secant_stiffness", "N/m", "range of the force over range of the displacement", &JointLoop::secant_stiffness},
      {"stick_stiffness", "N/m", "tangent after the reversal, or at the begin of a ramp", &JointLoop::stick_stiffness},
      {"end_stiffness", "N/m", "tangent at the end of loading", &JointLoop::end_stiffness},
      {"energy", "J", "area of the loop; work at the end of a ramp or history", &JointLoop::energy},
      {"energy_error", "J", "estimated error of the energy", &JointLoop::energy_error},
      {"energy_of_backbone", "J", "the energy by Masing's rules, from the backbone alone",
       &JointLoop::energy_of_backbone},
      {"loss_factor", "1", "energy/(pi * secant stiffness * amplitude^2)", &JointLoop::loss_factor},
      {"slope", "1", "d ln energy/d ln amplitude since the amplitude before", &JointLoop::slope},
      {"largest_normal_force", "N", "largest force of the normal input", &JointLoop::largest_normal_force},
      {"smallest_normal_force", "N", "smallest force of the normal input", &JointLoop::smallest_normal_force},
      {"normal_energy", "J", "what of the energy the normal force takes", &JointLoop::normal_energy},
      {"closure_error", "1", "largest change of a force over the last cycle, relative", &JointLoop::closure_error},
  };
  return measures;
}

LoopWriter::LoopWriter(h5::Group& root) : loops_(root.create_group("loops", "loops of the joints alone")) {}

h5::Group& LoopWriter::child(h5::Group& parent, const std::string& place, const std::string& name,
                             const std::string& description) {
  const auto found = groups_.find(place);
  if (found != groups_.end()) return found->second;
  h5::Group group = parent.create_group(encode_name(name), description);
  group.set_attribute("name", name);
  return groups_.emplace(place, std::move(group)).first->second;
}

void LoopWriter::add(const JointLoop& loop) {
  const std::string place = encode_name(loop.loop);
  h5::Group& task = child(loops_, place, loop.loop, "one [[loop]] of the study");
  h5::Group& joint = child(task, place + "/" + encode_name(loop.joint), loop.joint, "its loops of one joint");
  write_loop(joint.create_group(std::to_string(loop.index), "one loop"), loop, written_++);
}

std::vector<JointLoop> read_loops(const h5::Group& loops) {
  std::vector<std::pair<std::int64_t, JointLoop>> found;
  for (const std::string& task : loops.children()) {
    for (const std::string& joint : loops.group(task).children()) {
      const h5::Group group = loops.group(task).group(joint);
      for (const std::string& number : group.children()) {
        try {
          found.emplace_back(group.group(number).integer_attribute("order"), read_loop(group.group(number)));
        } catch (const Error&) {
          continue;  // it was being written when the run was killed
        }
      }
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<JointLoop> result;
  for (auto& [order, loop] : found) result.push_back(std::move(loop));
  return result;
}

}  // namespace masing::detail
