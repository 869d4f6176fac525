#include "masing/fourier/transform.hpp"

#include "masing/core/error.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <mutex>

namespace masing {

namespace {

// Entries of the table Γ. Measured with tests/bench (transform_round_trip) for one coordinate: at 448 entries (H = 3,
// N = 64) the matrix takes 330 ns and the FFT 380 ns, at 1920 (H = 7, N = 128) 950 ns and 520 ns.
constexpr Index matrix_is_faster_below = 1024;

// FFTW's planner is the one part of it that is not thread-safe.
std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

struct FftwFree {
  void operator()(void* memory) const { fftw_free(memory); }
};
struct PlanDestroy {
  void operator()(fftw_plan plan) const {
    const std::lock_guard lock(planner_mutex());
    fftw_destroy_plan(plan);
  }
};
using Plan = std::unique_ptr<std::remove_pointer_t<fftw_plan>, PlanDestroy>;

}  // namespace

// One real and one complex buffer for all coordinates, and the two plans between them.
struct Transform::Plans {
  Index bins;
  std::unique_ptr<double[], FftwFree> real;
  std::unique_ptr<fftw_complex[], FftwFree> complex;
  Plan forward;
  Plan backward;

  Plans(Index samples, Index coordinates)
      : bins(samples / 2 + 1),
        real(fftw_alloc_real(static_cast<std::size_t>(samples * coordinates))),
        complex(fftw_alloc_complex(static_cast<std::size_t>(bins * coordinates))) {
    const int n = static_cast<int>(samples);
    const int many = static_cast<int>(coordinates);
    const int half = static_cast<int>(bins);
    const std::lock_guard lock(planner_mutex());
    forward.reset(fftw_plan_many_dft_r2c(1, &n, many, real.get(), nullptr, 1, n, complex.get(), nullptr, 1, half,
                                         FFTW_ESTIMATE | FFTW_DESTROY_INPUT));
    backward.reset(fftw_plan_many_dft_c2r(1, &n, many, complex.get(), nullptr, 1, half, real.get(), nullptr, 1, n,
                                          FFTW_ESTIMATE | FFTW_DESTROY_INPUT));
  }
};

Matrix sampled_basis(const HarmonicSet& set, Index samples) {
  Matrix basis(set.positions(), samples);
  for (Index s = 0; s < samples; ++s) {
    for (Index i = 0; i < set.count(); ++i) {
      // The product is reduced modulo N so that the angle keeps all its digits for high harmonics.
      const double angle = 2.0 * pi * static_cast<double>((set[i] * s) % samples) / static_cast<double>(samples);
      basis(set.cosine(i), s) = std::cos(angle);
      if (set[i] != 0) basis(set.sine(i), s) = std::sin(angle);
    }
  }
  return basis;
}

Vector inverse_weights(const HarmonicSet& set, Index samples) {
  Vector weight = Vector::Constant(set.positions(), 2.0 / static_cast<double>(samples));
  if (set.has_zero()) weight[0] = 1.0 / static_cast<double>(samples);
  return weight;
}

Transform::Transform(HarmonicSet set, Index samples, Index coordinates, TransformMethod method)
    : set_(std::move(set)), samples_(samples), coordinates_(coordinates), method_(method) {
  require(samples_ > 2 * set_.highest(),
          "{} samples a period cannot resolve harmonic {}: samples must be > {}. Use at least {}.", samples_,
          set_.highest(), 2 * set_.highest(), std::max(16, 8 * set_.highest()));
  if (method_ == TransformMethod::automatic) {
    method_ = set_.positions() * samples_ <= matrix_is_faster_below ? TransformMethod::matrix : TransformMethod::fft;
  }
  weight_ = inverse_weights(set_, samples_);
  if (method_ == TransformMethod::matrix) {
    basis_ = sampled_basis(set_, samples_);
  } else if (coordinates_ > 0) {
    plans_ = std::make_unique<Plans>(samples_, coordinates_);
  }
}

Transform::~Transform() = default;
Transform::Transform(Transform&&) noexcept = default;
Transform& Transform::operator=(Transform&&) noexcept = default;

void Transform::to_samples(const MatrixView& coefficients, Eigen::Ref<Matrix> samples) {
  assert(coefficients.rows() == coordinates_ && coefficients.cols() == set_.positions());
  if (coordinates_ == 0) return;
  if (method_ == TransformMethod::matrix) {
    samples.noalias() = basis_.transpose() * coefficients.transpose();
    return;
  }
  std::fill_n(&plans_->complex[0][0], 2 * plans_->bins * coordinates_, 0.0);
  for (Index c = 0; c < coordinates_; ++c) {
    fftw_complex* spectrum = plans_->complex.get() + c * plans_->bins;
    for (Index i = 0; i < set_.count(); ++i) {
      const double share = set_[i] == 0 ? 1.0 : 0.5;
      spectrum[set_[i]][0] = share * coefficients(c, set_.cosine(i));
      if (set_[i] != 0) spectrum[set_[i]][1] = -share * coefficients(c, set_.sine(i));
    }
  }
  fftw_execute(plans_->backward.get());
  samples = Eigen::Map<const Matrix>(plans_->real.get(), samples_, coordinates_);
}

void Transform::to_coefficients(const MatrixView& samples, Eigen::Ref<Matrix> coefficients) {
  assert(samples.rows() == samples_ && samples.cols() == coordinates_);
  if (coordinates_ == 0) return;
  if (method_ == TransformMethod::matrix) {
    coefficients.noalias() = samples.transpose() * basis_.transpose();
    coefficients.array().rowwise() *= weight_.transpose().array();
    return;
  }
  Eigen::Map<Matrix>(plans_->real.get(), samples_, coordinates_) = samples;
  fftw_execute(plans_->forward.get());
  for (Index c = 0; c < coordinates_; ++c) {
    const fftw_complex* spectrum = plans_->complex.get() + c * plans_->bins;
    for (Index i = 0; i < set_.count(); ++i) {
      coefficients(c, set_.cosine(i)) = weight_[set_.cosine(i)] * spectrum[set_[i]][0];
      if (set_[i] != 0) coefficients(c, set_.sine(i)) = -weight_[set_.sine(i)] * spectrum[set_[i]][1];
    }
  }
}

}  // namespace masing
