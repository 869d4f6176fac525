#include "masing/io/detail/computed_results.hpp"

#include <algorithm>
#include <utility>

namespace masing::detail {
namespace {

/// Every analysis of branches under one name.
template <class Request>
ResponseCurves curves_of(const Model& model, const Request& request, ResultSink* sink,
                         const ProgressCallback& progress) {
  if constexpr (std::is_same_v<Request, FrequencyResponseRequest>) {
    return frequency_response(model, request, sink, progress);
  } else if constexpr (std::is_same_v<Request, BackboneRequest>) {
    return backbone(model, request, sink, progress);
  } else if constexpr (std::is_same_v<Request, ForceResponseRequest>) {
    return force_response(model, request, sink, progress);
  } else if constexpr (std::is_same_v<Request, ResponseControlRequest>) {
    return response_control(model, request, sink, progress);
  } else if constexpr (std::is_same_v<Request, ResonanceTrackingRequest>) {
    return resonance_tracking(model, request, sink, progress);
  } else if constexpr (std::is_same_v<Request, FoldTrackingRequest>) {
    return fold_tracking(model, request, sink, progress);
  } else if constexpr (std::is_same_v<Request, SuperharmonicTrackingRequest>) {
    return superharmonic_tracking(model, request, sink, progress);
  } else if constexpr (std::is_same_v<Request, IsolaSearchRequest>) {
    return isola_search(model, request, sink, progress);
  } else {
    return bifurcation_tracking(model, request, sink, progress);
  }
}

StoredAnalysis computed_analysis(const Model& model, const AnalysisRequest& analysis, ResultSink* sink,
                                 const ProgressCallback& progress) {
  StoredAnalysis stored{.name = name_of(analysis), .branches = {}, .histories = {}};
  std::visit(
      [&](const auto& request) {
        using Request = std::decay_t<decltype(request)>;
        if constexpr (std::is_same_v<Request, TransientRequest>) {
          stored.histories = transient_response(model, request, sink, progress);
        } else {
          for (ResponseBranch& branch : curves_of(model, request, sink, progress).branches) {
            stored.branches.push_back({.header = std::move(branch.header),
                                       .points = std::move(branch.points),
                                       .special_points = std::move(branch.special_points),
                                       .cycles = std::move(branch.cycles),
                                       .ended = true,
                                       .end = std::move(branch.end)});
          }
        }
      },
      analysis);
  return stored;
}

void compute_loops(const Study& study, Results& results, ResultFile* file) {
  for (const LoopTask& task : study.loops) {
    for (const std::size_t joint : task.joints) {
      for (JointLoop& loop : joint_loops(study.joints[joint], task.request)) {
        if (file != nullptr) file->add_loop(loop);
        results.loops.push_back(std::move(loop));
      }
    }
  }
}

}  // namespace

Results computed_results(const Study& source, const std::vector<std::string>& overrides, const WantedResults& wanted,
                         const std::string& folder, const ProgressCallback& progress, ResultFile* file) {
  const auto read = [&](StudyUse use) { return read_study_text(source.text, source.name, folder, overrides, use); };
  Results results;
  if (wanted.branches) {
    const Study study = read(StudyUse::analyses);
    for (const AnalysisRequest& analysis : study.analyses) {
      const auto& names = wanted.analyses;
      if (!names.empty() && std::count(names.begin(), names.end(), name_of(analysis)) == 0) continue;
      results.analyses.push_back(computed_analysis(study.model, analysis, file, progress));
    }
  }
  if (wanted.loops) compute_loops(read(StudyUse::loops), results, file);
  if (wanted.modes) {
    ModesRequest request;
    request.range.count = wanted.mode_count;
    results.modes = linear_modes(read(StudyUse::modes).model, request);
    for (const ModeSet& set : results.modes) {
      if (file != nullptr) file->add_modes(set);
    }
  }
  return results;
}

}  // namespace masing::detail
