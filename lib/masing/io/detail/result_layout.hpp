// What the writer and the reader of result files agree on.
#pragma once

#include "masing/analysis/results.hpp"
#include "masing/io/hdf5.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace masing::detail {

/// Raised when a reader of the old layout would misread a file.
inline constexpr std::int64_t layout_version = 1;
inline constexpr const char* program_name = "masing";
inline constexpr const char* interrupted = "interrupted";

/// A user's name as the name of an HDF5 link: '/', '.' and '%' are written %2F, %2E, %25, so different names stay
/// different. The name itself is kept in the attribute `name`.
std::string encode_name(const std::string& name);

/// Number of coefficients of `motions` motions: one for harmonic 0, two (cos, sin) for each other.
Index coefficient_count(const std::vector<int>& harmonics, Index motions);

/// A matrix of reals, row by row.
void write_rows(h5::Group& group, const std::string& name, const Matrix& rows, const std::string& unit,
                const std::string& description);

/// Observables as sub-groups, each with its name, coordinate, quantity and place in the list as attributes.
h5::Group create_observable(h5::Group& parent, const Observable& observable, std::int64_t order);
std::vector<Observable> read_observables(const h5::Group& parent);

}  // namespace masing::detail
