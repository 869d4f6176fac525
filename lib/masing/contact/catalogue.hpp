// The catalogue of laws: what `law = "…"` in a joint may say, with parameters, references and limits.
#pragma once

#include "masing/contact/element.hpp"
#include "masing/core/options.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace masing {

struct LawEntry {
  std::string name;       ///< "jenkins"
  std::string summary;    ///< one sentence
  std::string equation;   ///< the force in one or two lines of plain text
  std::string reference;  ///< publication
  std::string limits;     ///< what it does not describe; empty if there is nothing to say
  int inputs = 1;         ///< D; 0 when the parameters decide
  OptionTable parameters;
  std::function<std::shared_ptr<const ContactElement>(const OptionValues&)> make;
};

const std::vector<LawEntry>& law_catalogue();
/// Null when there is none of that name.
const LawEntry* find_law(std::string_view name);

}  // namespace masing
