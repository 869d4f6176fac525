#include "masing/analysis/joint_loops.hpp"

#include "masing/analysis/detail/loop_measures.hpp"
#include "masing/analysis/detail/loop_path.hpp"
#include "masing/contact/loop.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace masing {
namespace {

using detail::LoopPath;
using detail::MeasuredWork;

/// Relative to the elastic energy: below it there is no dissipation to take a logarithm of.
constexpr double no_dissipation = 1e-9;
/// Change of the force, relative to the largest one, up to which a minor loop has closed.
constexpr double minor_closure = 1e-9;

// --- checks ----------------------------------------------------------------------------------------------------------

void check_constant(const LoopInput& input, const char* name, LoopMotion motion) {
  const bool constant = !input.given || (input.amplitude == 0.0 && input.values.empty());
  require(constant, "`{}` must be constant for motion \"{}\".", name, to_string(motion));
}

void check_input(const LoopInput& input, const char* name, const LoopRequest& request) {
  if (!input.given) return;
  if (request.motion == LoopMotion::ramp || request.motion == LoopMotion::minor_loops) {
    check_constant(input, name, request.motion);
  }
  require(input.values.empty() || request.motion == LoopMotion::history,
          "`{}` has `values`, which belong to motion \"history\"; a cycle has mean, amplitude and phase.", name);
  if (request.motion != LoopMotion::history) return;
  require(input.amplitude == 0.0, "`{}` has an amplitude, which motion \"history\" has no period for. Give `values`.",
          name);
  require(input.values.empty() || static_cast<Index>(input.values.size()) == request.history.rows(),
          "`{}` has {} values, the history {}: there must be as many.", name, input.values.size(),
          request.history.rows());
}

void check_load(const LoopInput& load) {
  double least = load.mean - std::abs(load.amplitude);
  if (!load.values.empty()) least = *std::min_element(load.values.begin(), load.values.end());
  require(
      !load.given || least >= 0.0,
      "the normal load falls to {} N; a contact cannot pull, it must be >= 0. Let the contact open with `approach`.",
      least);
}

void check_normal(const LoopJoint& joint, const LoopRequest& request) {
  const bool given = request.normal_load.given || request.approach.given;
  require(!(request.normal_load.given && request.approach.given), "give either `normal_load` or `approach`, not both.");
  require(joint.has_normal() || !given, "`{}` is given, but the law of joint '{}' has no normal input.",
          request.normal_load.given ? "normal_load" : "approach", joint.name);
  const bool in_history = request.motion == LoopMotion::history && request.history.cols() > 1;
  require(!joint.has_normal() || given || in_history,
          "the law of joint '{}' has a normal input: give `normal_load` (N) or `approach` (m).", joint.name);
  check_load(request.normal_load);
}

void check_second(const LoopJoint& joint, const LoopRequest& request) {
  const int tangential = joint.element->inputs() - (joint.has_normal() ? 1 : 0);
  require(!request.second.given || tangential > 1, "`second` is given, but the law of joint '{}' has {} direction{}.",
          joint.name, tangential, tangential == 1 ? " only" : "s");
}

void check_history(const LoopJoint& joint, const LoopRequest& request) {
  if (request.motion != LoopMotion::history) return;
  const Index columns = request.history.cols();
  const int inputs = joint.element->inputs();
  require(request.history.rows() >= 2, "a history needs at least two samples, this one has {}.",
          request.history.rows());
  require(columns == 1 || columns == inputs, "the history has {} columns of motion; joint '{}' has {} input{}.",
          columns, joint.name, inputs, inputs == 1 ? "" : "s");
  require(columns == 1 || !(request.second.given || request.normal_load.given || request.approach.given),
          "the history has a column for every input; leave out `second`, `normal_load` and `approach`.");
  for (Index i = 1; i < request.time.size(); ++i) {
    require(request.time[i] > request.time[i - 1], "the times of the history must rise; {} s follows {} s.",
            request.time[i], request.time[i - 1]);
  }
}

/// What one unit of the request's amplitudes is in metres.
double amplitude_unit(const LoopJoint& joint, const LoopRequest& request) {
  if (request.of_macroslip.empty()) return 1.0;
  require(joint.backbone != nullptr,
          "the law of joint '{}' has no macroslip displacement. Give `amplitudes` in metres.", joint.name);
  require(std::isfinite(joint.macroslip()),
          "joint '{}' never slides as a whole: its macroslip displacement is infinite. Give `amplitudes` in metres.",
          joint.name);
  return joint.macroslip();
}

const std::vector<double>& written_amplitudes(const LoopRequest& request) {
  return request.of_macroslip.empty() ? request.amplitudes : request.of_macroslip;
}

std::vector<double> amplitudes_of(const LoopJoint& joint, const LoopRequest& request) {
  std::vector<double> amplitudes = written_amplitudes(request);
  const double unit = amplitude_unit(joint, request);
  for (double& amplitude : amplitudes) amplitude *= unit;
  return amplitudes;
}

void check_minor(const LoopRequest& request) {
  if (request.motion != LoopMotion::minor_loops) return;
  const double major = written_amplitudes(request).front();
  require(!request.minor.empty(), "give the amplitudes of the minor loops in `minor`.");
  double larger = major - std::abs(request.minor_centre);
  for (const double minor : request.minor) {
    require(minor > 0.0 && minor < larger,
            "minor loops are nested: {} must be > 0 and < {}, which the loop around it leaves room for (amplitude {}, "
            "centre {}).",
            minor, larger, major, request.minor_centre);
    larger = minor;
  }
}

// --- computing -------------------------------------------------------------------------------------------------------

JointLoop blank(const LoopJoint& joint, const LoopRequest& request, int index, double amplitude) {
  JointLoop loop;
  loop.loop = request.name;
  loop.joint = joint.name;
  loop.motion = to_string(request.motion);
  loop.index = index;
  loop.amplitude = amplitude;
  loop.inputs = joint.input_names();
  return loop;
}

/// Whether Masing's rules for the backbone say the energy.
bool follows_backbone(const LoopJoint& joint) {
  return joint.backbone != nullptr && joint.element->inputs() == 1 && !joint.element->uses_velocity();
}

/// Forces of the steady cycle at all samples, the first one repeated at the end.
Matrix cycle_forces(const LoopJoint& joint, const LoopRequest& request, const LoopPath& path, JointLoop& loop) {
  const Index samples = path.displacement.rows() - 1;
  CycleResult result;
  joint.element->steady_cycle({path.displacement.topRows(samples), path.velocity.topRows(samples)}, request.cycle,
                              result);
  loop.closed = result.report.closed;
  loop.cycles = result.report.cycles;
  loop.closure_error = result.report.closure_error;
  loop.complete = loop.closed;
  if (!loop.closed) {
    loop.message =
        fmt::format("The cycle has not closed after {} periods; the force still changes by {:.1e} of itself.",
                    loop.cycles, loop.closure_error);
  }
  Matrix force(samples + 1, result.force.cols());
  force << result.force, result.force.row(0);
  return force;
}

void store(const Matrix& displacement, const Matrix& force, JointLoop& loop) {
  loop.work = detail::thinned(detail::running_work(displacement, force));
  loop.displacement = detail::thinned(displacement);
  loop.force = detail::thinned(force);
}

void set_energy(const MeasuredWork& energy, JointLoop& loop) {
  loop.energy = energy.value;
  loop.energy_error = energy.error;
}

MeasuredWork work_of_sections(const std::vector<Index>& knots, const Matrix& displacement, const Matrix& force) {
  MeasuredWork energy;
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    energy += detail::work_between(displacement, force, knots[k], knots[k + 1]);
  }
  return energy;
}

MeasuredWork work_of_sections(const LoopPath& path, const Matrix& force) {
  return work_of_sections(path.knots, path.displacement, force);
}

/// How far the energy is off because the law has seen samples only, from what it is when the law sees every second and every
/// fourth of them. Errors that fall with the step or faster are at most the first change, and a quarter of the second where
/// they fall with its square. Where events fall within the samples may make either small by chance: twice both.
double sampling_error(const LoopPath& path, double energy, const std::function<Matrix(const LoopPath&)>& forces) {
  const auto energy_of = [&](Index stride) {
    const LoopPath coarse = detail::coarsened(path, stride);
    return work_of_sections(coarse, forces(coarse)).value;
  };
  const double half = energy_of(2), quarter = energy_of(4);
  return 2.0 * (std::abs(energy - half) + 0.25 * std::abs(half - quarter));
}

void add_sampling_error(const LoopPath& path, const std::function<Matrix(const LoopPath&)>& forces, JointLoop& loop) {
  loop.energy_error = std::max(loop.energy_error, sampling_error(path, loop.energy, forces));
}

void compute_cycle(const LoopJoint& joint, const LoopRequest& request, JointLoop& loop) {
  const LoopPath path = detail::cycle_path(joint, request, loop.amplitude);
  const Matrix force = cycle_forces(joint, request, path, loop);
  set_energy(work_of_sections(path, force), loop);
  const auto forces = [&](const LoopPath& coarse) {
    JointLoop unused;
    return cycle_forces(joint, request, coarse, unused);
  };
  add_sampling_error(path, forces, loop);
  if (loop.inputs.back() == "normal") {
    loop.normal_energy = work_of_sections(path.knots, path.displacement.rightCols(1), force.rightCols(1)).value;
  }
  detail::measure_closed(path.displacement, force, loop);
  store(path.displacement, force, loop);
  if (follows_backbone(joint)) loop.energy_of_backbone = joint.loop_energy(loop.amplitude);
}

void compute_ramp(const LoopJoint& joint, const LoopRequest& request, JointLoop& loop) {
  const LoopPath path = detail::ramp_path(joint, request, loop.amplitude);
  const auto forces = [&](const LoopPath& along) -> Matrix {
    return march_history(*joint.element, along.displacement, along.velocity).force;
  };
  const Matrix force = forces(path);
  set_energy(work_of_sections(path, force), loop);
  add_sampling_error(path, forces, loop);
  detail::measure_ramp(path.displacement, force, loop);
  store(path.displacement, force, loop);
}

void compute_history(const LoopJoint& joint, const LoopRequest& request, JointLoop& loop) {
  const LoopPath path = detail::history_path(joint, request);
  const History history = march_history(*joint.element, path.displacement, path.velocity);
  detail::measure_forces(path.displacement, history.force, loop);
  loop.displacement = path.displacement;
  loop.force = history.force;
  loop.work = history.work;
  loop.energy = loop.work[loop.work.size() - 1];
}

/// The samples of some sections one behind the other; a section begins where the one before has ended.
Matrix rows_of_sections(const Matrix& rows, const LoopPath& path, const std::vector<std::size_t>& sections) {
  const Index steps = path.knots[1];
  Matrix joined(static_cast<Index>(sections.size()) * steps + 1, rows.cols());
  for (std::size_t k = 0; k < sections.size(); ++k) {
    joined.middleRows(static_cast<Index>(k) * steps, steps + 1) = rows.middleRows(path.knots[sections[k]], steps + 1);
  }
  return joined;
}

/// Minor loop number i = 1 … n, without the loops inside it.
void compute_minor(const LoopJoint& joint, const LoopPath& path, const Matrix& force, std::size_t i, std::size_t n,
                   JointLoop& loop) {
  std::vector<std::size_t> sections = {2 * i - 1, 2 * i};
  if (i < n) sections.push_back(3 * n - i);
  const Matrix u = rows_of_sections(path.displacement, path, sections);
  const Matrix f = rows_of_sections(force, path, sections);
  const Index last = u.rows() - 1;
  MeasuredWork energy;
  for (Index begin = 0; begin < last; begin += path.knots[1]) {
    energy += detail::work_between(u, f, begin, begin + path.knots[1]);
  }
  set_energy(energy, loop);
  detail::measure_closed(u, f, loop);
  store(u, f, loop);
  const double largest = f.cwiseAbs().maxCoeff();
  loop.motion = "minor";
  loop.closure_error = largest > 0.0 ? (f.row(last) - f.row(0)).cwiseAbs().maxCoeff() / largest : 0.0;
  loop.closed = loop.closure_error <= minor_closure;
  if (follows_backbone(joint)) loop.energy_of_backbone = joint.loop_energy(loop.amplitude);
}

std::vector<JointLoop> compute_minor_loops(const LoopJoint& joint, const LoopRequest& request, double amplitude) {
  detail::MinorLoops loops{amplitude, request.minor_centre, request.minor};
  const double unit = amplitude_unit(joint, request);
  loops.centre *= unit;
  for (double& minor : loops.minor) minor *= unit;
  const LoopPath path = detail::minor_loop_path(joint, request, loops);
  std::vector<JointLoop> results = {blank(joint, request, 0, amplitude)};
  const Matrix force = cycle_forces(joint, request, path, results.front());
  set_energy(work_of_sections(path, force), results.front());
  detail::measure_closed(path.displacement, force, results.front());
  store(path.displacement, force, results.front());
  for (std::size_t i = 1; i <= loops.minor.size(); ++i) {
    results.push_back(blank(joint, request, static_cast<int>(i), loops.minor[i - 1]));
    compute_minor(joint, path, force, i, loops.minor.size(), results.back());
  }
  return results;
}

/// Logarithmic slope of the energy from one amplitude to the next.
double slope_of(const JointLoop& before, const JointLoop& now) {
  const auto dissipates = [](const JointLoop& loop) { return loop.loss_factor > no_dissipation; };
  const bool comparable = before.amplitude > 0.0 && now.amplitude > 0.0 && before.amplitude != now.amplitude;
  if (!comparable || !dissipates(before) || !dissipates(now)) return JointLoop::none;
  return std::log(now.energy / before.energy) / std::log(now.amplitude / before.amplitude);
}

std::vector<JointLoop> compute(const LoopJoint& joint, const LoopRequest& request, int index, double amplitude) {
  JointLoop loop = blank(joint, request, index, amplitude);
  try {
    switch (request.motion) {
      case LoopMotion::cycles:
        compute_cycle(joint, request, loop);
        break;
      case LoopMotion::ramp:
        compute_ramp(joint, request, loop);
        break;
      case LoopMotion::history:
        compute_history(joint, request, loop);
        break;
      case LoopMotion::minor_loops:
        return compute_minor_loops(joint, request, amplitude);
    }
  } catch (const NumericalError& error) {
    loop = blank(joint, request, index, amplitude);
    loop.complete = false;
    loop.message = error.what();
  }
  return {loop};
}

}  // namespace

std::string_view to_string(LoopMotion motion) {
  switch (motion) {
    case LoopMotion::cycles:
      return "cycles";
    case LoopMotion::minor_loops:
      return "minor-loops";
    case LoopMotion::ramp:
      return "ramp";
    case LoopMotion::history:
      break;
  }
  return "history";
}

std::vector<std::string> LoopJoint::input_names() const {
  const int inputs = element->inputs();
  if (inputs == 1) return {"motion"};
  std::vector<std::string> names;
  for (int i = 1; i <= inputs; ++i) names.push_back(fmt::format("input {}", i));
  if (!has_normal()) return names;
  names.front() = "tangential";
  if (inputs > 2) names[1] = "second tangential";
  names.back() = "normal";
  return names;
}

double LoopJoint::macroslip() const {
  return backbone == nullptr ? std::numeric_limits<double>::infinity() : backbone->macroslip() / (1.0 - residual_share);
}

double LoopJoint::loop_energy(double amplitude) const {
  const double sliding = 1.0 - residual_share;
  return backbone->loop_energy(sliding * amplitude) / sliding;
}

void check_loops(const LoopJoint& joint, const LoopRequest& request) {
  check_history(joint, request);
  check_normal(joint, request);
  check_second(joint, request);
  check_input(request.second, "second", request);
  check_input(request.normal_load, "normal_load", request);
  check_input(request.approach, "approach", request);
  if (request.motion == LoopMotion::history) return;
  require(!written_amplitudes(request).empty(), "motion \"{}\" needs an amplitude.", to_string(request.motion));
  amplitude_unit(joint, request);
  check_minor(request);
}

Index loop_count(const LoopRequest& request) {
  if (request.motion == LoopMotion::history) return 1;
  if (request.motion == LoopMotion::minor_loops) return 1 + static_cast<Index>(request.minor.size());
  return static_cast<Index>(written_amplitudes(request).size());
}

std::vector<JointLoop> joint_loops(const LoopJoint& joint, const LoopRequest& request, const LoopCallback& done) {
  check_loops(joint, request);
  std::vector<double> amplitudes = amplitudes_of(joint, request);
  if (request.motion == LoopMotion::history) amplitudes = {JointLoop::none};
  std::vector<JointLoop> loops;
  for (const double amplitude : amplitudes) {
    for (JointLoop& loop : compute(joint, request, static_cast<int>(loops.size()), amplitude)) {
      if (!loops.empty() && loop.motion != "minor") loop.slope = slope_of(loops.back(), loop);
      loops.push_back(std::move(loop));
      if (done && !done(loops.back())) return loops;
    }
  }
  return loops;
}

}  // namespace masing
