#include "masing/io/describe.hpp"

#include "masing/contact/catalogue.hpp"
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/backbone_sources.hpp"
#include "masing/io/detail/validation_schema.hpp"
#include "masing/io/detail/wrapped_text.hpp"
#include "masing/io/study_schema.hpp"
#include "masing/structure/catalogue.hpp"

#include <algorithm>

namespace masing {
namespace {

using detail::wrapped;

std::string kind_words(const Option& option) {
  std::vector<std::string> words;
  for (const OptionKind kind : option.kinds) words.emplace_back(to_string(kind));
  return join(words, " or ");
}

/// Matrices of laws, sources and loops may be files; structures have keys of their own for that, which take texts.
bool takes_file(const Option& option) {
  const auto wants = [&](OptionKind kind) { return std::count(option.kinds.begin(), option.kinds.end(), kind) > 0; };
  return wants(OptionKind::matrix) && !wants(OptionKind::text);
}

/// "a number > 0 [N/m], default 3"
std::string value_words(const Option& option) {
  std::string text = kind_words(option);
  if (takes_file(option)) text += " or a file";
  if (option.range.text() != Range::any().text()) text += fmt::format(" {}", option.range.text());
  if (!option.choices.empty()) text += fmt::format(": {}", join(option.choices, " | "));
  if (!option.unit.empty()) text += fmt::format(" [{}]", option.unit);
  if (!option.fallback.empty()) {
    text += fmt::format(", default {}", to_string(option.fallback.front()));
  } else {
    text += option.required ? ", required" : ", optional";
  }
  return text;
}

std::string table_text(const OptionTable& table, std::size_t indent) {
  std::string text;
  for (const Option& option : table) {
    text += fmt::format("{:{}}{}: {}\n", "", indent, option.name, value_words(option));
    text += wrapped(option.meaning, indent + 4);
    text += table_text(option.children, indent + 4);
    for (const OptionVariant& variant : option.variants) {
      text += fmt::format("{:{}}kind = \"{}\"\n", "", indent + 4, variant.name);
      text += wrapped(variant.summary, indent + 8);
      text += table_text(variant.table, indent + 8);
    }
  }
  return text;
}

/// What laws, structures, sections and analyses have in common.
struct Page {
  std::string group;
  std::string name;
  std::string summary;
  std::string body;
};

template <class Entry>
std::string physics_body(const Entry& entry, const std::string& inputs) {
  std::string text;
  if (!entry.equation.empty()) text += fmt::format("\n{}\n", wrapped(entry.equation, 4));
  if (!inputs.empty()) text += inputs;
  text += table_text(entry.parameters, 2);
  if (!entry.limits.empty()) text += fmt::format("\nLimits: {}", wrapped(entry.limits, 0));
  if (!entry.reference.empty()) text += fmt::format("\nReference: {}", wrapped(entry.reference, 0));
  return text;
}

std::string inputs_text(int inputs) {
  if (inputs == 0) return "The parameters decide the number of inputs; it takes `directions`, one for each input.\n";
  if (inputs == 1) return "One input: it takes one `direction`.\n";
  return fmt::format("{} inputs: it takes {} `directions`.\n", inputs, inputs);
}

/// How a law is attached, and where its backbone comes from.
std::string attachment_text(const LawEntry& law) {
  std::string text = inputs_text(law.inputs);
  if (law.approach_for_load) text += "Its last input is the normal approach.\n";
  if (!law.needs_backbone()) return text;
  std::vector<std::string> names;
  for (const BackboneSource* source : backbone_sources()) names.push_back(fmt::format("\"{}\"", source->name));
  return text +
         wrapped(
             fmt::format("Made from a backbone: `from = {}` says where it comes from (the first unless told); the keys "
                         "of that source (`masing describe source NAME`) stand beside these.",
                         join(names, " | ")),
             0);
}

std::vector<Page> all_pages() {
  std::vector<Page> pages;
  for (const SectionEntry& entry : study_sections()) {
    pages.push_back({"section", entry.name, entry.summary, table_text(entry.table, 2)});
  }
  for (const StructureEntry& entry : structure_catalogue()) {
    pages.push_back({"structure", entry.name, entry.summary, physics_body(entry, "")});
  }
  for (const LawEntry& entry : law_catalogue()) {
    pages.push_back({"law", entry.name, entry.summary, physics_body(entry, attachment_text(entry))});
  }
  for (const BackboneSource* entry : backbone_sources()) {
    pages.push_back({"source", entry->name, entry->summary, physics_body(*entry, "")});
  }
  for (const SectionEntry& entry : analysis_catalogue()) {
    pages.push_back({"analysis", entry.name, entry.summary, table_text(entry.table, 2)});
  }
  pages.push_back({"validation", "case", "A case.toml for `masing validate`: its keys outside of all sections.",
                   table_text(detail::case_root_table(), 2)});
  for (const SectionEntry& entry : detail::case_sections()) {
    pages.push_back({"validation", entry.name, entry.summary, table_text(entry.table, 2)});
  }
  return pages;
}

std::string list_text(const std::vector<Page>& pages, const std::string& group) {
  std::string text;
  for (const Page& page : pages) {
    if (page.group == group) text += fmt::format("  {}\n{}", page.name, wrapped(page.summary, 6));
  }
  return text;
}

std::string page_text(const Page& page) {
  return fmt::format("{} {}\n{}{}", page.group, page.name, wrapped(page.summary, 0), page.body);
}

std::string everything(const std::vector<Page>& pages) {
  return fmt::format(
      "A study file has these sections (`masing describe SECTION`):\n{}\n"
      "Kinds of structure (`masing describe structure NAME`):\n{}\n"
      "Laws of a joint (`masing describe law NAME`):\n{}\n"
      "Sources of a law's backbone (`masing describe source NAME`):\n{}\n"
      "Kinds of analysis (`masing describe analysis NAME`):\n{}\n"
      "A validation case (`masing describe validation NAME`):\n{}",
      list_text(pages, "section"), list_text(pages, "structure"), list_text(pages, "law"), list_text(pages, "source"),
      list_text(pages, "analysis"), list_text(pages, "validation"));
}

/// `group` empty: of any group. Sections are found last, so that `describe structure` can list.
std::string find_page(const std::vector<Page>& pages, const std::string& group, const std::string& name) {
  std::vector<std::string> names;
  for (const Page& page : pages) {
    if (!group.empty() && page.group != group) continue;
    if (page.name == name) return page_text(page);
    names.push_back(page.name);
  }
  if (group.empty()) names.insert(names.end(), {"law", "source"});
  throw ModelError(
      fmt::format("describe: there is no {} '{}'.{}", group.empty() ? "entry" : group, name, suggestion(name, names)));
}

}  // namespace

std::string describe(const std::vector<std::string>& words) {
  const std::vector<Page> pages = all_pages();
  if (words.empty()) return everything(pages);
  const std::string& first = words.front();
  static const std::vector<std::string> groups = {"law", "source", "structure", "analysis", "section", "validation"};
  const bool is_group = std::find(groups.begin(), groups.end(), first) != groups.end();
  require(words.size() < 3, "describe: at most two words, such as `law jenkins`.");
  if (words.size() == 2) {
    require(is_group, "describe: there is no group '{}'.{}", first, suggestion(first, groups));
    return find_page(pages, first, words[1]);
  }
  if (!is_group) return find_page(pages, "", first);
  std::string text;
  if (find_section(first) != nullptr) text = find_page(pages, "section", first) + "\n";
  return text + list_text(pages, first);
}

}  // namespace masing
