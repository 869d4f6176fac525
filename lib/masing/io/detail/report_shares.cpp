#include "masing/io/detail/report_shares.hpp"

#include "masing/io/detail/report_loops.hpp"
#include "masing/io/detail/report_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace masing::detail {
namespace {

constexpr double noticeable = 0.01;  // of the velocity
constexpr std::size_t most_branches = 3;
constexpr std::size_t most_curves = 6;

using ShareOf = std::function<double(const ResponsePoint&)>;

struct ShareCurve {
  std::string label;
  ShareOf share;
  double largest = 0.0;
};

double largest_share(const StoredBranch& branch, const ShareOf& share) {
  double largest = 0.0;
  for (const ResponsePoint& point : branch.points) largest = std::max(largest, share(point));
  return largest;
}

std::string harmonic_name(const BranchHeader& header, std::size_t i) {
  const int k = header.harmonics[i];
  return header.periods == 1 ? fmt::format("harmonic {}", k) : fmt::format("harmonic {}/{}", k, header.periods);
}

ShareOf harmonic_share(std::size_t i) {
  return [at = static_cast<Index>(i)](const ResponsePoint& point) {
    return at < point.harmonic_share.size() ? point.harmonic_share[at] : 0.0;
  };
}

/// Of the velocity, too: the squares of all modes of a harmonic sum up to that of the harmonic.
ShareOf modal_share(std::size_t i, std::size_t mode, std::size_t modes) {
  return [i, at = static_cast<Index>(i * modes + mode)](const ResponsePoint& point) {
    return at < point.modal_share.size() ? harmonic_share(i)(point) * std::sqrt(point.modal_share[at]) : 0.0;
  };
}

/// Those that are ever noticeable, the largest ones if there are too many.
std::vector<ShareCurve> noticeable_ones(const StoredBranch& branch, std::vector<ShareCurve> all) {
  for (ShareCurve& one : all) one.largest = largest_share(branch, one.share);
  std::erase_if(all, [](const ShareCurve& one) { return one.largest < noticeable; });
  std::stable_sort(all.begin(), all.end(),
                   [](const ShareCurve& a, const ShareCurve& b) { return a.largest > b.largest; });
  if (all.size() > most_curves) all.resize(most_curves);
  return all;
}

std::vector<ShareCurve> harmonic_curves(const StoredBranch& branch) {
  std::vector<ShareCurve> all;
  for (std::size_t i = 0; i < branch.header.harmonics.size(); ++i) {
    all.push_back({harmonic_name(branch.header, i), harmonic_share(i)});
  }
  return noticeable_ones(branch, std::move(all));
}

std::vector<ShareCurve> modal_curves(const StoredBranch& branch) {
  const std::size_t modes = branch.header.modes.size();
  std::vector<ShareCurve> all;
  for (std::size_t i = 0; i < branch.header.harmonics.size(); ++i) {
    for (std::size_t m = 0; m < modes; ++m) {
      all.push_back({fmt::format("{} in mode {}", harmonic_name(branch.header, i), m + 1), modal_share(i, m, modes)});
    }
  }
  return noticeable_ones(branch, std::move(all));
}

svg::Plot share_plot(const StoredAnalysis& analysis, const StoredBranch& branch, const std::string& whose,
                     const std::vector<ShareCurve>& curves) {
  const Abscissa over = quantity_abscissa(branch.header);
  svg::Plot plot{.title = fmt::format("{}, {} – shares of {}", analysis.name, level_text(branch.header), whose),
                 .x_label = over.label,
                 .x_unit = over.unit,
                 .y_label = "share of the velocity",
                 .y_unit = "",
                 .logarithmic = true,
                 .logarithmic_x = over.logarithmic,
                 .curves = {},
                 .marks = {}};
  constexpr double smallest = 1e-4;  // less is not drawn
  for (const ShareCurve& one : curves) {
    svg::Curve curve{.label = one.label, .x = {}, .y = {}, .colour = static_cast<int>(plot.curves.size())};
    for (const ResponsePoint& point : branch.points) {
      const double share = one.share(point);
      curve.x.push_back(over.value(branch.header, point));
      curve.y.push_back(share < smallest ? std::nan("") : share);
    }
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

}  // namespace

std::string share_figures(const StoredAnalysis& analysis) {
  std::string out;
  std::size_t drawn = 0;
  for (const StoredBranch& branch : analysis.branches) {
    const std::vector<ShareCurve> harmonics = harmonic_curves(branch);
    if (harmonics.size() < 2 || drawn == most_branches) continue;
    ++drawn;
    out += figure(share_plot(analysis, branch, "harmonics", harmonics),
                  "How much of the velocity each harmonic holds, mass-weighted: where one rises, it resonates.");
    const std::vector<ShareCurve> modes = modal_curves(branch);
    if (modes.empty()) continue;
    out += figure(share_plot(analysis, branch, "modes", modes),
                  "The same for each linear mode in each harmonic: an internal resonance is a second mode that rises.");
  }
  return out;
}

}  // namespace masing::detail
