#include "masing/io/detail/report_cycles.hpp"

#include "masing/io/detail/report_loops.hpp"
#include "masing/io/detail/report_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace masing::detail {
namespace {

constexpr std::size_t most_joints = 4;
constexpr std::size_t most_loops = 7;  // as many as there are colours

/// One motion whose loops are drawn.
struct DrawnCycles {
  const StoredBranch* branch;
  const JointCycles* cycles;
};

bool has_frequency_for_parameter(const BranchHeader& header) {
  return header.kind == "frequency-response" || header.kind == "response-control";
}

/// Peaks of several sensors lie next to each other: one of them is enough.
bool is_same_peak(const JointCycles& a, const JointCycles& b) {
  constexpr double next_to = 1e-3;
  return a.kind == "peak" && b.kind == "peak" && std::abs(a.frequency - b.frequency) < next_to * b.frequency;
}

void add_drawn(const StoredBranch& branch, std::vector<DrawnCycles>& all) {
  const std::size_t before = all.size();
  const auto is_known = [&](const JointCycles& cycles) {
    return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(before), all.end(),
                       [&](const DrawnCycles& other) { return is_same_peak(*other.cycles, cycles); });
  };
  for (const JointCycles& cycles : branch.cycles) {
    if ((cycles.kind == "peak" || cycles.kind == "level") && !is_known(cycles)) all.push_back({&branch, &cycles});
  }
  if (all.size() > before && has_frequency_for_parameter(branch.header)) return;
  const auto last = std::find_if(branch.cycles.rbegin(), branch.cycles.rend(),
                                 [](const JointCycles& cycles) { return cycles.kind == JointCycles::at_point; });
  if (last != branch.cycles.rend()) all.push_back({&branch, &*last});
}

/// Evenly over all of them, the last one among them.
std::vector<DrawnCycles> thinned(const std::vector<DrawnCycles>& all) {
  if (all.size() <= most_loops) return all;
  std::vector<DrawnCycles> few;
  for (std::size_t i = 0; i < most_loops; ++i) few.push_back(all[i * (all.size() - 1) / (most_loops - 1)]);
  return few;
}

/// Numbers of the joints, those first that dissipate most anywhere.
std::vector<std::size_t> joints_by_energy(const StoredAnalysis& analysis) {
  const std::vector<std::string>& names = analysis.branches.front().header.joints;
  std::vector<double> largest(names.size(), 0.0);
  for (const StoredBranch& branch : analysis.branches) {
    for (const ResponsePoint& point : branch.points) {
      const auto known = std::min(names.size(), static_cast<std::size_t>(point.joint_energy.size()));
      for (std::size_t j = 0; j < known; ++j) {
        largest[j] = std::max(largest[j], point.joint_energy[static_cast<Index>(j)]);  // NaN is never larger
      }
    }
  }
  std::vector<std::size_t> order(names.size());
  for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return largest[a] > largest[b]; });
  return order;
}

/// Null: a run was killed before it was stored.
const ResponsePoint* point_of(const StoredBranch& branch, const JointCycles& cycles) {
  if (cycles.kind == JointCycles::at_point) {
    const auto at = static_cast<std::size_t>(cycles.point);
    return at < branch.points.size() ? &branch.points[at] : nullptr;
  }
  const auto found =
      std::find_if(branch.special_points.begin(), branch.special_points.end(), [&](const SpecialPoint& special) {
        return special.kind == cycles.kind && special.point.frequency == cycles.frequency;
      });
  return found == branch.special_points.end() ? nullptr : &found->point;
}

std::string label_of(const DrawnCycles& one, bool several_branches) {
  const BranchHeader& header = one.branch->header;
  const std::string text = cycles_text(*one.branch, *one.cycles);
  return several_branches ? fmt::format("{}: {}", level_text(header), text) : text;
}

svg::Plot cycle_plot(const StoredAnalysis& analysis, const std::vector<DrawnCycles>& drawn, Index input) {
  const bool several = analysis.branches.size() > 1;
  svg::Plot plot{.title = fmt::format("{} – loop of {}", analysis.name,
                                      analysis.branches.front().header.joint_inputs[static_cast<std::size_t>(input)]),
                 .x_label = "relative motion",
                 .x_unit = "m",
                 .y_label = "joint force",
                 .y_unit = "N",
                 .width = 660,
                 .height = 460,
                 .curves = {},
                 .marks = {}};
  for (const DrawnCycles& one : drawn) {
    plot.curves.push_back(
        cycle_curve(*one.cycles, input, label_of(one, several), static_cast<int>(plot.curves.size())));
  }
  return plot;
}

std::string measure_rows(const StoredAnalysis& analysis, const std::vector<DrawnCycles>& drawn, Index input) {
  std::string rows;
  for (const DrawnCycles& one : drawn) {
    const CycleMeasures found = cycle_measures(*one.cycles, input);
    rows += row({analysis.branches.front().header.joint_inputs[static_cast<std::size_t>(input)],
                 label_of(one, analysis.branches.size() > 1), fmt::format("{:.6g}", found.amplitude()),
                 fmt::format("{:.6g}", found.largest_force), fmt::format("{:.6g}", found.smallest_force),
                 fmt::format("{:.6g}", found.area), fmt::format("{:.3f}", found.asymmetry())});
  }
  return rows;
}

}  // namespace

std::string cycles_text(const StoredBranch& branch, const JointCycles& cycles) {
  const BranchHeader& header = branch.header;
  const ResponsePoint* point = point_of(branch, cycles);
  if (has_frequency_for_parameter(header) || point == nullptr) {
    const std::string kind = cycles.kind == JointCycles::at_point ? "" : cycles.kind + ", ";
    return fmt::format("{}{:.5g} Hz", kind, cycles.frequency);
  }
  const Index level = header.find_quantity("level");
  if (header.kind == "force-response" && level >= 0) {
    return fmt::format("{:.4g} {}", point->quantities[level], header.quantities[static_cast<std::size_t>(level)].unit);
  }
  const Abscissa over = quantity_abscissa(header);
  return fmt::format("{:.4g} {}", over.value(header, *point), over.unit);
}

svg::Curve cycle_curve(const JointCycles& cycles, Index input, const std::string& label, int colour) {
  svg::Curve curve{.label = label, .x = {}, .y = {}, .colour = colour};
  const Index samples = cycles.motion.rows();
  for (Index i = 0; i <= samples; ++i) {
    curve.x.push_back(cycles.motion(i % samples, input));
    curve.y.push_back(cycles.force(i % samples, input));
  }
  return curve;
}

std::string cycle_figures(const StoredAnalysis& analysis) {
  const BranchHeader& header = analysis.branches.front().header;
  std::vector<DrawnCycles> all;
  for (const StoredBranch& branch : analysis.branches) {
    if (branch.header.joint_inputs == header.joint_inputs) add_drawn(branch, all);
  }
  if (all.empty()) return {};
  const std::vector<DrawnCycles> drawn = thinned(all);
  std::string figures, rows;
  std::size_t joints = 0;
  for (const std::size_t j : joints_by_energy(analysis)) {
    if (joints++ == most_joints) break;
    const InputColumns columns = columns_of_joint(header.joint_inputs, header.joints[j]);
    for (Index input = columns.first; input < columns.first + columns.count; ++input) {
      figures += figure(cycle_plot(analysis, drawn, input), "The area of the loop is the energy lost in a period.");
      rows += measure_rows(analysis, drawn, input);
    }
  }
  const std::string which =
      header.joints.size() > most_joints
          ? fmt::format("Loops of the joints: the {} of {} that dissipate most", most_joints, header.joints.size())
          : "Loops of the joints";
  return fmt::format(
      "<details open><summary>{}</summary>\n{}{}</details>\n", svg::escape(which), figures,
      table("Loops",
            {"joint", "where", "amplitude (m)", "largest force (N)", "smallest force (N)", "area (J)", "asymmetry"},
            rows));
}

}  // namespace masing::detail
