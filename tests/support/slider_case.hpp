// A validation case to try things on: a Jenkins element, its energy in closed form.
#pragma once

#include "masing/core/error.hpp"
#include "masing/io/validation.hpp"
#include "support/scratch_folder.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace masing::test {

// A Jenkins element of 1e6 N/m and 10 N: at 20 µm it dissipates 4 · 10 N · (20 − 10) µm = 0.4 mJ.
inline const std::string slider =
    "[[joint]]\nname = \"slider\"\nlaw = \"jenkins\"\nstiffness = 1e6\nslip_force = 10\n"
    "[[loop]]\nmotion = { kind = \"cycles\", amplitudes = [2e-5] }\n";

inline const std::string table =
    "id,value,unit,origin,source,note\n"
    "W,0.4,mJ,evaluated,\"eq. (1), p. 2\",\n"
    "W_wrong,0.5,mJ,computed,Table 1,\"says \"\"half\"\"\"\n"
    "unused,3,Hz,measured,Table 2,\n";

inline const std::string head = R"(title = "A slider"
publication = "A. Author, 2020"
[[run]]
name = "coarse"
study = "slider.toml"
command = "loop"
[[run]]
name = "fine"
study = "slider.toml"
command = "loop"
set = ["loop.0.samples=1600"]
)";

/// The quantity that is right, with some of its lines replaced.
inline std::string quantity(const std::string& changed = "", const std::string& key = "") {
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"name", "name = \"energy\""},
      {"published", "published = \"W\""},
      {"take", "take = { kind = \"loop\", run = \"coarse\", value = \"energy\" }"},
      {"verify", "verify = { run = \"fine\" }"},
      {"verified_how", "verified_how = \"four times the samples\""},
      {"relative", "relative = 1e-5"},
      {"reason", "reason = \"closed form\""},
      {"claim", "claim = \"reproduced\""}};
  std::string text = "[[quantity]]\n";
  for (const auto& [name, line] : lines) text += (name == key ? changed : line) + "\n";
  return text;
}

/// A folder with a case in it.
struct CaseFolder {
  explicit CaseFolder(const std::string& text, const std::string& values = table) {
    std::filesystem::create_directory(scratch.path() / "slider");
    scratch.write("slider/case.toml", text);
    scratch.write("slider/published.csv", values);
    scratch.write("slider/slider.toml", slider);
    scratch.write("slider/wild.toml",
                  "[[joint]]\nlaw = \"cubic\"\ncubic_stiffness = 1e300\n"
                  "[[loop]]\nmotion = { kind = \"cycles\", amplitudes = [1e9] }\n");
  }
  std::string path() const { return scratch.file("slider"); }
  CaseOutcome run() const {
    return run_validation_case(read_validation_case(path()), {.folder = scratch.path().string(), .threads = 2});
  }
  ScratchFolder scratch;
};

inline std::string message_of(const std::string& text, const std::string& values = table) {
  const CaseFolder folder(text, values);
  try {
    read_validation_case(folder.path());
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace masing::test
