#include "report/hdf5_objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/error.hpp"

namespace joulecast::report::hdf5 {

void put_attribute(hid_t object, const char* name, hid_t type, hid_t space, const void* value) {
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "H5Acreate2");
  checked(H5Awrite(attribute, type, value), "H5Awrite");
}

namespace {

void put_scalar(hid_t object, const char* name, hid_t type, const void* value) {
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose, "H5Screate");
  put_attribute(object, name, type, scalar, value);
}

}  // namespace

void put(hid_t object, const char* name, std::int64_t value) { put_scalar(object, name, H5T_STD_I64LE, &value); }
void put(hid_t object, const char* name, std::uint64_t value) { put_scalar(object, name, H5T_STD_U64LE, &value); }
void put(hid_t object, const char* name, double value) { put_scalar(object, name, H5T_IEEE_F64LE, &value); }
void put(hid_t object, const char* name, const std::string& value) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy");
  checked(H5Tset_size(type, value.size() + 1), "H5Tset_size");
  const bool ascii = std::all_of(value.begin(), value.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80U; });
  if (!ascii) checked(H5Tset_cset(type, H5T_CSET_UTF8), "H5Tset_cset");
  put_scalar(object, name, type, value.c_str());
}

Handle untimed(hid_t creation_class) {
  Handle list(H5Pcreate(creation_class), H5Pclose, "H5Pcreate");
  checked(H5Pset_obj_track_times(list, 0), "H5Pset_obj_track_times");
  return list;
}

Handle named_links() {
  Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "H5Pcreate");
  checked(H5Pset_char_encoding(links, H5T_CSET_UTF8), "H5Pset_char_encoding");
  return links;
}

Handle group(hid_t parent, const std::string& name, hid_t links) {
  JOULECAST_CHECK(!name.empty() && name != "." && name.find('/') == std::string::npos, fmt::format("'{}' cannot name a group", name));
  const Handle creation = untimed(H5P_GROUP_CREATE);
  return {H5Gcreate2(parent, name.c_str(), links, creation, H5P_DEFAULT), H5Gclose, "H5Gcreate2"};
}

Scale::Scale(hid_t file, const Handle& set, const std::string& path, const char* units, const char* meaning) : set_(set) {
  put(set_, "CLASS", std::string("DIMENSION_SCALE"));
  put(set_, "NAME", path);
  put(set_, "units", std::string(units));
  put(set_, "long_name", std::string(meaning));
  checked(H5Rcreate(&reference_, file, path.c_str(), H5R_OBJECT, -1), "H5Rcreate");
}

void Scale::used_by(hid_t parent, const char* name, int dimension) {
  User user{};
  checked(H5Rcreate(&user.set, parent, name, H5R_OBJECT, -1), "H5Rcreate");
  user.dimension = dimension;
  users_.push_back(user);
}

void Scale::finish() const {
  if (users_.empty()) return;
  const Handle type(H5Tcreate(H5T_COMPOUND, sizeof(User)), H5Tclose, "H5Tcreate");
  checked(H5Tinsert(type, "dataset", offsetof(User, set), H5T_STD_REF_OBJ), "H5Tinsert");
  checked(H5Tinsert(type, "dimension", offsetof(User, dimension), H5T_NATIVE_INT), "H5Tinsert");
  const hsize_t count = users_.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "H5Screate_simple");
  put_attribute(set_, "REFERENCE_LIST", type, space, users_.data());
}

void put_scales(hid_t parent, const char* name, const Handle& set, const std::vector<Scale*>& scales) {
  std::vector<hobj_ref_t> references;
  for (const Scale* scale : scales) references.push_back(scale->reference());
  std::vector<hvl_t> lists;
  for (hobj_ref_t& reference : references) lists.push_back({1, &reference});
  const Handle type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, "H5Tvlen_create");
  const hsize_t count = lists.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "H5Screate_simple");
  put_attribute(set, "DIMENSION_LIST", type, space, lists.data());
  for (std::size_t d = 0; d < scales.size(); ++d) scales[d]->used_by(parent, name, static_cast<int>(d));
}

void write_file(const std::filesystem::path& path, const std::function<void(hid_t file)>& fill) {
  const Quiet quiet;
  try {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate");
    checked(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18), "H5Pset_libver_bounds");
    const Handle creation = untimed(H5P_FILE_CREATE);
    Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, "H5Fcreate");
    fill(file);
    file.close("H5Fclose");
  } catch (const Failed& failed) {
    throw UserError(Place{path.string()}, fmt::format("the results cannot be written here ({} failed)", failed.call),
                    "choose a folder with room that you may write to, with --out");
  }
}

}  // namespace joulecast::report::hdf5
