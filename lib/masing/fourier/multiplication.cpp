#include "masing/fourier/multiplication.hpp"

#include "masing/fourier/transform.hpp"

#include <cassert>

namespace masing {

Multiplication::Multiplication(HarmonicSet set, Index samples) : set_(std::move(set)), samples_(samples) {
  const Index orders = 2 * set_.highest() + 1;
  table_.resize(samples_, 2 * orders);
  const Matrix basis = sampled_basis(HarmonicSet::up_to(2 * set_.highest()), samples_);
  const double scale = 1.0 / static_cast<double>(samples_);
  for (Index n = 0; n < orders; ++n) {
    table_.col(n) = scale * basis.row(n == 0 ? 0 : 2 * n - 1).transpose();
    if (n == 0) {
      table_.col(orders).setZero();
    } else {
      table_.col(orders + n) = scale * basis.row(2 * n).transpose();
    }
  }
  both_.resize(2 * orders);
  cosine_.resize(orders);
  sine_.resize(orders);
}

void Multiplication::moments(const VectorView& gain) {
  const Index orders = cosine_.size();
  both_.noalias() = table_.transpose() * gain;
  cosine_ = both_.head(orders);
  sine_ = both_.tail(orders);
}

void Multiplication::matrix(const VectorView& gain, Eigen::Ref<Matrix> result) {
  assert(gain.size() == samples_);
  moments(gain);
  matrix_from_moments(cosine_, sine_, result);
}

void Multiplication::matrix_from_moments(const Vector& cosine, const Vector& sine, Eigen::Ref<Matrix> result) const {
  multiplication_matrix(set_, set_, cosine, sine, result);
}

void multiplication_matrix(const HarmonicSet& out, const HarmonicSet& in, const Vector& cosine, const Vector& sine,
                           Eigen::Ref<Matrix> result) {
  assert(result.rows() == out.positions() && result.cols() == in.positions());
  for (Index j = 0; j < in.count(); ++j) {
    const int l = in[j];
    const Index cos_l = in.cosine(j);
    for (Index i = 0; i < out.count(); ++i) {
      const int k = out[i];
      const Index cos_k = out.cosine(i);
      const double weight = k == 0 ? 0.5 : 1.0;  // half of the factor 2 of Γ⁺; the products bring the other half
      const double cosine_difference = cosine[std::abs(k - l)];
      const double cosine_sum = cosine[k + l];
      const double sine_difference = k >= l ? sine[k - l] : -sine[l - k];
      const double sine_sum = sine[k + l];
      result(cos_k, cos_l) = weight * (cosine_difference + cosine_sum);
      if (l != 0) result(cos_k, cos_l + 1) = weight * (sine_sum - sine_difference);
      if (k != 0) result(cos_k + 1, cos_l) = weight * (sine_sum + sine_difference);
      if (k != 0 && l != 0) result(cos_k + 1, cos_l + 1) = weight * (cosine_difference - cosine_sum);
    }
  }
}

}  // namespace masing
