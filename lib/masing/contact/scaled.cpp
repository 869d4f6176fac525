#include "masing/contact/scaled.hpp"

#include "masing/core/error.hpp"

namespace masing {
namespace {

class ScaledPoint final : public ContactPoint {
 public:
  using Input = Motion<Eigen::Dynamic>;

  ScaledPoint(std::unique_ptr<ContactPoint> point, double factor) : point_(std::move(point)), factor_(factor) {}

  std::unique_ptr<ContactPoint> clone() const override {
    return std::make_unique<ScaledPoint>(point_->clone(), factor_);
  }

  PointResponse advance(const Input& motion) override {
    PointResponse response = point_->advance(motion);
    response.force *= factor_;
    response.by_displacement *= factor_;
    response.by_velocity *= factor_;
    return response;
  }

  bool switches() const override { return point_->switches(); }
  double distance_to_switch(const Input& motion) const override { return point_->distance_to_switch(motion); }
  void switch_phase(const Input& motion) override { point_->switch_phase(motion); }
  void switch_phase_towards(const Input& motion, const Input& beyond) override {
    point_->switch_phase_towards(motion, beyond);
  }
  SmallVector<Eigen::Dynamic> force_in_phase(const Input& motion) const override {
    return factor_ * point_->force_in_phase(motion);
  }
  std::string_view phase_name() const override { return point_->phase_name(); }
  void note_scales(const Input& motion) override { point_->note_scales(motion); }
  SmallVector<Eigen::Dynamic> memory() const override { return point_->memory(); }

 private:
  std::unique_ptr<ContactPoint> point_;
  double factor_;
};

class ScaledElement final : public ContactElement {
 public:
  ScaledElement(std::shared_ptr<const ContactElement> element, double factor)
      : element_(std::move(element)), factor_(factor) {}

  int inputs() const override { return element_->inputs(); }
  bool uses_velocity() const override { return element_->uses_velocity(); }
  bool locates_kinks() const override { return element_->locates_kinks(); }
  void find_kinks(const PeriodicMotion& motion, CycleResult& room, Kinks& kinks) const override {
    element_->find_kinks(motion, room, kinks);
  }
  std::string_view jumps() const override { return element_->jumps(); }

  // Remembered scalars (sources) stay as they are; only their weight in the force changes.
  void steady_cycle(const PeriodicMotion& motion, const CycleOptions& options, CycleResult& result) const override {
    element_->steady_cycle(motion, options, result);
    result.force *= factor_;
    result.by_displacement *= factor_;
    result.by_velocity *= factor_;
    for (MemoryUse& use : result.uses) use.weight *= factor_;
    for (ForceJump& jump : result.jumps) jump.weight *= factor_;
  }

  std::unique_ptr<ContactPoint> at_rest() const override {
    return std::make_unique<ScaledPoint>(element_->at_rest(), factor_);
  }

  bool is_piecewise_linear() const override { return element_->is_piecewise_linear(); }
  Index parts() const override { return element_->parts(); }
  void linear_pieces(const PeriodicSignal& signal, std::span<const TurningPoint> turns,
                     std::vector<LinearPiece>& result) const override {
    if (!element_->is_piecewise_linear()) return;
    element_->linear_pieces(signal, turns, result);
    for (LinearPiece& piece : result) {
      piece.offset *= factor_;
      piece.stiffness *= factor_;
      piece.source_weight *= factor_;
    }
  }

 private:
  std::shared_ptr<const ContactElement> element_;
  double factor_;
};

}  // namespace

std::shared_ptr<const ContactElement> make_scaled(std::shared_ptr<const ContactElement> element, double factor) {
  require(element != nullptr && factor > 0.0, "A scaled law needs a factor > 0; this one is {}.", factor);
  return std::make_shared<const ScaledElement>(std::move(element), factor);
}

}  // namespace masing
