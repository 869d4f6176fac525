// Where the backbone of a law comes from: what `from = "…"` in a joint may say.
//
//   from = "density"     (the default) a density or a backbone written down: stiffness, slip_force, density = { … }
//   from = "pressure"    a pressure field and a friction coefficient; from = "roughness": two rough surfaces (room joint)
#pragma once

#include "masing/contact/backbone.hpp"
#include "masing/core/options.hpp"

#include <functional>
#include <string>
#include <vector>

namespace masing {

struct SourcedBackbone {
  BackbonePointer backbone;
  std::vector<std::string> notes;  ///< derived numbers worth telling: "separation 3.63039e-06 m", one a line
};

struct BackboneSource {
  std::string name;       ///< "density"
  std::string summary;    ///< one sentence
  std::string equation;   ///< in one or two lines of plain text
  std::string reference;  ///< publication
  std::string limits;     ///< what it does not describe
  OptionTable parameters;
  std::function<SourcedBackbone(const OptionValues&)> make;
};

/// A backbone or density given by its parameters or by a table.
const BackboneSource& density_source();

}  // namespace masing
