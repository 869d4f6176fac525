#include "masing/contact/load_scaling.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace masing {

LoadScaling::LoadScaling(Kind kind, double reference_load) : kind_(kind), reference_load_(reference_load) {
  require(std::isfinite(reference_load) && reference_load > 0.0,
          "reference_load = {} N must be > 0: it is the load at which the backbone was taken.", reference_load);
}

LoadScaling LoadScaling::constant(double reference_load) { return {Kind::constant, reference_load}; }

LoadScaling LoadScaling::proportional(double reference_load) { return {Kind::proportional, reference_load}; }

LoadScaling LoadScaling::polynomial(double reference_load, std::vector<double> coefficients) {
  LoadScaling scaling(Kind::polynomial, reference_load);
  require(!coefficients.empty(), "The stiffness polynomial has no coefficients; give at least one.");
  scaling.coefficients_ = std::move(coefficients);
  scaling.set_reference();
  return scaling;
}

LoadScaling LoadScaling::tabulated(double reference_load, std::vector<Row> rows) {
  LoadScaling scaling(Kind::table, reference_load);
  require(!rows.empty(), "The table of stiffness over load has no rows; give at least one.");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    require(std::isfinite(rows[i].stiffness) && rows[i].stiffness > 0.0,
            "The table of stiffness over load has k = {} N/m in row {}; it must be > 0.", rows[i].stiffness, i + 1);
    require(std::isfinite(rows[i].load) && (i == 0 || rows[i].load > rows[i - 1].load),
            "The table of stiffness over load has N = {} N in row {}; loads must rise from row to row.", rows[i].load,
            i + 1);
  }
  scaling.rows_ = std::move(rows);
  scaling.set_reference();
  return scaling;
}

void LoadScaling::set_reference() {
  double slope = 0.0;
  reference_stiffness_ = given(reference_load_, slope).stiffness;
  require(std::isfinite(reference_stiffness_) && reference_stiffness_ > 0.0,
          "The stiffness at the reference load {} N is {}; it must be > 0.", reference_load_, reference_stiffness_);
}

LoadScaling::Row LoadScaling::given(double load, double& slope) const {
  slope = 0.0;
  double value = 0.0;
  if (kind_ == Kind::polynomial) {
    for (auto c = coefficients_.rbegin(); c != coefficients_.rend(); ++c) {
      slope = slope * load + value;
      value = value * load + *c;
    }
    return {load, value};
  }
  const auto above =
      std::upper_bound(rows_.begin(), rows_.end(), load, [](double n, const Row& row) { return n < row.load; });
  if (above == rows_.begin()) return {load, rows_.front().stiffness};
  if (above == rows_.end()) return {load, rows_.back().stiffness};
  const Row& below = *(above - 1);
  slope = (above->stiffness - below.stiffness) / (above->load - below.load);
  return {load, below.stiffness + slope * (load - below.load)};
}

LoadScaling::Factors LoadScaling::at(double load) const {
  const double alpha = load / reference_load_;
  if (kind_ == Kind::proportional) return {.stiffness = alpha, .stiffness_by_load = 1.0 / reference_load_};
  if (kind_ == Kind::constant) return {.reach = alpha, .reach_by_load = 1.0 / reference_load_};
  double slope = 0.0;
  const double kappa = given(load, slope).stiffness / reference_stiffness_;
  if (!(kappa > 0.0)) {
    throw NumericalError(fmt::format(
        "The stiffness polynomial is {} at the load {} N; it must be > 0. Choose coefficients that keep it positive "
        "over all loads, or give a table.",
        kappa * reference_stiffness_, load));
  }
  slope /= reference_stiffness_;
  const double beta = alpha / kappa;
  return {.stiffness = kappa,
          .reach = beta,
          .stiffness_by_load = slope,
          .reach_by_load = (1.0 / reference_load_ - beta * slope) / kappa};
}

}  // namespace masing
