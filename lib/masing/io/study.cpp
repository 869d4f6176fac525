#include "masing/io/study.hpp"

#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/study_parts.hpp"
#include "masing/io/detail/toml_values.hpp"
#include "masing/io/study_schema.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace masing {
namespace {

/// Refuses what is neither a section nor a key of the root, and reads the title.
std::string read_title(const OptionValues& root) {
  OptionValues own;
  own.set_context("", root.where(""));
  std::vector<std::string> known;
  for (const SectionEntry& section : study_sections()) known.push_back(section.name);
  for (const Option& option : study_root_table()) known.push_back(option.name);
  for (const auto& [name, value] : root.all()) {
    if (find_section(name) != nullptr) continue;
    require(std::find(known.begin(), known.end(), name) != known.end(), "{}: unknown key '{}'.{}", root.where(name),
            name, suggestion(name, known));
    own.set(name, value, root.where(name));
  }
  own.complete(study_root_table());
  return own.text("title");
}

/// Whether only the joints are asked for.
bool joints_alone(const detail::StudyDocument& document, StudyUse use) {
  const bool structure = use == StudyUse::analyses || use == StudyUse::modes || use == StudyUse::full_modes;
  if (document.root.has("analysis") || structure) return false;
  const bool only_joints = document.root.has("joint") && !document.root.has("structure");
  return use == StudyUse::loops || document.root.has("loop") || only_joints;
}

/// Whether the structure with its joints and loads is all that is asked for.
bool model_alone(const detail::StudyDocument& document, StudyUse use) {
  const bool nothing_else = !document.root.has("analysis") && !document.root.has("loop");
  return use == StudyUse::modes || use == StudyUse::full_modes ||
         (use == StudyUse::either && nothing_else && document.root.has("structure"));
}

/// Structure, joints and loads. A reduction of matrices counts; which coordinates it keeps and up to which frequency it is
/// good may follow from the analyses, which are read for that only.
detail::ModelPart model_by_itself(detail::StudyDocument& document, Study& study, StudyUse use) {
  detail::ModelPart part = detail::read_model(document);
  const OptionValues& structure = document.sections.front().values;
  const bool matrices = structure.has("reduction") && structure.table("reduction").text("kind") != "galerkin";
  if (use == StudyUse::full_modes || !matrices) return part;
  std::vector<AnalysisRequest> analyses;
  if (document.root.has("analysis")) {
    const detail::SolverPart solver = detail::read_solver(document, part.model);
    analyses = detail::read_analyses(document, part, solver, detail::read_sensors(document, part.model));
  }
  study.reduction = detail::reduce_model(document, part, analyses);
  return part;
}

/// Structure, joints, loads and analyses.
detail::ModelPart whole_model(detail::StudyDocument& document, Study& study) {
  require(!document.root.has("loop") || document.root.has("analysis"),
          "{}: there are loops but no [[analysis]]: this study is for `masing loop`.", document.root.where(""));
  detail::ModelPart part = detail::read_model(document);
  const detail::SolverPart solver = detail::read_solver(document, part.model);
  const std::vector<Observable> sensors = detail::read_sensors(document, part.model);
  study.analyses = detail::read_analyses(document, part, solver, sensors);
  study.reduction = detail::reduce_model(document, part, study.analyses);
  detail::check_modes(document, part.model, study.analyses);
  detail::check_stability(document, part.model, study.analyses);
  return part;
}

}  // namespace

const std::string& name_of(const AnalysisRequest& analysis) {
  return std::visit([](const auto& request) -> const std::string& { return request.name; }, analysis);
}

Study read_study(const std::string& path, const std::vector<std::string>& overrides, StudyUse use) {
  require(std::filesystem::exists(path), "{}: there is no such file.", path);
  require(!std::filesystem::is_directory(path), "{}: this is a folder, not a study file.", path);
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  require(file.good(), "{}: cannot be read.", path);
  return read_study_text(text.str(), path, std::filesystem::path(path).parent_path().string(), overrides, use);
}

Study read_study_text(const std::string& text, const std::string& name, const std::string& folder,
                      const std::vector<std::string>& overrides, StudyUse use) {
  detail::StudyDocument document{.root = detail::toml_values(text, name, overrides), .folder = folder, .sections = {}};
  Study study;
  study.name = name;
  study.title = read_title(document.root);
  study.text = text;
  study.overrides = overrides;
  study.identifies = document.root.has("identify");
  const bool alone = joints_alone(document, use);
  const bool model = model_alone(document, use);
  detail::ModelPart part = alone   ? detail::read_joints_alone(document)
                           : model ? model_by_itself(document, study, use)
                                   : whole_model(document, study);
  if (!model) study.loops = detail::read_loops(document, part.joints.alone, alone || use == StudyUse::loops);
  study.joints = std::move(part.joints.alone);
  study.notes = std::move(part.joints.notes);
  study.model = std::move(part.model);
  study.sections = std::move(document.sections);
  return study;
}

}  // namespace masing
