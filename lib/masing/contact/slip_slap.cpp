#include "masing/contact/slip_slap.hpp"

#include "masing/contact/detail/slip_slap_cycle.hpp"
#include "masing/contact/detail/slip_slap_point.hpp"
#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace masing {

namespace {

double power(double base, double exponent) { return exponent == 1.0 || base == 1.0 ? base : std::pow(base, exponent); }

void require_positive(double value, std::string_view key, std::string_view unit) {
  require(std::isfinite(value) && value > 0.0, "slip-slap: {} = {}{} must be > 0.", key, value, unit);
}

class SlipSlapElement final : public ContactElement {
 public:
  explicit SlipSlapElement(const SlipSlap::Parameters& parameters)
      : law_(std::make_shared<const SlipSlap>(parameters)) {}

  int inputs() const override { return 2; }
  bool uses_velocity() const override { return false; }
  void steady_cycle(const PeriodicMotion& motion, const CycleOptions& options, CycleResult& result) const override {
    detail::slip_slap_cycle(*law_, motion, options.open, result);
  }
  bool locates_kinks() const override { return true; }
  void find_kinks(const PeriodicMotion& motion, CycleResult& room, Kinks& kinks) const override {
    detail::find_slip_slap_kinks(*law_, motion, room, kinks);
  }
  std::unique_ptr<ContactPoint> at_rest() const override { return detail::slip_slap_point(law_); }
  std::string_view jumps() const override {
    if (law_->parameters().smooth_refresh || !law_->remembers_peak()) {
      return "slip-slap jumps where the contact opens for the first time and where its tangential motion gets a new "
             "pair of reversals. Try continuity_depth = 0.01 of the penetration, or raise the static load";
    }
    return "slip-slap as published jumps where the contact slides for an instant or opens for the first time, and "
           "where its tangential motion gets a new pair of reversals. Try smooth_refresh = true, then continuity_depth "
           "= "
           "0.01 of the penetration, which makes it continuous, or raise the static load";
  }
  bool is_piecewise_linear() const override { return false; }
  void linear_pieces(const PeriodicSignal&, std::span<const TurningPoint>, std::vector<LinearPiece>&) const override {}

 private:
  std::shared_ptr<const SlipSlap> law_;
};

}  // namespace

SlipSlap::SlipSlap(const Parameters& parameters)
    : p_(parameters),
      rate_factor_(p_.normal_exponent * p_.stiffness_ratio / p_.friction_coefficient),
      rate_exponent_(1.0 - p_.normal_exponent * (1.0 - p_.friction_exponent)),
      log_coefficient_(std::log(p_.normal_coefficient)) {
  require_positive(p_.normal_exponent, "normal_exponent", "");
  require_positive(p_.friction_exponent, "friction_exponent", "");
  require_positive(p_.normal_coefficient, "normal_coefficient", " N/m^n");
  require_positive(p_.friction_coefficient, "friction_coefficient", " N^(1-m)");
  require_positive(p_.stiffness_ratio, "stiffness_ratio", "");
  require(std::isfinite(p_.unloading_rate) && p_.unloading_rate >= 0.0,
          "slip-slap: unloading_rate = {} 1/m must be >= 0.", p_.unloading_rate);
  require(std::isfinite(p_.approach), "slip-slap: approach = {} m must be finite.", p_.approach);
}

// C_p^{1−m} w^{n(1−m)} in k_T is a power of the loading curve.
SlipSlap::Loading SlipSlap::loading(double w) const {
  const double n = p_.normal_exponent;
  const double m = p_.friction_exponent;
  Loading loading{.w = w};
  if (n == 1.0 && m == 1.0) {
    loading.force = p_.normal_coefficient * w;
  } else {
    const double log_force = log_coefficient_ + n * std::log(w);
    loading.force = std::exp(log_force);
    loading.factor = std::exp((1.0 - m) * log_force);
  }
  loading.rate = rate_factor_ * loading.factor / w;
  return loading;
}

double SlipSlap::exponent(double u, const Loading& loading, const Branch& branch) {
  return loading.rate * std::max(branch.direction * (u - branch.origin), 0.0);
}

SlipSlap::Value SlipSlap::friction(double u, const Loading& loading, const Branch& branch) const {
  const double s = branch.direction;
  const double way = exponent(u, loading, branch);
  const double fading = std::exp(-way);
  const double distance = (s - branch.start) * fading;
  Value friction{.value = s - distance};
  if (fading > 0.0) {
    friction.gradient << distance * loading.rate * s, -distance * way * rate_exponent_ / loading.w, fading, 0.0;
  }
  return friction;
}

SlipSlap::Value SlipSlap::largest_unloading(const Value& friction) const {
  constexpr double width = 1.0 - refresh_begin;
  const double x = (std::abs(friction.value) - refresh_begin) / width;
  if (x <= 0.0) return {.value = std::numeric_limits<double>::infinity()};
  const double renewed = x * x * (3.0 - 2.0 * x);  // b
  const double slope = std::copysign(6.0 * x * (1.0 - x) / width, friction.value);
  return {-std::log(renewed) / p_.unloading_rate, -slope / (renewed * p_.unloading_rate) * friction.gradient};
}

SlipSlap::Forces SlipSlap::forces(const Loading& loading, const Value& friction, const Value& unloading) const {
  const double m = p_.friction_exponent;
  const double mobilised = std::abs(friction.value);

  double share = 1.0;  // Δ_P
  Gradient share_gradient = Gradient::Zero();
  if (unloading.value != 0.0 || unloading.gradient[by_w] != 0.0) {
    const double elastic = std::exp(-p_.unloading_rate * unloading.value);  // Δ_N
    share = elastic + (1.0 - elastic) * mobilised;
    share_gradient = -(1.0 - mobilised) * p_.unloading_rate * elastic * unloading.gradient +
                     std::copysign(1.0 - elastic, friction.value) * friction.gradient;
  }
  Forces forces;
  forces.normal.value = loading.force * share;
  forces.normal.gradient = loading.force * share_gradient;
  forces.normal.gradient[by_w] += p_.normal_exponent * forces.normal.value / loading.w;
  const double limit = p_.friction_coefficient * loading.force / loading.factor * power(share, m);
  const double growth = forces.normal.value > 0.0 ? m * limit / forces.normal.value : 0.0;
  forces.tangential.value = limit * friction.value;
  forces.tangential.gradient = limit * friction.gradient + growth * friction.value * forces.normal.gradient;
  return forces;
}

std::shared_ptr<const ContactElement> make_slip_slap(const SlipSlap::Parameters& parameters) {
  return std::make_shared<const SlipSlapElement>(parameters);
}

}  // namespace masing
