// The catalogue of laws: what `law = "…"` in a joint may say, with parameters, references and limits.
#pragma once

#include "masing/contact/backbone.hpp"
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
  std::function<std::shared_ptr<const ContactElement>(const OptionValues&)> make = {};
  /// Instead of `make`, for laws that are made from a backbone: it comes from one of the sources (backbone_source.hpp), whose
  /// keys stand beside `parameters` in the joint.
  std::function<std::shared_ptr<const ContactElement>(const OptionValues&, const BackbonePointer&)> make_from_backbone =
      {};
  /// For laws whose last input is a normal approach: the approach [m] at which the normal load is the given one [N].
  std::function<double(const OptionValues&, double load)> approach_for_load = {};

  bool needs_backbone() const { return static_cast<bool>(make_from_backbone); }
};

const std::vector<LawEntry>& law_catalogue();
/// Null when there is none of that name.
const LawEntry* find_law(std::string_view name);

}  // namespace masing
