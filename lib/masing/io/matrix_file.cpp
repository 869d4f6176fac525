#include "masing/io/matrix_file.hpp"

#include "masing/core/error.hpp"
#include "masing/io/detail/matrix_readers.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace masing {
namespace {

enum class Format { text, hdf5, matlab, dmig, unknown };

Format format_of(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (extension == ".mtx") return Format::text;
  if (extension == ".h5" || extension == ".hdf5") return Format::hdf5;
  if (extension == ".mat") return Format::matlab;
  if (extension == ".pch" || extension == ".dmig") return Format::dmig;
  return Format::unknown;
}

struct Reference {
  std::string file;
  std::string inside;  // behind the colon
  Format format = Format::unknown;
};

// The first colon behind a known extension separates; other colons belong to the file's name or to the path inside.
Reference parse(const std::string& text) {
  for (std::size_t colon = text.find(':'); colon != std::string::npos; colon = text.find(':', colon + 1)) {
    const Format format = format_of(text.substr(0, colon));
    if (format != Format::unknown) return {text.substr(0, colon), text.substr(colon + 1), format};
  }
  return {text, "", format_of(text)};
}

void check_finite(const SparseMatrix& matrix, const std::string& where) {
  for (Index column = 0; column < matrix.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry) {
      require(std::isfinite(entry.value()),
              "{}: the entry in row {}, column {} is {}. All entries must be finite numbers.", where, entry.row() + 1,
              entry.col() + 1, entry.value());
    }
  }
}

LabelledMatrix read(const Reference& reference, const std::string& path) {
  switch (reference.format) {
    case Format::text:
      require(reference.inside.empty(), "'{}': a Matrix Market file holds one matrix; leave off ':{}'.", path,
              reference.inside);
      if (detail::is_abaqus_matrix(path)) return detail::read_abaqus_matrix(path);
      return detail::read_matrix_market(path);
    case Format::hdf5:
      return detail::read_hdf5_matrix(path, reference.inside);
    case Format::matlab:
      return detail::read_matlab_matrix(path, reference.inside);
    case Format::dmig:
      return detail::read_dmig_matrix(path, reference.inside);
    case Format::unknown:
      break;
  }
  throw ModelError(
      fmt::format("'{}': the kind of file is not known. Use .mtx (Matrix Market or Abaqus), .h5 or .hdf5 (HDF5, "
                  "\"file.h5:/path\"), .mat (MATLAB, \"file.mat:name\"), or .pch or .dmig (Nastran, "
                  "\"file.pch:NAME\").",
                  path));
}

}  // namespace

LabelledMatrix read_labelled_matrix(const std::string& reference, const std::filesystem::path& base_folder) {
  const Reference parsed = parse(reference);
  const std::filesystem::path path = base_folder / parsed.file;
  require(!parsed.file.empty(), "a file name is missing in \"{}\".", reference);
  require(parsed.format == Format::unknown || std::filesystem::exists(path),
          "the file '{}' does not exist. File names are relative to the study file.", path.string());
  require(!std::filesystem::is_directory(path), "'{}' is a folder, not a matrix file.", path.string());
  LabelledMatrix result = read(parsed, path.string());
  check_finite(result.matrix, path.string() + (parsed.inside.empty() ? "" : ":" + parsed.inside));
  result.matrix.makeCompressed();
  return result;
}

SparseMatrix read_matrix(const std::string& reference, const std::filesystem::path& base_folder) {
  return read_labelled_matrix(reference, base_folder).matrix;
}

MatrixLoader matrix_loader(std::filesystem::path base_folder) {
  return [folder = std::move(base_folder)](const std::string& reference) {
    return read_labelled_matrix(reference, folder);
  };
}

}  // namespace masing
