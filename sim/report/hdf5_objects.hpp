#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

// HDF5's C calls as objects, for the files of this folder that write results.

namespace joulecast::report::hdf5 {

/// Thrown by a failed call, so that open handles close on the way out; the caller says which file it was.
struct Failed {
  const char* call;
};

inline herr_t checked(herr_t status, const char* call) {
  if (status < 0) throw Failed{call};
  return status;
}

/// An open HDF5 object and the function that closes it.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close closing, const char* call) : id_(id), close_(closing) {
    if (id < 0) throw Failed{call};
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  /// Closes now and says so if that fails, as a file on a full disk does.
  void close(const char* call) { checked(close_(std::exchange(id_, -1)), call); }

 private:
  hid_t id_;
  Close close_;
};

/// Keeps the library's own error text off the terminal while it lives.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

void put_attribute(hid_t object, const char* name, hid_t type, hid_t space, const void* value);
void put(hid_t object, const char* name, std::int64_t value);
void put(hid_t object, const char* name, std::uint64_t value);
void put(hid_t object, const char* name, double value);
/// A string of fixed length with its closing zero, as H5DS and netCDF expect.
void put(hid_t object, const char* name, const std::string& value);

/// A list of properties for making objects, without their times.
Handle untimed(hid_t creation_class);
/// One for links, with names in UTF-8.
Handle named_links();
Handle group(hid_t parent, const std::string& name, hid_t links);

/// A dimension scale and who uses it (HDF5 Dimension Scale Specification 1.0: the scale lists who uses it in REFERENCE_LIST, a user names its scales in
/// DIMENSION_LIST).
class Scale {
 public:
  /// `set` is a data set at `path` of the file, whose name becomes the scale's.
  Scale(hid_t file, const Handle& set, const std::string& path, const char* units, const char* meaning);
  hobj_ref_t reference() const { return reference_; }
  void used_by(hid_t parent, const char* name, int dimension);
  /// Tells the scale who uses it; after the last of them.
  void finish() const;

 private:
  struct User {
    hobj_ref_t set;
    int dimension;
    int padding;
  };
  const Handle& set_;
  hobj_ref_t reference_ = 0;
  std::vector<User> users_;
};

/// Names the scales of a data set, one a dimension, and has them know it.
void put_scales(hid_t parent, const char* name, const Handle& set, const std::vector<Scale*>& scales);

/// Creates a file and has `fill` write it. Throws UserError where that is not possible.
void write_file(const std::filesystem::path& path, const std::function<void(hid_t file)>& fill);

}  // namespace joulecast::report::hdf5
