#include "masing/io/detail/result_layout.hpp"

#include "masing/core/error.hpp"

#include <algorithm>
#include <utility>

namespace masing::detail {

std::string encode_name(const std::string& name) {
  std::string link;
  for (const char c : name) {
    if (c == '/' || c == '.' || c == '%')
      link += fmt::format("%{:02X}", static_cast<unsigned>(c));
    else
      link += c;
  }
  return link;
}

Index coefficient_count(const std::vector<int>& harmonics, Index motions) {
  Index per_motion = 0;
  for (const int harmonic : harmonics) per_motion += harmonic == 0 ? 1 : 2;
  return per_motion * motions;
}

void write_rows(h5::Group& group, const std::string& name, const Matrix& rows, const std::string& unit,
                const std::string& description) {
  h5::Series series = group.create_series(
      name, {.columns = rows.cols(), .text_length = 0, .expected_rows = std::max<Index>(rows.rows(), 1)}, unit,
      description);
  for (Index i = 0; i < rows.rows(); ++i) series.append(Vector(rows.row(i).transpose()));
  series.write();
}

h5::Group create_observable(h5::Group& parent, const Observable& observable, std::int64_t order) {
  const std::string quantity(to_string(observable.quantity));
  h5::Group group = parent.create_group(encode_name(observable.name), quantity + " of one coordinate");
  group.set_attribute("unit", std::string(unit_of(observable)));
  group.set_attribute("name", observable.name);
  group.set_attribute("quantity", quantity);
  group.set_attribute("coordinate", static_cast<std::int64_t>(observable.coordinate));
  group.set_attribute("order", order);
  return group;
}

std::vector<Observable> read_observables(const h5::Group& parent) {
  std::vector<std::pair<std::int64_t, Observable>> found;
  for (const std::string& link : parent.children()) {
    const h5::Group group = parent.group(link);
    Observable observable{.name = group.text_attribute("name"), .coordinate = group.integer_attribute("coordinate")};
    const std::string quantity = group.text_attribute("quantity");
    for (const Quantity candidate : {Quantity::displacement, Quantity::velocity, Quantity::acceleration})
      if (to_string(candidate) == quantity) observable.quantity = candidate;
    observable.rotation = group.has_attribute("unit") && group.text_attribute("unit").starts_with("rad");
    found.emplace_back(group.integer_attribute("order"), std::move(observable));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Observable> observables;
  for (auto& [order, observable] : found) observables.push_back(std::move(observable));
  return observables;
}

}  // namespace masing::detail
