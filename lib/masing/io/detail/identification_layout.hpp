// An identification in the result file: /identification.
#pragma once

#include "masing/identification/identification.hpp"
#include "masing/io/hdf5.hpp"

namespace masing::detail {

void write_identification(h5::Group& group, const Identification& result);
Identification read_identification_group(const h5::Group& group);

}  // namespace masing::detail
