#include "masing/io/detail/mode_layout.hpp"

#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/result_layout.hpp"
#include "masing/structure/beam.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace masing::detail {
namespace {

constexpr std::array all_states = {JointState::stuck, JointState::preload, JointState::free};
constexpr std::array all_kinds = {ModeKind::vibrating, ModeKind::rigid, ModeKind::unstable};

/// A number of each mode: how the file calls it.
struct ModeNumber {
  const char* name;
  const char* unit;
  const char* description;
  double (*get)(const LinearMode& mode);
  void (*set)(LinearMode& mode, double value);
};

const std::vector<ModeNumber>& mode_numbers() {
  constexpr double turn = 2.0 * pi;
  static const std::vector<ModeNumber> numbers = {
      {"frequency", "Hz", "natural frequency without damping; of an unstable mode its growth rate / (2 pi)",
       [](const LinearMode& m) { return m.mode.omega / turn; },
       [](LinearMode& m, double value) { m.mode.omega = turn * value; }},
      {"damping_ratio", "1", "-Re/abs of the complex eigenvalue; NaN: rigid, unstable or not found",
       [](const LinearMode& m) { return m.mode.damping_ratio; },
       [](LinearMode& m, double value) { m.mode.damping_ratio = value; }},
      {"damped_frequency", "Hz", "imaginary part of the complex eigenvalue / (2 pi)",
       [](const LinearMode& m) { return m.mode.damped_omega / turn; },
       [](LinearMode& m, double value) { m.mode.damped_omega = turn * value; }},
      {"modal_mass", "kg", "of the shape in which what moves most moves by 1; kg m^2 where that is a rotation",
       [](const LinearMode& m) { return m.modal_mass; }, [](LinearMode& m, double value) { m.modal_mass = value; }},
      {"largest_motion", "1/sqrt(kg)", "of what moves most, in the stored shape",
       [](const LinearMode& m) { return m.largest_motion; },
       [](LinearMode& m, double value) { m.largest_motion = value; }},
  };
  return numbers;
}

void write_names(h5::Group& group, const ModeSet& set) {
  std::vector<std::string> kinds, largest;
  for (const LinearMode& mode : set.modes) {
    kinds.emplace_back(to_string(mode.mode.kind));
    largest.push_back(mode.largest);
  }
  group.write("kind", kinds, "vibrating, rigid or unstable");
  group.write("largest", largest, "what moves most");
}

void write_shapes(h5::Group& group, const ModeSet& set) {
  const auto count = static_cast<Index>(set.modes.size());
  Matrix shapes(count, static_cast<Index>(set.coordinates.size()));
  for (Index i = 0; i < count; ++i) shapes.row(i) = set.modes[static_cast<std::size_t>(i)].mode.shape.transpose();
  write_rows(group, "shapes", shapes, "1/sqrt(kg)", "mode shapes of unit modal mass: modes x coordinates");
  const NaturalMode& first = set.modes.front().mode;
  if (first.x.size() == 0) return;
  group.write("x", first.x, "m", "places along the beam");
  for (Index motion = 0; motion < 3; ++motion) {
    Matrix drawn(count, first.x.size());
    for (Index i = 0; i < count; ++i)
      drawn.row(i) = set.modes[static_cast<std::size_t>(i)].mode.drawn.col(motion).transpose();
    const std::string name = beam_motion_names[static_cast<std::size_t>(motion)];
    write_rows(group, name, drawn, motion < 2 ? "1/sqrt(kg)" : "rad/(m sqrt(kg))",
               name + " along the beam: modes x places");
  }
}

template <class Value, std::size_t n>
std::optional<Value> named(const std::array<Value, n>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](Value value) { return to_string(value) == name; });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

/// A dataset with a row for each mode.
Matrix read_mode_rows(const h5::Group& group, const std::string& name, const ModeSet& set) {
  Matrix rows = group.read_reals(name);
  require(
      rows.rows() == static_cast<Index>(set.modes.size()) && rows.cols() > 0,
      "'{}' of the modes has {} x {} numbers, but there are {} modes: the file is damaged, or its writing was broken "
      "off. Delete it and compute the modes again.",
      name, rows.rows(), rows.cols(), set.modes.size());
  return rows;
}

void read_shapes(const h5::Group& group, ModeSet& set) {
  const Matrix shapes = read_mode_rows(group, "shapes", set);
  const bool drawn = group.has("x");
  const Vector x = drawn ? Vector(group.read_reals("x")) : Vector();
  for (std::size_t i = 0; i < set.modes.size(); ++i) {
    set.modes[i].mode.shape = shapes.row(static_cast<Index>(i)).transpose();
    set.modes[i].mode.x = x;
    set.modes[i].mode.drawn.resize(x.size(), drawn ? 3 : 0);
  }
  for (Index motion = 0; drawn && motion < 3; ++motion) {
    const Matrix rows = read_mode_rows(group, beam_motion_names[static_cast<std::size_t>(motion)], set);
    require(rows.cols() == x.size(), "'{}' of the modes has {} columns for {} places: the file is damaged.",
            beam_motion_names[static_cast<std::size_t>(motion)], rows.cols(), x.size());
    for (std::size_t i = 0; i < set.modes.size(); ++i) {
      set.modes[i].mode.drawn.col(motion) = rows.row(static_cast<Index>(i)).transpose();
    }
  }
}

ModeSet read_set(const h5::Group& group) {
  ModeSet set;
  set.state = named(all_states, group.text_attribute("state")).value_or(JointState::stuck);
  const std::string same = fmt::format(" {} ", group.text_attribute("same"));
  for (const JointState state : all_states) {
    if (same.find(fmt::format(" {} ", to_string(state))) != std::string::npos) set.same.push_back(state);
  }
  set.complete = group.integer_attribute("complete") != 0;
  set.message = group.text_attribute("message");
  set.coordinates = group.read_texts("coordinates");
  if (group.has("equilibrium")) set.equilibrium = group.read_reals("equilibrium");
  if (!group.has("frequency")) return set;
  const std::vector<std::string> kinds = group.read_texts("kind"), largest = group.read_texts("largest");
  set.modes.resize(kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    set.modes[i].mode.kind = named(all_kinds, kinds[i]).value_or(ModeKind::vibrating);
    set.modes[i].largest = largest.at(i);
  }
  for (const ModeNumber& number : mode_numbers()) {
    const Matrix values = read_mode_rows(group, number.name, set);
    for (std::size_t i = 0; i < set.modes.size(); ++i) number.set(set.modes[i], values(static_cast<Index>(i), 0));
  }
  read_shapes(group, set);
  return set;
}

}  // namespace

std::string_view to_string(ModeKind kind) {
  switch (kind) {
    case ModeKind::vibrating:
      return "vibrating";
    case ModeKind::rigid:
      return "rigid";
    case ModeKind::unstable:
      break;
  }
  return "unstable";
}

void write_modes(h5::Group& modes, const ModeSet& set, std::int64_t order) {
  h5::Group group = modes.create_group(std::string(to_string(set.state)), "modes with the joints in one state");
  std::vector<std::string> same;
  for (const JointState state : set.same) same.emplace_back(to_string(state));
  group.set_attribute("state", std::string(to_string(set.state)));
  group.set_attribute("same", join(same, " "));
  group.set_attribute("order", order);
  group.set_attribute("complete", std::int64_t{set.complete ? 1 : 0});
  group.set_attribute("message", set.message);
  group.write("coordinates", set.coordinates, "names of the coordinates, as the columns of shapes");
  if (set.equilibrium.size() > 0) {
    group.write("equilibrium", set.equilibrium, "m, rad", "where the coordinates rest under the static loads");
  }
  if (set.modes.empty()) return;
  for (const ModeNumber& number : mode_numbers()) {
    Vector values(static_cast<Index>(set.modes.size()));
    for (std::size_t i = 0; i < set.modes.size(); ++i) values[static_cast<Index>(i)] = number.get(set.modes[i]);
    group.write(number.name, values, number.unit, number.description);
  }
  write_names(group, set);
  write_shapes(group, set);
}

std::vector<ModeSet> read_modes(const h5::Group& modes) {
  std::vector<std::pair<std::int64_t, ModeSet>> found;
  for (const std::string& state : modes.children()) {
    found.emplace_back(modes.group(state).integer_attribute("order"), read_set(modes.group(state)));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ModeSet> result;
  for (auto& [order, set] : found) result.push_back(std::move(set));
  return result;
}

}  // namespace masing::detail
