// [structure] reduction
#include "masing/core/text.hpp"
#include "masing/io/detail/study_parts.hpp"
#include "masing/structure/eigenfunction_beam.hpp"
#include "masing/structure/reduction_reader.hpp"

#include <algorithm>
#include <set>

namespace masing::detail {
namespace {

/// A motion of more coordinates than two nodes of a solid or shell have with some to spare is a pattern: its coordinates
/// are not kept one by one.
constexpr Index most_kept_together = 24;

/// What must be represented: coordinates that stay, and patterns.
class Interface {
 public:
  explicit Interface(Index size) : size_(size) {}

  void keep(const Vector& motion) {
    if ((motion.array() != 0.0).count() > most_kept_together) return add_pattern(motion);
    for (Index i = 0; i < motion.size(); ++i) {
      if (motion[i] != 0.0) boundary_.insert(i);
    }
  }

  void add_pattern(const Vector& motion) { patterns_.push_back(motion.sparseView()); }

  void fill(ReductionOptions& options) const {
    options.boundary.assign(boundary_.begin(), boundary_.end());
    options.patterns.resize(size_, static_cast<Index>(patterns_.size()));
    for (std::size_t j = 0; j < patterns_.size(); ++j) options.patterns.col(static_cast<Index>(j)) = patterns_[j];
  }

 private:
  Index size_;
  std::set<Index> boundary_;
  std::vector<Eigen::SparseVector<double>> patterns_;
};

void keep_what_is_named(Interface& interface, const Structure& structure, const OptionValues& values) {
  for (const std::string& name : values.texts("keep")) {
    const Vector motion = structure.motion(name);
    if (motion.size() == 0) {
      values.reject("keep", fmt::format("names '{}', which is not a coordinate of the structure.{}", name,
                                        suggestion(name, structure.motion_names())));
    }
    interface.keep(motion);
  }
}

/// By default everything that joints, loads and sensors touch stays. Where that is not so, joints and loads are patterns;
/// sensors need nothing.
Interface interface_of(const Model& model, const std::vector<AnalysisRequest>& analyses, const OptionValues& values) {
  Interface interface(model.structure->size());
  const bool named = values.has("keep");
  const bool automatic = values.text("kind") == "craig-bampton" && !named;
  const auto represent = [&](const Vector& motion) {
    automatic ? interface.keep(motion) : interface.add_pattern(motion);
  };
  for (const Joint& joint : model.joints) {
    for (Index j = 0; j < joint.directions.cols(); ++j) represent(joint.directions.col(j));
  }
  for (const Load& load : model.loads) represent(load.shape);
  if (named) keep_what_is_named(interface, *model.structure, values);
  if (!automatic) return interface;
  const auto keep_sensors = [&](const auto& request) {
    for (const Observable& seen : request.observables) {
      const Vector motion = seen.weights(model.structure->size());
      if ((motion.array() != 0.0).count() <= most_kept_together) interface.keep(motion);
    }
  };
  for (const AnalysisRequest& analysis : analyses) std::visit(keep_sensors, analysis);
  return interface;
}

/// [Hz] The highest that the analyses look at, 0 when they do not say; without and with harmonics.
struct Highest {
  double driving = 0.0, harmonic = 0.0;
};

template <class Request>
void include(const Request& request, Highest& highest) {
  double frequency = 0.0;
  int harmonic = 1;
  if constexpr (requires { request.from, request.to; }) frequency = std::max(request.from, request.to);
  if constexpr (requires { request.frequency; }) frequency = std::max<double>(frequency, request.frequency);
  const auto count = [&](const std::vector<int>& harmonics) {
    for (const int k : harmonics) harmonic = std::max(harmonic, k);
  };
  if constexpr (requires { request.balance.harmonics; }) count(request.balance.harmonics);
  if constexpr (requires { request.harmonics; }) count(request.harmonics);
  highest.driving = std::max(highest.driving, frequency);
  highest.harmonic = std::max(highest.harmonic, frequency * harmonic);
}

/// Lᵀ a; what rounding leaves of zeros is not a coordinate that a joint touches.
template <class Shapes>
SparseMatrix reduced_directions(const Shapes& shapes, const SparseMatrix& directions) {
  constexpr double rounding = 1e-15;
  const Matrix dense = shapes.transpose() * directions;
  return dense.sparseView(dense.cwiseAbs().maxCoeff(), rounding);
}

/// Everything that refers to coordinates of the full structure.
template <class Reduced>
void go_to_reduced(const Reduced& reduced, Model& model, std::vector<AnalysisRequest>& analyses) {
  const Index full = reduced.full().size();
  for (Joint& joint : model.joints) {
    joint.directions = reduced_directions(reduced.shapes(), joint.directions);
    for (QuadraticMotion& bent : joint.quadratic) {
      const Matrix moved = bent.matrix * reduced.shapes();
      bent.matrix = Matrix(reduced.shapes().transpose() * moved).sparseView();
    }
  }
  for (Load& load : model.loads) {
    load.shape = reduced.reduced_load(load.shape);
    if constexpr (requires { reduced.reduced_load(load.varying); }) {
      if (load.varying != nullptr) load.varying = reduced.reduced_load(load.varying);
    }
  }
  const auto convert = [&](auto& request) {
    const auto move = [&](Observable& seen) {
      seen = observable_of(seen.name, reduced.reduced_load(seen.weights(full)), seen.quantity, seen.rotation);
    };
    for (Observable& seen : request.observables) move(seen);
    if constexpr (requires { request.observed; }) move(request.observed);
    if constexpr (requires { request.controlled.name; }) move(request.controlled);
    if constexpr (requires { request.drive; }) {
      if (request.drive.size() > 0) request.drive = reduced.reduced_load(request.drive);
    }
    if constexpr (requires { request.initial_displacement, request.initial_velocity, reduced.nearest(Vector()); }) {
      for (Vector* initial : {&request.initial_displacement, &request.initial_velocity}) {
        if (initial->size() > 0) *initial = reduced.nearest(*initial);
      }
    }
  };
  for (AnalysisRequest& analysis : analyses) std::visit(convert, analysis);
}

/// What the reduction gets residual shapes for; loads that depend on the frequency as they are at that of reference.
Matrix loads_at(const Model& model, double frequency) {
  Matrix loads(model.structure->size(), static_cast<Index>(model.loads.size()));
  for (std::size_t i = 0; i < model.loads.size(); ++i) {
    Vector load = model.loads[i].shape;
    if (model.loads[i].varying != nullptr) {
      ComplexVector varying, derivative;
      model.loads[i].varying->at(2.0 * pi * frequency, varying, derivative);
      load += varying.real();
    }
    loads.col(static_cast<Index>(i)) = load;
  }
  return loads;
}

/// The options complete with what the study's joints and loads say.
GalerkinOptions along_the_joints(const ModelPart& part, GalerkinOptions options) {
  std::vector<Joint> spread;
  std::vector<double> lengths;
  for (std::size_t i = 0; i < part.model.joints.size(); ++i) {
    if (part.joints.lengths[i] <= 0.0) continue;
    spread.push_back(part.model.joints[i]);
    lengths.insert(lengths.end(), static_cast<std::size_t>(spread.back().directions.cols()), part.joints.lengths[i]);
  }
  options.directions = felt_directions(spread, part.model.structure->size());
  options.lengths = Eigen::Map<const Vector>(lengths.data(), static_cast<Index>(lengths.size()));
  options.loads = loads_at(part.model, options.frequency);
  return options;
}

/// The products of harmonics in a shortening would mix shapes that belong to different frequencies.
void refuse_shortening(const Model& model, const OptionValues& values) {
  for (const Joint& joint : model.joints) {
    if (joint.quadratic.empty()) continue;
    values.reject(
        "basis", fmt::format("does not go with joint '{}', which feels a shortening: it multiplies harmonics with each "
                             "other, and each of them has shapes of its own here. Use \"constant\".",
                             joint.name));
  }
}

template <class Reduced>
std::vector<std::string> replace(const std::shared_ptr<const Reduced>& reduced, Model& model,
                                 std::vector<AnalysisRequest>& analyses) {
  go_to_reduced(*reduced, model, analyses);
  model.structure = reduced;
  return reduced->summary().lines();
}

}  // namespace

std::vector<std::string> reduce_model(const StudyDocument& document, ModelPart& part,
                                      std::vector<AnalysisRequest>& analyses) {
  const OptionValues& structure = document.sections.front().values;
  if (!structure.has("reduction")) return {};
  Model& model = part.model;
  const OptionValues& values = structure.table("reduction");
  Highest highest;
  for (const AnalysisRequest& analysis : analyses) {
    std::visit([&](const auto& request) { include(request, highest); }, analysis);
  }
  if (values.text("kind") == "galerkin") {
    GalerkinOptions options = read_galerkin(values, highest.driving, highest.harmonic);
    const auto beam = std::dynamic_pointer_cast<const SpectralBeam>(model.structure);
    options = along_the_joints(part, options);
    if (!options.per_harmonic) {
      return replace(placed(values, document, [&] { return std::make_shared<const GalerkinBeam>(beam, options); }),
                     model, analyses);
    }
    refuse_shortening(model, values);
    const auto reduced =
        placed(values, document, [&] { return std::make_shared<const EigenfunctionBeam>(*beam, options); });
    model.structure = reduced;
    return reduced->summary().lines();
  }
  const auto full = std::dynamic_pointer_cast<const MatrixStructure>(model.structure);
  if (full == nullptr) structure.reject("reduction", "needs a structure with matrices.");
  ReductionOptions options = read_reduction(values, highest.harmonic);
  interface_of(model, analyses, values).fill(options);
  return replace(placed(values, document, [&] { return reduce(full, options); }), model, analyses);
}

}  // namespace masing::detail
