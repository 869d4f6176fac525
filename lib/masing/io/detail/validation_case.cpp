// Reading a validation case: case.toml, its table of published values, its studies.
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/published_table.hpp"
#include "masing/io/detail/toml_values.hpp"
#include "masing/io/detail/validation_folder.hpp"
#include "masing/io/detail/validation_schema.hpp"
#include "masing/io/validation.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace masing {
namespace {

namespace fs = std::filesystem;
using detail::case_sections;

const OptionTable& section_table(std::string_view name) {
  const auto& all = case_sections();
  return std::find_if(all.begin(), all.end(), [&](const SectionEntry& entry) { return entry.name == name; })->table;
}

OptionValues read_root(const fs::path& file) {
  require(fs::is_regular_file(file), "{}: there is no such file; a validation case is a folder with a case.toml.",
          file.string());
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return detail::toml_values(text, file.string(), {});
}

/// The tables behind [[key]]; none when it is not there.
std::vector<OptionValues> tables_of(const OptionValues& root, const std::string& key) {
  if (!root.has(key)) return {};
  const auto* tables = std::get_if<std::vector<OptionValues>>(&root.at(key));
  require(tables != nullptr, "{}: {} must be written [[{}]].", root.where(key), key, key);
  return *tables;
}

/// Takes the keys of `over` on top of those of `base`.
OptionValues merged(OptionValues base, const OptionValues& over) {
  for (const auto& [name, value] : over.all()) base.set(name, value, over.where(name));
  return base;
}

/// The same, unless `over` says its own kind: then it stands for itself.
OptionValues merged_extraction(const OptionValues& base, const OptionValues& over) {
  return over.has("kind") ? over : merged(base, over);
}

const std::vector<std::string>& extraction_keys() {
  static const std::vector<std::string> keys = {"take", "against", "verify", "verify_against"};
  return keys;
}

/// The tables behind a key of a quantity, not yet checked; none when it is not there.
std::vector<OptionValues> raw_tables(const OptionValues& values, const std::string& key) {
  if (!values.has(key)) return {};
  const auto* tables = std::get_if<std::vector<OptionValues>>(&values.at(key));
  if (tables == nullptr || tables->empty()) values.reject(key, "must be a table { … }.");
  const bool several = key.starts_with("verify");
  if (!several && tables->size() != 1) values.reject(key, "must be one table { … }.");
  return *tables;
}

/// One entry of `each` on top of the quantity it stands in.
OptionValues expanded(const OptionValues& base, const OptionValues& entry) {
  OptionValues one = merged(base, entry);
  for (const std::string& key : extraction_keys()) {
    const auto below = raw_tables(base, key), above = raw_tables(entry, key);
    if (below.size() == 1 && above.size() == 1) {
      one.set(key, std::vector{merged_extraction(below.front(), above.front())}, entry.where(key));
    }
  }
  if (base.has("name") && entry.has("name")) {
    one.set("name", fmt::format("{}, {}", base.text("name"), entry.text("name")), entry.where("name"));
  }
  one.set_context("", entry.where(""));
  return one;
}

/// Whether two extractions take the same number from the same run.
bool same_values(const OptionValues& one, const OptionValues& other) {
  const auto same = [](const auto& a, const auto& b) {
    return a.first == b.first && to_string(a.second) == to_string(b.second);
  };
  return std::equal(one.all().begin(), one.all().end(), other.all().begin(), other.all().end(), same);
}

/// "run 'coarse'": the section and, if it has one, its name, for messages.
std::string named_context(const OptionValues& values, const std::string& section) {
  const bool named = values.has("name") && std::holds_alternative<std::string>(values.at("name"));
  return named ? fmt::format("{} '{}'", section, values.text("name")) : section;
}

class CaseReader {
 public:
  explicit CaseReader(const std::string& folder) : folder_(fs::path(folder).lexically_normal()) {
    if (!folder_.has_filename()) folder_ = folder_.parent_path();
    root_ = read_root(folder_ / "case.toml");
    case_.name = folder_.filename().string();
  }

  ValidationCase read() {
    read_head();
    for (OptionValues& values : tables_of(root_, "run")) read_run(values);
    require(!case_.runs.empty(), "{}: there is no [[run]].", root_.where(""));
    for (const OptionValues& values : tables_of(root_, "quantity")) read_quantities(values);
    require(!case_.quantities.empty(), "{}: there is no [[quantity]].", root_.where(""));
    for (OptionValues& values : tables_of(root_, "null_test")) read_null_test(values);
    for (OptionValues& values : tables_of(root_, "cost")) read_cost(values);
    for (const OptionValues& values : tables_of(root_, "figure")) read_figure(values);
    for (const PublishedValue& value : published_) {
      if (!used_.contains(value.id)) case_.not_compared.push_back(value);
    }
    return std::move(case_);
  }

 private:
  void read_head() {
    OptionValues head;
    head.set_context("", root_.where(""));
    std::vector<std::string> known;
    for (const SectionEntry& section : case_sections()) known.push_back(section.name);
    for (const Option& option : detail::case_root_table()) known.push_back(option.name);
    for (const auto& [name, value] : root_.all()) {
      require(std::count(known.begin(), known.end(), name) > 0, "{}: unknown key '{}'.{}", root_.where(name), name,
              suggestion(name, known));
      const bool section = std::any_of(case_sections().begin(), case_sections().end(),
                                       [&](const SectionEntry& entry) { return entry.name == name; });
      if (!section) head.set(name, value, root_.where(name));
    }
    head.complete(detail::case_root_table());
    case_.title = head.text("title");
    case_.publication = head.text("publication");
    if (head.has("assumptions")) case_.assumptions = head.texts("assumptions");
    if (head.has("inconsistencies")) case_.inconsistencies = head.texts("inconsistencies");
    published_ = detail::read_published((folder_ / head.text("data")).string());
  }

  void read_run(OptionValues& values) {
    values.set_context(named_context(values, "run"), values.where(""));
    values.complete(section_table("run"));
    ValidationRun run{.name = values.text("name"),
                      .study = (folder_ / values.text("study")).string(),
                      .command = values.text("command"),
                      .overrides = {},
                      .modes = values.integer("modes")};
    if (values.has("set")) run.overrides = values.texts("set");
    if (find_run(run.name) != nullptr) values.reject("name", "is the name of another run already.");
    detail::check_study(values, run, folder_.string());
    case_.runs.push_back(std::move(run));
  }

  const ValidationRun* find_run(const std::string& name) const {
    const auto found =
        std::find_if(case_.runs.begin(), case_.runs.end(), [&](const ValidationRun& run) { return run.name == name; });
    return found == case_.runs.end() ? nullptr : &*found;
  }

  void require_run(const OptionValues& values, std::string_view key, const std::string& name) const {
    std::vector<std::string> known;
    for (const ValidationRun& run : case_.runs) known.push_back(run.name);
    if (find_run(name) == nullptr)
      values.reject(key, fmt::format("is not a run of this case.{}", suggestion(name, known)));
  }

  void read_quantities(const OptionValues& values) {
    if (!values.has("each")) return read_quantity(values);
    OptionValues base;
    base.set_context("", values.where(""));
    for (const auto& [name, value] : values.all()) {
      if (name != "each") base.set(name, value, values.where(name));
    }
    const auto* entries = std::get_if<std::vector<OptionValues>>(&values.at("each"));
    if (entries == nullptr) values.reject("each", "must be a list of tables.");
    for (const OptionValues& entry : *entries) read_quantity(expanded(base, entry));
  }

  void read_quantity(const OptionValues& written) {
    OptionValues values = written;
    const std::string name = named_context(written, "quantity");
    values.set_context(name, written.where(""));
    ValidationQuantity quantity;
    read_extractions(values, quantity);
    OptionValues rest;
    rest.set_context(name, written.where(""));
    OptionTable keys;
    for (const Option& option : section_table("quantity")) {
      const bool other = std::count(extraction_keys().begin(), extraction_keys().end(), option.name) > 0;
      if (!other && option.name != "each") keys.push_back(option);
    }
    for (const auto& [key, value] : values.all()) {
      if (std::count(extraction_keys().begin(), extraction_keys().end(), key) == 0)
        rest.set(key, value, values.where(key));
    }
    rest.complete(keys);
    read_judgement(rest, quantity);
    case_.quantities.push_back(std::move(quantity));
  }

  OptionValues extraction(const OptionValues& quantity, const std::string& key, const OptionValues& written) const {
    OptionValues holder;
    holder.set_context(quantity.context(), quantity.where(key));
    holder.set(key, std::vector{written}, quantity.where(key));
    Option option = detail::extraction_option();
    option.name = key;
    holder.complete({option});
    OptionValues values = holder.table(key);
    if (values.has("run")) require_run(values, "run", values.text("run"));
    if (values.has("data")) values.set("data", (folder_ / values.text("data")).string(), values.where("data"));
    if (values.text("kind") == "curve") {
      const bool place = values.has("along") && values.has("at");
      const bool half = values.has("along") || values.has("at");
      if (values.has("point") == half || half != place) {
        values.reject("kind", "needs either `point`, or `along` and `at`.");
      }
    }
    if (values.text("kind") == "history" && (values.text("value") == "sample") != values.has("time")) {
      values.reject("value", "sample needs a `time`, and steady-peak takes none.");
    }
    if (values.has("amplitude") && values.has("number")) values.reject("number", "and amplitude exclude each other.");
    return values;
  }

  void read_extractions(const OptionValues& values, ValidationQuantity& quantity) const {
    for (const char* key : {"take", "verify"}) {
      require(values.has(key), "{}: {}: '{}' is missing: {}", values.where(""), values.context(), key,
              key == std::string("take") ? "it says where in the results the number is."
                                         : "every number is computed a second time, finer or by another method.");
    }
    require(values.has("against") == values.has("combine"), "{}: {}: `against` and `combine` go together.",
            values.where(""), values.context());
    const OptionValues take = raw_tables(values, "take").front();
    quantity.computed.value = extraction(values, "take", take);
    for (const OptionValues& second : raw_tables(values, "verify")) {
      Extraction& verified = quantity.verified.emplace_back();
      verified.value = extraction(values, "verify", merged_extraction(take, second));
    }
    const auto against = raw_tables(values, "against");
    if (!against.empty()) read_against(values, merged_extraction(take, against.front()), quantity);
    for (const Extraction& verified : quantity.verified) {
      const bool same = !verified.against || same_values(*quantity.computed.against, *verified.against);
      if (same && same_values(quantity.computed.value, verified.value)) {
        values.reject("verify", "takes the same number from the same run: it must be another computation.");
      }
    }
  }

  void read_against(const OptionValues& values, const OptionValues& against, ValidationQuantity& quantity) const {
    quantity.computed.against = extraction(values, "against", against);
    const auto seconds = raw_tables(values, "verify_against");
    const std::size_t count = quantity.verified.size();
    if (seconds.size() > 1 && seconds.size() != count) {
      values.reject("verify_against", fmt::format("must be one table, or one for each of the {} of `verify`.", count));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const OptionValues& second = seconds.empty() ? against : seconds[seconds.size() == 1 ? 0 : i];
      quantity.verified[i].against = extraction(values, "verify_against", merged_extraction(against, second));
    }
  }

  void read_judgement(const OptionValues& values, ValidationQuantity& quantity) {
    quantity.name = values.text("name");
    require(values.has("published"), "{}: {}: 'published' is missing: the id of a published value.", values.where(""),
            values.context());
    quantity.published = find_published(values, values.text("published"));
    quantity.compare = values.text("compare");
    quantity.reason = values.text("reason");
    quantity.verified_how = values.text("verified_how");
    if (values.has("combine")) quantity.computed.combine = values.text("combine");
    for (Extraction& second : quantity.verified) second.combine = quantity.computed.combine;
    if (values.has("series")) quantity.series = values.text("series");
    if (values.has("at")) quantity.at = values.number("at");
    read_acceptance(values, quantity);
    for (const Claim claim :
         {Claim::reproduced, Claim::calibrated, Claim::predicted, Claim::not_reproduced, Claim::undecided}) {
      if (values.text("claim") == to_string(claim)) quantity.claim = claim;
    }
    if (values.has("why")) quantity.why = values.text("why");
    const bool plain = quantity.claim == Claim::reproduced || quantity.claim == Claim::predicted;
    if (!plain && quantity.why.empty()) {
      values.reject("claim", "needs a `why`: on which data it was calibrated, or what the evidence is.");
    }
  }

  static void read_acceptance(const OptionValues& values, ValidationQuantity& quantity) {
    require(values.has("relative") != values.has("absolute"),
            "{}: {}: the acceptance is either `relative` or `absolute`, one of them.", values.where(""),
            values.context());
    if (values.has("absolute")) {
      quantity.acceptance = values.number("absolute");
      return;
    }
    quantity.acceptance = values.number("relative") * std::abs(quantity.published.value);
    if (quantity.acceptance == 0.0)
      values.reject("relative", "has no meaning for a published value of 0; use absolute.");
  }

  /// `values` says the id under the key published.
  const PublishedValue& find_published(const OptionValues& values, const std::string& id) {
    std::vector<std::string> known;
    for (const PublishedValue& value : published_) {
      known.push_back(value.id);
      if (value.id != id) continue;
      used_.insert(id);
      return value;
    }
    values.reject("published", fmt::format("is not in the table of published values.{}", suggestion(id, known)));
  }

  void read_null_test(OptionValues& values) {
    values.set_context("null_test", values.where(""));
    values.complete(section_table("null_test"));
    const NullTest test{values.text("name"), values.text("how"), values.text("series"), values.numbers("values")};
    const auto wanted = std::count_if(case_.quantities.begin(), case_.quantities.end(),
                                      [&](const ValidationQuantity& one) { return one.series == test.series; });
    if (wanted == 0) values.reject("series", "is the series of no quantity.");
    if (static_cast<std::size_t>(wanted) != test.values.size()) {
      values.reject("values", fmt::format("must have one value for each of the {} quantities of the series.", wanted));
    }
    case_.null_tests.push_back(test);
  }

  /// A list with one text for each of `runs`; all empty when it is not written.
  static std::vector<std::string> texts_of_runs(const OptionValues& values, const char* key, const char* what) {
    const std::size_t count = values.texts("runs").size();
    if (!values.has(key)) return std::vector<std::string>(count);
    if (values.texts(key).size() != count)
      values.reject(key, fmt::format("must have one {} for each of `runs`.", what));
    return values.texts(key);
  }

  void read_cost(OptionValues& values) {
    values.set_context("cost", values.where(""));
    values.complete(section_table("cost"));
    CostComparison comparison{values.text("name"),
                              values.text("reference"),
                              values.texts("runs"),
                              {},
                              values.number("within"),
                              values.text("reason"),
                              texts_of_runs(values, "why", "text"),
                              {}};
    require_run(values, "reference", comparison.reference);
    for (const std::string& name : comparison.runs) require_run(values, "runs", name);
    for (const std::string& id : texts_of_runs(values, "published", "id")) {
      comparison.published.emplace_back();
      if (!id.empty()) comparison.published.back() = find_published(values, id);
    }
    for (const std::string& claim : texts_of_runs(values, "claims", "text")) {
      comparison.claims.emplace_back();
      for (const Claim known : {Claim::reproduced, Claim::not_reproduced, Claim::undecided}) {
        if (claim == to_string(known)) comparison.claims.back() = known;
      }
    }
    case_.costs.push_back(std::move(comparison));
  }

  void read_figure(const OptionValues& written) {
    OptionValues holder;
    holder.set_context("", written.where(""));
    holder.set("figure", std::vector{written}, written.where(""));
    holder.complete(section_table("figure"));
    const OptionValues& values = holder.table("figure");
    if (values.has("runs")) {
      for (const std::string& name : values.texts("runs")) require_run(values, "runs", name);
    }
    case_.figures.push_back(values);
  }

  fs::path folder_;
  OptionValues root_;
  ValidationCase case_;
  std::vector<PublishedValue> published_;
  std::set<std::string> used_;
};

}  // namespace

ValidationCase read_validation_case(const std::string& folder) { return CaseReader(folder).read(); }

}  // namespace masing
