// Joints that are spread over a beam or rod: what a study with `over` becomes, against closed forms and energy.
#include "masing/balance/jacobian_check.hpp"
#include "masing/core/error.hpp"
#include "masing/io/study.hpp"
#include "masing/io/study_overview.hpp"

#include <Eigen/LU>
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace masing;
using Catch::Matchers::Contains;

namespace {

const std::string rod = R"(
[structure]
kind = "rod"
length = 2.0
area = 1.0
material = { E = 3.0, rho = 0.5 }
points = { end = 2.0 }
[[joint]]
name = "bed"
law = "linear-spring"
stiffness = 0.8
direction = { u = 1.0 }
over = { from = 0.0, to = 2.0 }
[excitation]
at = "end"
component = "u"
force = 1.0
[harmonic_balance]
harmonics = [1]
[[sensor]]
at = "end"
component = "u"
[[analysis]]
kind = "frequency-response"
from = 0.1
to = 0.2
)";

const std::string beam = R"(
[structure]
kind = "beam"
length = 1.0
width = 0.04
thickness = 0.01
material = { E = 70e9, rho = 2700 }
supports = [ { at = 0.0, kind = "pinned" }, { at = 1.0, kind = "roller" } ]
points = { drive = 0.35 }
[[joint]]
name = "bed"
law = "linear-spring"
stiffness = 2e5
direction = { w = 1.0 }
over = { from = 0.0, to = 1.0 }
[excitation]
at = "drive"
component = "w"
force = 1.0
[harmonic_balance]
harmonics = [1]
[[sensor]]
at = "drive"
component = "w"
[[analysis]]
kind = "frequency-response"
from = 30.0
to = 40.0
)";

const std::string rubbing_rod = R"(
[structure]
kind = "rod"
length = 3.141592653589793
area = 1.0
material = { E = 1.0, rho = 1.0 }
supports = [ { at = 0.0, kind = "elastic", stiffness = { u = 0.01 } } ]
points = { end = 3.141592653589793 }
[[joint]]
name = "bed"
law = "friction-2d"
stiffness = 2.8
friction = 0.26
normal = { kind = "linear", stiffness = 4.0 }
directions = [ { u = 1.0 }, { } ]
over = { from = 0.0, to = 3.141592653589793, points = 7, preload = { kind = "sine", total = 2.0 } }
[excitation]
at = "end"
component = "u"
force = 0.4
[harmonic_balance]
harmonics = [1, 3, 5]
samples = 1024
[[sensor]]
at = "end"
component = "u"
[[analysis]]
kind = "frequency-response"
from = 0.2
to = 0.2002
)";

Study read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_study_text(text, "study.toml", "", overrides);
}

std::string message_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    read(text, overrides);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

const FrequencyResponseRequest& request_of(const Study& study) {
  return std::get<FrequencyResponseRequest>(study.analyses.at(0));
}

/// Complex amplitude of the sensor of a linear study at ω.
Complex linear_response(const Study& study, double omega) {
  const FrequencyResponseRequest& request = request_of(study);
  HarmonicBalance balance(*study.model.structure, study.model.joints, study.model.loads, request.balance);
  Vector r;
  Vector by_omega;
  Matrix jacobian;
  balance.residual(Vector::Zero(balance.size()), omega, r);
  balance.derivatives(Vector::Zero(balance.size()), omega, jacobian, by_omega);
  const Matrix all = balance.recover(-jacobian.fullPivLu().solve(r), omega);
  const Index at = request.observables.at(0).coordinate;
  return {all(at, 0), -all(at, 1)};
}

/// Sign of the determinant of the cosine part of an undamped study: it changes at a natural frequency.
double stiffness_sign(const Study& study, double omega) {
  HarmonicBalance balance(*study.model.structure, study.model.joints, study.model.loads, request_of(study).balance);
  Matrix jacobian;
  Vector by_omega;
  balance.derivatives(Vector::Zero(balance.size()), omega, jacobian, by_omega);
  const Index m = balance.motions();
  // Sizes that differ a lot overflow a determinant of 60 rows: only its sign is asked for.
  const Eigen::PartialPivLU<Matrix> lu(jacobian.topLeftCorner(m, m));
  double sign = static_cast<double>(lu.permutationP().determinant());
  for (Index i = 0; i < m; ++i) sign *= std::copysign(1.0, lu.matrixLU()(i, i));
  return sign;
}

std::vector<std::string> points(int count, const std::string& method) {
  return {"joint.bed.over.points=" + std::to_string(count), "structure.method=\"" + method + "\""};
}

struct Solved {
  Matrix all;  // coordinates × positions
  double omega = 0.0;
};

Solved solve(const Study& study) {
  const FrequencyResponseRequest& request = request_of(study);
  const FrequencyResponse found = frequency_response(study.model, request);
  REQUIRE(!found.branches.at(0).points.empty());
  const ResponsePoint& point = found.branches[0].points.front();
  HarmonicBalance balance(*study.model.structure, study.model.joints, study.model.loads, request.balance);
  const double omega = 2.0 * pi * point.frequency;
  return {balance.recover(point.coefficients, omega), omega};
}

}  // namespace

// A uniform bed of springs k on a rod or beam with mass m per metre does nothing but shift the square of the frequency by
// k/m: the response at ω is that of the bare structure at sqrt(ω² − k/m). (Winkler.)
TEST_CASE("a bed of linear springs is Winkler's foundation", "[distributed]") {
  SECTION("rod: closed form, error of order 1/n^2") {
    // The Gauss points carry point forces, at which the slope of u jumps.
    const double kappa = std::sqrt((1.7 * 1.7 * 0.5 - 0.8) / 3.0);
    const double exact = -1.0 / (3.0 * kappa * std::tan(2.0 * kappa));
    std::vector<double> errors;
    for (const int n : {5, 10, 20, 40}) {
      errors.push_back(std::abs(linear_response(read(rod, points(n, "spectral")), 1.7) - exact) / std::abs(exact));
    }
    CHECK(errors.back() < 1e-3);
    for (std::size_t i = 1; i < errors.size(); ++i) {
      CHECK(std::log2(errors[i - 1] / errors[i]) == Approx(2.0).margin(0.25));
    }
  }
  SECTION("beam: the bare beam at a lower frequency, error of order 1/n^4") {
    const double shift = 2e5 / (2700.0 * 4e-4);
    const double omega = 2.0 * pi * 95.0;
    REQUIRE(omega * omega > shift);
    const Study bare = read(beam, {"joint.bed.stiffness=1e-9"});
    const Complex exact = linear_response(bare, std::sqrt(omega * omega - shift));
    std::vector<double> errors;
    for (const int n : {4, 8, 16}) {
      errors.push_back(std::abs(linear_response(read(beam, points(n, "spectral")), omega) - exact) / std::abs(exact));
    }
    CHECK(errors.back() < 1e-3);
    for (std::size_t i = 1; i < errors.size(); ++i) {
      CHECK(std::log2(errors[i - 1] / errors[i]) == Approx(4.0).margin(0.6));
    }
    // Finite elements have the same nodes, and errors of their own of order h^4.
    const Complex elements = linear_response(read(beam, points(16, "finite-element")), omega);
    CHECK(std::abs(elements - exact) < 3.0 * errors.back() * std::abs(exact) + 1e-5 * std::abs(exact));
  }
  SECTION("natural frequencies in closed form") {
    const double width = 2e-4;  // the error of 19 points, above
    const Study study = read(beam, points(19, "spectral"));
    const double bending = 70e9 * 0.04 * 1e-6 / 12.0;
    for (const int mode : {1, 2, 3}) {
      const double omega = std::sqrt((bending * std::pow(mode * pi, 4) + 2e5) / (2700.0 * 4e-4));
      CHECK(stiffness_sign(study, omega * (1.0 - width)) * stiffness_sign(study, omega * (1.0 + width)) < 0.0);
    }
  }
}

TEST_CASE("one Gauss point is a point joint with the whole length's parameters", "[distributed]") {
  const Study spread = read(rubbing_rod, {"joint.bed.over.points=1"});
  REQUIRE(spread.model.joints.size() == 1);
  std::string text = rubbing_rod;
  const auto replace = [&](const std::string& from, const std::string& to) {
    REQUIRE(text.find(from) != std::string::npos);
    text.replace(text.find(from), from.size(), to);
  };
  const double length = pi;
  const double preload = 0.5 * pi * 2.0;  // sine: in the middle π/2 times the mean, of a total of 2 N, times the length
  replace("over = {", "#");
  replace("stiffness = 2.8", fmt::format("stiffness = {}", 2.8 * length));
  replace("stiffness = 4.0 }", fmt::format("stiffness = {}, preload = {} }}", 4.0 * length, preload));
  replace("points = { end", "points = { middle = 1.5707963267948966, end");
  replace("{ u = 1.0 }, { }", "{ middle = { u = 1.0 } }, { }");
  const Solved a = solve(spread);
  const Solved b = solve(read(text));
  // Both solved to a residual of 1e-9 of the force.
  CHECK((a.all - b.all).cwiseAbs().maxCoeff() < 1e-7 * b.all.cwiseAbs().maxCoeff());
}

TEST_CASE("what the points dissipate is what the force puts in", "[distributed]") {
  const Study study = read(rubbing_rod);
  const Solved solved = solve(study);
  const Index end = study.model.structure->find("end.u");
  const double input = pi * 0.4 * solved.all(end, 1);  // ∮ F cos ωt du, u = a cos + b sin
  REQUIRE(input > 0.0);
  double dissipated = 0.0;
  constexpr Index samples = 8192;
  for (const Joint& joint : study.model.joints) {
    const Vector along = joint.directions.col(0);
    const Vector coefficients = solved.all.transpose() * along;
    const auto point = joint.element->at_rest();
    for (Index i = 0; i < 2 * samples; ++i) {  // the second period is steady
      const double t = 2.0 * pi * static_cast<double>(i) / samples;
      double u = 0.0;
      double rate = 0.0;
      for (const Index k : {1, 3, 5}) {
        const Index c = k - 1;
        const double a = coefficients[c];
        const double b = coefficients[c + 1];
        const auto order = static_cast<double>(k);
        u += a * std::cos(order * t) + b * std::sin(order * t);
        rate += order * (b * std::cos(order * t) - a * std::sin(order * t));
      }
      const PointResponse response = point->advance({Eigen::Vector2d(u, 0.0), Eigen::Vector2d::Zero()});
      if (i >= samples) dissipated += response.force[0] * rate * 2.0 * pi / samples;
    }
  }
  // The balance samples 1024 times a period: corners of the force between samples cost about (1/N)².
  CHECK(dissipated == Approx(input).epsilon(1e-5));
}

TEST_CASE("the Jacobian of a distributed contact that slips and lifts off", "[distributed]") {
  std::string text = beam;
  const std::string law = "law = \"linear-spring\"\nstiffness = 2e5\ndirection = { w = 1.0 }\n";
  REQUIRE(text.find(law) != std::string::npos);
  text.replace(
      text.find(law), law.size(),
      "law = \"friction-2d\"\nstiffness = 3e6\nfriction = 0.3\nnormal = { kind = \"linear\", stiffness = 2e6 }\n"
      "directions = [ { u = 1.0, phi = 0.005 }, { w = -1.0 } ]\n");
  const Study study = read(text, {"joint.bed.over.points=4", "joint.bed.over.preload={kind=\"uniform\", total=400.0}",
                                  "harmonic_balance.harmonics=[0,1,2]", "harmonic_balance.samples=64"});
  REQUIRE(study.model.joints.size() == 4);
  HarmonicBalance balance(*study.model.structure, study.model.joints, study.model.loads, request_of(study).balance);
  CHECK(balance.motions() == 8);
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> uniform(-3e-4, 3e-4);
  const Vector x = Vector::NullaryExpr(balance.size(), [&] { return uniform(generator); });
  // As for the same law at a point: central differences; a kink moved across one of 64 samples would show as 1e-2.
  const JacobianCheck check = check_jacobian(balance, x, 2.0 * pi * 35.0);
  INFO(check.worst_entry);
  CHECK(check.worst_error < 1e-6);
}

TEST_CASE("a preload is in balance at rest", "[distributed]") {
  // Slip/slap returns its whole normal force: the load that made the preload must hold it.
  const std::string text = R"(
[structure]
kind = "beam"
theory = "timoshenko"
length = 0.4
width = 0.03
thickness = 0.008
material = { E = 70e9, rho = 2700 }
points = { tip = 0.4 }
[[joint]]
name = "support"
law = "slip-slap"
normal_exponent = 1.1
friction_exponent = 1.0
normal_coefficient = 1e10
friction_coefficient = 0.2
unloading_rate = 1e4
stiffness_ratio = 0.5
directions = [ { u = 1.0, phi = 0.004 }, { w = -1.0 } ]
over = { from = 0.0, to = 0.04, points = 5, preload = { kind = "uniform", total = 300.0 } }
[excitation]
at = "tip"
component = "w"
force = 0.1
[harmonic_balance]
harmonics = 2
[[sensor]]
at = "tip"
component = "w"
[[analysis]]
kind = "frequency-response"
from = 30.0
to = 31.0
)";
  const Study study = read(text);
  REQUIRE(study.model.joints.size() == 5);
  CHECK(study.model.joints[2].name == "support[3] at 0.02 m");
  REQUIRE(study.model.loads.size() == 2);
  CHECK(study.model.loads[1].name == "preload of support");
  CHECK(study.model.loads[1].shape.sum() == Approx(-300.0));
  CHECK(study.joints.size() == 1);
  HarmonicBalance balance(*study.model.structure, study.model.joints, study.model.loads, request_of(study).balance);
  balance.set_level(0.0);
  Vector r;
  balance.residual(Vector::Zero(balance.size()), 200.0, r);
  CHECK(r.cwiseAbs().maxCoeff() < 1e-12 * 300.0);  // rounding of (p / C_p)^(1/n) to the power of n
  const std::string overview = study_overview(study);
  CHECK_THAT(overview, Contains("support over 0 … 0.04 m: 5 Gauss points, forces and stiffnesses per metre"));
  CHECK_THAT(overview, Contains("preload 300 N, 7500 to 7500 N/m"));
  CHECK_THAT(message_of(text, {"harmonic_balance.harmonics=[1,2]"}), Contains("preload of support acts in harmonic 0"));
}

TEST_CASE("what cannot be spread is refused", "[distributed]") {
  CHECK_THAT(message_of(rod, {"joint.bed.over.to=2.5"}),
             Contains("over: to = 2.5 m is not on the rod, which reaches from 0 to 2 m."));
  CHECK_THAT(message_of(rod, {"joint.bed.over.from=2.0"}), Contains("must lie behind `from`"));
  CHECK_THAT(message_of(rod, {"joint.bed.over.preload={kind=\"uniform\", total=1.0}"}),
             Contains("is for laws with a normal load"));
  CHECK_THAT(message_of(rod, {"joint.bed.direction={w = 1.0}"}),
             Contains("direction has 'w'; over a stretch it combines the motions of the section: u."));
  CHECK_THAT(message_of(rubbing_rod, {"joint.bed.normal.preload=1.0"}), Contains("is given in `over` too"));
  CHECK_THAT(message_of(rubbing_rod, {"joint.bed.over.preload={kind=\"table\", table=[[1.0, 2.0], [0.5, 1.0]]}"}),
             Contains("must ascend"));
}
