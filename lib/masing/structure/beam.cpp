#include "masing/structure/beam.hpp"

#include "masing/core/error.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace masing {
namespace {

constexpr double same_place = 1e-9;  // of the length

double tolerance(const Beam& beam) { return same_place * (beam.end() - beam.begin()); }

void check_section(const BeamSection& s, BeamTheory theory, std::size_t number) {
  const std::string which = fmt::format("section {} ({} to {} m)", number, s.begin, s.end);
  require(s.end > s.begin, "{}: its end must lie behind its beginning.", which);
  require(std::isfinite(s.youngs_modulus) && s.youngs_modulus > 0.0, "{}: E = {} Pa must be > 0.", which,
          s.youngs_modulus);
  require(std::isfinite(s.density) && s.density > 0.0, "{}: rho = {} kg/m^3 must be > 0.", which, s.density);
  require(std::isfinite(s.area) && s.area > 0.0, "{}: area = {} m^2 must be > 0.", which, s.area);
  require(s.loss_factor >= 0.0, "{}: loss_factor = {} must be >= 0.", which, s.loss_factor);
  if (theory == BeamTheory::rod) return;
  require(std::isfinite(s.inertia) && s.inertia > 0.0, "{}: inertia = {} m^4 must be > 0.", which, s.inertia);
  if (theory == BeamTheory::euler_bernoulli) return;
  require(s.poisson_ratio > -1.0 && s.poisson_ratio <= 0.5, "{}: nu = {} must be in (-1, 0.5].", which,
          s.poisson_ratio);
  require(s.shear_factor > 0.0 && s.shear_factor <= 1.0, "{}: shear_factor = {} must be in (0, 1].", which,
          s.shear_factor);
}

void check_place(const Beam& beam, double at, const std::string& what) {
  require(at >= beam.begin() - tolerance(beam) && at <= beam.end() + tolerance(beam),
          "{} at {} m is not on the beam, which reaches from {} to {} m.", what, at, beam.begin(), beam.end());
}

void check_not_negative(const std::array<double, 3>& values, const std::string& what) {
  for (const double value : values) require(value >= 0.0, "{} = {} must be >= 0.", what, value);
}

void check_coupling(const Beam& beam, const BeamCoupling& coupling) {
  for (const BeamCoupling::Term& term : coupling.terms) {
    check_place(beam, term.at, "coupling");
    require(static_cast<int>(term.motion) < motions_per_node(beam.theory),
            "coupling at {} m: a rod has no motion '{}'.", term.at,
            beam_motion_names[static_cast<std::size_t>(term.motion)]);
  }
  require(std::isfinite(coupling.stiffness), "stiffness of a coupling = {} must be finite.", coupling.stiffness);
  require(coupling.damping >= 0.0, "damping of a coupling = {} must be >= 0.", coupling.damping);
}

/// "x0.3", with as many digits as it takes to differ from the place before; a point may not have such a name itself.
void name_by_position(std::vector<BeamNode>& nodes) {
  std::map<std::string, double> points;
  for (const BeamNode& node : nodes) {
    if (!node.name.empty()) points.emplace(node.name, node.at);
  }
  std::set<std::string> used;
  for (BeamNode& node : nodes) {
    for (int digits = 6; node.name.empty(); ++digits) {
      const std::string name = fmt::format("x{:.{}g}", node.at, digits);
      const auto point = points.find(name);
      require(point == points.end(), "point '{}' at {} m has the name of the place at {} m: give it another name.",
              name, point == points.end() ? 0.0 : point->second, node.at);
      if (used.insert(name).second) node.name = name;
    }
  }
}

}  // namespace

int motions_per_node(BeamTheory theory) { return theory == BeamTheory::rod ? 1 : 3; }

void check_beam(const Beam& beam) {
  require(!beam.sections.empty(), "A beam needs at least one section.");
  for (std::size_t i = 0; i < beam.sections.size(); ++i) {
    check_section(beam.sections[i], beam.theory, i + 1);
    if (i == 0) continue;
    require(std::abs(beam.sections[i].begin - beam.sections[i - 1].end) <= tolerance(beam),
            "section {} begins at {} m, the one before it ends at {} m: sections follow each other without gap.", i + 1,
            beam.sections[i].begin, beam.sections[i - 1].end);
  }
  for (const BeamPoint& point : beam.points) check_place(beam, point.at, fmt::format("point '{}'", point.name));
  for (const BeamSupport& support : beam.supports) {
    check_place(beam, support.at, "support");
    check_not_negative(support.stiffness, "stiffness of a support");
    check_not_negative(support.damping, "damping of a support");
  }
  for (const BeamMass& mass : beam.masses) {
    check_place(beam, mass.at, "mass");
    require(mass.mass >= 0.0 && mass.rotary_inertia >= 0.0, "mass at {} m: m = {} kg and J = {} kg m^2 must be >= 0.",
            mass.at, mass.mass, mass.rotary_inertia);
  }
  for (const BeamSpring& spring : beam.springs) {
    check_place(beam, spring.from, "spring");
    check_place(beam, spring.to, "spring");
    check_not_negative(spring.stiffness, "stiffness of a spring");
    check_not_negative(spring.damping, "damping of a spring");
  }
  for (const BeamCoupling& coupling : beam.couplings) check_coupling(beam, coupling);
}

std::vector<BeamNode> beam_nodes(const Beam& beam) {
  std::vector<BeamNode> places;
  for (const BeamPoint& point : beam.points) places.push_back({point.at, point.name});
  for (const BeamSection& section : beam.sections) {
    places.push_back({section.begin, ""});
    places.push_back({section.end, ""});
  }
  for (const BeamSupport& support : beam.supports) places.push_back({support.at, ""});
  for (const BeamMass& mass : beam.masses) places.push_back({mass.at, ""});
  for (const BeamSpring& spring : beam.springs) {
    places.push_back({spring.from, ""});
    places.push_back({spring.to, ""});
  }
  for (const BeamCoupling& coupling : beam.couplings) {
    for (const BeamCoupling::Term& term : coupling.terms) places.push_back({term.at, ""});
  }
  std::stable_sort(places.begin(), places.end(), [](const BeamNode& a, const BeamNode& b) { return a.at < b.at; });
  std::vector<BeamNode> nodes;
  for (const BeamNode& place : places) {
    const bool is_new = nodes.empty() || place.at - nodes.back().at > tolerance(beam);
    if (is_new) nodes.push_back({place.at, ""});
    if (place.name.empty()) continue;
    require(nodes.back().name.empty(), "points '{}' and '{}' are both at {} m: a place has one name.",
            nodes.back().name, place.name, place.at);
    nodes.back().name = place.name;
  }
  name_by_position(nodes);
  return nodes;
}

std::size_t node_at(const std::vector<BeamNode>& nodes, double at) {
  const auto nearest = std::min_element(nodes.begin(), nodes.end(), [&](const BeamNode& a, const BeamNode& b) {
    return std::abs(a.at - at) < std::abs(b.at - at);
  });
  return static_cast<std::size_t>(nearest - nodes.begin());
}

const BeamSection& section_between(const Beam& beam, double left, double right) {
  const double middle = 0.5 * (left + right);
  const auto found = std::find_if(beam.sections.begin(), beam.sections.end(),
                                  [&](const BeamSection& section) { return middle < section.end; });
  return found == beam.sections.end() ? beam.sections.back() : *found;
}

}  // namespace masing
