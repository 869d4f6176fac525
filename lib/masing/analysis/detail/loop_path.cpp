#include "masing/analysis/detail/loop_path.hpp"

#include <algorithm>
#include <cmath>

namespace masing::detail {
namespace {

/// The inputs besides the first: constant ones, or one value for each sample of a history.
double value_of(const LoopInput& input, Index sample) {
  if (!input.values.empty()) return input.values[static_cast<std::size_t>(sample)];
  return input.mean;
}

double value_at(const LoopInput& input, double tau) {
  return input.mean + input.amplitude * std::cos(input.harmonic * tau + input.phase);
}

/// The approach for the load or as given.
double approach_of(const LoopJoint& joint, const LoopRequest& request, double value) {
  return request.normal_load.given ? joint.approach_for_load(value) : value;
}

const LoopInput& normal_input(const LoopRequest& request) {
  return request.normal_load.given ? request.normal_load : request.approach;
}

/// Constant inputs beside a path of the first one.
void fill_constant_inputs(const LoopJoint& joint, const LoopRequest& request, LoopPath& path) {
  const Index inputs = path.displacement.cols();
  if (request.second.given) path.displacement.col(1).setConstant(request.second.mean);
  if (joint.has_normal()) {
    path.displacement.col(inputs - 1).setConstant(approach_of(joint, request, normal_input(request).mean));
  }
}

LoopPath empty_path(const LoopJoint& joint, Index samples) {
  const int inputs = joint.element->inputs();
  return {.displacement = Matrix::Zero(samples, inputs), .velocity = Matrix::Zero(samples, inputs), .knots = {}};
}

/// Rates of change by differences over the neighbours; one-sided at the ends, unless the end is the begin again.
Vector rates(const VectorView& values, const VectorView& time, bool periodic) {
  const Index last = values.size() - 1;
  Vector result = Vector::Zero(values.size());
  if (last < 1) return result;
  for (Index i = 0; i <= last; ++i) {
    const Index before = std::max<Index>(i - 1, 0);
    const Index after = std::min(i + 1, last);
    result[i] = (values[after] - values[before]) / (time[after] - time[before]);
  }
  if (periodic) result[0] = result[last] = 0.5 * (result[0] + result[last]);
  return result;
}

/// One monotone section of the half cosine wave from `begin` to `end` that takes `duration`.
struct Stretch {
  double begin = 0.0;
  double end = 0.0;
  double duration = 1.0;

  double phase_of(double u) const { return std::acos(std::clamp(1.0 - 2.0 * (u - begin) / (end - begin), -1.0, 1.0)); }
  double at(double phase) const { return begin + 0.5 * (end - begin) * (1.0 - std::cos(phase)); }
  double velocity(double phase) const { return 0.5 * (end - begin) * std::sin(phase) * pi / duration; }
};

/// Appends the section from u = `from` to u = `to` behind the last knot.
void add_section(const Stretch& stretch, double from, double to, Index steps, LoopPath& path) {
  const double first = stretch.phase_of(from);
  const double last = stretch.phase_of(to);
  const Index offset = path.knots.back();
  for (Index i = 0; i <= steps; ++i) {
    const double phase = first + (last - first) * static_cast<double>(i) / static_cast<double>(steps);
    path.displacement(offset + i, 0) = i == 0 ? from : i == steps ? to : stretch.at(phase);
    path.velocity(offset + i, 0) = stretch.velocity(phase);
  }
  path.knots.push_back(offset + steps);
}

/// Linear interpolation with `steps` steps between rows.
Matrix refined(const Matrix& rows, Index steps) {
  if (steps == 1 || rows.rows() < 2) return rows;
  Matrix result((rows.rows() - 1) * steps + 1, rows.cols());
  for (Index i = 0; i + 1 < rows.rows(); ++i) {
    for (Index j = 0; j < steps; ++j) {
      const double share = static_cast<double>(j) / static_cast<double>(steps);
      result.row(i * steps + j) = (1.0 - share) * rows.row(i) + share * rows.row(i + 1);
    }
  }
  result.row(result.rows() - 1) = rows.row(rows.rows() - 1);
  return result;
}

/// Time, and the inputs as written: the last one still a load when loads are given.
Matrix written_history(const LoopJoint& joint, const LoopRequest& request) {
  const Index samples = request.history.rows();
  const Index inputs = joint.element->inputs();
  Matrix rows = Matrix::Zero(samples, 1 + inputs);
  const double period = 1.0 / request.frequency;
  rows.col(0) = request.time.size() > 0 ? request.time : Vector(Vector::LinSpaced(samples, 0.0, period));
  rows.middleCols(1, request.history.cols()) = request.history;
  for (Index i = 0; i < samples; ++i) {
    if (request.second.given) rows(i, 2) = value_of(request.second, i);
    if (normal_input(request).given) rows(i, inputs) = value_of(normal_input(request), i);
  }
  return rows;
}

}  // namespace

LoopPath coarsened(const LoopPath& path, Index stride) {
  const Index rows = (path.displacement.rows() - 1) / stride + 1;
  LoopPath coarse{.displacement = Matrix(rows, path.displacement.cols()),
                  .velocity = Matrix(rows, path.velocity.cols()),
                  .knots = {}};
  for (Index i = 0; i < rows; ++i) {
    coarse.displacement.row(i) = path.displacement.row(i * stride);
    coarse.velocity.row(i) = path.velocity.row(i * stride);
  }
  for (const Index knot : path.knots) coarse.knots.push_back(knot / stride);
  return coarse;
}

LoopPath cycle_path(const LoopJoint& joint, const LoopRequest& request, double amplitude) {
  const Index half = refinement * ((request.samples + 1) / 2);
  LoopPath path = empty_path(joint, 2 * half + 1);
  const Index inputs = path.displacement.cols();
  const double omega = 2.0 * pi * request.frequency;
  const LoopInput first{.given = true, .mean = request.mean, .amplitude = amplitude};
  Vector time(2 * half + 1);
  for (Index i = 0; i <= 2 * half; ++i) {
    const double tau = i == 2 * half ? 0.0 : pi * static_cast<double>(i) / static_cast<double>(half);
    time[i] = static_cast<double>(i) / (2.0 * static_cast<double>(half) * request.frequency);
    path.displacement(i, 0) = value_at(first, tau);
    path.velocity(i, 0) = -omega * amplitude * std::sin(tau);
    if (request.second.given) path.displacement(i, 1) = value_at(request.second, tau);
    if (joint.has_normal()) {
      path.displacement(i, inputs - 1) = approach_of(joint, request, value_at(normal_input(request), tau));
    }
  }
  for (Index k = 1; k < inputs; ++k) path.velocity.col(k) = rates(path.displacement.col(k), time, true);
  path.knots = {0, half, 2 * half};
  return path;
}

LoopPath minor_loop_path(const LoopJoint& joint, const LoopRequest& request, const MinorLoops& loops) {
  const auto n = static_cast<Index>(loops.minor.size());
  const Index sections = 3 * n + 2;
  const Index steps = 2 * refinement * std::max<Index>(1, (request.samples + 2 * sections - 1) / (2 * sections));
  LoopPath path = empty_path(joint, sections * steps + 1);
  path.knots = {0};
  const double bottom = request.mean - loops.amplitude;
  const double top = request.mean + loops.amplitude;
  const double centre = request.mean + loops.centre;
  const double duration = 1.0 / (request.frequency * static_cast<double>(2 * n + 2));
  const auto section = [&](double from, double to) { add_section({from, to, duration}, from, to, steps, path); };
  double at = bottom;
  for (const double minor : loops.minor) {
    section(at, centre + minor);
    section(centre + minor, centre - minor);
    at = centre - minor;
  }
  const Stretch rise{at, top, duration};
  for (std::size_t i = loops.minor.size(); i-- > 0;) {
    add_section(rise, at, centre + loops.minor[i], steps, path);
    at = centre + loops.minor[i];
  }
  add_section(rise, at, top, steps, path);
  section(top, bottom);
  fill_constant_inputs(joint, request, path);
  return path;
}

LoopPath ramp_path(const LoopJoint& joint, const LoopRequest& request, double amplitude) {
  const Index samples = refinement * request.samples;
  LoopPath path = empty_path(joint, samples + 1);
  for (Index i = 0; i <= samples; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(samples);
    path.displacement(i, 0) = amplitude * share * share;
    path.velocity(i, 0) = 2.0 * amplitude * share * request.frequency;
  }
  path.knots = {0, samples};
  fill_constant_inputs(joint, request, path);
  return path;
}

LoopPath history_path(const LoopJoint& joint, const LoopRequest& request) {
  const Matrix rows = refined(written_history(joint, request), request.steps);
  LoopPath path = empty_path(joint, rows.rows());
  const Index inputs = path.displacement.cols();
  path.displacement = rows.rightCols(inputs);
  if (request.normal_load.given) {
    for (Index i = 0; i < rows.rows(); ++i) path.displacement(i, inputs - 1) = joint.approach_for_load(rows(i, inputs));
  }
  for (Index k = 0; k < inputs; ++k) path.velocity.col(k) = rates(path.displacement.col(k), rows.col(0), false);
  path.knots = {0, rows.rows() - 1};
  return path;
}

}  // namespace masing::detail
