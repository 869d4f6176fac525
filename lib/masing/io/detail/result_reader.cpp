// The reading side of result files. It takes the file of a killed run as it is: lists of different lengths are cut to
// the shortest.
#include "masing/core/error.hpp"
#include "masing/io/detail/identification_layout.hpp"
#include "masing/io/detail/loop_layout.hpp"
#include "masing/io/detail/mode_layout.hpp"
#include "masing/io/detail/result_layout.hpp"
#include "masing/io/results.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>

namespace masing {

namespace {

using h5::Group;

// The data a run announced but did not store read as NaN; no stored frequency or coefficient is NaN.
Index stored_rows(const Matrix& values) {
  Index rows = values.rows();
  while (rows > 0 && !values.row(rows - 1).allFinite()) --rows;
  return rows;
}

Vector row_or_nothing(const Matrix& values, Index row) {
  if (values.cols() > 0 && values.row(row).array().isNaN().all()) return {};
  return values.row(row);
}

struct ObservableColumns {
  Matrix amplitude, phase, rms, peak;
  Index rows() const { return std::min({amplitude.rows(), phase.rows(), rms.rows(), peak.rows()}); }
  Observation at(Index row) const { return {amplitude.row(row), phase.row(row), rms(row, 0), peak(row, 0)}; }
};

ObservableColumns read_columns(const Group& group) {
  return {group.read_reals("amplitude"), group.read_reals("phase"), group.read_reals("rms"), group.read_reals("peak")};
}

// What points have beside the numbers of every layout; files of earlier programs have none of it.
struct FurtherColumns {
  std::vector<Matrix> quantities;
  Matrix joint_energy, joint_amplitude, unknowns, harmonic_share, modal_share, mode_frequency;

  void fill(Index row, ResponsePoint& point) const {
    point.quantities.resize(static_cast<Index>(quantities.size()));
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      point.quantities[static_cast<Index>(i)] = quantities[i](row, 0);
    }
    if (joint_energy.size() > 0) point.joint_energy = joint_energy.row(row);
    if (joint_amplitude.size() > 0) point.joint_amplitude = joint_amplitude.row(row);
    if (unknowns.size() > 0) point.unknowns = unknowns.row(row);
    if (harmonic_share.size() > 0) point.harmonic_share = row_or_nothing(harmonic_share, row);
    if (modal_share.size() > 0) point.modal_share = row_or_nothing(modal_share, row);
    if (mode_frequency.size() > 0) point.mode_frequency = mode_frequency.row(row);
  }
  Index rows() const {
    Index rows = std::numeric_limits<Index>::max();
    for (const Matrix& column : quantities) rows = std::min(rows, column.rows());
    for (const Matrix* table : {&joint_energy, &joint_amplitude, &harmonic_share, &modal_share, &mode_frequency}) {
      if (table->cols() > 0) rows = std::min(rows, table->rows());
    }
    if (unknowns.cols() > 0) rows = std::min(rows, stored_rows(unknowns));
    return rows;
  }
};

FurtherColumns read_further(const Group& group, const std::vector<PointQuantity>& quantities) {
  FurtherColumns columns;
  for (const PointQuantity& quantity : quantities) columns.quantities.push_back(group.read_reals(quantity.name));
  const auto read = [&](const std::string& name, Matrix& table) {
    if (group.has(name)) table = group.read_reals(name);
  };
  read("joint_energy", columns.joint_energy);
  read("joint_amplitude", columns.joint_amplitude);
  read("unknowns", columns.unknowns);
  read("harmonic_share", columns.harmonic_share);
  read("modal_share", columns.modal_share);
  read("mode_frequency", columns.mode_frequency);
  return columns;
}

std::vector<ResponsePoint> read_points(const Group& group, const std::string& frequency_name, BranchHeader& header) {
  std::vector<Observable>& observables = header.observables;
  const Matrix frequency = group.read_reals(frequency_name), coefficients = group.read_reals("coefficients");
  const Matrix tangent = group.read_reals("tangent"), step = group.read_reals("step");
  const Matrix residual = group.read_reals("residual"), truncation = group.read_reals("truncation");
  const std::vector<std::int64_t> iterations = group.read_integers("iterations");
  const Group sensors = group.group("observables");
  observables = detail::read_observables(sensors);
  std::vector<ObservableColumns> columns;
  for (const Observable& observable : observables)
    columns.push_back(read_columns(sensors.group(detail::encode_name(observable.name))));

  Index rows = std::min({stored_rows(frequency), stored_rows(coefficients), tangent.rows(), step.rows(),
                         residual.rows(), truncation.rows(), static_cast<Index>(iterations.size())});
  for (const ObservableColumns& one : columns) rows = std::min(rows, one.rows());
  const FurtherColumns further = read_further(group, header.quantities);
  rows = std::min(rows, further.rows());
  std::vector<ResponsePoint> points(static_cast<std::size_t>(rows));
  for (Index row = 0; row < rows; ++row) {
    ResponsePoint& point = points[static_cast<std::size_t>(row)];
    point = {.frequency = frequency(row, 0),
             .coefficients = coefficients.row(row),
             .tangent = row_or_nothing(tangent, row),
             .step = step(row, 0),
             .iterations = static_cast<int>(iterations[static_cast<std::size_t>(row)]),
             .residual = residual(row, 0),
             .truncation = truncation(row, 0),
             .observations = {}};
    for (const ObservableColumns& one : columns) point.observations.push_back(one.at(row));
    further.fill(row, point);
  }
  return points;
}

std::vector<SpecialPoint> read_special_points(const Group& group, BranchHeader header) {
  const std::vector<ResponsePoint> points = read_points(group, "frequency", header);
  const std::vector<std::string> kind = group.read_texts("kind"), observable = group.read_texts("observable");
  const std::vector<std::int64_t> after = group.read_integers("after_point"),
                                  harmonic = group.read_integers("harmonic");
  const std::size_t rows = std::min({points.size(), kind.size(), observable.size(), after.size(), harmonic.size()});
  std::vector<SpecialPoint> special;
  for (std::size_t i = 0; i < rows; ++i)
    special.push_back({kind[i], after[i], observable[i], static_cast<int>(harmonic[i]), points[i]});
  return special;
}

// What was being made when the run was killed, between two flushes, may be incomplete; it is left out.
template <class Read>
auto read_if_whole(const Read& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<JointCycles> read_cycles(const Group& all) {
  std::vector<JointCycles> cycles;
  for (std::size_t i = 0; all.has(std::to_string(i)); ++i) {
    auto one = read_if_whole([&] {
      const Group group = all.group(std::to_string(i));
      return JointCycles{group.text_attribute("kind"), group.integer_attribute("point"),
                         group.number_attribute("frequency"), group.read_reals("motion"), group.read_reals("force")};
    });
    if (one && one->motion.rows() == one->force.rows()) cycles.push_back(std::move(*one));
  }
  return cycles;
}

std::vector<Resonance> read_resonances(const Group& group) {
  const std::vector<std::string> observable = group.read_texts("observable"), note = group.read_texts("note");
  const Matrix frequency = group.read_reals("frequency"), amplitude = group.read_reals("amplitude");
  const Matrix damping = group.read_reals("damping_ratio");
  const std::vector<std::int64_t> harmonic = group.read_integers("harmonic");
  std::vector<Resonance> resonances;
  for (std::size_t i = 0; i < observable.size(); ++i) {
    const auto row = static_cast<Index>(i);
    resonances.push_back(
        {observable[i], static_cast<int>(harmonic[i]), frequency(row, 0), amplitude(row, 0), damping(row, 0), note[i]});
  }
  return resonances;
}

void read_quantities(const Group& group, BranchHeader& header) {
  header.kind = group.text_attribute("kind");
  header.label = group.text_attribute("label");
  header.periods = static_cast<int>(group.integer_attribute("periods"));
  header.stability_basis = group.text_attribute("stability_basis");
  header.joints = group.read_texts("joints");
  if (group.has("joint_inputs")) header.joint_inputs = group.read_texts("joint_inputs");
  if (group.has("modes")) {
    const Matrix modes = group.read_reals("modes");
    header.modes.assign(modes.data(), modes.data() + modes.size());
  }
  for (const std::string& name : group.read_texts("quantities")) {
    const h5::Node dataset = group.node(name);
    header.quantities.push_back({name, dataset.text_attribute("unit"), dataset.text_attribute("description")});
  }
}

StoredBranch read_branch(const Group& group, const std::string& analysis) {
  StoredBranch branch;
  branch.header.analysis = analysis;
  branch.header.index = static_cast<int>(group.integer_attribute("index"));
  branch.header.level = group.number_attribute("level");
  branch.header.level_unit = group.text_attribute("level_unit");
  branch.header.samples = group.integer_attribute("samples");
  for (const std::int64_t harmonic : group.read_integers("harmonics"))
    branch.header.harmonics.push_back(static_cast<int>(harmonic));
  branch.header.kept_motions = group.read_texts("kept_motions");
  branch.ended = group.integer_attribute("ended") != 0;
  branch.end = {.stop = group.text_attribute("stop"),
                .complete = group.integer_attribute("complete") != 0,
                .message = group.text_attribute("message"),
                .resonances = {},
                .seconds = group.number_attribute("seconds")};
  if (group.has("resonances")) branch.end.resonances = read_resonances(group.group("resonances"));
  if (group.has("special_points") && group.group("special_points").has("observables")) {
    if (group.has("quantities")) read_quantities(group, branch.header);
    branch.points = read_points(group, "parameter", branch.header);
    branch.special_points = read_special_points(group.group("special_points"), branch.header);
    if (group.has("cycles")) branch.cycles = read_cycles(group.group("cycles"));
  }
  return branch;
}

Matrix read_joint_columns(const Group& group, const std::vector<std::string>& joints, Index samples) {
  Matrix columns(samples, static_cast<Index>(joints.size()));
  for (std::size_t i = 0; i < joints.size(); ++i)
    columns.col(static_cast<Index>(i)) = group.read_reals(detail::encode_name(joints[i]));
  return columns;
}

TimeHistory read_history(const Group& group, const std::string& analysis) {
  TimeHistory history;
  history.analysis = analysis;
  history.level = group.number_attribute("level");
  history.frequency = group.number_attribute("frequency");
  history.message = group.text_attribute("message");
  history.is_steady = group.integer_attribute("is_steady") != 0;
  history.complete = group.integer_attribute("complete") != 0;
  history.time = group.read_reals("time");
  history.observables = detail::read_observables(group.group("observables"));
  history.values.resize(history.time.size(), static_cast<Index>(history.observables.size()));
  const Group steady = group.group("steady");
  for (std::size_t i = 0; i < history.observables.size(); ++i) {
    const std::string link = detail::encode_name(history.observables[i].name);
    history.values.col(static_cast<Index>(i)) = group.group("values").read_reals(link);
    if (!steady.has(link)) continue;
    const ObservableColumns one = read_columns(steady.group(link));
    history.steady.push_back({one.amplitude.col(0), one.phase.col(0), one.rms(0, 0), one.peak(0, 0)});
  }
  history.joint_forces = group.read_texts("joints");
  history.joint_force = read_joint_columns(group.group("joint_force"), history.joint_forces, history.time.size());
  history.joint_motion = read_joint_columns(group.group("joint_motion"), history.joint_forces, history.time.size());
  return history;
}

StoredAnalysis read_analysis(const Group& group) {
  StoredAnalysis analysis{.name = group.text_attribute("name"), .branches = {}, .histories = {}};
  if (group.has("branches")) {
    const Group branches = group.group("branches");
    for (const std::string& link : branches.children())
      if (auto branch = read_if_whole([&] { return read_branch(branches.group(link), analysis.name); }))
        analysis.branches.push_back(std::move(*branch));
  }
  std::sort(analysis.branches.begin(), analysis.branches.end(),
            [](const StoredBranch& a, const StoredBranch& b) { return a.header.index < b.header.index; });
  if (group.has("histories")) {
    const Group histories = group.group("histories");
    for (std::size_t i = 0; histories.has(std::to_string(i)); ++i)
      if (auto history = read_if_whole([&] { return read_history(histories.group(std::to_string(i)), analysis.name); }))
        analysis.histories.push_back(std::move(*history));
  }
  return analysis;
}

void check_origin(const Group& root, const std::string& path) {
  const bool ours = root.has_attribute("layout_version") && root.has_attribute("program") &&
                    root.text_attribute("program") == detail::program_name;
  require(ours,
          "'{}' is an HDF5 file, but not a result file of Masing: the root attributes 'program' and "
          "'layout_version' are missing.",
          path);
  const std::int64_t version = root.integer_attribute("layout_version");
  require(
      version <= detail::layout_version,
      "'{}' has layout version {}, written by Masing {}; this program reads versions up to {}. Use that Masing or a "
      "newer one.",
      path, version, root.text_attribute("program_version"), detail::layout_version);
}

}  // namespace

Results read_results(const std::string& path) {
  const std::lock_guard lock(h5::library_mutex());
  const h5::File file = h5::File::open_to_read(path);
  const Group root = file.root();
  check_origin(root, path);
  Results results;
  results.metadata = {.title = root.text_attribute("title"),
                      .study_text = root.read_text("study"),
                      .overrides = {},
                      .program_version = root.text_attribute("program_version")};
  if (root.has("overrides")) results.metadata.overrides = root.read_texts("overrides");
  results.created = root.text_attribute("created");
  if (root.has("summary")) results.summary = root.read_text("summary");
  const Group analyses = root.group("analyses");
  std::vector<std::pair<std::int64_t, StoredAnalysis>> found;
  for (const std::string& link : analyses.children()) {
    auto analysis = read_if_whole([&] { return read_analysis(analyses.group(link)); });
    if (analysis) found.emplace_back(analyses.group(link).integer_attribute("order"), std::move(*analysis));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [order, analysis] : found) results.analyses.push_back(std::move(analysis));
  if (root.has("loops")) results.loops = detail::read_loops(root.group("loops"));
  if (root.has("modes")) results.modes = detail::read_modes(root.group("modes"));
  if (root.has("identification")) {
    results.identification = detail::read_identification_group(root.group("identification"));
    results.identification->overrides = results.metadata.overrides;
  }
  return results;
}

}  // namespace masing
