#include "masing/analysis/detail/mechanical_energy.hpp"

namespace masing::detail {

namespace {

// ∫₀ᵘ f·du along a straight line, by Simpson's rule.
double potential(const Joint& joint, const Vector& u) {
  constexpr int intervals = 512;
  const auto point = joint.element->at_rest();
  double sum = 0.0;
  for (int i = 0; i <= intervals; ++i) {
    const double weight = i == 0 || i == intervals ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
    const double share = static_cast<double>(i) / intervals;
    const auto response = point->advance({share * u, Vector::Zero(u.size())});
    sum += weight * Vector(response.force).dot(u);
  }
  return sum / (3.0 * intervals);
}

}  // namespace

double mechanical_energy(const Model& model, const HarmonicSet& set, const Matrix& all, double omega) {
  const auto& structure = dynamic_cast<const SecondOrderStructure&>(*model.structure);
  Vector q = Vector::Zero(all.rows()), velocity = Vector::Zero(all.rows());
  for (Index i = 0; i < set.count(); ++i) {
    q += all.col(set.cosine(i));
    if (set[i] > 0) velocity += set[i] * omega * all.col(set.sine(i));
  }
  double energy = 0.5 * velocity.dot(structure.mass() * velocity) + 0.5 * q.dot(structure.stiffness() * q);
  for (const Joint& joint : model.joints) energy += potential(joint, relative_motion(joint, q));
  for (const Load& load : model.loads) {
    if (load.harmonic == 0) energy -= load.shape.dot(q);
  }
  return energy;
}

bool is_elastic(const Joint& joint) {
  if (joint.element->uses_velocity() || joint.element->at_rest()->memory().size() > 0) return false;
  // A law that keeps its memory to itself shows it: its force at one place depends on where it came from.
  const int inputs = joint.element->inputs();
  for (int input = 0; input < inputs; ++input) {
    for (double distance = 1e-9; distance < 1e2; distance *= 10.0) {
      const auto point = joint.element->at_rest();
      const auto force_at = [&](double share) {
        return Vector(point->advance({share * distance * Vector::Unit(inputs, input), Vector::Zero(inputs)}).force);
      };
      force_at(0.0);
      const Vector before = force_at(0.5);
      const double largest = force_at(1.0).norm();
      if ((force_at(0.5) - before).norm() > 1e-9 * largest) return false;
    }
  }
  return true;
}

}  // namespace masing::detail
