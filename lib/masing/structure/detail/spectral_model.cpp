#include "masing/structure/detail/spectral_model.hpp"

#include "masing/structure/detail/short_pieces.hpp"

#include <algorithm>
#include <cstdlib>

namespace masing::detail {
namespace {

using Places = std::vector<std::array<Index, 3>>;

Places number_motions(const Beam& beam, const std::vector<BeamNode>& nodes, Index& size) {
  const auto motions = static_cast<std::size_t>(motions_per_node(beam.theory));
  Places places(nodes.size(), {-1, -1, -1});
  std::vector<std::array<bool, 3>> fixed(nodes.size(), {false, false, false});
  for (const BeamSupport& support : beam.supports) {
    auto& node = fixed[node_at(nodes, support.at)];
    for (std::size_t motion = 0; motion < 3; ++motion) node[motion] = node[motion] || support.fixed[motion];
  }
  size = 0;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    for (std::size_t motion = 0; motion < motions; ++motion) {
      if (!fixed[node][motion]) places[node][motion] = size++;
    }
  }
  return places;
}

class LumpedTerms {
 public:
  LumpedTerms(const Beam& beam, const std::vector<BeamNode>& nodes, SpectralModel& model)
      : beam_(beam), nodes_(nodes), model_(model) {}

  void add_all() {
    for (const BeamSupport& support : beam_.supports) {
      for (std::size_t i = 0; i < 3; ++i) add(place(support.at, i), -1, support.stiffness[i], support.damping[i]);
    }
    for (const BeamSpring& spring : beam_.springs) {
      for (std::size_t i = 0; i < 3; ++i) {
        add(place(spring.from, i), place(spring.to, i), spring.stiffness[i], spring.damping[i]);
      }
    }
    for (const BeamCoupling& coupling : beam_.couplings) add(coupling);
    for (const BeamMass& mass : beam_.masses) {
      const std::array<double, 3> inertia = {mass.mass, mass.mass, mass.rotary_inertia};
      for (std::size_t i = 0; i < 3; ++i) {
        const Index at = place(mass.at, i);
        if (at >= 0 && inertia[i] > 0.0) model_.lumped.push_back({.row = at, .column = at, .mass = inertia[i]});
      }
    }
  }

 private:
  Index place(double at, std::size_t motion) const { return model_.coordinates[node_at(nodes_, at)][motion]; }

  /// A spring and dashpot between two coordinates; −1 is the ground.
  void add(Index from, Index to, double stiffness, double damping) {
    if ((stiffness == 0.0 && damping == 0.0) || from == to) return;
    for (const Index end : {from, to}) {
      if (end >= 0) model_.lumped.push_back({.row = end, .column = end, .stiffness = stiffness, .damping = damping});
    }
    if (from < 0 || to < 0) return;
    model_.lumped.push_back({.row = from, .column = to, .stiffness = -stiffness, .damping = -damping});
    model_.lumped.push_back({.row = to, .column = from, .stiffness = -stiffness, .damping = -damping});
  }

  void add(const BeamCoupling& coupling) {
    for (const BeamCoupling::Term& row : coupling.terms) {
      for (const BeamCoupling::Term& column : coupling.terms) {
        const Index i = place(row.at, static_cast<std::size_t>(row.motion));
        const Index j = place(column.at, static_cast<std::size_t>(column.motion));
        const double share = row.weight * column.weight;
        if (i < 0 || j < 0) continue;
        model_.lumped.push_back(
            {.row = i, .column = j, .stiffness = share * coupling.stiffness, .damping = share * coupling.damping});
      }
    }
  }

  const Beam& beam_;
  const std::vector<BeamNode>& nodes_;
  SpectralModel& model_;
};

}  // namespace

SpectralModel spectral_model(const Beam& beam, const std::vector<BeamNode>& nodes) {
  SpectralModel model;
  model.bends = beam.theory != BeamTheory::rod;
  model.coordinates = number_motions(beam, nodes, model.size);
  const ShortPieces pieces(beam);
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const BeamSection& section = section_between(beam, nodes[i].at, nodes[i + 1].at);
    SpectralPiece piece = spectral_piece(section, beam.theory, nodes[i + 1].at - nodes[i].at);
    piece.shear_compliance += pieces.shear_compliance(piece.length, piece.bending_stiffness, piece.shear_compliance);
    model.pieces.push_back(piece);
  }
  LumpedTerms(beam, nodes, model).add_all();
  return model;
}

Index bandwidth(const SpectralModel& model) {
  Index width = 0;
  model.assemble(0.0,
                 [&](Index i, Index j, const Complex&, const Complex&) { width = std::max(width, std::abs(i - j)); });
  return width;
}

SpectralModel undamped(SpectralModel model) {
  for (SpectralPiece& piece : model.pieces) piece.loss_factor = 0.0;
  for (SpectralModel::Lumped& term : model.lumped) term.damping = 0.0;
  return model;
}

}  // namespace masing::detail
