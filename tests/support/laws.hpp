// Laws made as a study file makes them: by name, with checked parameters.
#pragma once

#include "masing/contact/backbone_source.hpp"
#include "masing/contact/catalogue.hpp"

#include <stdexcept>

namespace masing::support {

using LawValues = std::vector<std::pair<std::string, OptionValue>>;

/// A nested table such as density = { kind = "hertz" }.
inline OptionValue table(const LawValues& entries) {
  OptionValues values;
  for (const auto& [name, value] : entries) values.set(name, value);
  return std::vector<OptionValues>{values};
}

inline OptionValues completed(const OptionTable& keys, const LawValues& entries, const std::string& context) {
  OptionValues values;
  values.set_context(context, "");
  for (const auto& [name, value] : entries) values.set(name, value);
  values.complete(keys);
  return values;
}

inline std::shared_ptr<const ContactElement> make_law(const std::string& name, const LawValues& values) {
  const LawEntry* entry = find_law(name);
  if (entry == nullptr) throw std::logic_error("no law " + name);
  if (!entry->needs_backbone()) return entry->make(completed(entry->parameters, values, name));
  OptionTable keys = entry->parameters;
  const BackboneSource& source = density_source();
  keys.insert(keys.end(), source.parameters.begin(), source.parameters.end());
  const OptionValues complete = completed(keys, values, name);
  return entry->make_from_backbone(complete, source.make(complete).backbone);
}

}  // namespace masing::support
