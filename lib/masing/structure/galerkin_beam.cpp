#include "masing/structure/galerkin_beam.hpp"

#include "masing/structure/detail/galerkin_basis.hpp"
#include "masing/structure/detail/spectral_condensation.hpp"

#include <fmt/core.h>

namespace masing {
namespace {

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

std::vector<double> GalerkinOptions::indicated_frequencies() const {
  if (highest_frequency > frequency) return {frequency, highest_frequency};
  return {frequency};
}

std::vector<std::string> GalerkinSummary::lines() const {
  const auto counted = [](Index count, std::string_view word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
  };
  std::vector<std::string> text = {fmt::format("{} motions along the joints reduced to ", motions)};
  text.front() += per_harmonic ? counted(modes, "eigenfunction") +
                                     (residuals > 0 ? " and " + counted(residuals, "load answer") : "") +
                                     ", made anew for every harmonic and frequency"
                               : fmt::format("{}: {} rigid, {}, {}", rigid + modes + residuals, rigid,
                                             counted(modes, "mode"), counted(residuals, "residual shape"));
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
  const InterfaceBasis interface = interface_basis(options.directions);
  const detail::Stretch stretch = detail::make_stretch(*full_, interface, options);
  const Matrix shapes = detail::galerkin_shapes(stretch, options, summary_);
  shapes_ = all_shapes(full_->size(), interface, stretch.motions(shapes));
  coordinates_ = names_of(*full_, interface, summary_);
  const auto condensed = full_->condense(interface);
  for (const double frequency : options.indicated_frequencies()) {
    condensed->set_frequency(2.0 * pi * frequency);
    const ComplexMatrix stiffness = detail::weighted(stretch.half_weight, condensed->stiffness());
    summary_.errors.emplace_back(frequency,
                                 detail::missing_flexibility(stiffness, shapes.cast<Complex>(), stretch.rigid));
  }
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
