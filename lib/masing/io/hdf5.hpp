// A small layer over the HDF5 C library: handles that close themselves, errors as exceptions, and just the objects that
// result files need: groups, texts, arrays, and series (datasets that grow by rows).
//
//   h5::File file = h5::File::create("x.h5");
//   h5::Series speed = file.root().create_series("speed", {.columns = 3}, "m/s", "velocity of each point");
//   speed.append(values);   // into memory
//   speed.write();          // to the library, in one go
//   file.flush();           // to the disk
//
// The HDF5 library of Debian is not thread-safe: hold `library_mutex()` around every use of this layer when more than
// one thread may be in it. Errors are ModelError for files that cannot be opened or made, Error for the rest.
#pragma once

#include "masing/core/types.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace masing::h5 {

std::recursive_mutex& library_mutex();

/// Owns one identifier of the library, whatever its kind.
class Handle {
 public:
  Handle() = default;
  /// Takes over `id`; a negative one becomes an Error that begins with `doing`.
  Handle(std::int64_t id, std::string_view doing);
  ~Handle();
  Handle(Handle&& other) noexcept : id_(other.id_) { other.id_ = -1; }
  Handle& operator=(Handle&& other) noexcept;
  std::int64_t id() const { return id_; }

 private:
  std::int64_t id_ = -1;
};

/// What groups and datasets share: attributes.
class Node {
 public:
  void set_attribute(const std::string& name, const std::string& text);
  void set_attribute(const std::string& name, double value);
  void set_attribute(const std::string& name, std::int64_t value);
  bool has_attribute(const std::string& name) const;
  std::string text_attribute(const std::string& name) const;  ///< these three: Error if missing or of another kind
  double number_attribute(const std::string& name) const;
  std::int64_t integer_attribute(const std::string& name) const;

 protected:
  friend class Group;
  explicit Node(Handle handle) : handle_(std::move(handle)) {}
  void describe(const std::string& unit, const std::string& description);
  Handle handle_;
};

/// Rows of a series: `columns` = 0 makes a list (rank 1), otherwise a matrix (rank 2) that grows downwards.
struct SeriesShape {
  enum class Element { real, integer, text };
  Element element = Element::real;
  Index columns = 0;
  std::size_t text_length = 0;  ///< bytes of each text, for Element::text
  Index expected_rows = 256;    ///< a guess; space is taken for at most so many at a time
};

/// A dataset that grows by rows. Reals that were announced but never written read as NaN.
class Series : public Node {
 public:
  void append(const Vector& row);      ///< one row of reals; its size must be the number of columns (or 1 for a list)
  void append(double value);           ///< for lists
  void append(std::int64_t value);     ///< for lists of integers
  void append(std::string_view text);  ///< for lists of texts; Error if it is too long
  void write();                        ///< hands the appended rows to the library
  Index rows() const { return written_ + pending_rows_; }

 private:
  friend class Group;
  Series(Handle dataset, const SeriesShape& shape, std::string name);
  void add_bytes(const void* data, std::size_t bytes);
  SeriesShape shape_;
  std::string name_;
  Index written_ = 0;
  Index pending_rows_ = 0;
  std::vector<std::byte> pending_;
};

class Group : public Node {
 public:
  Group create_group(const std::string& name, const std::string& description);
  Group group(const std::string& name) const;  ///< Error if missing
  bool has(const std::string& name) const;
  bool has_group(const std::string& name) const;
  Node node(const std::string& name) const;   ///< a group or dataset, for its attributes; Error if missing
  std::vector<std::string> children() const;  ///< names in alphabetical order
  void remove(const std::string& name);

  Series create_series(const std::string& name, const SeriesShape& shape, const std::string& unit,
                       const std::string& description);
  void write(const std::string& name, const Vector& values, const std::string& unit, const std::string& description);
  void write(const std::string& name, const std::vector<std::int64_t>& values, const std::string& unit,
             const std::string& description);
  void write(const std::string& name, const std::vector<std::string>& texts, const std::string& description);
  void write_text(const std::string& name, const std::string& text, const std::string& description);

  /// Rank 1 becomes one column. Rows that a kill in the middle of a flush left unreadable, and those behind, are left
  /// off.
  Matrix read_reals(const std::string& name) const;
  std::vector<std::int64_t> read_integers(const std::string& name) const;
  std::vector<std::string> read_texts(const std::string& name) const;
  std::string read_text(const std::string& name) const;

 private:
  friend class File;
  explicit Group(Handle handle) : Node(std::move(handle)) {}
  Handle create_dataset(const std::string& name, std::int64_t type, std::int64_t space, std::int64_t properties);
};

class File {
 public:
  static File create(const std::string& path);        ///< replaces an old file
  static File open_to_read(const std::string& path);  ///< ModelError: missing, not HDF5, in use
  Group root() const;
  void flush();

 private:
  explicit File(Handle handle) : handle_(std::move(handle)) {}
  Handle handle_;
};

}  // namespace masing::h5
