#include "masing/io/hdf5.hpp"

#include "masing/io/detail/hdf5_support.hpp"

#include <filesystem>
#include <utility>

namespace masing::h5 {

using detail::check;
using detail::last_reason;
using detail::text_type;

namespace detail {

std::string last_reason() {
  std::string reason;
  const auto keep_first = [](unsigned, const H5E_error2_t* error, void* target) -> herr_t {
    auto& text = *static_cast<std::string*>(target);
    if (text.empty() && error->desc != nullptr) text = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  H5Eclear2(H5E_DEFAULT);
  return reason.empty() ? "no reason given" : reason;
}

void check(herr_t status, std::string_view doing) {
  if (status < 0) throw Error(fmt::format("HDF5: cannot {}: {}", doing, last_reason()));
}

Handle text_type(std::size_t bytes) {
  Handle type(H5Tcopy(H5T_C_S1), "make a text type");
  check(H5Tset_size(type.id(), bytes), "set the length of a text");
  check(H5Tset_strpad(type.id(), bytes == H5T_VARIABLE ? H5T_STR_NULLTERM : H5T_STR_NULLPAD), "set text padding");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "set UTF-8");
  return type;
}

}  // namespace detail

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

Handle::Handle(std::int64_t id, std::string_view doing) : id_(id) {
  if (id < 0) throw Error(fmt::format("HDF5: cannot {}: {}", doing, last_reason()));
}

Handle::~Handle() {
  if (id_ >= 0) H5Idec_ref(id_);
}

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

// --- attributes ------------------------------------------------------------------------------------------------------

namespace {

Handle make_attribute(hid_t owner, const std::string& name, hid_t type) {
  if (H5Aexists(owner, name.c_str()) > 0) check(H5Adelete(owner, name.c_str()), "replace attribute " + name);
  const Handle scalar(H5Screate(H5S_SCALAR), "make a scalar");
  return {H5Acreate2(owner, name.c_str(), type, scalar.id(), H5P_DEFAULT, H5P_DEFAULT), "make attribute " + name};
}

Handle open_attribute(hid_t owner, const std::string& name) {
  return {H5Aopen(owner, name.c_str(), H5P_DEFAULT), "open attribute " + name};
}

}  // namespace

void Node::set_attribute(const std::string& name, const std::string& text) {
  const Handle type = text_type(H5T_VARIABLE);
  const Handle attribute = make_attribute(handle_.id(), name, type.id());
  const char* pointer = text.c_str();
  check(H5Awrite(attribute.id(), type.id(), &pointer), "write attribute " + name);
}

void Node::set_attribute(const std::string& name, double value) {
  const Handle attribute = make_attribute(handle_.id(), name, H5T_IEEE_F64LE);
  check(H5Awrite(attribute.id(), H5T_NATIVE_DOUBLE, &value), "write attribute " + name);
}

void Node::set_attribute(const std::string& name, std::int64_t value) {
  const Handle attribute = make_attribute(handle_.id(), name, H5T_STD_I64LE);
  check(H5Awrite(attribute.id(), H5T_NATIVE_INT64, &value), "write attribute " + name);
}

bool Node::has_attribute(const std::string& name) const { return H5Aexists(handle_.id(), name.c_str()) > 0; }

std::string Node::text_attribute(const std::string& name) const {
  const Handle attribute = open_attribute(handle_.id(), name);
  const Handle type = text_type(H5T_VARIABLE);
  char* pointer = nullptr;
  check(H5Aread(attribute.id(), type.id(), &pointer), "read attribute " + name);
  const std::string text = pointer == nullptr ? "" : pointer;
  H5free_memory(pointer);
  return text;
}

double Node::number_attribute(const std::string& name) const {
  double value = 0.0;
  check(H5Aread(open_attribute(handle_.id(), name).id(), H5T_NATIVE_DOUBLE, &value), "read attribute " + name);
  return value;
}

std::int64_t Node::integer_attribute(const std::string& name) const {
  std::int64_t value = 0;
  check(H5Aread(open_attribute(handle_.id(), name).id(), H5T_NATIVE_INT64, &value), "read attribute " + name);
  return value;
}

void Node::describe(const std::string& unit, const std::string& description) {
  if (!unit.empty()) set_attribute("unit", unit);
  set_attribute("description", description);
}

// --- groups ----------------------------------------------------------------------------------------------------------

Group Group::create_group(const std::string& name, const std::string& description) {
  Group child(
      Handle(H5Gcreate2(handle_.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "make group " + name));
  child.describe("", description);
  return child;
}

Group Group::group(const std::string& name) const {
  return Group(Handle(H5Gopen2(handle_.id(), name.c_str(), H5P_DEFAULT), "open group " + name));
}

bool Group::has(const std::string& name) const { return H5Lexists(handle_.id(), name.c_str(), H5P_DEFAULT) > 0; }

bool Group::has_group(const std::string& name) const {
  return has(name) && H5Iget_type(node(name).handle_.id()) == H5I_GROUP;
}

Node Group::node(const std::string& name) const {
  return Node(Handle(H5Oopen(handle_.id(), name.c_str(), H5P_DEFAULT), "open " + name));
}

std::vector<std::string> Group::children() const {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* target) -> herr_t {
    static_cast<std::vector<std::string>*>(target)->emplace_back(name);
    return 0;
  };
  check(H5Literate(handle_.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names), "list a group");
  return names;
}

void Group::remove(const std::string& name) {
  check(H5Ldelete(handle_.id(), name.c_str(), H5P_DEFAULT), "remove " + name);
}

// --- files -----------------------------------------------------------------------------------------------------------

namespace {

// The structure of the file reaches the disk in flushes only, never by eviction from the library's cache in between:
// what is on disk is then always the state of one moment.
void write_structure_in_flushes_only(const Handle& access) {
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  check(H5Pget_mdc_config(access.id(), &cache), "read the settings of the cache");
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  check(H5Pset_mdc_config(access.id(), &cache), "set the cache");
}

// Files are written in the format of HDF5 1.8: it has no "open for writing" mark, which would lock out every reader of
// the file of a killed run.
Handle access_properties() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), "make access properties");
  check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18), "choose the file format");
  write_structure_in_flushes_only(access);
  return access;
}

}  // namespace

File File::create(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const Handle access = access_properties();
  const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id());
  require(id >= 0,
          "cannot write the result file '{}': {}. Check that the folder exists, may be written to, and that no "
          "other program has the file open.",
          path, id < 0 ? last_reason() : "");
  return File(Handle(id, "create a file"));
}

File File::open_to_read(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  require(std::filesystem::exists(path), "'{}' does not exist.", path);
  require(!std::filesystem::is_directory(path), "'{}' is a folder, not an HDF5 file.", path);
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0) {
    const std::string reason = last_reason();
    require(H5Fis_hdf5(path.c_str()) > 0, "'{}' is not an HDF5 file.", path);
    throw ModelError(fmt::format("cannot open '{}': {}. Is another program still writing it?", path, reason));
  }
  return File(Handle(id, "open a file"));
}

Group File::root() const { return Group(Handle(H5Gopen2(handle_.id(), "/", H5P_DEFAULT), "open the root group")); }

void File::flush() { check(H5Fflush(handle_.id(), H5F_SCOPE_LOCAL), "flush the file (is the disk full?)"); }

}  // namespace masing::h5
