#include "duffing_results.hpp"

#include "masing/core/error.hpp"
#include "masing/io/hdf5.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <fstream>
#include <thread>

#include <sys/wait.h>

using namespace masing;
using namespace masing::test;
using Catch::Matchers::Contains;

namespace {

void check_same(const Observation& a, const Observation& b) {
  CHECK(a.amplitude == b.amplitude);
  CHECK(a.phase == b.phase);
  CHECK(a.rms == b.rms);
  CHECK(a.peak == b.peak);
}

// Bit for bit: a resumed run must not notice that its past was on disk.
void check_same(const ResponsePoint& a, const ResponsePoint& b) {
  CHECK(a.frequency == b.frequency);
  CHECK(a.coefficients == b.coefficients);
  CHECK(a.tangent == b.tangent);
  CHECK(a.step == b.step);
  CHECK(a.iterations == b.iterations);
  CHECK(a.residual == b.residual);
  CHECK(a.truncation == b.truncation);
  CHECK(a.harmonic_share == b.harmonic_share);
  CHECK(a.modal_share == b.modal_share);
  CHECK(a.mode_frequency == b.mode_frequency);
  REQUIRE(a.observations.size() == b.observations.size());
  for (std::size_t i = 0; i < a.observations.size(); ++i) check_same(a.observations[i], b.observations[i]);
}

void check_same(const BranchHeader& a, const BranchHeader& b) {
  CHECK(a.analysis == b.analysis);
  CHECK(a.index == b.index);
  CHECK(a.level == b.level);
  CHECK(a.level_unit == b.level_unit);
  CHECK(a.harmonics == b.harmonics);
  CHECK(a.samples == b.samples);
  CHECK(a.kept_motions == b.kept_motions);
  CHECK(a.modes == b.modes);
  REQUIRE(a.observables.size() == b.observables.size());
  for (std::size_t i = 0; i < a.observables.size(); ++i) {
    CHECK(a.observables[i].name == b.observables[i].name);
    CHECK(a.observables[i].coordinate == b.observables[i].coordinate);
    CHECK(a.observables[i].quantity == b.observables[i].quantity);
  }
}

void check_same(const BranchEnd& a, const BranchEnd& b) {
  CHECK(a.stop == b.stop);
  CHECK(a.complete == b.complete);
  CHECK(a.message == b.message);
  CHECK(a.seconds == b.seconds);
  REQUIRE(a.resonances.size() == b.resonances.size());
  for (std::size_t i = 0; i < a.resonances.size(); ++i) {
    CHECK(a.resonances[i].observable == b.resonances[i].observable);
    CHECK(a.resonances[i].harmonic == b.resonances[i].harmonic);
    CHECK(a.resonances[i].frequency == b.resonances[i].frequency);
    CHECK(a.resonances[i].amplitude == b.resonances[i].amplitude);
    CHECK(a.resonances[i].damping_ratio == b.resonances[i].damping_ratio);
    CHECK(a.resonances[i].note == b.resonances[i].note);
  }
}

void check_same(const StoredBranch& a, const StoredBranch& b) {
  check_same(a.header, b.header);
  REQUIRE(a.points.size() == b.points.size());
  for (std::size_t i = 0; i < a.points.size(); ++i) check_same(a.points[i], b.points[i]);
  REQUIRE(a.special_points.size() == b.special_points.size());
  for (std::size_t i = 0; i < a.special_points.size(); ++i) {
    CHECK(a.special_points[i].kind == b.special_points[i].kind);
    CHECK(a.special_points[i].after_point == b.special_points[i].after_point);
    CHECK(a.special_points[i].observable == b.special_points[i].observable);
    CHECK(a.special_points[i].harmonic == b.special_points[i].harmonic);
    check_same(a.special_points[i].point, b.special_points[i].point);
  }
  REQUIRE(a.cycles.size() == b.cycles.size());
  for (std::size_t i = 0; i < a.cycles.size(); ++i) {
    CHECK(a.cycles[i].kind == b.cycles[i].kind);
    CHECK(a.cycles[i].point == b.cycles[i].point);
    CHECK(a.cycles[i].frequency == b.cycles[i].frequency);
    CHECK(a.cycles[i].motion == b.cycles[i].motion);
    CHECK(a.cycles[i].force == b.cycles[i].force);
  }
  CHECK(a.ended == b.ended);
  if (b.ended) check_same(a.end, b.end);
}

void check_same(const TimeHistory& a, const TimeHistory& b) {
  CHECK(a.analysis == b.analysis);
  CHECK(a.level == b.level);
  CHECK(a.frequency == b.frequency);
  CHECK(a.observables.size() == b.observables.size());
  CHECK(a.time == b.time);
  CHECK(a.values == b.values);
  CHECK(a.joint_forces == b.joint_forces);
  CHECK(a.joint_force == b.joint_force);
  CHECK(a.joint_motion == b.joint_motion);
  REQUIRE(a.steady.size() == b.steady.size());
  for (std::size_t i = 0; i < a.steady.size(); ++i) check_same(a.steady[i], b.steady[i]);
  CHECK(a.is_steady == b.is_steady);
  CHECK(a.message == b.message);
  CHECK(a.complete == b.complete);
}

void write_all(const Results& results, const std::string& path) {
  const auto file = ResultFile::create(path, results.metadata);
  for (const StoredAnalysis& analysis : results.analyses) {
    for (const StoredBranch& branch : analysis.branches) send(branch, *file);
    for (const TimeHistory& history : analysis.histories) file->add_history(history);
  }
  file->set_summary(results.summary);
}

// Sends what is behind the restart, as a resumed analysis does.
void send_rest(const StoredBranch& whole, ResultFile& file) {
  const BranchRestart restart = file.restart(whole.header.analysis, whole.header.index);
  file.begin_branch(whole.header);
  for (std::size_t i = restart.points.size(); i < whole.points.size(); ++i)
    file.add_point(whole.header, whole.points[i]);
  for (const SpecialPoint& special : whole.special_points) file.add_special_point(whole.header, special);
  for (const JointCycles& cycles : whole.cycles) file.add_cycles(whole.header, cycles);
  file.end_branch(whole.header, whole.end);
}

// Counts the datasets below a group and checks that each explains itself.
int check_described(const h5::Group& group) {
  int datasets = 0;
  for (const std::string& name : group.children()) {
    INFO(name);
    CHECK_FALSE(group.node(name).text_attribute("description").empty());
    if (group.has_group(name)) {
      datasets += check_described(group.group(name));
      continue;
    }
    CHECK_FALSE(group.node(name).text_attribute("unit").empty());
    ++datasets;
  }
  return datasets;
}

}  // namespace

TEST_CASE("what is written is read back exactly") {
  const TemporaryFolder folder;
  const Results results = duffing_results();
  write_all(results, folder / "r.h5");
  const Results back = read_results(folder / "r.h5");

  CHECK(back.metadata.title == results.metadata.title);
  CHECK(back.metadata.study_text == results.metadata.study_text);
  CHECK(back.metadata.overrides == results.metadata.overrides);
  CHECK(back.metadata.program_version == results.metadata.program_version);
  CHECK(back.summary == results.summary);
  CHECK(back.created.size() == std::string("2026-01-31T12:00:00Z").size());
  REQUIRE(back.analyses.size() == 2);
  REQUIRE(back.analyses[0].branches.size() == 2);
  CHECK(back.find("time") == &back.analyses[1]);
  CHECK(back.find("nothing") == nullptr);
  for (std::size_t i : {0u, 1u}) check_same(back.analyses[0].branches[i], results.analyses[0].branches[i]);
  REQUIRE(back.analyses[1].histories.size() == 1);
  check_same(back.analyses[1].histories[0], results.analyses[1].histories[0]);
}

TEST_CASE("names with slashes, dots and per cent signs survive as group names") {
  const TemporaryFolder folder;
  StoredBranch branch = duffing_branch(0, 0.1, 5);
  branch.header.analysis = "a/b.c%2F";
  branch.header.observables[0].name = "beam.tip/u";
  branch.special_points.clear();
  { send(branch, *ResultFile::create(folder / "r.h5", duffing_metadata())); }
  const Results back = read_results(folder / "r.h5");
  REQUIRE(back.analyses.size() == 1);
  CHECK(back.analyses[0].name == "a/b.c%2F");
  check_same(back.analyses[0].branches.at(0), branch);
}

TEST_CASE("a branch without points and one with missing observations can be stored") {
  const TemporaryFolder folder;
  StoredBranch empty = duffing_branch(0, 0.1, 5);
  empty.points.clear();
  empty.special_points.clear();
  StoredBranch bare = duffing_branch(1, 0.1, 5);
  bare.special_points.resize(1);
  bare.special_points[0].point.observations.clear();
  bare.special_points[0].point.tangent.resize(0);
  {
    const auto file = ResultFile::create(folder / "r.h5", duffing_metadata());
    send(empty, *file);
    send(bare, *file);
  }
  const Results back = read_results(folder / "r.h5");
  REQUIRE(back.analyses.at(0).branches.size() == 2);
  check_same(back.analyses[0].branches[0], empty);
  const StoredBranch& second = back.analyses[0].branches[1];
  REQUIRE(second.special_points.size() == 1);
  CHECK(second.special_points[0].point.tangent.size() == 0);
  CHECK(std::isnan(second.special_points[0].point.observations.at(0).rms));
}

TEST_CASE("a point of another size is refused with its numbers") {
  const TemporaryFolder folder;
  const StoredBranch branch = duffing_branch(0, 0.1, 5);
  const auto file = ResultFile::create(folder / "r.h5", duffing_metadata());
  file->begin_branch(branch.header);
  file->add_point(branch.header, branch.points[0]);
  ResponsePoint wrong = branch.points[1];
  wrong.coefficients = Vector::Zero(7);
  CHECK_THROWS_WITH(file->add_point(branch.header, wrong),
                    Contains("'coefficients': a row of 7 values handed in, 5 expected"));
  CHECK_THROWS_WITH(file->add_point(duffing_header(8, 1.0), branch.points[0]),
                    Contains("branch 8 of analysis 'levels' was not begun"));
}

TEST_CASE("the order in which threads deliver does not show in the file") {
  const TemporaryFolder folder;
  const std::vector<StoredBranch> branches = {duffing_branch(0, 0.1), duffing_branch(1, 0.2), duffing_branch(2, 0.3)};
  {
    const auto file = ResultFile::create(folder / "r.h5", duffing_metadata());
    std::vector<std::thread> threads;
    for (auto branch = branches.rbegin(); branch != branches.rend(); ++branch)
      threads.emplace_back([&file, &one = *branch] { send(one, *file); });
    for (std::thread& thread : threads) thread.join();
  }
  const Results back = read_results(folder / "r.h5");
  REQUIRE(back.analyses.at(0).branches.size() == branches.size());
  for (std::size_t i = 0; i < branches.size(); ++i) check_same(back.analyses[0].branches[i], branches[i]);
}

TEST_CASE("every dataset says its unit and what it is") {
  const TemporaryFolder folder;
  write_all(duffing_results(), folder / "r.h5");
  const h5::File file = h5::File::open_to_read(folder / "r.h5");
  CHECK(check_described(file.root()) > 60);  // two branches and a history have more than that
  const auto branch = file.root().group("analyses").group("levels").group("branches").group("0");
  const auto tip = branch.group("observables").group("tip");
  CHECK(branch.text_attribute("level_unit") == "N");
  CHECK(branch.node("parameter").text_attribute("unit") == "Hz");
  CHECK(tip.node("amplitude").text_attribute("unit") == "m");
  CHECK(tip.text_attribute("quantity") == "displacement");
  CHECK(tip.read_reals("amplitude").cols() == 3);
  CHECK_THROWS_WITH(branch.text_attribute("nonsense"), Contains("HDF5: cannot open attribute nonsense"));
  CHECK_THROWS_WITH(branch.group("nonsense"), Contains("HDF5: cannot open group nonsense"));
  CHECK_THROWS_WITH(branch.read_reals("nonsense"), Contains("HDF5: cannot open dataset nonsense"));
}

TEST_CASE("a killed run leaves a readable file with what was flushed") {
  const TemporaryFolder folder;
  const std::string path = folder / "r.h5";
  const StoredBranch first = duffing_branch(0, 0.1), second = duffing_branch(1, 0.3);
  const std::size_t written = 100;
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const auto file = ResultFile::create(path, duffing_metadata());
    send(first, *file);
    file->begin_branch(second.header);
    for (std::size_t i = 0; i < written; ++i) file->add_point(second.header, second.points[i]);
    file->add_special_point(second.header, second.special_points[0]);  // flushes
    const char signal = 'r';
    if (write(ready[1], &signal, 1) != 1) _exit(1);
    for (std::size_t i = written;; i = (i + 1) % second.points.size()) file->add_point(second.header, second.points[i]);
  }
  char signal = 0;
  REQUIRE(read(ready[0], &signal, 1) == 1);
  kill(child, SIGKILL);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  close(ready[0]);
  close(ready[1]);
  REQUIRE(WIFSIGNALED(status));

  const Results back = read_results(path);
  REQUIRE(back.analyses.at(0).branches.size() == 2);
  check_same(back.analyses[0].branches[0], first);
  const StoredBranch& cut = back.analyses[0].branches[1];
  CHECK_FALSE(cut.ended);
  CHECK(cut.end.stop == "interrupted");
  REQUIRE(cut.points.size() >= written);
  for (std::size_t i = 0; i < written; ++i) check_same(cut.points[i], second.points[i]);
  REQUIRE(cut.special_points.size() == 1);
  check_same(cut.special_points[0].point, second.special_points[0].point);
}

TEST_CASE("an interrupted run is resumed to the same file as an uninterrupted one") {
  const TemporaryFolder folder;
  const std::string path = folder / "r.h5";
  const Results whole = duffing_results();
  const std::size_t cut = 100;
  StoredBranch second = whole.analyses[0].branches[1];
  {
    const auto file = ResultFile::create(path, whole.metadata);
    send(whole.analyses[0].branches[0], *file);
    second.points.resize(cut);
    second.ended = false;
    send(second, *file);
  }
  {
    const auto file = ResultFile::open_for_resume(path, whole.metadata);
    CHECK(file->path() == path);
    const BranchRestart done = file->restart("levels", 0);
    CHECK(done.ended);
    check_same(done.end, whole.analyses[0].branches[0].end);
    const BranchRestart restart = file->restart("levels", 1);
    CHECK_FALSE(restart.ended);
    REQUIRE(restart.points.size() == cut - 1);  // the last step is computed again
    for (std::size_t i = 0; i + 1 < cut; ++i) check_same(restart.points[i], second.points[i]);
    for (const SpecialPoint& special : restart.special_points) CHECK(special.after_point < static_cast<Index>(cut) - 2);
    CHECK(file->restart("levels", 2).points.empty());
    CHECK(file->restart("nothing", 0).points.empty());
    CHECK(file->finished_histories("time").empty());
    send_rest(whole.analyses[0].branches[1], *file);
    file->add_history(whole.analyses[1].histories[0]);
  }
  const Results back = read_results(path);
  REQUIRE(back.analyses.size() == 2);
  REQUIRE(back.analyses[0].branches.size() == 2);
  for (std::size_t i : {0u, 1u}) {
    StoredBranch stored = back.analyses[0].branches[i];
    const auto by_place = [](const SpecialPoint& a, const SpecialPoint& b) { return a.after_point < b.after_point; };
    StoredBranch wanted = whole.analyses[0].branches[i];
    std::sort(stored.special_points.begin(), stored.special_points.end(), by_place);
    std::sort(wanted.special_points.begin(), wanted.special_points.end(), by_place);
    check_same(stored, wanted);
  }
  CHECK(ResultFile::open_for_resume(path, whole.metadata)->finished_histories("time").size() == 1);
}

TEST_CASE("a branch that ended early can be carried on, and a history replaced") {
  const TemporaryFolder folder;
  const std::string path = folder / "r.h5";
  const StoredBranch whole = duffing_branch(0, 0.1);
  StoredBranch part = whole;
  part.points.resize(20);
  part.special_points.clear();
  part.end = {.stop = "stopped by the user", .complete = false, .message = "", .resonances = {}, .seconds = 0.1};
  TimeHistory history = friction_history();
  history.complete = false;
  {
    const auto file = ResultFile::create(path, duffing_metadata());
    send(part, *file);
    file->add_history(history);
  }
  {
    const auto file = ResultFile::open_for_resume(path, duffing_metadata());
    CHECK(file->restart("levels", 0).points.size() == 20);
    CHECK(file->finished_histories("time").empty());
    send_rest(whole, *file);
    file->add_history(friction_history());
  }
  const Results back = read_results(path);
  check_same(back.analyses.at(0).branches.at(0), whole);
  REQUIRE(back.analyses.at(1).histories.size() == 1);
  CHECK(back.analyses[1].histories[0].complete);
}

TEST_CASE("a changed study is not resumed, and the message says what changed") {
  const TemporaryFolder folder;
  const std::string path = folder / "r.h5";
  write_all(duffing_results(), path);
  ResultMetadata changed = duffing_metadata();
  changed.study_text = "title = \"Duffing\"\n# other\n";
  CHECK_THROWS_WITH(ResultFile::open_for_resume(path, changed),
                    Contains("First difference in line 2: it was '# μ, é, <b>', now it is '# other'"));
  changed.study_text = "title = \"Duffing\"\n# μ, é, <b>\n";
  CHECK_THROWS_WITH(ResultFile::open_for_resume(path, changed),
                    Contains("in line 3: it was '[structure]', now it is nothing"));
  changed = duffing_metadata();
  changed.overrides.clear();
  CHECK_THROWS_WITH(ResultFile::open_for_resume(path, changed),
                    Contains("made with --set joint.0.slip_force=0.3, now no overrides are given"));

  const auto file = ResultFile::open_for_resume(path, duffing_metadata());
  BranchHeader other = duffing_header(0, 0.1);
  other.harmonics = {1};
  CHECK_THROWS_WITH(file->begin_branch(other), Contains("with other harmonics, motions or observables"));
}

TEST_CASE("files that are not ours are refused in words") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(read_results(folder / "none.h5"), Contains("none.h5' does not exist."));
  CHECK_THROWS_WITH(read_results(folder / ""), Contains("is a folder"));
  std::ofstream(folder / "text.h5") << "frequency,amplitude\n";
  CHECK_THROWS_WITH(read_results(folder / "text.h5"), Contains("text.h5' is not an HDF5 file."));
  { h5::File::create(folder / "other.h5").root().set_attribute("program", std::string("another")); }
  CHECK_THROWS_WITH(read_results(folder / "other.h5"), Contains("not a result file of Masing"));
  {
    h5::Group root = h5::File::create(folder / "new.h5").root();
    root.set_attribute("program", std::string("masing"));
    root.set_attribute("program_version", std::string("9.1"));
    root.set_attribute("layout_version", std::int64_t{99});
  }
  CHECK_THROWS_WITH(read_results(folder / "new.h5"), Contains("has layout version 99, written by Masing 9.1; this "
                                                              "program reads versions up to 1"));
  CHECK_THROWS_AS(read_results(folder / "new.h5"), ModelError);
  CHECK_THROWS_WITH(ResultFile::create(folder / "no/such/folder/r.h5", duffing_metadata()),
                    Contains("cannot write the result file") && Contains("Check that the folder exists"));
}
