#include "masing/balance/joint_coupling.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace masing {
namespace {

// Products with an orthonormal basis leave dust where a direction has no part.
constexpr double dust = 1e-14;

Matrix touched_rows(const SparseMatrix& matrix, const InterfaceBasis& basis) {
  Matrix rows(static_cast<Index>(basis.touched.size()), matrix.cols());
  const SparseMatrix transposed = matrix.transpose();
  for (Index t = 0; t < rows.rows(); ++t) {
    rows.row(t) = Vector(transposed.col(basis.touched[static_cast<std::size_t>(t)])).transpose();
  }
  return rows;
}

Vector mean_weights(const HarmonicSet& set) {
  Vector weight = Vector::Ones(set.positions());
  if (set.has_zero()) weight[0] = 0.5;
  return weight;
}

}  // namespace

HarmonicSet felt_harmonics(const HarmonicSet& set, std::span<const Joint> joints) {
  const bool static_only = set.has_zero() && set.highest() == 0;  // a mean times a mean is a mean
  if (static_only || !any_quadratic(joints)) return set;
  for (const Joint& joint : joints) {
    require(joint.quadratic.empty() || (set.find(0) >= 0 && set.find(2) >= 0),
            "joint '{}' feels a shortening, which is quadratic in the motion: it brings a mean and a second harmonic, "
            "so `harmonics` must contain 0 and 2 (a number H stands for 0 … H).",
            joint.name);
  }
  std::set<int> all;
  for (const int k : set.harmonics()) {
    for (const int l : set.harmonics()) all.insert({k + l, std::abs(k - l)});
  }
  return HarmonicSet({all.begin(), all.end()});
}

JointCoupling::JointCoupling(std::span<const Joint> joints, Index coordinates, const InterfaceBasis& basis,
                             const HarmonicSet& set, const HarmonicSet& felt)
    : set_(set),
      felt_(felt),
      motions_(basis.kept()),
      place_(static_cast<std::size_t>(set.positions())),
      weight_(mean_weights(set)),
      felt_weight_(mean_weights(felt)) {
  for (Index i = 0; i < set.count(); ++i) {
    const Index there = felt.find(set[i]);
    place_[static_cast<std::size_t>(set.cosine(i))] = felt.cosine(there);
    if (set[i] != 0) place_[static_cast<std::size_t>(set.sine(i))] = felt.sine(there);
  }
  project(joints, coordinates, basis);
  std::size_t first = 0;
  for (const Joint& joint : joints) {
    if (!joint.quadratic.empty()) add_lifts(joint, basis, first);
    first += static_cast<std::size_t>(joint.element->inputs());
  }
  block_.setZero(felt.positions(), felt.positions());
  multiplication_.setZero(set.positions(), set.positions());
  force_.setZero(felt.positions());
  cosine_.setZero(felt.highest() + set.highest() + 1);
  sine_.setZero(cosine_.size());
}

void JointCoupling::project(std::span<const Joint> joints, Index coordinates, const InterfaceBasis& basis) {
  Index inputs = 0;
  for (const Joint& joint : joints) inputs += joint.element->inputs();
  lift_of_input_.assign(static_cast<std::size_t>(inputs), -1);
  if (joints.empty()) return;
  const SparseMatrix directions = felt_directions(joints, coordinates).leftCols(inputs);
  projection_ = touched_rows(directions, basis).transpose() * basis.range;
  const double smallest = dust * projection_.cwiseAbs().maxCoeff();
  projection_rows_.resize(static_cast<std::size_t>(inputs));
  for (Index row = 0; row < inputs; ++row) {
    for (Index m = 0; m < motions_; ++m) {
      if (std::abs(projection_(row, m)) > smallest) {
        projection_rows_[static_cast<std::size_t>(row)].emplace_back(m, projection_(row, m));
      }
    }
  }
}

void JointCoupling::add_lifts(const Joint& joint, const InterfaceBasis& basis, std::size_t first_input) {
  for (int input = 0; input < joint.element->inputs(); ++input) {
    const std::size_t row = first_input + static_cast<std::size_t>(input);
    Matrix bent = Matrix::Zero(motions_, motions_);
    for (const QuadraticMotion& motion : joint.quadratic) {
      if (motion.input != input) continue;
      const Matrix rows = touched_rows(motion.matrix, basis);
      bent = basis.range.transpose() * rows(Eigen::all, basis.touched) * basis.range;
    }
    const double smallest = dust * bent.cwiseAbs().maxCoeff();
    Vector direction = Vector::Zero(motions_);
    for (const auto& [motion, factor] : projection_rows_[row]) direction[motion] = factor;
    Lift lift;
    std::vector<Index> reach;
    for (Index m = 0; m < motions_; ++m) {
      if (direction[m] == 0.0 && bent.row(m).cwiseAbs().maxCoeff() <= smallest) continue;
      lift.motions.emplace_back(m, direction[m]);
      reach.push_back(m);
    }
    if (bent.any()) lift.quadratic = bent(reach, reach);
    const auto count = static_cast<Index>(reach.size());
    lift.bending.setZero(set_.positions(), count);
    lift.lift.setZero(felt_.positions(), count * set_.positions());
    for (Index i = 0; i < count; ++i) {
      for (Index p = 0; p < set_.positions(); ++p) {
        lift.lift(place_[static_cast<std::size_t>(p)], i * set_.positions() + p) =
            direction[reach[static_cast<std::size_t>(i)]];
      }
    }
    if (product_.cols() < lift.lift.cols()) {
      product_.setZero(felt_.positions(), lift.lift.cols());
      lifted_.setZero(lift.lift.cols(), lift.lift.cols());
    }
    lift_of_input_[row] = static_cast<Index>(lifts_.size());
    lifts_.push_back(std::move(lift));
  }
}

void JointCoupling::relative_motion(const MatrixView& y, Matrix& relative) {
  relative.setZero();
  for (std::size_t row = 0; row < projection_rows_.size(); ++row) {
    for (const auto& [motion, factor] : projection_rows_[row]) {
      for (Index p = 0; p < set_.positions(); ++p) {
        relative(static_cast<Index>(row), place_[static_cast<std::size_t>(p)]) += factor * y(motion, p);
      }
    }
    if (is_lifted(static_cast<Index>(row)))
      bend(lift_of(static_cast<Index>(row)), y, relative, static_cast<Index>(row));
  }
}

// The moments C_n and S_n of a signal (fourier/multiplication.hpp) are halves of its coefficients.
void JointCoupling::fill_moments(const HarmonicSet& set, const VectorView& signal) {
  cosine_.setZero();
  sine_.setZero();
  for (Index i = 0; i < set.count(); ++i) {
    cosine_[set[i]] = (set[i] == 0 ? 1.0 : 0.5) * signal[set.cosine(i)];
    if (set[i] != 0) sine_[set[i]] = 0.5 * signal[set.sine(i)];
  }
}

// L = E A − T(G Y), and U −= ½ Σ T((G Y)_m) Y_m.
void JointCoupling::bend(Lift& lift, const MatrixView& y, Eigen::Ref<Matrix> relative, Index row) {
  if (!lift.is_curved()) return;
  const Index positions = set_.positions();
  const auto count = static_cast<Index>(lift.motions.size());
  lift.bending.setZero();
  for (Index j = 0; j < count; ++j) {
    const auto motion = y.row(lift.motions[static_cast<std::size_t>(j)].first);
    for (Index i = 0; i < count; ++i) {
      if (lift.quadratic(i, j) != 0.0) lift.bending.col(i) += lift.quadratic(i, j) * motion.transpose();
    }
  }
  for (Index i = 0; i < count; ++i) {
    const auto& [motion, factor] = lift.motions[static_cast<std::size_t>(i)];
    auto part = lift.lift.middleCols(i * positions, positions);
    fill_moments(set_, lift.bending.col(i));
    multiplication_matrix(felt_, set_, cosine_, sine_, part);
    for (Index p = 0; p < positions; ++p) relative.row(row) -= 0.5 * y(motion, p) * part.col(p).transpose();
    part = -part;
    for (Index p = 0; p < positions; ++p) part(place_[static_cast<std::size_t>(p)], p) += factor;
  }
}

void JointCoupling::add_forces(const Matrix& forces, Eigen::Ref<Matrix> equations) const {
  const Index positions = set_.positions();
  for (std::size_t row = 0; row < projection_rows_.size(); ++row) {
    const auto force = forces.row(static_cast<Index>(row));
    if (lift_of_input_[row] < 0) {
      for (const auto& [motion, factor] : projection_rows_[row]) {
        for (Index p = 0; p < positions; ++p)
          equations(motion, p) += factor * force[place_[static_cast<std::size_t>(p)]];
      }
      continue;
    }
    const Lift& lift = lifts_[static_cast<std::size_t>(lift_of_input_[row])];
    for (std::size_t i = 0; i < lift.motions.size(); ++i) {
      for (Index p = 0; p < positions; ++p) {
        const auto column = lift.lift.col(static_cast<Index>(i) * positions + p);
        equations(lift.motions[i].first, p) +=
            weight_[p] * (column.array() * force.transpose().array() / felt_weight_.array()).sum();
      }
    }
  }
}

void JointCoupling::add_jacobian(JointForces& forces, Matrix& jacobian) {
  for (Index j = 0; j < forces.joints(); ++j) {
    forces.prepare_derivatives(j);
    if (is_lifted(forces.first_input(j))) {
      add_lifted_jacobian(forces, j, jacobian);
    } else {
      add_linear_jacobian(forces, j, jacobian);
    }
  }
}

void JointCoupling::add_linear_jacobian(JointForces& forces, Index joint, Matrix& jacobian) {
  const Index positions = set_.positions();
  const auto first = static_cast<std::size_t>(forces.first_input(joint));
  const auto inputs = static_cast<int>(forces.inputs_of(joint));
  for (int b = 0; b < inputs; ++b) {
    for (int a = 0; a < inputs; ++a) {
      forces.derivative_block(joint, a, b, block_);
      for (const auto& [m, factor_m] : projection_rows_[first + static_cast<std::size_t>(b)]) {
        for (const auto& [f, factor_f] : projection_rows_[first + static_cast<std::size_t>(a)]) {
          const double factor = factor_m * factor_f;
          for (Index q = 0; q < positions; ++q) {
            const double* entries = &block_(0, place_[static_cast<std::size_t>(q)]);
            double* column = &jacobian(f, q * motions_ + m);
            for (Index p = 0; p < positions; ++p) {
              column[p * motions_] += factor * entries[place_[static_cast<std::size_t>(p)]];
            }
          }
        }
      }
    }
  }
}

void JointCoupling::add_lifted_jacobian(JointForces& forces, Index joint, Matrix& jacobian) {
  const Index first = forces.first_input(joint);
  const auto inputs = static_cast<int>(forces.inputs_of(joint));
  for (int b = 0; b < inputs; ++b) {
    const Lift& motion = lift_of(first + b);
    for (int a = 0; a < inputs; ++a) {
      const Lift& force = lift_of(first + a);
      forces.derivative_block(joint, a, b, block_);
      auto product = product_.leftCols(motion.lift.cols());
      product.noalias() = block_ * motion.lift;
      product.array().colwise() /= felt_weight_.array();
      auto lifted = lifted_.topLeftCorner(force.lift.cols(), motion.lift.cols());
      lifted.noalias() = force.lift.transpose() * product;
      scatter(force, motion, lifted, jacobian);
    }
    if (!motion.is_curved()) continue;
    force_ = forces.coefficients().row(first + b).transpose();
    add_geometric_stiffness(motion, jacobian);
  }
}

void JointCoupling::scatter(const Lift& force, const Lift& motion, const Eigen::Ref<const Matrix>& block,
                            Matrix& jacobian) const {
  const Index positions = set_.positions();
  for (std::size_t j = 0; j < motion.motions.size(); ++j) {
    for (Index q = 0; q < positions; ++q) {
      const auto entries = block.col(static_cast<Index>(j) * positions + q);
      auto column = jacobian.col(q * motions_ + motion.motions[j].first);
      for (std::size_t i = 0; i < force.motions.size(); ++i) {
        for (Index p = 0; p < positions; ++p) {
          column[p * motions_ + force.motions[i].first] += weight_[p] * entries[static_cast<Index>(i) * positions + p];
        }
      }
    }
  }
}

// −G ⊗ T(F), F in force_
void JointCoupling::add_geometric_stiffness(const Lift& lift, Matrix& jacobian) {
  fill_moments(felt_, force_);
  multiplication_matrix(set_, set_, cosine_, sine_, multiplication_);
  const Index positions = set_.positions();
  for (std::size_t j = 0; j < lift.motions.size(); ++j) {
    for (std::size_t i = 0; i < lift.motions.size(); ++i) {
      const double g = lift.quadratic(static_cast<Index>(i), static_cast<Index>(j));
      if (g == 0.0) continue;
      for (Index q = 0; q < positions; ++q) {
        for (Index p = 0; p < positions; ++p) {
          jacobian(p * motions_ + lift.motions[i].first, q * motions_ + lift.motions[j].first) -=
              g * multiplication_(p, q);
        }
      }
    }
  }
}

}  // namespace masing
