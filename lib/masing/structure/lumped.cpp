#include "masing/structure/lumped.hpp"

#include "masing/core/error.hpp"

#include <cmath>

namespace masing {
namespace {

SparseMatrix single(double value) {
  SparseMatrix matrix(1, 1);
  matrix.insert(0, 0) = value;
  matrix.makeCompressed();
  return matrix;
}

void add_viscous(DampingOptions& damping, const SparseMatrix& viscous) {
  damping.viscous = damping.viscous.size() > 0 ? SparseMatrix(damping.viscous + viscous) : viscous;
}

void check_not_negative(const char* name, double value, const char* unit) {
  require(std::isfinite(value) && value >= 0.0, "{} = {}{} must be >= 0.", name, value, unit);
}

const char* ground_text(ChainGround ground) {
  switch (ground) {
    case ChainGround::left:
      return "with ground at the left end";
    case ChainGround::both:
      return "with ground at both ends";
    case ChainGround::none:
      return "without ground";
  }
  return "";
}

// Assembles springs (or dashpots) between neighbours; the ends lie on the ground where the chain is held.
SparseMatrix assemble(const std::vector<double>& springs, std::size_t masses, ChainGround ground) {
  const auto n = static_cast<Index>(masses);
  const Index first = ground == ChainGround::none ? 0 : -1;  // left end of the first spring; -1 and n are the ground
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < springs.size(); ++i) {
    const Index left = first + static_cast<Index>(i);
    const Index right = left + 1;
    if (left >= 0) entries.emplace_back(left, left, springs[i]);
    if (right < n) entries.emplace_back(right, right, springs[i]);
    if (left >= 0 && right < n) {
      entries.emplace_back(left, right, -springs[i]);
      entries.emplace_back(right, left, -springs[i]);
    }
  }
  SparseMatrix matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

void check_springs(const char* name, const char* things, const char* unit, const std::vector<double>& values,
                   const ChainOptions& options) {
  const std::size_t springs = chain_springs(options.masses.size(), options.ground);
  require(values.size() == springs, "A chain of {} masses {} has {} springs, but {} {} are given.",
          options.masses.size(), ground_text(options.ground), springs, values.size(), things);
  for (std::size_t i = 0; i < values.size(); ++i) {
    require(std::isfinite(values[i]) && values[i] >= 0.0, "{} {} of the chain = {} {} must be >= 0.", name, i + 1,
            values[i], unit);
  }
}

void check_chain(const ChainOptions& options) {
  require(!options.masses.empty(), "A chain needs at least one mass.");
  for (std::size_t i = 0; i < options.masses.size(); ++i) {
    const double mass = options.masses[i];
    require(std::isfinite(mass) && mass > 0.0, "mass {} of the chain = {} kg must be > 0.", i + 1, mass);
  }
  check_springs("stiffness", "stiffnesses", "N/m", options.stiffnesses, options);
  if (!options.dampings.empty()) check_springs("damping", "dampings", "N s/m", options.dampings, options);
}

}  // namespace

std::shared_ptr<const MatrixStructure> oscillator(const OscillatorOptions& options) {
  require(std::isfinite(options.mass) && options.mass > 0.0, "mass = {} kg must be > 0.", options.mass);
  check_not_negative("stiffness", options.stiffness, " N/m");
  check_not_negative("damping", options.damping, " N s/m");
  check_not_negative("damping_ratio", options.damping_ratio, "");
  require(options.damping_ratio == 0.0 || options.stiffness > 0.0,
          "damping_ratio = {} is a fraction of 2 sqrt(stiffness mass), which is 0 here. Use damping instead.",
          options.damping_ratio);
  const double critical = 2.0 * std::sqrt(options.stiffness * options.mass);
  MatrixStructureOptions matrices{.mass = single(options.mass),
                                  .stiffness = single(options.stiffness),
                                  .damping = options.further_damping,
                                  .coordinates = {"x"}};
  add_viscous(matrices.damping, single(options.damping + options.damping_ratio * critical));
  return std::make_shared<const MatrixStructure>(std::move(matrices));
}

std::size_t chain_springs(std::size_t masses, ChainGround ground) {
  switch (ground) {
    case ChainGround::left:
      return masses;
    case ChainGround::both:
      return masses + 1;
    case ChainGround::none:
      return masses - 1;
  }
  return masses;
}

std::shared_ptr<const MatrixStructure> chain(const ChainOptions& options) {
  check_chain(options);
  const std::size_t count = options.masses.size();
  const auto n = static_cast<Index>(count);
  MatrixStructureOptions matrices{.mass = SparseMatrix(n, n),
                                  .stiffness = assemble(options.stiffnesses, count, options.ground),
                                  .damping = options.further_damping};
  for (std::size_t i = 0; i < count; ++i) {
    matrices.mass.insert(static_cast<Index>(i), static_cast<Index>(i)) = options.masses[i];
    matrices.coordinates.push_back(fmt::format("x{}", i + 1));
  }
  if (!options.dampings.empty()) add_viscous(matrices.damping, assemble(options.dampings, count, options.ground));
  return std::make_shared<const MatrixStructure>(std::move(matrices));
}

}  // namespace masing
