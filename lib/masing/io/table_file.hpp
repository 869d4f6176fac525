// Tables of numbers from files: pressure fields, densities, histories.
//
//   "pressure.csv"    text (.csv, .tsv, .txt, .dat): a row a line, cells separated by commas, semicolons, tabs or spaces; the
//                     first line may hold names instead of numbers; empty lines and lines that begin with # are left out
//   "model.h5:/p"     and whatever else holds a matrix (matrix_file.hpp)
#pragma once

#include "masing/core/options.hpp"

#include <filesystem>
#include <string>

namespace masing {

/// Relative file names are taken from `base_folder`. Throws ModelError with file, line and value.
Matrix read_table(const std::string& reference, const std::filesystem::path& base_folder);

/// Replaces every file name that stands where `table` asks for a matrix by what is in the file, in nested tables too. To be
/// called before OptionValues::complete; `context` ("joint 'support'") is for messages.
void read_file_tables(OptionValues& values, const OptionTable& table, const std::string& context,
                      const std::filesystem::path& base_folder);

}  // namespace masing
