// One branch of a result file while it grows.
#include "masing/core/error.hpp"
#include "masing/io/detail/result_writer.hpp"

#include <algorithm>
#include <limits>

namespace masing::detail {

namespace {

using Element = h5::SeriesShape::Element;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kind_length = 32;
constexpr Index few = 16;  // special points of a branch, about

// Makes the datasets of one group.
struct Maker {
  h5::Group& group;
  Index expected_rows;

  h5::Series list(const std::string& name, const std::string& unit, const std::string& description) const {
    return group.create_series(name, {.expected_rows = expected_rows}, unit, description);
  }
  h5::Series table(const std::string& name, Index columns, const std::string& unit,
                   const std::string& description) const {
    return group.create_series(name, {.columns = std::max<Index>(1, columns), .expected_rows = expected_rows}, unit,
                               description);
  }
  h5::Series integers(const std::string& name, const std::string& description) const {
    return group.create_series(name, {.element = Element::integer, .expected_rows = expected_rows}, "1", description);
  }
  h5::Series texts(const std::string& name, std::size_t length, const std::string& description) const {
    return group.create_series(name, {.element = Element::text, .text_length = length, .expected_rows = expected_rows},
                               "1", description);
  }
};

// A row of the stored width: NaN where nothing was handed in.
Vector row_of(const Vector& values, Index columns) {
  if (values.size() == 0) return Vector::Constant(std::max<Index>(1, columns), missing);
  return values;
}

std::size_t longest_name(const std::vector<Observable>& observables) {
  std::size_t length = 1;
  for (const Observable& observable : observables) length = std::max(length, observable.name.size());
  return length;
}

}  // namespace

// --- points ----------------------------------------------------------------------------------------------------------

PointSeries::PointSeries(h5::Group& group, const std::string& frequency_name, const BranchHeader& header,
                         const Sizes& sizes)
    : frequency_(Maker{group, sizes.expected_rows}.list(frequency_name, "Hz", "excitation frequency")),
      coefficients_(Maker{group, sizes.expected_rows}.table(
          "coefficients", sizes.coefficients, "m, rad",
          "Fourier coefficients of the kept motions: by harmonic, cos before sin, then motion")),
      tangent_(Maker{group, sizes.expected_rows}.table(
          "tangent", sizes.tangent, "1", "unit tangent of the branch in scaled unknowns, frequency last")),
      step_(Maker{group, sizes.expected_rows}.list("step", "1", "arc length proposed for the next step")),
      iterations_(Maker{group, sizes.expected_rows}.integers("iterations", "Newton iterations spent")),
      residual_(Maker{group, sizes.expected_rows}.list("residual", "1",
                                                       "scaled residual of the balance at the end of the iterations")),
      truncation_(Maker{group, sizes.expected_rows}.list("truncation", "1",
                                                         "share of the amplitude in the last two harmonics")),
      harmonic_share_(Maker{group, sizes.expected_rows}.table(
          "harmonic_share", static_cast<Index>(header.harmonics.size()), "1",
          "share of each harmonic in the velocity, mass-weighted; their squares sum to one")),
      sizes_(sizes),
      harmonics_(static_cast<Index>(header.harmonics.size())),
      joints_(static_cast<Index>(header.joints.size())),
      modes_(static_cast<Index>(header.modes.size())) {
  const Maker here{group, sizes.expected_rows};
  for (const PointQuantity& quantity : header.quantities) {
    quantities_.push_back(here.list(quantity.name, quantity.unit, quantity.description));
  }
  if (!header.joints.empty()) {
    joint_energy_ = here.table("joint_energy", static_cast<Index>(header.joints.size()), "J",
                               "energy dissipated in each joint per period, as in the list of joints");
    joint_amplitude_ = here.table("joint_amplitude", static_cast<Index>(header.joints.size()), "m",
                                  "half the range of each joint's first relative motion, as in the list of joints");
  }
  if (modes_ > 0) {
    modal_share_ = here.table("modal_share", harmonics_ * modes_, "1",
                              "share of each harmonic that moves in each of the modes, harmonic after harmonic");
    mode_frequency_ = here.table("mode_frequency", modes_, "Hz",
                                 "frequencies of the modes with the joints at their secant stiffness in this motion");
  }
  if (sizes.unknowns > 0) {
    unknowns_ = here.table("unknowns", sizes.unknowns, "1", "unknowns of the continuation, its parameter last");
  }
  h5::Group all = group.create_group("observables", "what was asked for, by sensor");
  for (const Observable& observable : header.observables) {
    h5::Group one = create_observable(all, observable, static_cast<std::int64_t>(observables_.size()));
    const Maker make{one, sizes.expected_rows};
    const std::string unit(unit_of(observable));
    observables_.push_back(
        {make.table("amplitude", harmonics_, unit, "amplitude of each harmonic; harmonic 0: the mean, with its sign"),
         make.table("phase", harmonics_, "rad", "phase of each harmonic: value = amplitude cos(k 2 pi f t + phase)"),
         make.list("rms", unit, "root mean square over the period, mean included"),
         make.list("peak", unit, "largest absolute value over the period")});
  }
}

void PointSeries::append(const ResponsePoint& point) {
  coefficients_.append(row_of(point.coefficients, sizes_.coefficients));
  tangent_.append(row_of(point.tangent, sizes_.tangent));
  step_.append(point.step);
  iterations_.append(static_cast<std::int64_t>(point.iterations));
  residual_.append(point.residual);
  truncation_.append(point.truncation);
  for (std::size_t i = 0; i < quantities_.size(); ++i) {
    const auto at = static_cast<Index>(i);
    quantities_[i].append(at < point.quantities.size() ? point.quantities[at] : missing);
  }
  if (joint_energy_) joint_energy_->append(row_of(point.joint_energy, joints_));
  if (joint_amplitude_) joint_amplitude_->append(row_of(point.joint_amplitude, joints_));
  harmonic_share_.append(row_of(point.harmonic_share, harmonics_));
  if (modal_share_) modal_share_->append(row_of(point.modal_share, harmonics_ * modes_));
  if (mode_frequency_) mode_frequency_->append(row_of(point.mode_frequency, modes_));
  if (unknowns_) unknowns_->append(row_of(point.unknowns, sizes_.unknowns));
  for (std::size_t i = 0; i < observables_.size(); ++i) {
    const bool known = i < point.observations.size();
    const Observation& seen = known ? point.observations[i] : Observation{{}, {}, missing, missing};
    observables_[i].amplitude.append(row_of(seen.amplitude, harmonics_));
    observables_[i].phase.append(row_of(seen.phase, harmonics_));
    observables_[i].rms.append(seen.rms);
    observables_[i].peak.append(seen.peak);
  }
  frequency_.append(point.frequency);
}

void PointSeries::write() {
  for (h5::Series* series :
       {&coefficients_, &tangent_, &step_, &iterations_, &residual_, &truncation_, &harmonic_share_})
    series->write();
  for (h5::Series& series : quantities_) series.write();
  for (std::optional<h5::Series>* series :
       {&joint_energy_, &joint_amplitude_, &unknowns_, &modal_share_, &mode_frequency_}) {
    if (*series) (*series)->write();
  }
  for (ObservableSeries& observable : observables_)
    for (h5::Series* series : {&observable.amplitude, &observable.phase, &observable.rms, &observable.peak})
      series->write();
  frequency_.write();
}

// --- branch ----------------------------------------------------------------------------------------------------------

BranchWriter::BranchWriter(h5::Group group, const BranchHeader& header) : group_(std::move(group)), header_(header) {
  group_.set_attribute("index", static_cast<std::int64_t>(header.index));
  group_.set_attribute("level", header.level);
  group_.set_attribute("level_unit", header.level_unit);
  group_.set_attribute("samples", static_cast<std::int64_t>(header.samples));
  group_.write("harmonics", std::vector<std::int64_t>(header.harmonics.begin(), header.harmonics.end()), "1",
               "harmonics of the excitation frequency in the balance, as in the columns of amplitude and phase");
  group_.write("kept_motions", header.kept_motions, "names of the motions in the coefficients");
  group_.set_attribute("kind", header.kind);
  group_.set_attribute("label", header.label);
  group_.set_attribute("periods", static_cast<std::int64_t>(header.periods));
  group_.set_attribute("stability_basis", header.stability_basis);
  std::vector<std::string> names;
  for (const PointQuantity& quantity : header.quantities) names.push_back(quantity.name);
  group_.write("quantities", names, "names of the datasets that hold further numbers of every point");
  group_.write("joints", header.joints, "names of the joints, as in the columns of joint_energy");
  group_.write("joint_inputs", header.joint_inputs, "names of the joints' relative motions, as in the cycles");
  if (!header.modes.empty()) {
    const Vector modes = Eigen::Map<const Vector>(header.modes.data(), static_cast<Index>(header.modes.size()));
    group_.write("modes", modes, "Hz", "natural frequencies with the joints stuck, as in the columns of modal_share");
  }
  mark_interrupted();
}

void BranchWriter::mark_interrupted() {
  ended_ = false;
  group_.set_attribute("ended", std::int64_t{0});
  group_.set_attribute("complete", std::int64_t{0});
  group_.set_attribute("stop", std::string(interrupted));
  group_.set_attribute("message", std::string("The run was interrupted in this branch; --resume goes on with it."));
  group_.set_attribute("seconds", 0.0);
}

void BranchWriter::open_series(const PointSeries::Sizes& sizes) {
  if (points_) return;
  PointSeries::Sizes used = sizes;
  if (used.tangent == 0) used.tangent = sizes.coefficients + 1;
  points_.emplace(group_, "parameter", header_, used);
  h5::Group group = group_.create_group("special_points", "folds, peaks and half-power points, each solved for");
  used.expected_rows = few;
  const Maker make{group, few};
  special_.emplace(SpecialSeries{
      make.texts("kind", kind_length, "fold, peak, half-power, …"),
      make.texts("observable", longest_name(header_.observables), "whose peak or half-power point; empty for folds"),
      make.integers("harmonic", "of which harmonic's amplitude; 0 for folds"),
      make.integers("after_point", "lies between this point and the next, counted from 0"),
      PointSeries(group, "frequency", header_, used)});
}

void BranchWriter::add(const ResponsePoint& point) {
  if (ended_) mark_interrupted();
  open_series({point.coefficients.size(), point.tangent.size(), point.unknowns.size()});
  points_->append(point);
}

bool BranchWriter::add(const SpecialPoint& special) {
  SpecialKey key{special.kind, special.observable, special.harmonic, special.after_point, special.point.frequency};
  if (std::find(special_keys_.begin(), special_keys_.end(), key) != special_keys_.end()) return false;
  open_series({special.point.coefficients.size(), special.point.tangent.size(), special.point.unknowns.size()});
  special_->kind.append(special.kind);
  special_->observable.append(special.observable);
  special_->harmonic.append(static_cast<std::int64_t>(special.harmonic));
  special_->after_point.append(static_cast<std::int64_t>(special.after_point));
  special_->points.append(special.point);
  special_keys_.push_back(std::move(key));
  return true;
}

void BranchWriter::add(const JointCycles& cycles) {
  CyclesKey key{cycles.kind, cycles.point, cycles.frequency};
  if (std::find(cycles_keys_.begin(), cycles_keys_.end(), key) != cycles_keys_.end()) return;
  if (!cycles_) cycles_ = group_.create_group("cycles", "loops of the joints over one period, by number");
  h5::Group group = cycles_->create_group(std::to_string(cycles_keys_.size()), "loops of all joints in one motion");
  group.set_attribute("kind", cycles.kind);
  group.set_attribute("point", static_cast<std::int64_t>(cycles.point));
  group.set_attribute("frequency", cycles.frequency);
  write_rows(group, "motion", cycles.motion, "m", "relative motions: samples, equidistant in time, x inputs");
  write_rows(group, "force", cycles.force, "N", "forces of the joints, against the motion: samples x inputs");
  cycles_keys_.push_back(std::move(key));
}

void BranchWriter::end(const BranchEnd& end) {
  const Index coefficients = coefficient_count(header_.harmonics, static_cast<Index>(header_.kept_motions.size()));
  open_series({coefficients, coefficients + 1});
  write_resonances(end.resonances);
  group_.set_attribute("stop", end.stop);
  group_.set_attribute("message", end.message);
  group_.set_attribute("complete", std::int64_t{end.complete ? 1 : 0});
  group_.set_attribute("seconds", end.seconds);
  group_.set_attribute("ended", std::int64_t{1});
  ended_ = true;
}

void BranchWriter::write_resonances(const std::vector<Resonance>& resonances) {
  if (group_.has("resonances")) group_.remove("resonances");
  h5::Group group = group_.create_group("resonances", "the largest peak of each observable, by harmonic");
  const auto size = static_cast<Index>(resonances.size());
  Vector frequency(size), amplitude(size), damping(size);
  std::vector<std::string> observable, note;
  std::vector<std::int64_t> harmonic;
  for (Index i = 0; i < size; ++i) {
    const Resonance& resonance = resonances[static_cast<std::size_t>(i)];
    frequency[i] = resonance.frequency;
    amplitude[i] = resonance.amplitude;
    damping[i] = resonance.damping_ratio;
    observable.push_back(resonance.observable);
    harmonic.push_back(resonance.harmonic);
    note.push_back(resonance.note);
  }
  group.write("observable", observable, "whose resonance");
  group.write("harmonic", harmonic, "1", "of which harmonic's amplitude");
  group.write("frequency", frequency, "Hz", "frequency of the largest amplitude of that harmonic");
  group.write("amplitude", amplitude, "unit of the observable", "amplitude of that harmonic there");
  group.write("damping_ratio", damping, "1", "half-power bandwidth / (2 f); negative: not available, see note");
  group.write("note", note, "why there is no damping ratio, or what to mind");
}

void BranchWriter::write() {
  if (!points_) return;
  points_->write();
  special_->kind.write();
  special_->observable.write();
  special_->harmonic.write();
  special_->after_point.write();
  special_->points.write();
}

}  // namespace masing::detail
