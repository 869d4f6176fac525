// A study: what the user wrote, as objects that analyses can run.
//
//   Study study = read_study("models/01_duffing.toml", {"harmonic_balance.harmonics=9"});
//   for (const AnalysisRequest& analysis : study.analyses) …
//
// Every mistake is a ModelError with file and line, the key, the value, the rule and, for a typo, the nearest known
// names; nothing is computed before everything has been checked. The keys are the tables of study_schema.hpp.
#pragma once

#include "masing/analysis/backbone.hpp"
#include "masing/analysis/bifurcation_tracking.hpp"
#include "masing/analysis/controlled_response.hpp"
#include "masing/analysis/frequency_response.hpp"
#include "masing/analysis/isola_search.hpp"
#include "masing/analysis/joint_loops.hpp"
#include "masing/analysis/superharmonic_tracking.hpp"
#include "masing/analysis/tracking.hpp"
#include "masing/analysis/transient_response.hpp"
#include "masing/core/options.hpp"

#include <string>
#include <variant>
#include <vector>

namespace masing {

using AnalysisRequest = std::variant<FrequencyResponseRequest, TransientRequest, BackboneRequest, ForceResponseRequest,
                                     ResponseControlRequest, ResonanceTrackingRequest, SuperharmonicTrackingRequest,
                                     FoldTrackingRequest, BifurcationTrackingRequest, IsolaSearchRequest>;
const std::string& name_of(const AnalysisRequest& analysis);

/// One table of the study with its defaults filled in: what is used, for summaries.
struct StudySection {
  std::string name;  ///< "structure", "joint 'support'", …
  OptionValues values;
};

/// What was derived on the way to a joint: from its source (stiffness, slip force, asperities in contact, …), or from
/// spreading it over a stretch of a beam.
struct JointNotes {
  std::string joint;
  std::string origin;  ///< "from roughness", "over 0 … 0.038 m"
  std::vector<std::string> lines;
};

/// One [[loop]]: the request, and which of Study::joints it is for.
struct LoopTask {
  LoopRequest request;
  std::vector<std::size_t> joints;
};

struct Study {
  std::string name;  ///< the file as the user called it
  std::string title;
  std::string text;                    ///< exactly as in the file, before the overrides
  std::vector<std::string> overrides;  ///< "joint.0.slip_force=0.3"
  Model model;
  std::vector<AnalysisRequest> analyses;
  std::vector<LoopJoint> joints;  ///< by themselves, for loops
  std::vector<LoopTask> loops;
  std::vector<JointNotes> notes;
  std::vector<std::string> reduction;  ///< what a reduction of the structure came to; empty without one
  std::vector<StudySection> sections;
  bool identifies = false;  ///< it has an [identify], which io/identify.hpp reads
};

/// What a study is read for decides what it must have.
enum class StudyUse {
  analyses,  ///< a structure and analyses
  loops,     ///< joints; without analyses no structure, no loads and no directions are needed
  modes,  ///< a structure; joints and loads if there are any. Solver settings, sensors and analyses are read only where
          ///< a reduction to matrices depends on them; of other reductions the modes are those of the full structure
  full_modes,  ///< the same, without any reduction
  either,      ///< loops if it has those and no analyses; modes if it has a structure and neither; else analyses
};

/// `overrides` replace or add values: "harmonic_balance.samples=512", "joint.0.stiffness=2e6", "joint.support.law=…".
Study read_study(const std::string& path, const std::vector<std::string>& overrides = {},
                 StudyUse use = StudyUse::analyses);

/// The same from a text; `name` stands for the file in messages, matrix files are looked up in `folder`.
Study read_study_text(const std::string& text, const std::string& name, const std::string& folder,
                      const std::vector<std::string>& overrides = {}, StudyUse use = StudyUse::analyses);

}  // namespace masing
