#include "masing/io/detail/study_shortening.hpp"

#include "masing/core/error.hpp"
#include "masing/structure/beam_shortening.hpp"

#include <optional>

namespace masing::detail {
namespace {

using enum OptionKind;

/// A node whose axial motion the joint feels.
struct AxialMotion {
  double at = 0.0;
  double weight = 0.0;
};

std::vector<AxialMotion> axial_motions(const Structure& structure, const BeamStructure& beam, const SparseMatrix& b,
                                       int input) {
  std::vector<AxialMotion> result;
  for (const BeamNode& node : beam.nodes()) {
    const Index coordinate = structure.find(node.name + ".u");
    const double weight = coordinate < 0 ? 0.0 : b.coeff(coordinate, input);
    if (weight != 0.0) result.push_back({node.at, weight});
  }
  return result;
}

/// The place that holds the beam along its axis: the one written, else the only support that fixes u.
double held_place(const OptionValues& values, const BeamStructure& beam) {
  const bool detailed = !std::holds_alternative<bool>(values.at("shortening"));
  if (detailed && values.table("shortening").has("from")) return values.table("shortening").number("from");
  std::vector<double> places;
  for (const BeamSupport& support : beam.beam().supports) {
    if (support.fixed[0]) places.push_back(support.at);
  }
  if (places.size() != 1) {
    values.reject("shortening", fmt::format("needs to know which place holds the beam along its axis: {} supports fix "
                                            "u. Write shortening = {{ from = … }} with the place in m.",
                                            places.size()));
  }
  return places.front();
}

}  // namespace

Option shortening_option() {
  Option option{.name = "shortening",
                .kinds = {boolean, table},
                .required = false,
                .meaning =
                    "for beams: the motion u of the direction gets shorter by half the integral of w'^2 as the "
                    "beam bends, and the joint force acts on the bending as an axial force; needs the "
                    "harmonics 0 and 2"};
  option.children = {{.name = "from",
                      .kinds = {number},
                      .unit = "m",
                      .required = false,
                      .meaning = "place that holds the beam along its axis; default: the one support that fixes u"},
                     {.name = "pieces",
                      .kinds = {integer},
                      .required = false,
                      .range = Range::at_least(1),
                      .meaning = "of a finite-element mesh take about so many pieces only, two kept motions each; "
                                 "default: all nodes"}};
  return option;
}

StudyShortening read_shortening(const OptionValues& values, const Structure& structure,
                                const SparseMatrix& directions) {
  StudyShortening result;
  if (!values.has("shortening")) return result;
  const auto* wanted = std::get_if<bool>(&values.at("shortening"));
  if (wanted != nullptr && !*wanted) return result;
  const auto* beam = dynamic_cast<const BeamStructure*>(&structure);
  if (beam == nullptr || beam->beam().theory == BeamTheory::rod) {
    values.reject("shortening", "belongs to a structure of kind \"beam\", which bends.");
  }
  Index pieces = 0;
  if (wanted == nullptr && values.table("shortening").has("pieces")) {
    pieces = static_cast<Index>(values.table("shortening").integer("pieces"));
  }
  for (int input = 0; input < directions.cols(); ++input) {
    const std::vector<AxialMotion> moved = axial_motions(structure, *beam, directions, input);
    if (moved.empty()) continue;
    if (moved.size() > 1) {
      values.reject("shortening", "needs one place that moves along the beam; the direction has u of several.");
    }
    const double held = held_place(values, *beam);
    const auto [low, high] = std::minmax(held, moved.front().at);
    const Shortening made = shortening(structure, low, high, pieces);
    const double sign = moved.front().at > held ? 1.0 : -1.0;
    result.quadratic.push_back({input, sign * moved.front().weight * made.matrix});
    result.notes.push_back(
        fmt::format("from {:g} to {:g} m in {} pieces; at the frequency f it errs by (f / {:.4g} Hz)^2, a share", low,
                    high, made.pieces, made.resolved_frequency));
  }
  if (result.quadratic.empty()) {
    values.reject("shortening",
                  "needs the motion along the beam in the direction, such as { tip = { u = 1.0 } }: with "
                  "it goes the shortening.");
  }
  return result;
}

}  // namespace masing::detail
