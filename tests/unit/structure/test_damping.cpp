#include "masing/core/error.hpp"
#include "masing/structure/catalogue.hpp"
#include "masing/structure/lumped.hpp"
#include "support.hpp"

#include <Eigen/Eigenvalues>
#include <catch2/catch.hpp>

using namespace masing;

namespace {

// Modal quantities come from a dense eigensolver of a few well separated modes.
constexpr double modal_tolerance = 1e-12;

struct ModalView {
  Vector frequencies;  // [rad/s]
  Matrix damping;      // ΦᵀCΦ
};

ModalView modal_view(const SecondOrderStructure& structure) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(Matrix(structure.stiffness()),
                                                                Matrix(structure.mass()));
  const Matrix& shapes = solver.eigenvectors();
  return {solver.eigenvalues().cwiseMax(0.0).cwiseSqrt(), shapes.transpose() * Matrix(structure.damping()) * shapes};
}

ChainOptions three_masses(ChainGround ground, DampingOptions damping) {
  return {.masses = {1.0, 2.0, 1.5},
          .stiffnesses = std::vector<double>(chain_springs(3, ground), 500.0),
          .ground = ground,
          .further_damping = std::move(damping)};
}

}  // namespace

TEST_CASE("modal damping gives the stated ratios and couples no modes", "[damping]") {
  const std::vector<double> ratios = {0.01, 0.03, 0.002};
  const ModalView view = modal_view(*chain(three_masses(ChainGround::left, {.modal_ratios = ratios})));
  for (Index j = 0; j < 3; ++j) {
    CHECK(view.damping(j, j) / (2.0 * view.frequencies[j]) ==
          Approx(ratios[static_cast<std::size_t>(j)]).epsilon(modal_tolerance));
  }
  const Matrix diagonal = view.damping.diagonal().asDiagonal();
  CHECK((view.damping - diagonal).norm() < modal_tolerance * view.damping.norm());
}

TEST_CASE("one modal ratio serves all modes, a short list leaves the rest undamped", "[damping]") {
  const ModalView all = modal_view(*chain(three_masses(ChainGround::both, {.modal_ratio = 0.02})));
  for (Index j = 0; j < 3; ++j) CHECK(all.damping(j, j) == Approx(0.04 * all.frequencies[j]).epsilon(modal_tolerance));
  const ModalView some = modal_view(*chain(three_masses(ChainGround::both, {.modal_ratios = {0.02, 0.01}})));
  CHECK(some.damping(1, 1) == Approx(0.02 * some.frequencies[1]).epsilon(modal_tolerance));
  CHECK(std::abs(some.damping(2, 2)) < modal_tolerance * some.frequencies[2]);
}

TEST_CASE("in a study, one number is for all modes and a list of one for the lowest only", "[damping]") {
  const StructureEntry* entry = find_structure("chain");
  REQUIRE(entry != nullptr);
  const auto damped = [&](const OptionValue& ratios) {
    const OptionValues values = OptionValues::from(
        entry->parameters, {{"count", 3L}, {"mass", 1.0}, {"stiffness", 1.0}, {"modal_damping", ratios}});
    const auto structure = std::dynamic_pointer_cast<const MatrixStructure>(entry->make(values, {}));
    return modal_view(*structure);
  };
  CHECK(damped(0.02).damping(2, 2) == Approx(0.04 * damped(0.02).frequencies[2]).epsilon(modal_tolerance));
  const ModalView listed = damped(std::vector<double>{0.02});
  CHECK(listed.damping(0, 0) == Approx(0.04 * listed.frequencies[0]).epsilon(modal_tolerance));
  CHECK(std::abs(listed.damping(2, 2)) < modal_tolerance * listed.frequencies[2]);
}

TEST_CASE("rigid-body modes get no modal damping and are not counted", "[damping]") {
  const auto structure = chain(three_masses(ChainGround::none, {.modal_ratios = {0.05, 0.0}}));
  const ModalView view = modal_view(*structure);
  CHECK((structure->damping() * Vector::Ones(3)).norm() < modal_tolerance * Matrix(structure->damping()).norm());
  CHECK(view.damping(1, 1) == Approx(0.1 * view.frequencies[1]).epsilon(modal_tolerance));
}

TEST_CASE("Rayleigh damping is proportional and adds to viscous damping", "[damping]") {
  ChainOptions options = three_masses(ChainGround::left, {.rayleigh_alpha = 0.4, .rayleigh_beta = 1e-3});
  options.dampings = {3.0, 0.0, 2.0};
  const auto structure = chain(options);
  const Matrix dashpots{{3.0, 0.0, 0.0}, {0.0, 2.0, -2.0}, {0.0, -2.0, 2.0}};
  const Matrix expected = dashpots + 0.4 * Matrix(structure->mass()) + 1e-3 * Matrix(structure->stiffness());
  CHECK((Matrix(structure->damping()) - expected).norm() < modal_tolerance * expected.norm());
}

TEST_CASE("the loss factor acts on every frequency but zero", "[damping]") {
  const auto structure = oscillator({.mass = 2.0, .stiffness = 50.0, .further_damping = {.loss_factor = 0.1}});
  const auto condensed = structure->condense(interface_basis(test::directions(1, {{{0, 1.0}}})));
  condensed->set_frequency(3.0);
  CHECK(condensed->stiffness()(0, 0) == Complex(32.0, 5.0));
  CHECK(condensed->stiffness_derivative()(0, 0) == Complex(-12.0, 0.0));
  condensed->set_frequency(0.0);
  CHECK(condensed->stiffness()(0, 0) == Complex(50.0, 0.0));
  CHECK(structure->loss_factor() == 0.1);
}

TEST_CASE("hysteretic damping of parts adds to the loss factor", "[damping]") {
  const Matrix mass = Matrix::Identity(2, 2);
  const Matrix stiffness{{3.0, -1.0}, {-1.0, 3.0}};
  const Matrix parts{{0.5, 0.0}, {0.0, 0.0}};
  const MatrixStructure structure({.mass = test::sparse(mass),
                                   .stiffness = test::sparse(stiffness),
                                   .damping = {.loss_factor = 0.25, .hysteretic = test::sparse(parts)}});
  CHECK(Matrix(structure.hysteretic()) == parts + 0.25 * stiffness);
  CHECK(structure.has_hysteretic_damping());
  const MatrixStructure undamped({.mass = test::sparse(mass), .stiffness = test::sparse(stiffness)});
  CHECK_FALSE(undamped.has_hysteretic_damping());
  const auto condensed = structure.condense(interface_basis(test::directions(2, {{{0, 1.0}}, {{1, 1.0}}})));
  condensed->set_frequency(2.0);
  CHECK(condensed->stiffness()(0, 0) == Complex(-1.0, 1.25));
  CHECK(condensed->stiffness()(0, 1) == Complex(-1.0, -0.25));
  condensed->set_frequency(0.0);
  CHECK(condensed->stiffness()(0, 0) == Complex(3.0, 0.0));
  const auto with = [&](const Matrix& hysteretic) {
    return MatrixStructure({.mass = test::sparse(mass),
                            .stiffness = test::sparse(stiffness),
                            .damping = {.hysteretic = test::sparse(hysteretic)}});
  };
  CHECK_THROWS_WITH(with(Matrix::Identity(3, 3)), Catch::Contains("hysteretic damping matrix is 3 × 3"));
  CHECK_THROWS_WITH(with(Matrix{{0.0, 0.0}, {0.0, -1.0}}), Catch::Contains("diagonal entry -1 at coordinate 'q2'"));
}

TEST_CASE("wrong damping is refused", "[damping][errors]") {
  const auto with = [](DampingOptions damping) { return chain(three_masses(ChainGround::none, std::move(damping))); };
  CHECK_THROWS_WITH(with({.rayleigh_alpha = -1.0}), "rayleigh alpha = -1 must be >= 0 and finite.");
  CHECK_THROWS_WITH(with({.rayleigh_beta = -0.5}), "rayleigh beta = -0.5 must be >= 0 and finite.");
  CHECK_THROWS_WITH(with({.loss_factor = -0.01}), "loss_factor = -0.01 must be >= 0 and finite.");
  CHECK_THROWS_WITH(with({.modal_ratios = {0.1, -0.2}}), "modal_damping: entry 2 = -0.2 must be >= 0 and finite.");
  CHECK_THROWS_WITH(with({.modal_ratios = {0.1, 0.1, 0.1}}),
                    "modal_damping has 3 ratios but the structure has 2 elastic modes. Shorten the list.");
}

TEST_CASE("modal damping says what it cannot do", "[damping][errors]") {
  CHECK_THROWS_WITH(MatrixStructure({.mass = test::sparse(Matrix{{1.0, 0.0}, {0.0, 0.0}}),
                                     .stiffness = test::sparse(Matrix::Identity(2, 2)),
                                     .damping = {.modal_ratios = {0.01}}}),
                    "modal_damping needs a positive definite mass matrix; this one has massless motions. Give every "
                    "coordinate a mass, or use rayleigh damping or a loss_factor.");
  const std::size_t many = 3001;
  CHECK_THROWS_WITH(chain({.masses = std::vector<double>(many, 1.0),
                           .stiffnesses = std::vector<double>(many, 1.0),
                           .further_damping = {.modal_ratios = {0.01}}}),
                    "modal_damping needs all modes of the structure, which has 3001 unknowns; the limit is 3000. Use "
                    "rayleigh damping or a loss_factor, or reduce the model first.");
}
