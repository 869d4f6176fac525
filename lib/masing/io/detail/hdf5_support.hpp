// Shared by the .cpp files of the HDF5 layer only: the C header and the small things built on it.
#pragma once

#include "masing/core/error.hpp"
#include "masing/io/hdf5.hpp"

#include <hdf5.h>

#include <string>
#include <string_view>

namespace masing::h5::detail {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

/// The most specific sentence of the library's error stack, which is then cleared.
std::string last_reason();

/// Throws an Error "cannot <doing>: <reason>" for a negative status.
void check(herr_t status, std::string_view doing);

Handle text_type(std::size_t bytes);  ///< UTF-8, fixed length and zero-padded, or of length H5T_VARIABLE

}  // namespace masing::h5::detail
