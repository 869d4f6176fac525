#include "masing/joint/pressure.hpp"

#include "masing/contact/backbones.hpp"
#include "masing/core/error.hpp"
#include "masing/joint/detail/parabola_chain.hpp"

#include <algorithm>
#include <cmath>

namespace masing {
namespace {

bool carries(const LineLoad& load, Index i) {
  return load.x[i + 1] > load.x[i] && (load.q[i] > 0.0 || load.q[i + 1] > 0.0);
}

void check_positions(const Vector& x, const char* name) {
  require(x.size() >= 2, "pressure: {} needs at least two positions, there are {}.", name, x.size());
  for (Index i = 0; i < x.size(); ++i) {
    require(std::isfinite(x[i]), "pressure: position {} of {} is {}: it must be finite.", i + 1, name, x[i]);
    require(i == 0 || x[i] >= x[i - 1],
            "pressure: {} must not fall, but goes from {} m to {} m at position {}. Sort it.", name,
            x[std::max<Index>(i - 1, 0)], x[i], i + 1);
  }
}

void check_pressure(double value, const char* what, const char* unit, double x) {
  require(
      value >= 0.0 && std::isfinite(value),
      "pressure: the {} is {} {} at x = {} m; it must be >= 0 and finite. A contact cannot pull: write 0 where it is "
      "open.",
      what, value, unit, x);
}

void check(const LineLoad& load) {
  require(load.x.size() == load.q.size(),
          "pressure: {} positions and {} line loads; there must be one load a position.", load.x.size(), load.q.size());
  check_positions(load.x, "x");
  for (Index i = 0; i < load.q.size(); ++i) check_pressure(load.q[i], "line load", "N/m", load.x[i]);
  require(load.normal_load() > 0.0, "pressure: the contact is empty: no interval of positive length carries load.");
}

void check_friction(double friction) {
  require(friction > 0.0 && std::isfinite(friction), "pressure: friction = {} must be > 0.", friction);
}

void check_stiffness(double stiffness) {
  require(stiffness > 0.0 && std::isfinite(stiffness), "pressure: stiffness = {} N/m must be > 0.", stiffness);
}

}  // namespace

BackbonePointer segment_backbone(double stiffness, const std::vector<SlipSegment>& segments) {
  check_stiffness(stiffness);
  double shares = 0.0;
  double largest = 0.0;
  for (const SlipSegment& s : segments) {
    require(s.share > 0.0 && std::isfinite(s.share), "pressure: the share {} of a segment must be > 0.", s.share);
    require(s.first >= 0.0 && s.last >= 0.0 && std::isfinite(s.first + s.last),
            "pressure: slip forces of a segment go from {} N to {} N; they must be >= 0 and finite.", s.first, s.last);
    shares += s.share;
    largest = std::max({largest, s.first, s.last});
  }
  require(largest > 0.0, "pressure: the contact is empty: no segment has a slip force > 0.");
  std::vector<detail::EvenGroup> groups;
  for (const SlipSegment& s : segments) {
    const auto [low, high] = std::minmax(s.first, s.last);
    groups.push_back({stiffness * (s.share / shares), low / stiffness, high / stiffness});
  }
  return std::make_shared<detail::ParabolaChain>(detail::parabola_chain(groups));
}

double LineLoad::normal_load() const {
  double sum = 0.0;
  for (Index i = 0; i + 1 < x.size(); ++i) sum += 0.5 * (q[i] + q[i + 1]) * (x[i + 1] - x[i]);
  return sum;
}

double LineLoad::contact_length() const {
  double sum = 0.0;
  for (Index i = 0; i + 1 < x.size(); ++i) sum += carries(*this, i) ? x[i + 1] - x[i] : 0.0;
  return sum;
}

LineLoad line_load(const Vector& x, const Vector& pressure, double width) {
  require(width > 0.0 && std::isfinite(width), "pressure: width = {} m must be > 0.", width);
  return {x, pressure * width};
}

LineLoad line_load(const Vector& x, const Vector& y, const Matrix& pressure) {
  require(pressure.rows() == x.size() && pressure.cols() == y.size(),
          "pressure: the map has {} rows and {} columns, with {} positions x and {} positions y; it needs a row for "
          "each x and "
          "a column for each y.",
          pressure.rows(), pressure.cols(), x.size(), y.size());
  check_positions(x, "x");
  check_positions(y, "y");
  LineLoad load{x, Vector::Zero(x.size())};
  for (Index i = 0; i < x.size(); ++i) {
    for (Index j = 0; j < y.size(); ++j) check_pressure(pressure(i, j), "pressure", "Pa", x[i]);
    for (Index j = 0; j + 1 < y.size(); ++j) {
      load.q[i] += 0.5 * (pressure(i, j) + pressure(i, j + 1)) * (y[j + 1] - y[j]);
    }
  }
  return load;
}

std::vector<SlipSegment> slip_segments(const LineLoad& load, double friction) {
  check(load);
  check_friction(friction);
  const double length = load.contact_length();
  std::vector<SlipSegment> segments;
  for (Index i = 0; i + 1 < load.x.size(); ++i) {
    if (!carries(load, i)) continue;
    segments.push_back(
        {(load.x[i + 1] - load.x[i]) / length, friction * length * load.q[i], friction * length * load.q[i + 1]});
  }
  return segments;
}

BackbonePointer pressure_backbone(const ShapedPressure& pressure) {
  const double k = pressure.stiffness;
  check_stiffness(k);
  check_friction(pressure.friction);
  require(pressure.normal_load > 0.0 && std::isfinite(pressure.normal_load),
          "pressure: normal_load = {} N must be > 0.", pressure.normal_load);
  const double limit = pressure.friction * pressure.normal_load;
  switch (pressure.shape) {
    case PressureShape::uniform:
      return segment_backbone(k, {{1.0, limit, limit}});
    case PressureShape::triangle:
      return segment_backbone(k, {{1.0, 0.0, 2.0 * limit}});
    case PressureShape::hertz:
      return hertz_backbone({.stiffness = k, .slip_force = limit});
    case PressureShape::quadratic:
      require(pressure.gamma >= 0.0 && pressure.gamma <= 1.5,
              "pressure: gamma = {} must be in [0, 1.5]; beyond, the pressure would be negative.", pressure.gamma);
      return flat_backbone({.stiffness = k, .slip_force = limit, .gamma = pressure.gamma});
  }
  return nullptr;
}

BackbonePointer pressure_backbone(const LineLoad& load, double friction, double stiffness) {
  return segment_backbone(stiffness, slip_segments(load, friction));
}

}  // namespace masing
