#include "report/results_h5.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace joulecast::report {

namespace {

constexpr std::int64_t kSchema = 1;
constexpr hsize_t kChunk = 1 << 16;
constexpr unsigned kDeflate = 4;

/// Thrown by a failed call, so that open handles close on the way out; the caller says which file it was.
struct Failed {
  const char* call;
};

herr_t checked(herr_t status, const char* call) {
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

void put_attribute(hid_t object, const char* name, hid_t type, hid_t space, const void* value) {
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "H5Acreate2");
  checked(H5Awrite(attribute, type, value), "H5Awrite");
}

void put_scalar(hid_t object, const char* name, hid_t type, const void* value) {
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose, "H5Screate");
  put_attribute(object, name, type, scalar, value);
}
void put(hid_t object, const char* name, std::int64_t value) { put_scalar(object, name, H5T_STD_I64LE, &value); }
void put(hid_t object, const char* name, std::uint64_t value) { put_scalar(object, name, H5T_STD_U64LE, &value); }
void put(hid_t object, const char* name, double value) { put_scalar(object, name, H5T_IEEE_F64LE, &value); }
/// A string of fixed length with its closing zero, as H5DS and netCDF expect.
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

/// Series over bins and the dimension scale they share (HDF5 Dimension Scale Specification 1.0: the scale lists who uses it in
/// REFERENCE_LIST, a user names its scale in DIMENSION_LIST).
class Writer {
 public:
  Writer(hid_t file, const metering::EnergyAccount& energy)
      : file_(file),
        links_(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "H5Pcreate"),
        bins_(energy.watts.front().size()),
        space_(simple(bins_)),
        series_(series_layout(bins_)),
        scale_(H5Dcreate2(file, "bin_start", H5T_IEEE_F64LE, space_, links_, series_, H5P_DEFAULT), H5Dclose, "H5Dcreate2") {
    checked(H5Pset_char_encoding(links_, H5T_CSET_UTF8), "H5Pset_char_encoding");
    std::vector<double> starts(bins_);
    for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = static_cast<double>(i) * energy.bin_s;
    write(scale_, H5T_NATIVE_DOUBLE, starts.data());
    put(scale_, "CLASS", "DIMENSION_SCALE");
    put(scale_, "NAME", "bin_start");
    put(scale_, "units", "s");
    put(scale_, "long_name", "start of the bin, since the run began");
    checked(H5Rcreate(&scale_reference_, file_, "bin_start", H5R_OBJECT, -1), "H5Rcreate");
  }

  Handle group(hid_t parent, const std::string& name) const {
    JOULECAST_CHECK(!name.empty() && name != "." && name.find('/') == std::string::npos, fmt::format("'{}' cannot name a group", name));
    const Handle creation = untimed(H5P_GROUP_CREATE);
    return {H5Gcreate2(parent, name.c_str(), links_, creation, H5P_DEFAULT), H5Gclose, "H5Gcreate2"};
  }

  void series(hid_t parent, const char* name, const char* meaning, const std::vector<float>& watts) {
    JOULECAST_CHECK(watts.size() == bins_, fmt::format("series {} has {} bins of {}", name, watts.size(), bins_));
    const Handle set(H5Dcreate2(parent, name, H5T_IEEE_F32LE, space_, links_, series_, H5P_DEFAULT), H5Dclose, "H5Dcreate2");
    write(set, H5T_NATIVE_FLOAT, watts.data());
    put(set, "units", "W");
    put(set, "long_name", meaning);
    const Handle list_type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, "H5Tvlen_create");
    const Handle one = simple(1);
    const hvl_t list{1, const_cast<hobj_ref_t*>(&scale_reference_)};
    put_attribute(set, "DIMENSION_LIST", list_type, one, &list);
    User user{};
    checked(H5Rcreate(&user.set, parent, name, H5R_OBJECT, -1), "H5Rcreate");
    users_.push_back(user);
  }

  /// Tells the scale who uses it; after the last series.
  void finish() const {
    const Handle type(H5Tcreate(H5T_COMPOUND, sizeof(User)), H5Tclose, "H5Tcreate");
    checked(H5Tinsert(type, "dataset", offsetof(User, set), H5T_STD_REF_OBJ), "H5Tinsert");
    checked(H5Tinsert(type, "dimension", offsetof(User, dimension), H5T_NATIVE_INT), "H5Tinsert");
    const Handle space = simple(users_.size());
    put_attribute(scale_, "REFERENCE_LIST", type, space, users_.data());
  }

 private:
  struct User {
    hobj_ref_t set;
    int dimension;
    int padding;
  };

  static Handle simple(hsize_t size) { return {H5Screate_simple(1, &size, nullptr), H5Sclose, "H5Screate_simple"}; }
  static Handle series_layout(hsize_t bins) {
    Handle layout = untimed(H5P_DATASET_CREATE);
    if (bins > 0) {
      const hsize_t chunk = std::min(bins, kChunk);
      checked(H5Pset_chunk(layout, 1, &chunk), "H5Pset_chunk");
      checked(H5Pset_shuffle(layout), "H5Pset_shuffle");
      checked(H5Pset_deflate(layout, kDeflate), "H5Pset_deflate");
    }
    return layout;
  }
  void write(hid_t set, hid_t type, const void* values) const {
    if (bins_ > 0) checked(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "H5Dwrite");
  }

  hid_t file_;
  Handle links_;
  hsize_t bins_;
  Handle space_;
  Handle series_;
  Handle scale_;
  hobj_ref_t scale_reference_ = 0;
  std::vector<User> users_;
};

std::vector<float> single(const std::vector<double>& watts) { return {watts.begin(), watts.end()}; }

/// What feeds carried, and sites where there are several or one whose price or carbon varies.
void write_grid(hid_t file, const scenario::Result& result, Writer& writer) {
  if (!result.feeds.empty()) {
    const Handle feeds = writer.group(file, "feed");
    for (std::size_t f = 0; f < result.feeds.size(); ++f) {
      const Handle feed = writer.group(feeds, result.feeds[f].name);
      put(feed, "usable_watts", result.feeds[f].usable_watts);
      writer.series(feed, "it", "mean power of the nodes and their network on the feed in the bin", single(result.energy.feeds[f].watts));
    }
  }
  if (result.sites.empty()) return;
  const Handle sites = writer.group(file, "site");
  for (std::size_t s = 0; s < result.sites.size(); ++s) {
    const Handle site = writer.group(sites, result.sites[s].name);
    put(site, "pue", result.energy.sites[s].pue);
    writer.series(site, "it", "mean power of the nodes and their network at the site in the bin", single(result.energy.sites[s].it.watts));
  }
}

void write_all(hid_t file, const scenario::Result& result) {
  const auto& energy = result.energy;
  put(file, "schema", kSchema);
  put(file, "name", result.name);
  put(file, "seed", result.seed);
  put(file, "horizon_s", result.horizon_s);
  put(file, "warmup_s", result.warmup_s);
  put(file, "bin_s", energy.bin_s);
  put(file, "partial", std::int64_t{result.partial ? 1 : 0});
  Writer writer(file, energy);
  const Handle power = writer.group(file, "power");
  for (std::size_t b = 0; b < metering::kBoundaries; ++b) {
    writer.series(power, metering::name(static_cast<metering::Boundary>(b)).data(), "mean power of all devices in the bin", energy.watts[b]);
  }
  write_grid(file, result, writer);
  const Handle pools = writer.group(file, "pool");
  for (const auto& account : energy.pools) {
    const Handle pool = writer.group(pools, account.name);
    put(pool, "gpus", std::int64_t{account.gpus});
    const Handle states = writer.group(pool, "state");
    for (std::size_t s = 0; s < metering::kStates; ++s) {
      writer.series(states, metering::name(static_cast<metering::State>(s)).data(), "mean GPU power in this state in the bin",
                    account.state_watts[s]);
    }
  }
  writer.finish();
}

}  // namespace

void write_results_h5(const scenario::Result& result, const std::filesystem::path& path) {
  const Quiet quiet;
  try {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate");
    checked(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18), "H5Pset_libver_bounds");
    const Handle creation = untimed(H5P_FILE_CREATE);
    Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, "H5Fcreate");
    write_all(file, result);
    file.close("H5Fclose");
  } catch (const Failed& failed) {
    throw UserError(Place{path.string()}, fmt::format("the results cannot be written here ({} failed)", failed.call),
                    "choose a folder with room that you may write to, with --out");
  }
}

}  // namespace joulecast::report
