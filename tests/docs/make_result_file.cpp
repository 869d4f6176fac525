// Writes the result file that the snippets of docs/result-file.md read.
#include "unit/io/duffing_results.hpp"

#include <cstdio>

int main(int argc, char** argv) {
  using namespace masing;
  if (argc != 2) {
    std::fputs("usage: docs_result_file RESULTS.h5\n", stderr);
    return 1;
  }
  Results results = test::duffing_results();
  results.metadata.title = "Duffing";
  const auto file = ResultFile::create(argv[1], results.metadata);
  for (const StoredAnalysis& analysis : results.analyses) {
    for (const StoredBranch& branch : analysis.branches) test::send(branch, *file);
    for (const TimeHistory& history : analysis.histories) file->add_history(history);
  }
  file->set_summary(results.summary);
  return 0;
}
