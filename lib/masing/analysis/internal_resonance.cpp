#include "masing/analysis/internal_resonance.hpp"

#include "masing/analysis/linear_modes.hpp"
#include "masing/balance/harmonic_balance.hpp"
#include "masing/core/error.hpp"
#include "masing/fourier/coefficients.hpp"

#include <algorithm>
#include <cmath>

namespace masing {

namespace {

/// Larger structures are not looked at: all coordinates of all points would be recovered.
constexpr Index most_coordinates = 1000;

struct Mode {
  int number = 1;
  double frequency = 0.0;  // [Hz]
  Vector momentum;         // Mφ; empty without a mass matrix
};

/// The modes that a harmonic of the branch can reach; none where the model has no linear form.
std::vector<Mode> modes_within(const Model& model, double highest) {
  constexpr Index most = 40;
  const auto* matrices = dynamic_cast<const SecondOrderStructure*>(model.structure.get());
  std::vector<ModeSet> sets;
  try {
    sets = linear_modes(
        model, {.states = {JointState::stuck}, .range = {.count = most, .up_to = 2.0 * pi * highest}, .places = 2});
  } catch (const Error&) {
    return {};
  }
  std::vector<Mode> modes;
  if (sets.empty() || !sets.front().complete) return modes;
  for (const LinearMode& linear : sets.front().modes) {
    if (linear.mode.kind != ModeKind::vibrating) continue;
    modes.push_back({.number = static_cast<int>(modes.size()) + 1,
                     .frequency = linear.mode.omega / (2.0 * pi),
                     .momentum = matrices != nullptr ? Vector(matrices->mass() * linear.mode.shape) : Vector()});
  }
  return modes;
}

bool is_loaded(const Model& model, int harmonic) {
  return std::any_of(model.loads.begin(), model.loads.end(),
                     [&](const Load& load) { return load.harmonic == harmonic; });
}

/// The modal coordinates of one harmonic along a branch.
class Harmonics {
 public:
  Harmonics(const Model& model, const BalanceOptions& options, const ResponseBranch& branch)
      : mass_(dynamic_cast<const SecondOrderStructure&>(*model.structure).mass().cast<Complex>()), set_({1}) {
    HarmonicBalance balance(*model.structure, model.joints, model.loads, options);
    set_ = balance.set();
    for (const ResponsePoint& point : branch.points) {
      motions_.push_back(balance.recover(point.coefficients, 2.0 * pi * point.frequency));
    }
  }

  struct Shares {
    double coordinate = 0.0;  // |φᵀ M Q_k|
    double modal = 0.0, harmonic = 0.0;
  };

  Shares at(std::size_t point, int k, const Mode& mode) const {
    double all = 0.0, own = 0.0;
    Complex coordinate = 0.0;
    ComplexVector q;
    for (Index i = 0; i < set_.count(); ++i) {
      if (set_[i] == 0) continue;
      complex_amplitude(set_, motions_[point], i, q);
      const double square = set_[i] * set_[i] * q.dot(mass_ * q).real();
      all += square;
      if (set_[i] != k) continue;
      own = square;
      coordinate = mode.momentum.cast<Complex>().dot(q);
    }
    if (!(own > 0.0)) return {};
    return {std::abs(coordinate), std::norm(coordinate) * k * k / own, std::sqrt(own / all)};
  }

 private:
  Eigen::SparseMatrix<Complex> mass_;
  HarmonicSet set_;
  std::vector<Matrix> motions_;
};

/// The largest local maximum of the modal coordinate that is within the limits.
void add_resonance(const Harmonics& harmonics, const ResponseBranch& branch, int k, const Mode& mode,
                   const InternalResonanceLimits& limits, std::vector<InternalResonance>& all) {
  std::vector<Harmonics::Shares> shares;
  for (std::size_t i = 0; i < branch.points.size(); ++i) shares.push_back(harmonics.at(i, k, mode));
  std::size_t best = 0;
  for (std::size_t i = 1; i + 1 < shares.size(); ++i) {
    const Harmonics::Shares& here = shares[i];
    const bool peak = here.coordinate > shares[i - 1].coordinate && here.coordinate >= shares[i + 1].coordinate;
    const double detuning = std::abs(k * branch.points[i].frequency / mode.frequency - 1.0);
    const bool fits =
        detuning < limits.detuning && here.modal > limits.modal_share && here.harmonic > limits.harmonic_share;
    if (peak && fits && (best == 0 || here.coordinate > shares[best].coordinate)) best = i;
  }
  if (best == 0) return;
  InternalResonance found{.harmonic = k, .mode = mode.number, .mode_frequency = mode.frequency};
  found.point = static_cast<Index>(best);
  found.frequency = branch.points[best].frequency;
  found.modal_share = shares[best].modal;
  found.harmonic_share = shares[best].harmonic;
  found.from = found.to = found.frequency;
  for (const int way : {-1, 1}) {
    for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(best); i >= 0 && i < std::ssize(shares); i += way) {
      const auto at = static_cast<std::size_t>(i);
      if (shares[at].coordinate < 0.5 * shares[best].coordinate) break;
      found.from = std::min(found.from, branch.points[at].frequency);
      found.to = std::max(found.to, branch.points[at].frequency);
    }
  }
  all.push_back(found);
}

void add_meetings(const ResponseBranch& branch, int k, const Mode& mode, std::vector<InternalResonance>& all) {
  for (std::size_t i = 0; i + 1 < branch.points.size(); ++i) {
    const double before = k * branch.points[i].frequency - mode.frequency;
    const double after = k * branch.points[i + 1].frequency - mode.frequency;
    if ((before < 0.0) == (after < 0.0)) continue;
    all.push_back({.harmonic = k,
                   .mode = mode.number,
                   .mode_frequency = mode.frequency,
                   .point = static_cast<Index>(i),
                   .frequency = mode.frequency / k,
                   .meeting = true});
  }
}

}  // namespace

std::vector<InternalResonance> internal_resonances(const Model& model, const BalanceOptions& options,
                                                   const ResponseBranch& branch, bool meetings,
                                                   const InternalResonanceLimits& limits) {
  std::vector<InternalResonance> all;
  const bool has_mass = dynamic_cast<const SecondOrderStructure*>(model.structure.get()) != nullptr;
  if (branch.points.empty() || options.harmonics.back() < 2) return all;
  if (model.structure->size() > most_coordinates || (!has_mass && !meetings)) return all;
  double highest = 0.0;
  for (const ResponsePoint& point : branch.points) highest = std::max(highest, point.frequency);
  const std::vector<Mode> modes =
      modes_within(model, (1.0 + limits.detuning) * highest * std::max(options.harmonics.back(), 1));
  std::optional<Harmonics> harmonics;
  if (has_mass && !modes.empty()) harmonics.emplace(model, options, branch);
  for (const int k : options.harmonics) {
    if (k < 2 || is_loaded(model, k)) continue;
    for (const Mode& mode : modes) {
      if (harmonics) add_resonance(*harmonics, branch, k, mode, limits, all);
      if (meetings) add_meetings(branch, k, mode, all);
    }
  }
  return all;
}

std::string to_text(const InternalResonance& found) {
  if (found.meeting) {
    return fmt::format("{} times the frequency meets mode {} ({:.6g} Hz, joints stuck) at {:.6g} Hz", found.harmonic,
                       found.mode, found.mode_frequency, found.frequency);
  }
  return fmt::format(
      "harmonic {} resonates with mode {} ({:.6g} Hz, joints stuck) at {:.6g} Hz: {:.2g} % of the velocity, {:.3g} % "
      "of that "
      "in this mode; more than half as much between {:.6g} and {:.6g} Hz",
      found.harmonic, found.mode, found.mode_frequency, found.frequency, 100.0 * found.harmonic_share,
      100.0 * found.modal_share, found.from, found.to);
}

}  // namespace masing
