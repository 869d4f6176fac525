#include "masing/contact/detail/slip_slap_memory.hpp"

#include <cmath>

namespace masing::detail {

Index SlipSlapMemory::add(Index sample, double by_u, double by_w, Index first_parent) {
  MemorySource& source = result_.sources.emplace_back();
  source.sample = sample;
  source.by_displacement = Two{{by_u, by_w}};
  source.by_velocity = Two{{0.0, 0.0}};
  source.first_parent = first_parent;
  source.end_parent = static_cast<Index>(result_.parents.size());
  return static_cast<Index>(result_.sources.size()) - 1;
}

Index SlipSlapMemory::set(const MemorySetting& setting) {
  const auto parents = [&] { return static_cast<Index>(result_.parents.size()); };
  const auto add_parents = [&] {
    for (const MemoryParent& parent : setting.parents) {
      if (parent.source != constant && parent.weight != 0.0) result_.parents.push_back(parent);
    }
  };
  Index first_parent = parents();
  if (path_.is_known_between_samples()) {
    add_parents();
    const Index source = add(MemorySource::between_samples, setting.by_u, setting.by_w, first_parent);
    result_.sources.back().time = path_.time(setting.position);
    if (setting.by_u_rate != 0.0) result_.sources.back().by_rate = Two{{setting.by_u_rate, 0.0}};
    return source;
  }
  const double whole = std::floor(setting.position);
  const double share = setting.position - whole;
  const Index sample = static_cast<Index>(whole) % path_.samples();
  if (share == 0.0) {
    add_parents();
    return add(sample, setting.by_u, setting.by_w, first_parent);
  }
  const Index before = add(sample, (1.0 - share) * setting.by_u, (1.0 - share) * setting.by_w, first_parent);
  first_parent = parents();
  result_.parents.push_back({before, 1.0});
  add_parents();
  return add((sample + 1) % path_.samples(), share * setting.by_u, share * setting.by_w, first_parent);
}

Index SlipSlapMemory::set_to_mean(int input) {
  if (open_) return constant;
  const double weight = 1.0 / static_cast<double>(path_.samples());
  Index source = constant;
  for (Index i = 0; i < path_.samples(); ++i) {
    const Index first_parent = static_cast<Index>(result_.parents.size());
    if (source != constant) result_.parents.push_back({source, 1.0});
    const Index sample = path_.has_chosen_instants() ? MemorySource::between_samples : i;
    source = add(sample, input == 0 ? weight : 0.0, input == 0 ? 0.0 : weight, first_parent);
    result_.sources.back().time = path_.time(static_cast<double>(i));
  }
  return source;
}

void SlipSlapMemory::use(Index sample, Index source, double tangential, double normal) {
  if (source == constant || (tangential == 0.0 && normal == 0.0)) return;
  MemoryUse& use = result_.uses.emplace_back();
  use.sample = sample;
  use.source = source;
  use.weight.resize(2);
  use.weight << tangential, normal;
}

}  // namespace masing::detail
