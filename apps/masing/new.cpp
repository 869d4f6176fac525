// masing new TEMPLATE [-o FILE]
#include "commands.hpp"
#include "templates.hpp"

#include "masing/core/error.hpp"
#include "masing/core/text.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

namespace masing::app {
namespace {

namespace fs = std::filesystem;

/// "01_duffing.toml" is the template duffing; other files (matrices, measurements) are none.
std::string template_name(const ModelFile& file) {
  const fs::path path(file.path);
  if (path.extension() != ".toml") return "";
  std::string name = path.stem().string();
  name.erase(0, name.find('_') + 1);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// The title of a study, from the line title = "…".
std::string title_of(const ModelFile& file) {
  const std::size_t begin = file.text.find("title = \"");
  if (begin == std::string::npos) return "";
  const std::size_t first = begin + std::string("title = \"").size();
  return file.text.substr(first, file.text.find('"', first) - first);
}

const ModelFile& find_template(const std::string& name) {
  std::vector<std::string> names;
  for (const ModelFile& file : model_files()) {
    if (template_name(file).empty()) continue;
    if (template_name(file) == name) return file;
    names.push_back(template_name(file));
  }
  throw ModelError(fmt::format("new: there is no template '{}'.{}", name, suggestion(name, names)));
}

/// Files of matrices and measurements that the study reads.
std::vector<ModelFile> companions(const ModelFile& study) {
  std::vector<ModelFile> files;
  for (const ModelFile& file : model_files()) {
    if (template_name(file).empty() && study.text.find(file.path) != std::string::npos) files.push_back(file);
  }
  return files;
}

void write_file(const fs::path& path, const std::string& text) {
  require(!fs::exists(path), "new: {} exists already; choose another name with -o.", path.string());
  if (path.has_parent_path()) fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.flush();
  require(file.good(), "new: {} cannot be written.", path.string());
  fmt::print("{}\n", path.string());
}

void list_templates() {
  for (const ModelFile& file : model_files()) {
    if (!template_name(file).empty()) fmt::print("{:<30} {}\n", template_name(file), title_of(file));
  }
}

void write_template(const std::string& name, const std::string& output) {
  const ModelFile& study = find_template(name);
  if (output.empty()) {
    for (const ModelFile& file : companions(study)) {
      fmt::print(stderr, "This study reads {}; `masing new {} -o FILE` writes that too.\n", file.path, name);
    }
    fmt::print("{}", study.text);
    return;
  }
  write_file(output, study.text);
  for (const ModelFile& file : companions(study)) {
    const fs::path beside = fs::path(output).parent_path() / file.path;
    if (!fs::exists(beside)) write_file(beside, file.text);
  }
}

}  // namespace

void add_new(CLI::App& app) {
  struct Arguments {
    std::string name;
    std::string output;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("new", "A commented study to start from; without a name: lists the templates.");
  command->add_option("template", arguments->name, "Name of the template");
  command->add_option("-o,--output", arguments->output, "File to write; default: standard output");
  command->callback([arguments] {
    if (arguments->name.empty()) return list_templates();
    write_template(arguments->name, arguments->output);
  });
}

}  // namespace masing::app
