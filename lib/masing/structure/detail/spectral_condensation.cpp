#include "masing/structure/detail/spectral_condensation.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/matrix_structure.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace masing::detail {
namespace {

/// LᵀZ(0)L as a structure without mass.
MatrixStructure at_rest(const SpectralModel& model, const SparseMatrix& shapes, const std::vector<std::string>& names) {
  std::vector<Eigen::Triplet<double>> entries;
  model.assemble(0.0, [&](Index row, Index column, const Complex& z, const Complex&) {
    entries.emplace_back(row, column, z.real());
  });
  SparseMatrix stiffness(model.size, model.size);
  stiffness.setFromTriplets(entries.begin(), entries.end());
  const SparseMatrix projected = SparseMatrix(shapes.transpose()) * SparseMatrix(stiffness * shapes);
  MatrixStructureOptions options;
  options.mass.resize(shapes.cols(), shapes.cols());
  options.stiffness = 0.5 * (projected + SparseMatrix(projected.transpose()));  // equal but for rounding
  options.coordinates = names;
  return MatrixStructure(std::move(options));
}

}  // namespace

SpectralCondensation::SpectralCondensation(std::shared_ptr<const SpectralModel> model, const SparseMatrix& shapes,
                                           const InterfaceBasis& basis, std::unique_ptr<CondensedStructure> at_rest)
    : model_(std::move(model)),
      at_rest_(std::move(at_rest)),
      partition_(make_partition(shapes.cols(), basis)),
      kept_(partition_.kept),
      rest_(partition_.rest()) {
  order_motions(shapes);
  Index bandwidth = 0;
  model_->assemble(1.0, [&](Index row, Index column, Complex, Complex) {
    for (const Share& a : shares_[static_cast<std::size_t>(row)]) {
      for (const Share& b : shares_[static_cast<std::size_t>(column)]) {
        if (a.motion >= kept_ && b.motion >= kept_) bandwidth = std::max(bandwidth, std::abs(a.motion - b.motion));
      }
    }
  });
  s_.setZero(kept_, kept_), ds_.setZero(kept_, kept_);
  coupling_.setZero(rest_, kept_), coupling_derivative_.setZero(rest_, kept_);
  x_.setZero(rest_, kept_), y_.setZero(rest_, kept_);
  block_ = BandMatrix(rest_, bandwidth);
  block_derivative_ = BandMatrix(rest_, bandwidth);
  factors_ = BandFactors(rest_, bandwidth);
  parts_.setZero(kept_ + rest_);
  rest_motion_.setZero(rest_);
}

void SpectralCondensation::order_motions(const SparseMatrix& shapes) {
  const SparseMatrix moved = shapes * partition_.transformation;
  std::vector<Index> first(
      static_cast<std::size_t>(moved.cols()));  // coordinate of the beam that each motion begins at
  for (Index motion = 0; motion < moved.cols(); ++motion) {
    first[static_cast<std::size_t>(motion)] = SparseMatrix::InnerIterator(moved, motion).row();
  }
  std::vector<Index> order(first.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin() + kept_, order.end(), [&](Index a, Index b) {
    return first[static_cast<std::size_t>(a)] < first[static_cast<std::size_t>(b)];
  });
  SparseMatrix ordered(shapes.cols(), shapes.cols());
  shares_.resize(static_cast<std::size_t>(model_->size));
  for (Index place = 0; place < moved.cols(); ++place) {
    const Index motion = order[static_cast<std::size_t>(place)];
    ordered.col(place) = partition_.transformation.col(motion);
    for (SparseMatrix::InnerIterator entry(moved, motion); entry; ++entry) {
      shares_[static_cast<std::size_t>(entry.row())].push_back({place, entry.value()});
    }
  }
  partition_.transformation = std::move(ordered);
}

void SpectralCondensation::set_frequency(double omega) {
  assert(!(omega < 0.0));
  static_ = omega == 0.0;
  if (static_) {
    at_rest_->set_frequency(0.0);
  } else if (omega != omega_) {
    omega_ = -1.0;
    sum_pieces(omega);
    if (rest_ > 0) eliminate(omega);
    if (!s_.allFinite()) {
      throw NumericalError(
          fmt::format("The dynamic stiffness at ω = {:.10g} rad/s ({:.10g} Hz) is not finite: an undamped piece of the "
                      "beam resonates between its ends. Add damping or move the frequency.",
                      omega, omega / (2.0 * pi)));
    }
    omega_ = omega;
  }
}

void SpectralCondensation::sum_pieces(double omega) {
  s_.setZero(), ds_.setZero();
  coupling_.setZero(), coupling_derivative_.setZero();
  block_.set_zero(), block_derivative_.set_zero();
  largest_ = 0.0;
  model_->assemble(omega, [&](Index row, Index column, const Complex& z, const Complex& dz) {
    for (const Share& a : shares_[static_cast<std::size_t>(row)]) {
      for (const Share& b : shares_[static_cast<std::size_t>(column)]) {
        const double factor = a.factor * b.factor;
        if (a.motion < kept_ && b.motion < kept_) {
          s_(a.motion, b.motion) += factor * z;
          ds_(a.motion, b.motion) += factor * dz;
          largest_ = std::max(largest_, std::abs(factor) * std::abs(z));
        } else if (a.motion >= kept_ && b.motion < kept_) {
          coupling_(a.motion - kept_, b.motion) += factor * z;
          coupling_derivative_(a.motion - kept_, b.motion) += factor * dz;
        } else if (a.motion >= kept_) {
          block_(a.motion - kept_, b.motion - kept_) += factor * z;
          block_derivative_(a.motion - kept_, b.motion - kept_) += factor * dz;
        }
      }
    }
  });
}

void SpectralCondensation::eliminate(double omega) {
  if (!factors_.compute(block_)) {
    throw NumericalError(
        fmt::format("ω = {:.10g} rad/s ({:.10g} Hz) is exactly an undamped natural frequency of the structure with its "
                    "joints held. Add damping or move the frequency.",
                    omega, omega / (2.0 * pi)));
  }
  if (kept_ == 0) return;
  x_ = coupling_;
  factors_.solve_in_place(x_);
  s_.noalias() -= coupling_.transpose() * x_;
  block_derivative_.multiply(x_, y_);
  y_ = coupling_derivative_ - y_;
  ds_.noalias() -= coupling_derivative_.transpose() * x_;
  ds_.noalias() -= x_.transpose() * y_;
  largest_ += eliminated_terms();
}

// As in condensation.cpp: S is wrong by XᵀEX, E the independent rounding errors of the entries of Z_ll.
double SpectralCondensation::eliminated_terms() const {
  double largest = 0.0;
  for (Index j = 0; j < kept_; ++j) {
    double sum = 0.0;
    for (Index i = 0; i < rest_; ++i) sum += std::norm(block_(i, i)) * std::pow(std::norm(x_(i, j)), 2);
    largest = std::max(largest, std::sqrt(sum));
  }
  return largest;
}

void SpectralCondensation::condense_load(const ComplexVector& load, ComplexVector& kept, ComplexVector& derivative) {
  if (static_) return at_rest_->condense_load(load, kept, derivative);
  assert(omega_ > 0.0 && load.size() == parts_.size());
  partition_.to_parts(load, parts_);
  kept = parts_.head(kept_);
  derivative.setZero(kept_);
  rest_motion_ = parts_.tail(rest_);
  if (rest_motion_.isZero(0.0)) return;
  kept.noalias() -= x_.transpose() * rest_motion_;
  factors_.solve_in_place(rest_motion_);
  derivative.noalias() -= y_.transpose() * rest_motion_;
}

void SpectralCondensation::recover(const ComplexVector& kept, const ComplexVector& load, ComplexVector& all) {
  if (static_) return at_rest_->recover(kept, load, all);
  assert(omega_ > 0.0 && kept.size() == kept_);
  partition_.to_parts(load, parts_);
  rest_motion_ = parts_.tail(rest_);
  if (!rest_motion_.isZero(0.0)) factors_.solve_in_place(rest_motion_);
  rest_motion_.noalias() -= x_ * kept;
  parts_ << kept, rest_motion_;
  partition_.to_coordinates(parts_, all);
}

void SpectralCondensation::recover_rate(const ComplexVector& all, const ComplexVector& kept_rate, double omega_rate,
                                        ComplexVector& all_rate) {
  if (static_) return at_rest_->recover_rate(all, kept_rate, omega_rate, all_rate);
  assert(omega_ > 0.0 && kept_rate.size() == kept_);
  partition_.to_parts(all, parts_);
  rest_motion_.setZero();
  if (omega_rate != 0.0 && rest_ > 0) {
    block_derivative_.multiply(parts_.tail(rest_), rest_motion_);
    rest_motion_.noalias() += coupling_derivative_ * parts_.head(kept_);
    factors_.solve_in_place(rest_motion_);
    rest_motion_ *= -omega_rate;
  }
  rest_motion_.noalias() -= x_ * kept_rate;
  parts_ << kept_rate, rest_motion_;
  partition_.to_coordinates(parts_, all_rate);
}

std::unique_ptr<CondensedStructure> condense_spectral(std::shared_ptr<const SpectralModel> model,
                                                      const SparseMatrix& shapes, const std::vector<std::string>& names,
                                                      const InterfaceBasis& basis) {
  auto still = at_rest(*model, shapes, names).condense(basis);
  return std::make_unique<SpectralCondensation>(std::move(model), shapes, basis, std::move(still));
}

}  // namespace masing::detail
