#include "masing/analysis/stability.hpp"

#include "masing/analysis/detail/bent_variation.hpp"
#include "masing/analysis/detail/hill.hpp"
#include "masing/analysis/detail/monodromy.hpp"
#include "masing/core/error.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace masing {

namespace {

// More coordinates make a point last seconds.
constexpr Index most_coordinates = 120;
// Larger eigenvalue problems are left to the monodromy when there is a choice: it is then the faster one.
constexpr Index most_hill_unknowns = 50;
// Error of the sum of exponents above which the choice falls on the monodromy.
constexpr double largest_trace_error = 1e-6;
// Samples in a period of the highest harmonic.
constexpr Index least_steps = 32;
// Both methods are more exact than this for motions that the harmonics resolve.
constexpr double tolerance = 1e-6;
// A multiplier below this is a structural zero, if the joints carry memory at all.
constexpr double zero = 1e-7;

/// All harmonics of what the joints feel: a quadratic motion has twice those of the motion.
HarmonicSet complete_set(const std::vector<int>& harmonics, const Model& model) {
  return HarmonicSet::up_to((any_quadratic(model.joints) ? 2 : 1) * harmonics.back());
}

BalanceOptions sampling(const HarmonicSet& complete, const StabilityOptions& options, CycleOptions cycle) {
  cycle.open = cycle.corners = true;
  const Index samples = std::max<Index>(options.steps, least_steps * complete.highest());
  return {.harmonics = complete.harmonics(), .samples = samples, .events = Events::located, .cycle = cycle};
}

bool is_smooth(const ContactElement& element) {
  const auto point = element.at_rest();
  return !element.is_piecewise_linear() && !point->switches() && point->memory().size() == 0;
}

// Rows and columns of like norms: the disturbances have different units.
void balance_norms(Matrix& matrix) {
  constexpr int sweeps = 5;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Index i = 0; i < matrix.rows(); ++i) {
      const double own = matrix(i, i) * matrix(i, i);
      const double row = std::sqrt(std::max(matrix.row(i).squaredNorm() - own, 0.0));
      const double column = std::sqrt(std::max(matrix.col(i).squaredNorm() - own, 0.0));
      if (row == 0.0 || column == 0.0) continue;
      const double factor = std::sqrt(row / column);
      matrix.row(i) /= factor;
      matrix.col(i) *= factor;
    }
  }
}

/// Vectors x of unit length with A x = 0 but for rounding.
Matrix null_space(const Matrix& a) {
  constexpr double unchanged = 1e-9;  // more than rounding leaves of a multiplier one
  const Eigen::BDCSVD<Matrix> decomposition(a, Eigen::ComputeFullV);
  const Index rank = (decomposition.singularValues().array() >= unchanged).count();
  return decomposition.matrixV().rightCols(a.cols() - rank);
}

/// How many multipliers are one whatever the motion does; a fold's is not among them. They have two causes, and a multiplier
/// may have both. A body that nothing but friction holds may rest elsewhere with all that its joints remember: the right
/// eigenvector consists of rigid positions and memory. And what a joint remembers may be handed on unchanged, however the
/// structure yields to it: the left eigenvector consists of memory. Those of a fold are of the vibration.
/// `matrix`: disturbances of r, r' and `carried` scalars after a period.
Index count_structural_ones(const Matrix& matrix, const Vector& stiffness, Index carried) {
  constexpr double rigid = 1e-9;  // of the highest ω²
  constexpr double related = 1e-6;
  std::vector<Index> columns;
  for (Index i = 0; i < stiffness.size(); ++i) {
    if (std::abs(stiffness[i]) <= rigid * stiffness.cwiseAbs().maxCoeff()) columns.push_back(i);
  }
  const auto free = static_cast<Index>(columns.size());
  for (Index i = 0; i < carried; ++i) columns.push_back(2 * stiffness.size() + i);
  if (columns.empty()) return 0;
  const Matrix change = matrix - Matrix::Identity(matrix.rows(), matrix.cols());
  const Matrix right = null_space(change(Eigen::all, columns));
  if (carried == 0) return right.cols();
  const Matrix left = null_space(change.bottomRows(carried).transpose());
  if (left.cols() == 0 || right.cols() == 0) return left.cols() + right.cols();
  const Matrix common = left.transpose() * right.bottomRows(static_cast<Index>(columns.size()) - free);
  const Eigen::JacobiSVD<Matrix> both(common);
  return left.cols() + right.cols() - (both.singularValues().array() > related).count();
}

void remove_ones(Index count, std::vector<Complex>& values) {
  for (Index i = 0; i < count; ++i) {
    values.erase(std::min_element(values.begin(), values.end(), [](const Complex& a, const Complex& b) {
      return std::abs(a - 1.0) < std::abs(b - 1.0);
    }));
  }
}

/// Beside very large multipliers the small ones are rounding of the large, and may be anywhere below this: they count as zero.
void forget_rounding(std::vector<Complex>& values) {
  constexpr double rounding = 1e-12;
  double largest = 0.0;
  for (const Complex& value : values) largest = std::max(largest, std::abs(value));
  for (Complex& value : values) {
    if (std::abs(value) < rounding * largest) value = 0.0;
  }
}

Complex distance_from_one(const std::vector<Complex>& values) {
  Complex product = 1.0;
  for (const Complex& value : values) product *= 1.0 - value;
  return product;
}

Index count_real_above_one(const std::vector<Complex>& values) {
  return std::count_if(values.begin(), values.end(), [](const Complex& value) {
    return value.real() > 1.0 + tolerance && std::abs(value.imag()) <= tolerance * value.real();
  });
}

/// With sliders that are dragged, `held` being the multipliers while they stay where they are, and `dragged` those if each period
/// drags them to where its motion goes. A slider goes outward only: a disturbance that oscillates moves it a few times, and then
/// dies out as if it were held. But if a slider that has been moved by δ is dragged on by γ δ in the motion that this leads to,
/// it goes farther and farther where γ > 1. γ follows from Π(1 − μ) over both: that of the dragged ones is 1 − γ times the other
/// (Schur's complement), and passes zero with it, at folds. More than one such slider at once are taken from `dragged`.
std::vector<Complex> of_ratchets(std::vector<Complex> held, std::vector<Complex> dragged) {
  const double share = (distance_from_one(dragged) / distance_from_one(held)).real();
  const double ratchet = 1.0 - share;
  const Index more = count_real_above_one(dragged) - count_real_above_one(held) - (ratchet > 1.0 ? 1 : 0);
  held.emplace_back(std::max(ratchet, 0.0));
  std::erase_if(dragged, [](const Complex& value) { return value.imag() != 0.0; });
  std::sort(dragged.begin(), dragged.end(), [](const Complex& a, const Complex& b) { return a.real() > b.real(); });
  for (Index i = 0; i < more; ++i) held.push_back(dragged[static_cast<std::size_t>(i)]);
  return held;
}

}  // namespace

std::string_view to_string(StabilityMethod method) {
  switch (method) {
    case StabilityMethod::none:
      return "none";
    case StabilityMethod::automatic:
      return "auto";
    case StabilityMethod::hill:
      return "hill";
    case StabilityMethod::monodromy:
      return "monodromy";
  }
  return "unknown";
}

Index FloquetMultipliers::unstable() const {
  return std::count_if(values.begin(), values.end(),
                       [](const Complex& value) { return std::abs(value) > 1.0 + tolerance; });
}

struct Stability::Implementation {
  Implementation(const Model& model, const std::vector<int>& harmonics, const StabilityOptions& options,
                 const CycleOptions& cycle)
      : form(detail::modal_form(model, most_coordinates)),
        set(harmonics),
        complete(complete_set(harmonics, model)),
        balance(sampling(complete, options, cycle)),
        forces(model.joints, complete, balance),
        variation(model.joints, form),
        hill(form, complete, balance.samples),
        monodromy(form),
        method(options.method) {
    const auto rough = std::find_if(model.joints.begin(), model.joints.end(),
                                    [](const Joint& joint) { return !is_smooth(*joint.element); });
    smooth = rough == model.joints.end();
    require(smooth || method != StabilityMethod::hill,
            "stability by Hill's method needs smooth laws without memory, and the law of joint '{}' is not: use "
            "\"monodromy\" or \"auto\".",
            smooth ? "" : rough->name);
    require(
        form.bends.empty() || method != StabilityMethod::hill,
        "stability by Hill's method is not available where joints feel a shortening: use \"monodromy\" or \"auto\".");
    const bool large = form.size() * complete.positions() > most_hill_unknowns;
    if (method == StabilityMethod::automatic && (!smooth || large || !form.bends.empty())) {
      method = StabilityMethod::monodromy;
    }
    linear.setZero(form.inputs(), complete.positions());
    if (!form.bends.empty()) transform.emplace(complete, balance.samples, form.inputs());
  }

  void follow(const Matrix& all, double omega) {
    const Matrix felt = form.physical.transpose() * all;
    linear.setZero();
    for (Index i = 0; i < set.count(); ++i) {
      const Index there = complete.find(set[i]);
      linear.col(complete.cosine(there)) = felt.col(set.cosine(i));
      if (set[i] != 0) linear.col(complete.sine(there)) = felt.col(set.sine(i));
    }
    if (form.inputs() > 0) forces.evaluate(bent(), omega);
  }

  /// What the joints feel: the linear motions, less the squares. Products of the balanced harmonics are all there.
  Matrix bent() {
    if (form.bends.empty()) return linear;
    Matrix samples(balance.samples, form.inputs());
    transform->to_samples(linear, samples);
    for (const detail::Bend& bend : form.bends) {
      samples.col(bend.input) -= 0.5 * bend.sign * samples.col(bend.motion).cwiseAbs2();
    }
    Matrix relative(form.inputs(), complete.positions());
    transform->to_coefficients(samples, relative);
    return relative.topRows(forces.inputs());
  }

  /// False: its check does not hold, and there is a choice.
  bool by_hill(double omega) {
    const detail::Hill::Result found = hill.exponents(forces, omega);
    result.trace_error = found.trace_error;
    if (method == StabilityMethod::automatic && found.trace_error > largest_trace_error) return false;
    result.method = StabilityMethod::hill;
    for (const Complex& exponent : found.exponents) result.values.push_back(std::exp(2.0 * pi * exponent));
    return true;
  }

  void by_monodromy(double omega) {
    result.method = StabilityMethod::monodromy;
    result.values = multipliers(detail::DraggedSliders::follow, omega);
    if (variation.drags()) {
      std::vector<Complex> dragged = std::move(result.values);
      result.values = multipliers(detail::DraggedSliders::hold, omega);
      result.values = of_ratchets(std::move(result.values), std::move(dragged));
    }
  }

  /// Without the structural ones, which it counts.
  std::vector<Complex> multipliers(detail::DraggedSliders sliders, double omega) {
    variation.take(forces, balance.samples, sliders, complete, linear, omega);
    Matrix matrix = monodromy.matrix(variation, omega);
    balance_norms(matrix);
    const ComplexVector eigenvalues = matrix.eigenvalues();
    std::vector<Complex> values(eigenvalues.begin(), eigenvalues.end());
    forget_rounding(values);
    const Index ones = count_structural_ones(matrix, form.stiffness, static_cast<Index>(variation.carried().size()));
    remove_ones(ones, values);
    result.held = variation.held() + ones;
    return values;
  }

  void sort(Index carried) {
    std::stable_sort(result.values.begin(), result.values.end(),
                     [](const Complex& a, const Complex& b) { return std::abs(a) > std::abs(b); });
    for (; result.forgotten < carried && !result.values.empty() && std::abs(result.values.back()) < zero;
         ++result.forgotten) {
      result.values.pop_back();
    }
  }

  detail::ModalForm form;
  HarmonicSet set, complete;
  BalanceOptions balance;
  JointForces forces;
  detail::BentVariation variation;
  detail::Hill hill;
  detail::Monodromy monodromy;
  StabilityMethod method;
  bool smooth = true;
  Matrix linear;                       // coefficients of the motions that are linear in those of the coordinates
  std::optional<Transform> transform;  // of these, if any is squared
  struct Known {
    Matrix motion;
    double omega = 0.0;
    FloquetMultipliers answer;
  };
  std::array<Known, 4> known;
  std::size_t oldest = 0;
  FloquetMultipliers result;
};

Stability::Stability(const Model& model, const std::vector<int>& harmonics, const StabilityOptions& options,
                     const CycleOptions& cycle)
    : implementation_(std::make_unique<Implementation>(model, harmonics, options, cycle)) {
  require(options.steps >= 64 && options.steps % 2 == 0, "stability: steps = {} must be even and at least 64.",
          options.steps);
}
Stability::~Stability() = default;
Stability::Stability(Stability&&) noexcept = default;
Stability& Stability::operator=(Stability&&) noexcept = default;

const std::string& Stability::basis() const { return implementation_->form.basis; }

FloquetMultipliers Stability::evaluate(const Matrix& all, double omega) {
  Implementation& self = *implementation_;
  for (const Implementation::Known& known : self.known) {
    if (known.omega == omega && known.motion.cols() == all.cols() && known.motion == all) return known.answer;
  }
  self.result = {};
  self.follow(all, omega);
  if (self.method == StabilityMethod::monodromy || !self.by_hill(omega)) self.by_monodromy(omega);
  const bool marched = self.result.method == StabilityMethod::monodromy;
  self.sort(marched ? static_cast<Index>(self.variation.carried().size()) : 0);
  self.known[self.oldest] = {all, omega, self.result};
  self.oldest = (self.oldest + 1) % self.known.size();
  return self.result;
}

}  // namespace masing
