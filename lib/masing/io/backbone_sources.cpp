#include "masing/io/backbone_sources.hpp"

#include "masing/joint/catalogue.hpp"

#include <algorithm>

namespace masing {

const std::vector<const BackboneSource*>& backbone_sources() {
  static const std::vector<const BackboneSource*> sources = [] {
    std::vector<const BackboneSource*> all = {&density_source()};
    for (const BackboneSource& source : surface_sources()) all.push_back(&source);
    return all;
  }();
  return sources;
}

const BackboneSource* find_backbone_source(std::string_view name) {
  const auto& sources = backbone_sources();
  const auto found =
      std::find_if(sources.begin(), sources.end(), [&](const BackboneSource* source) { return source->name == name; });
  return found == sources.end() ? nullptr : *found;
}

}  // namespace masing
