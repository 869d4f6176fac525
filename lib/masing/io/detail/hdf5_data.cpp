// Datasets of the HDF5 layer: fixed arrays, texts, and series that grow by rows.
#include "masing/io/detail/hdf5_support.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace masing::h5 {

using detail::check;
using detail::text_type;
using Element = SeriesShape::Element;

namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr hsize_t chunk_bytes = 16 * 1024;  // about one chunk a dataset for the usual branch of a small system
constexpr std::size_t chunk_slots = 101;    // hash slots of the chunk cache: a prime well above the two chunks held
constexpr std::size_t chunks_held = 2;

std::size_t element_bytes(const SeriesShape& shape) {
  return shape.element == Element::text ? shape.text_length : sizeof(double);
}

Handle memory_type(const SeriesShape& shape) {
  if (shape.element == Element::text) return text_type(shape.text_length);
  return {H5Tcopy(shape.element == Element::real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64), "copy a type"};
}

Handle file_type(const SeriesShape& shape) {
  if (shape.element == Element::text) return text_type(shape.text_length);
  return {H5Tcopy(shape.element == Element::real ? H5T_IEEE_F64LE : H5T_STD_I64LE), "copy a type"};
}

int rank_of(const SeriesShape& shape) { return shape.columns == 0 ? 1 : 2; }

hsize_t chunk_rows(const SeriesShape& shape) {
  const hsize_t row = std::max<hsize_t>(1, static_cast<hsize_t>(shape.columns)) * element_bytes(shape);
  const auto most = static_cast<hsize_t>(shape.expected_rows);
  return std::clamp<hsize_t>(chunk_bytes / row, 1, most);
}

Handle series_properties(const SeriesShape& shape) {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), "make dataset properties");
  const std::array<hsize_t, 2> chunk = {chunk_rows(shape), static_cast<hsize_t>(shape.columns)};
  check(H5Pset_chunk(properties.id(), rank_of(shape), chunk.data()), "set chunks");
  // Space is taken when a series is enlarged, so that the end of the file does not move in the middle of a flush.
  check(H5Pset_alloc_time(properties.id(), H5D_ALLOC_TIME_EARLY), "set the time of allocation");
  if (shape.element == Element::real) {
    const double unwritten = std::numeric_limits<double>::quiet_NaN();
    check(H5Pset_fill_value(properties.id(), H5T_NATIVE_DOUBLE, &unwritten), "set the fill value");
  }
  return properties;
}

std::vector<hsize_t> extent_of(hid_t space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> extent(static_cast<std::size_t>(std::max(0, rank)));
  if (rank > 0) check(H5Sget_simple_extent_dims(space, extent.data(), nullptr), "read the size of a dataset");
  return extent;
}

Handle rows_selected(hid_t dataset, hsize_t first, hsize_t rows, hsize_t columns) {
  Handle space(H5Dget_space(dataset), "open a dataspace");
  const std::array<hsize_t, 2> start = {first, 0};
  const std::array<hsize_t, 2> count = {rows, columns};
  check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), "select rows");
  return space;
}

Handle rows_in_memory(int rank, hsize_t rows, hsize_t columns) {
  const std::array<hsize_t, 2> extent = {rows, columns};
  return {H5Screate_simple(rank, extent.data(), nullptr), "make a dataspace"};
}

// Reads all rows or, where a kill in the middle of a flush left some that cannot be read, those before the first such.
// Returns how many.
hsize_t read_rows(hid_t dataset, hid_t type, const std::vector<hsize_t>& extent, std::size_t row_bytes, void* target) {
  const hsize_t rows = extent.empty() ? 1 : extent[0];
  if (rows == 0 || H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, target) >= 0) return rows;
  if (extent.empty()) throw Error(fmt::format("HDF5: cannot read a text: {}", detail::last_reason()));
  const int rank = static_cast<int>(extent.size());
  const hsize_t columns = rank == 2 ? extent[1] : 0;
  for (hsize_t row = 0; row < rows; ++row) {
    const Handle memory = rows_in_memory(rank, 1, columns);
    const Handle selected = rows_selected(dataset, row, 1, columns);
    auto* place = static_cast<std::byte*>(target) + row * row_bytes;
    if (H5Dread(dataset, type, memory.id(), selected.id(), H5P_DEFAULT, place) < 0) return row;
  }
  return rows;
}

}  // namespace

// --- series ----------------------------------------------------------------------------------------------------------

Series::Series(Handle dataset, const SeriesShape& shape, std::string name)
    : Node(std::move(dataset)), shape_(shape), name_(std::move(name)) {}

void Series::add_bytes(const void* data, std::size_t bytes) {
  const auto* first = static_cast<const std::byte*>(data);
  pending_.insert(pending_.end(), first, first + bytes);
  ++pending_rows_;
}

void Series::append(const Vector& row) {
  if (row.size() != std::max<Index>(1, shape_.columns))
    throw Error(fmt::format("dataset '{}': a row of {} values handed in, {} expected.", name_, row.size(),
                            std::max<Index>(1, shape_.columns)));
  add_bytes(row.data(), static_cast<std::size_t>(row.size()) * sizeof(double));
}

void Series::append(double value) { add_bytes(&value, sizeof value); }

void Series::append(std::int64_t value) { add_bytes(&value, sizeof value); }

void Series::append(std::string_view text) {
  if (text.size() > shape_.text_length)
    throw Error(fmt::format("dataset '{}': the text '{}' is longer than {} bytes.", name_, text, shape_.text_length));
  std::string padded(text);
  padded.resize(shape_.text_length, '\0');
  add_bytes(padded.data(), padded.size());
}

void Series::write() {
  if (pending_rows_ == 0) return;
  const int rank = rank_of(shape_);
  const auto rows = static_cast<hsize_t>(pending_rows_);
  const auto columns = static_cast<hsize_t>(shape_.columns);
  const std::array<hsize_t, 2> extent = {static_cast<hsize_t>(written_) + rows, columns};
  check(H5Dset_extent(handle_.id(), extent.data()), "enlarge dataset " + name_);
  const Handle memory = rows_in_memory(rank, rows, columns);
  const Handle selected = rows_selected(handle_.id(), static_cast<hsize_t>(written_), rows, columns);
  const Handle type = memory_type(shape_);
  check(H5Dwrite(handle_.id(), type.id(), memory.id(), selected.id(), H5P_DEFAULT, pending_.data()),
        "write dataset " + name_);
  written_ += pending_rows_;
  pending_rows_ = 0;
  pending_.clear();
}

// --- making datasets -------------------------------------------------------------------------------------------------

Handle Group::create_dataset(const std::string& name, std::int64_t type, std::int64_t space, std::int64_t properties) {
  return {H5Dcreate2(handle_.id(), name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
          "make dataset " + name};
}

Series Group::create_series(const std::string& name, const SeriesShape& shape, const std::string& unit,
                            const std::string& description) {
  const std::array<hsize_t, 2> extent = {0, static_cast<hsize_t>(shape.columns)};
  const std::array<hsize_t, 2> limit = {H5S_UNLIMITED, static_cast<hsize_t>(shape.columns)};
  const Handle space(H5Screate_simple(rank_of(shape), extent.data(), limit.data()), "make a dataspace");
  const Handle type = file_type(shape);
  const Handle properties = series_properties(shape);
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), "make access properties");
  const std::size_t row_bytes =
      std::max<std::size_t>(1, static_cast<std::size_t>(shape.columns)) * element_bytes(shape);
  check(H5Pset_chunk_cache(access.id(), chunk_slots, chunks_held * chunk_rows(shape) * row_bytes, 1.0),
        "set the cache");
  Series series(
      Handle(H5Dcreate2(handle_.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, properties.id(), access.id()),
             "make dataset " + name),
      shape, name);
  series.describe(unit, description);
  return series;
}

void Group::write(const std::string& name, const Vector& values, const std::string& unit,
                  const std::string& description) {
  const Handle space = rows_in_memory(1, static_cast<hsize_t>(values.size()), 0);
  Series data(create_dataset(name, H5T_IEEE_F64LE, space.id(), H5P_DEFAULT), {}, name);
  check(H5Dwrite(data.handle_.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write " + name);
  data.describe(unit, description);
}

void Group::write(const std::string& name, const std::vector<std::int64_t>& values, const std::string& unit,
                  const std::string& description) {
  const Handle space = rows_in_memory(1, values.size(), 0);
  Series data(create_dataset(name, H5T_STD_I64LE, space.id(), H5P_DEFAULT), {}, name);
  check(H5Dwrite(data.handle_.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write " + name);
  data.describe(unit, description);
}

void Group::write(const std::string& name, const std::vector<std::string>& texts, const std::string& description) {
  std::size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size());
  std::string bytes(length * texts.size(), '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(bytes.data() + i * length, length);
  const Handle space = rows_in_memory(1, texts.size(), 0);
  const Handle type = text_type(length);
  Series data(create_dataset(name, type.id(), space.id(), H5P_DEFAULT), {}, name);
  check(H5Dwrite(data.handle_.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), "write " + name);
  data.describe("1", description);
}

void Group::write_text(const std::string& name, const std::string& text, const std::string& description) {
  if (has(name)) remove(name);
  const Handle space(H5Screate(H5S_SCALAR), "make a scalar");
  const Handle type = text_type(std::max<std::size_t>(1, text.size()));
  Series data(create_dataset(name, type.id(), space.id(), H5P_DEFAULT), {}, name);
  check(H5Dwrite(data.handle_.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()), "write " + name);
  data.describe("1", description);
}

// --- reading ---------------------------------------------------------------------------------------------------------

namespace {

// A dataset opened for reading.
struct Source {
  Source(hid_t group, const std::string& name)
      : dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), "open dataset " + name),
        extent(extent_of(Handle(H5Dget_space(dataset.id()), "open a dataspace").id())) {
    if (extent.size() > 2) throw Error(fmt::format("dataset '{}' has more than two dimensions.", name));
  }
  hsize_t rows() const { return extent.empty() ? 1 : extent[0]; }
  hsize_t columns() const { return extent.size() == 2 ? extent[1] : 1; }

  Handle dataset;
  std::vector<hsize_t> extent;
};

}  // namespace

Matrix Group::read_reals(const std::string& name) const {
  const Source source(handle_.id(), name);
  RowMatrix values(static_cast<Index>(source.rows()), static_cast<Index>(source.columns()));
  const hsize_t rows = read_rows(source.dataset.id(), H5T_NATIVE_DOUBLE, source.extent,
                                 source.columns() * sizeof(double), values.data());
  return values.topRows(static_cast<Index>(rows));
}

std::vector<std::int64_t> Group::read_integers(const std::string& name) const {
  const Source source(handle_.id(), name);
  std::vector<std::int64_t> values(source.rows() * source.columns());
  const std::size_t row_bytes = source.columns() * sizeof(std::int64_t);
  values.resize(source.columns() *
                read_rows(source.dataset.id(), H5T_NATIVE_INT64, source.extent, row_bytes, values.data()));
  return values;
}

std::vector<std::string> Group::read_texts(const std::string& name) const {
  const Source source(handle_.id(), name);
  const Handle type(H5Dget_type(source.dataset.id()), "open a type");
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) > 0)
    throw Error(fmt::format("dataset '{}' does not hold texts of fixed length.", name));
  const std::size_t length = H5Tget_size(type.id());
  std::string bytes(length * source.rows() * source.columns(), '\0');
  const hsize_t rows =
      read_rows(source.dataset.id(), type.id(), source.extent, length * source.columns(), bytes.data());
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < rows * source.columns(); ++i) {
    std::string text = bytes.substr(i * length, length);
    text.resize(text.find_last_not_of('\0') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string Group::read_text(const std::string& name) const {
  const std::vector<std::string> texts = read_texts(name);
  if (texts.size() != 1) throw Error(fmt::format("dataset '{}' is not one text.", name));
  return texts.front();
}

}  // namespace masing::h5
