#include "masing/structure/galerkin_beam.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/detail/galerkin_basis.hpp"
#include "masing/structure/detail/spectral_condensation.hpp"

#include <Eigen/LU>

namespace masing {
namespace {

void check(const SpectralBeam& beam, const GalerkinOptions& options) {
  require(options.directions.rows() == beam.size() && options.directions.nonZeros() > 0,
          "kind = \"galerkin\" needs joints along the beam: a joint with `over`.");
  require(options.lengths.size() == options.directions.cols() && options.lengths.minCoeff() > 0.0,
          "A Galerkin reduction needs a length > 0 for each of the {} motions of the joints.",
          options.directions.cols());
  require(options.loads.cols() == 0 || options.loads.rows() == beam.size(),
          "The loads of a reduction have {} rows, the beam has {} coordinates.", options.loads.rows(), beam.size());
  require(options.modes >= 0, "modes = {} must be >= 0.", options.modes);
  require(options.frequency > 0.0, "A Galerkin reduction needs a frequency of reference > 0.");
}

/// Columns of the motions at the joints (T), of what is left at their places, and of all other coordinates.
SparseMatrix all_shapes(Index size, const InterfaceBasis& interface, const Matrix& motions) {
  std::vector<Eigen::Triplet<double>> entries;
  Index column = 0;
  const auto add = [&](const Matrix& columns) {
    for (Index j = 0; j < columns.cols(); ++j, ++column) {
      for (Index i = 0; i < columns.rows(); ++i) {
        if (columns(i, j) == 0.0) continue;
        entries.emplace_back(interface.touched[static_cast<std::size_t>(i)], column, columns(i, j));
      }
    }
  };
  add(interface.range * motions);
  add(interface.complement);
  std::vector<bool> touched(static_cast<std::size_t>(size), false);
  for (const Index i : interface.touched) touched[static_cast<std::size_t>(i)] = true;
  for (Index i = 0; i < size; ++i) {
    if (!touched[static_cast<std::size_t>(i)]) entries.emplace_back(i, column++, 1.0);
  }
  SparseMatrix shapes(size, column);
  shapes.setFromTriplets(entries.begin(), entries.end());
  return shapes;
}

std::vector<std::string> names_of(const SpectralBeam& beam, const InterfaceBasis& interface,
                                  const GalerkinSummary& summary) {
  std::vector<std::string> names;
  const auto add = [&](std::string_view word, Index count) {
    for (Index i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", word, i + 1));
  };
  add("rigid", summary.rigid);
  add("mode", summary.modes);
  add("residual", summary.residuals);
  add("other", interface.complement.cols());
  std::size_t next = 0;
  for (Index i = 0; i < beam.size(); ++i) {
    if (next < interface.touched.size() && interface.touched[next] == i) {
      ++next;
    } else {
      names.push_back(beam.coordinates()[static_cast<std::size_t>(i)]);
    }
  }
  return names;
}

class ProjectedLoad final : public FrequencyLoad {
 public:
  ProjectedLoad(std::shared_ptr<const FrequencyLoad> full, const SparseMatrix& shapes)
      : full_(std::move(full)), shapes_(shapes) {}

  void at(double omega, ComplexVector& load, ComplexVector& derivative) const override {
    ComplexVector whole, whole_derivative;
    full_->at(omega, whole, whole_derivative);
    load = shapes_.transpose().cast<Complex>() * whole;
    derivative = shapes_.transpose().cast<Complex>() * whole_derivative;
  }

 private:
  std::shared_ptr<const FrequencyLoad> full_;
  SparseMatrix shapes_;
};

}  // namespace

std::vector<std::string> GalerkinSummary::lines() const {
  std::vector<std::string> text = {fmt::format(
      "{} motions along the joints reduced to {}: {} rigid, {} mode{}, {} residual shape{}", motions,
      rigid + modes + residuals, rigid, modes, modes == 1 ? "" : "s", residuals, residuals == 1 ? "" : "s")};
  std::string told = first_left_out == 0.0 ? "no mode left out"
                                           : fmt::format("first mode left out at {:.4g} N/m per metre", first_left_out);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    told +=
        fmt::format("{} {:.2g} at {:.4g} Hz", i == 0 ? "; error indicator" : ",", errors[i].second, errors[i].first);
  }
  text.push_back(std::move(told));
  return text;
}

GalerkinBeam::GalerkinBeam(std::shared_ptr<const SpectralBeam> full, const GalerkinOptions& options)
    : full_(std::move(full)) {
  check(*full_, options);
  const InterfaceBasis interface = interface_basis(options.directions);
  const detail::GalerkinBasis basis = detail::galerkin_basis(*full_, interface, options);
  summary_ = basis.summary;
  shapes_ = all_shapes(full_->size(), interface, basis.motions());
  coordinates_ = names_of(*full_, interface, summary_);
  evaluate_error(interface, basis.half_weight, basis.shapes, options.frequency);
  if (options.highest_frequency > options.frequency) {
    evaluate_error(interface, basis.half_weight, basis.shapes, options.highest_frequency);
  }
}

void GalerkinBeam::evaluate_error(const InterfaceBasis& basis, const Matrix& half_weight, const Matrix& shapes,
                                  double frequency) {
  const auto condensed = full_->condense(basis);
  condensed->set_frequency(2.0 * pi * frequency);
  const ComplexMatrix stiffness = detail::weighted(half_weight, condensed->stiffness());
  const auto flexibility = [&](const Matrix& with) -> ComplexMatrix {
    if (with.cols() == 0) return ComplexMatrix::Zero(stiffness.rows(), stiffness.cols());
    const ComplexMatrix inner = with.transpose() * stiffness * with;
    return with * inner.partialPivLu().solve(ComplexMatrix(with.transpose().cast<Complex>()));
  };
  const ComplexMatrix exact = flexibility(Matrix::Identity(stiffness.rows(), stiffness.cols()));
  const double elastic = (exact - flexibility(shapes.leftCols(summary_.rigid))).norm();
  const double missing = shapes.cols() == shapes.rows() ? 0.0 : (exact - flexibility(shapes)).norm();
  summary_.errors.emplace_back(frequency, missing == 0.0 ? 0.0 : missing / elastic);
}

Vector GalerkinBeam::motion(std::string_view name) const {
  Vector found = Structure::motion(name);
  if (found.size() > 0) return found;
  found = full_->motion(name);
  return found.size() > 0 ? reduced_load(found) : found;
}

std::vector<std::string> GalerkinBeam::motion_names() const {
  std::vector<std::string> names = full_->motion_names();
  std::erase_if(names, [&](const std::string& name) { return find(name) >= 0; });
  names.insert(names.begin(), coordinates_.begin(), coordinates_.end());
  return names;
}

std::unique_ptr<CondensedStructure> GalerkinBeam::condense(const InterfaceBasis& basis) const {
  const std::shared_ptr<const detail::SpectralModel> model(full_, &full_->model());
  return detail::condense_spectral(model, shapes_, coordinates_, basis);
}

Vector GalerkinBeam::base_acceleration_load(const Vector& direction) const {
  return full_->base_acceleration_load(direction);
}

std::shared_ptr<const FrequencyLoad> GalerkinBeam::reduced_load(std::shared_ptr<const FrequencyLoad> load) const {
  return std::make_shared<const ProjectedLoad>(std::move(load), shapes_);
}

}  // namespace masing
