// Beams and rods by finite elements: static solutions that the elements contain exactly, equilibrium, damping, names.
#include "masing/core/error.hpp"
#include "masing/structure/beam_load.hpp"
#include "masing/structure/finite_element_beam.hpp"
#include "support.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <catch2/catch.hpp>

using namespace masing;

namespace {

// Static deflections are exact but for the rounding of a stiffness of a few elements: condition number 1e6.
constexpr double exact = 1e-9;

constexpr double length = 0.6;
constexpr double width = 0.04;
constexpr double thickness = 0.02;

BeamSection steel(double begin, double end) {
  return {.begin = begin,
          .end = end,
          .youngs_modulus = 210e9,
          .density = 7850.0,
          .poisson_ratio = 0.3,
          .area = width * thickness,
          .inertia = width * thickness * thickness * thickness / 12.0};
}

Beam cantilever(BeamTheory theory) {
  return {.theory = theory,
          .sections = {steel(0.0, length)},
          .points = {{"middle", 0.35}, {"tip", length}},
          .supports = {{.at = 0.0, .fixed = {true, true, true}}}};
}

Vector static_solution(const SecondOrderStructure& structure, const Vector& load) {
  const Eigen::SimplicialLDLT<SparseMatrix> factors(structure.stiffness());
  return factors.solve(load);
}

Vector unit_load(const Structure& structure, const std::string& name) {
  const Index coordinate = structure.find(name);
  REQUIRE(coordinate >= 0);
  return Vector::Unit(structure.size(), coordinate);
}

/// A line load across the beam from the clamp to `end`.
Vector loaded(const FiniteElementBeam& structure, double end, double intensity) {
  return structure.to_coordinates(line_load(structure.beam(), structure.nodes(), BeamMotion::w, 0.0, end, intensity));
}

double bending_stiffness() { return steel(0.0, 1.0).youngs_modulus * steel(0.0, 1.0).inertia; }

double shear_stiffness() {
  const BeamSection section = steel(0.0, 1.0);
  return section.shear_factor * section.shear_modulus() * section.area;
}

const std::vector<BeamTheory> bending_theories = {BeamTheory::euler_bernoulli, BeamTheory::timoshenko};

}  // namespace

TEST_CASE("a force at the tip: the textbook deflection at every node, whatever the mesh", "[finite element]") {
  for (const BeamTheory theory : bending_theories) {
    for (const int elements : {2, 7, 30}) {
      const auto structure = finite_element_beam(cantilever(theory), {.elements = elements});
      const Vector q = static_solution(*structure, unit_load(*structure, "tip.w"));
      const double x = 0.35;
      const double shear = theory == BeamTheory::timoshenko ? 1.0 / shear_stiffness() : 0.0;
      const double tip = length * length * length / (3.0 * bending_stiffness()) + length * shear;
      const double middle = x * x * (3.0 * length - x) / (6.0 * bending_stiffness()) + x * shear;
      CHECK(q[structure->find("tip.w")] == Approx(tip).epsilon(exact));
      CHECK(q[structure->find("middle.w")] == Approx(middle).epsilon(exact));
      CHECK(q[structure->find("tip.phi")] == Approx(length * length / (2.0 * bending_stiffness())).epsilon(exact));
      CHECK(q[structure->find("tip.u")] == 0.0);
    }
  }
}

TEST_CASE("patch test: constant strain and constant curvature are reproduced on an uneven mesh", "[finite element]") {
  for (const BeamTheory theory : bending_theories) {
    const auto structure = finite_element_beam(cantilever(theory), {.elements = 9});
    const Vector load = unit_load(*structure, "tip.u") + unit_load(*structure, "tip.phi");
    const Vector q = static_solution(*structure, load);
    const double strain = 1.0 / (steel(0.0, 1.0).youngs_modulus * width * thickness);
    const double curvature = 1.0 / bending_stiffness();
    for (std::size_t i = 1; i < structure->nodes().size(); ++i) {
      const double x = structure->nodes()[i].at;
      const Index first = 3 * (static_cast<Index>(i) - 1);  // the clamped node has no coordinates
      CHECK(q[first] == Approx(strain * x).epsilon(exact));
      CHECK(q[first + 1] == Approx(0.5 * curvature * x * x).epsilon(exact));
      CHECK(q[first + 2] == Approx(curvature * x).epsilon(exact));
    }
  }
}

TEST_CASE("a slender Timoshenko beam does not lock: it bends like Euler-Bernoulli", "[finite element]") {
  Beam thin = cantilever(BeamTheory::timoshenko);
  const double slenderness = 1e-4;  // thickness over length
  const double h = slenderness * length;
  thin.sections[0].area = width * h;
  thin.sections[0].inertia = width * h * h * h / 12.0;
  Beam euler = thin;
  euler.theory = BeamTheory::euler_bernoulli;
  const auto a = finite_element_beam(thin, {.elements = 4});
  const auto b = finite_element_beam(euler, {.elements = 4});
  // Shear adds (h/L)² times a number of order one.
  const double shear_share = slenderness * slenderness;
  CHECK((a->stiffness() - b->stiffness()).norm() < 1e3 * shear_share * b->stiffness().norm());
  const Vector bent = static_solution(*a, unit_load(*a, "tip.w"));
  const double expected = length * length * length / (3.0 * thin.sections[0].youngs_modulus * thin.sections[0].inertia);
  CHECK(bent[a->find("tip.w")] == Approx(expected).epsilon(1e-6));
}

TEST_CASE("line loads and weight: textbook deflections, total force", "[finite element]") {
  for (const BeamTheory theory : bending_theories) {
    const double shear = theory == BeamTheory::timoshenko ? 1.0 / shear_stiffness() : 0.0;
    const double q = 120.0;
    const auto structure = finite_element_beam(cantilever(theory), {.elements = 2});
    const Vector whole = static_solution(*structure, loaded(*structure, length, q));
    const double uniform = q * std::pow(length, 4) / (8.0 * bending_stiffness()) + 0.5 * q * length * length * shear;
    CHECK(whole[structure->find("tip.w")] == Approx(uniform).epsilon(exact));

    // Loaded from 0 to a, inside an element: qa³/6EI (L − a/4) + qa²/2κGA at the tip.
    const double a = 0.2;
    const Vector part = static_solution(*structure, loaded(*structure, a, q));
    const double partial = q * a * a * a / (6.0 * bending_stiffness()) * (length - a / 4.0) + 0.5 * q * a * a * shear;
    CHECK(part[structure->find("tip.w")] == Approx(partial).epsilon(exact));
  }
  Beam beam = cantilever(BeamTheory::timoshenko);
  beam.supports.clear();
  beam.masses = {{.at = 0.35, .mass = 0.5, .rotary_inertia = 1e-3}};
  const auto free = finite_element_beam(beam, {.elements = 5});
  const Vector weight = free->to_coordinates(self_weight(free->beam(), free->nodes(), 0.0, 1.0));
  double total = 0.0;
  for (Index i = 1; i < weight.size(); i += 3) total += weight[i];
  CHECK(total == Approx(7850.0 * width * thickness * length + 0.5).epsilon(exact));
  // The weight is what the mass matrix has against a translation.
  Vector translation = Vector::Zero(free->size());
  for (Index i = 1; i < free->size(); i += 3) translation[i] = 1.0;
  CHECK((free->mass() * translation - weight).norm() < exact * weight.norm());
}

TEST_CASE("a free beam has exactly three rigid-body motions", "[finite element]") {
  for (const BeamTheory theory : bending_theories) {
    Beam beam = cantilever(theory);
    beam.supports.clear();
    const auto structure = finite_element_beam(beam, {.elements = 6});
    Matrix rigid = Matrix::Zero(structure->size(), 3);
    for (std::size_t i = 0; i < structure->nodes().size(); ++i) {
      const Index first = 3 * static_cast<Index>(i);
      rigid(first, 0) = 1.0;
      rigid(first + 1, 1) = 1.0;
      rigid(first + 1, 2) = structure->nodes()[i].at;
      rigid(first + 2, 2) = 1.0;
    }
    CHECK((structure->stiffness() * rigid).norm() < exact * structure->stiffness().norm());
    // Translations weigh the mass, a rotation the moment of inertia about x = 0.
    const Matrix inertia = rigid.transpose() * (structure->mass() * rigid);
    const double mass = 7850.0 * width * thickness * length;
    const double rotary = theory == BeamTheory::timoshenko ? 7850.0 * steel(0, 1).inertia * length : 0.0;
    CHECK(inertia(0, 0) == Approx(mass).epsilon(exact));
    CHECK(inertia(1, 1) == Approx(mass).epsilon(exact));
    CHECK(inertia(1, 2) == Approx(mass * length / 2.0).epsilon(exact));
    CHECK(inertia(2, 2) == Approx(mass * length * length / 3.0 + rotary).epsilon(exact));
  }
}

TEST_CASE("supports, springs, dashpots and masses are where they should be", "[finite element]") {
  Beam beam = cantilever(BeamTheory::euler_bernoulli);
  const auto bare = finite_element_beam(beam, {.elements = 4});
  beam.supports.push_back({.at = length, .stiffness = {1e5, 2e5, 30.0}, .damping = {1.0, 2.0, 3.0}});
  beam.masses = {{.at = length, .mass = 0.2, .rotary_inertia = 4e-5}};
  beam.springs = {{.from = 0.35, .to = length, .stiffness = {0.0, 5e4, 0.0}, .damping = {0.0, 7.0, 0.0}}};
  const auto full = finite_element_beam(beam, {.elements = 4});
  REQUIRE(full->coordinates() == bare->coordinates());
  const auto change = [&](const SparseMatrix& with, const SparseMatrix& without, const char* row, const char* column) {
    return with.coeff(full->find(row), full->find(column)) - without.coeff(full->find(row), full->find(column));
  };
  const double rounding = 1e-6;  // of a difference of stiffnesses of 1e9 N/m
  CHECK(change(full->stiffness(), bare->stiffness(), "tip.u", "tip.u") == Approx(1e5).epsilon(rounding));
  CHECK(change(full->stiffness(), bare->stiffness(), "tip.w", "tip.w") == Approx(2.5e5).epsilon(rounding));
  CHECK(change(full->stiffness(), bare->stiffness(), "tip.phi", "tip.phi") == Approx(30.0).epsilon(rounding));
  CHECK(change(full->stiffness(), bare->stiffness(), "tip.w", "middle.w") == Approx(-5e4).epsilon(rounding));
  CHECK(full->damping().coeff(full->find("tip.w"), full->find("tip.w")) == 9.0);
  CHECK(full->damping().coeff(full->find("middle.w"), full->find("tip.w")) == -7.0);
  CHECK(full->damping().coeff(full->find("tip.phi"), full->find("tip.phi")) == 3.0);
  CHECK(change(full->mass(), bare->mass(), "tip.u", "tip.u") == Approx(0.2).epsilon(rounding));
  CHECK(change(full->mass(), bare->mass(), "tip.phi", "tip.phi") == Approx(4e-5).epsilon(rounding));
}

TEST_CASE("the mesh: places are nodes, pieces get elements in proportion, fixed motions have no coordinate",
          "[finite element]") {
  Beam beam = cantilever(BeamTheory::euler_bernoulli);
  beam.sections = {steel(0.0, 0.2), steel(0.2, length)};
  beam.supports.push_back({.at = 0.45, .fixed = {false, true, false}});
  const auto structure = finite_element_beam(beam, {.elements = 12});
  REQUIRE(structure->nodes().size() == 13);
  for (std::size_t i = 0; i < 13; ++i) CHECK(structure->nodes()[i].at == Approx(0.05 * static_cast<double>(i)));
  CHECK(structure->find("x0.w") < 0);
  CHECK(structure->find("x0.45.w") < 0);
  CHECK(structure->find("x0.45.phi") >= 0);
  CHECK(structure->find("x0.05.w") == 1);
  CHECK(structure->find("middle.w") >= 0);
  CHECK(structure->size() == 3 * 12 - 1);
  CHECK(finite_element_beam(beam, {.elements = 1})->nodes().size() == 5);
}

TEST_CASE("a rod has one motion a node", "[finite element]") {
  Beam rod{.theory = BeamTheory::rod,
           .sections = {steel(0.0, length)},
           .points = {{"tip", length}},
           .supports = {{.at = 0.0, .fixed = {true, true, true}}}};
  const auto structure = finite_element_beam(rod, {.elements = 3});
  CHECK(structure->coordinates() == std::vector<std::string>{"x0.2.u", "x0.4.u", "tip.u"});
  const Vector q = static_solution(*structure, unit_load(*structure, "tip.u"));
  CHECK(q[2] == Approx(length / (210e9 * width * thickness)).epsilon(exact));
}

TEST_CASE("loss factors of sections become hysteretic damping; condensed equals full", "[finite element]") {
  Beam beam = cantilever(BeamTheory::timoshenko);
  beam.sections = {steel(0.0, 0.2), steel(0.2, length)};
  beam.sections[1].loss_factor = 0.03;
  beam.supports.push_back({.at = length, .stiffness = {0.0, 1e5, 0.0}, .damping = {0.0, 20.0, 0.0}});
  for (const Evaluation evaluation : {Evaluation::dense, Evaluation::sparse}) {
    const auto structure = finite_element_beam(beam, {.elements = 12, .evaluation = evaluation});
    CHECK(structure->has_hysteretic_damping());
    const Index tip = structure->find("tip.w");
    const Index middle = structure->find("middle.w");
    const auto condensed =
        structure->condense(interface_basis(test::directions(structure->size(), {{{tip, 1.0}}, {{middle, 1.0}}})));
    for (const double omega : {0.0, 300.0, 5000.0}) {
      condensed->set_frequency(omega);
      const ComplexMatrix receptance = test::dynamic_stiffness(*structure, omega).inverse();
      const std::vector<Index> kept = {std::min(tip, middle), std::max(tip, middle)};
      const ComplexMatrix expected = ComplexMatrix(receptance(kept, kept)).inverse();
      CHECK((condensed->stiffness() - expected).norm() < 1e-8 * expected.norm());  // an inverse of condition 1e8
      if (omega > 0.0) CHECK(expected(0, 0).imag() > 0.0);
    }
  }
  beam.sections[0].loss_factor = 0.03;
  const auto even = finite_element_beam(beam, {.elements = 12});
  const SparseMatrix support_free = 0.03 * even->stiffness();
  const Index tip = even->find("tip.w");
  SparseMatrix difference = support_free - even->hysteretic();
  CHECK(difference.coeff(tip, tip) == Approx(0.03 * 1e5).epsilon(1e-6));  // the spring of the support has no loss
  difference.coeffRef(tip, tip) = 0.0;
  CHECK(difference.norm() < exact * even->hysteretic().norm());
}

TEST_CASE("a beam of a thousand elements is still positive definite and held", "[finite element]") {
  const auto structure = finite_element_beam(cantilever(BeamTheory::euler_bernoulli), {.elements = max_beam_elements});
  const auto condensed =
      structure->condense(interface_basis(test::directions(structure->size(), {{{structure->find("tip.w"), 1.0}}})));
  condensed->set_frequency(0.0);
  const double expected = 3.0 * bending_stiffness() / (length * length * length);
  // Rounding grows with the fourth power of the number of elements.
  CHECK(condensed->stiffness()(0, 0).real() == Approx(expected).epsilon(1e-3));
}

TEST_CASE("wrong beams are refused", "[finite element][errors]") {
  Beam beam = cantilever(BeamTheory::euler_bernoulli);
  CHECK_THROWS_WITH(finite_element_beam(beam, {.elements = 0}), "elements = 0 must be in [1, 1000].");
  Beam held{.theory = BeamTheory::rod,
            .sections = {steel(0.0, length)},
            .supports = {{.at = 0.0, .fixed = {true, true, true}}, {.at = length, .fixed = {true, true, true}}}};
  CHECK_THROWS_WITH(finite_element_beam(held, {.elements = 1}),
                    "the supports fix every motion of the beam: nothing is left to vibrate.");
  beam.sections[0].area = -1.0;
  CHECK_THROWS_WITH(finite_element_beam(beam), "section 1 (0 to 0.6 m): area = -1 m^2 must be > 0.");
}
