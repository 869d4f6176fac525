#include "masing/io/run_loops.hpp"

#include "masing/core/error.hpp"
#include "masing/io/detail/overwriting.hpp"
#include "masing/io/detail/run_end.hpp"
#include "masing/io/study_overview.hpp"

#include <chrono>
#include <cmath>

namespace masing {
namespace {

using Clock = std::chrono::steady_clock;

/// Energies below this share of force times amplitude are none at all, but rounding.
constexpr double no_energy = 1e-12;

/// Adding zero makes −0 a zero.
std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value + 0.0) : "–"; }

std::string cell(double value) { return fmt::format("{:>13}", number(value)); }

std::string heading() {
  std::string text = "    ";
  for (const char* name : {"amplitude", "peak force", "secant", "stick", "end", "energy", "loss factor"}) {
    text += fmt::format("{:>13}", name);
  }
  return text + fmt::format("{:>9}  {}", "slope", "energy by Masing's rules");
}

std::string units() {
  std::string text = "    ";
  for (const char* unit : {"m", "N", "N/m", "N/m", "N/m", "J"}) text += fmt::format("{:>13}", unit);
  return text;
}

/// "1.23456 J, off by 2.1e-08"
std::string backbone_text(const JointLoop& loop) {
  if (!std::isfinite(loop.energy_of_backbone)) return "";
  if (loop.energy_of_backbone <= no_energy * loop.peak_force() * std::abs(loop.amplitude)) return "none";
  return fmt::format("{:.6g} J, off by {:.1e}", loop.energy_of_backbone,
                     std::abs(loop.energy / loop.energy_of_backbone - 1.0));
}

/// Rounding is shown as zero.
double shown_energy(const JointLoop& loop, double energy) {
  return std::abs(energy) <= no_energy * loop.peak_force() * std::abs(loop.amplitude) ? 0.0 : energy;
}

std::string loop_row(const JointLoop& loop) {
  const std::string slope = std::isfinite(loop.slope) ? fmt::format("{:.4f}", loop.slope) : "–";
  std::string text = "    " + cell(loop.amplitude) + cell(loop.peak_force()) + cell(loop.secant_stiffness) +
                     cell(loop.stick_stiffness) + cell(loop.end_stiffness) + cell(shown_energy(loop, loop.energy)) +
                     cell(shown_energy(loop, loop.energy) == 0.0 ? 0.0 : loop.loss_factor) +
                     fmt::format("{:>9}", slope);
  const std::string backbone = backbone_text(loop);
  if (!backbone.empty()) text += "  " + backbone;
  if (std::isfinite(loop.normal_energy))
    text += fmt::format("  normal force {} J", number(shown_energy(loop, loop.normal_energy)));
  if (loop.motion == "minor") text += loop.closed ? "; closed minor loop" : "; minor loop that does not close";
  return text;
}

class LoopRun {
 public:
  LoopRun(const Study& study, const RunOptions& options, const ProgressCallback& progress)
      : study_(study), options_(options), progress_(progress) {
    detail::refuse_to_overwrite(options);
    file_ = ResultFile::create(options.results, {study.title, study.text, study.overrides, options.program_version});
    for (const LoopTask& task : study.loops) {
      expected_ += loop_count(task.request) * static_cast<Index>(task.joints.size());
    }
  }

  RunSummary run() {
    summary_.text = study_overview(study_) + "\n";
    for (const LoopTask& task : study_.loops) {
      for (const std::size_t joint : task.joints) run_one(task.request, study_.joints[joint]);
    }
    summary_.complete = summary_.unfinished == 0 && done_ == expected_;
    if (stopped_) ++summary_.unfinished;
    detail::end_run(options_, seconds(), file_, summary_);
    return summary_;
  }

 private:
  void add(const std::string& line) { summary_.text += line + "\n"; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void run_one(const LoopRequest& request, const LoopJoint& joint) {
    if (stopped_) return;
    add(fmt::format("{}, joint {}: {}", request.name, joint.name, to_string(request.motion)));
    add(heading());
    add(units());
    double error = 0.0;
    joint_loops(joint, request, [&](const JointLoop& loop) {
      file_->add_loop(loop);
      add(loop_row(loop));
      if (!loop.message.empty()) add("        " + loop.message);
      if (!loop.complete) ++summary_.unfinished;
      if (loop.loss_factor > no_energy) error = std::max(error, loop.energy_error / loop.energy);
      ++done_;
      stopped_ = !report_progress(request, loop);
      return !stopped_;
    });
    if (error > 0.0)
      add(fmt::format("    estimated error of the energies by sampling: up to {:.1e} of themselves", error));
    add("");
  }

  bool report_progress(const LoopRequest& request, const JointLoop& loop) const {
    if (!progress_) return true;
    Progress progress;
    progress.task = fmt::format("{}, {}", request.name, loop.joint);
    progress.amplitude = loop.amplitude;
    progress.points = static_cast<int>(done_);
    progress.fraction = static_cast<double>(done_) / static_cast<double>(expected_);
    progress.seconds = seconds();
    progress.finished = false;
    return progress_(progress);
  }

  const Study& study_;
  const RunOptions& options_;
  const ProgressCallback& progress_;
  Clock::time_point start_ = Clock::now();
  std::unique_ptr<ResultFile> file_;
  RunSummary summary_;
  Index expected_ = 0;
  Index done_ = 0;
  bool stopped_ = false;
};

}  // namespace

RunSummary run_loops(const Study& study, const RunOptions& options, const ProgressCallback& progress) {
  return LoopRun(study, options, progress).run();
}

}  // namespace masing
