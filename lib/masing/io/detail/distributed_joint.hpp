// A [[joint]] with `over`: a law per metre, spread over a stretch of a beam and evaluated at Gauss points.
//
// Each Gauss point becomes a node of the beam and a joint of its own: the law, under the preload there, times the point's
// weight. Nothing else in the program knows of distributed joints.
#pragma once

#include "masing/contact/catalogue.hpp"
#include "masing/io/detail/study_parts.hpp"
#include "masing/joint/distribution.hpp"
#include "masing/structure/catalogue.hpp"

#include <optional>

namespace masing::detail {

/// The key `over` of a joint.
Option distribution_option();

/// Adds the Gauss points of all distributed joints to the key `places` of a beam. Rejects a stretch that is not on the
/// beam, and any `over` if the structure is no beam.
void add_gauss_places(const StudyDocument& document, const StructureEntry& entry, OptionValues& structure);

struct Distribution {
  double from = 0.0;
  double to = 0.0;
  std::vector<GaussPoint> points;
  std::optional<PreloadField> preload;

  double total_preload() const;
};
/// From a joint whose keys are completed.
Distribution read_distribution(const OptionValues& joint);

/// The joint's keys with the preload at one place; rejects a preload of a law without normal load.
OptionValues under_preload(const OptionValues& joint, const LawEntry& law, double load);
/// Whether the law returns its whole normal force, so that a static load must hold the preload.
bool needs_static_load(const LawEntry& law);

/// B at one place: the coordinates that each `direction` of the joint (u, w, phi by name) moves.
Matrix directions_at(const Structure& structure, const OptionValues& joint,
                     const std::vector<std::map<std::string, double>>& directions, double at);

/// "19 Gauss points, properties per metre"; "preload 343 N, 9026 N/m"
std::vector<std::string> distribution_notes(const Distribution& distribution);

}  // namespace masing::detail
