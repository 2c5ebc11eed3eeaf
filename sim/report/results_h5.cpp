#include "report/results_h5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "report/hdf5_objects.hpp"
#include "report/requests_h5.hpp"
#include "report/uncertainty_h5.hpp"

namespace joulecast::report {

namespace {

using namespace hdf5;

constexpr std::int64_t kSchema = 1;
constexpr hsize_t kChunk = 1 << 16;
constexpr unsigned kDeflate = 4;

/// Series over bins and the dimension scale they share.
class Writer {
 public:
  Writer(hid_t file, const metering::EnergyAccount& energy)
      : links_(named_links()),
        bins_(energy.watts.front().size()),
        space_(H5Screate_simple(1, &bins_, nullptr), H5Sclose, "H5Screate_simple"),
        series_(series_layout(bins_)),
        starts_(H5Dcreate2(file, "bin_start", H5T_IEEE_F64LE, space_, links_, series_, H5P_DEFAULT), H5Dclose, "H5Dcreate2"),
        scale_(file, written(energy.bin_s), "bin_start", "s", "start of the bin, since the run began") {}

  Handle group(hid_t parent, const std::string& name) const { return hdf5::group(parent, name, links_); }

  void series(hid_t parent, const char* name, const char* meaning, const std::vector<float>& watts) {
    JOULECAST_CHECK(watts.size() == bins_, fmt::format("series {} has {} bins of {}", name, watts.size(), bins_));
    const Handle set(H5Dcreate2(parent, name, H5T_IEEE_F32LE, space_, links_, series_, H5P_DEFAULT), H5Dclose, "H5Dcreate2");
    write(set, H5T_NATIVE_FLOAT, watts.data());
    put(set, "units", std::string("W"));
    put(set, "long_name", std::string(meaning));
    put_scales(parent, name, set, {&scale_});
  }

  /// Tells the scale who uses it; after the last series.
  void finish() const { scale_.finish(); }

 private:
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
  const Handle& written(double bin_s) const {
    std::vector<double> starts(bins_);
    for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = static_cast<double>(i) * bin_s;
    write(starts_, H5T_NATIVE_DOUBLE, starts.data());
    return starts_;
  }
  void write(hid_t set, hid_t type, const void* values) const {
    if (bins_ > 0) checked(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "H5Dwrite");
  }

  Handle links_;
  hsize_t bins_;
  Handle space_, series_, starts_;
  Scale scale_;
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

void write_all(hid_t file, const scenario::Result& result, const std::vector<Iteration>& iterations) {
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
  write_requests_h5(file, result);
  write_iterations_h5(file, iterations);
}

}  // namespace

void write_results_h5(const scenario::Result& result, const std::filesystem::path& path, const study::Uncertainty* known,
                      const std::vector<Iteration>& iterations) {
  write_file(path, [&](hid_t file) {
    write_all(file, result, iterations);
    if (known != nullptr) write_uncertainty(file, *known);
  });
}

}  // namespace joulecast::report
