#include "report/recording_h5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/error.hpp"
#include "report/hdf5_objects.hpp"

namespace joulecast::report {
namespace {

using namespace hdf5;

constexpr hsize_t kChunk = 1 << 16;
constexpr unsigned kDeflate = 4;

/// One group of data sets over the times of its samples.
class SampleGroup {
 public:
  SampleGroup(hid_t file, hid_t parent, const std::string& name, const std::string& path, const std::vector<std::int64_t>& times, hid_t links)
      : links_(links),
        count_(times.size()),
        space_(H5Screate_simple(1, &count_, nullptr), H5Sclose, "H5Screate_simple"),
        layout_(untimed(H5P_DATASET_CREATE)),
        group_(group(parent, name, links)),
        times_(make("time", H5T_STD_I64LE)),
        scale_((write(times_, H5T_NATIVE_INT64, times.data()), file), times_, path + "/time", "nanoseconds since 1970-01-01", "time of the sample") {}

  hid_t id() const { return group_; }

  void add(const char* name, const char* units, const std::vector<double>& values) {
    if (values.empty()) return;
    const Handle set = make(name, H5T_IEEE_F64LE);
    write(set, H5T_NATIVE_DOUBLE, values.data());
    put(set, "units", std::string(units));
    put_scales(group_, name, set, {&scale_});
  }
  void finish() const { scale_.finish(); }

 private:
  Handle make(const char* name, hid_t type) {
    if (count_ > 0 && !chunked_) {
      const hsize_t chunk = std::min(count_, kChunk);
      checked(H5Pset_chunk(layout_, 1, &chunk), "H5Pset_chunk");
      checked(H5Pset_shuffle(layout_), "H5Pset_shuffle");
      checked(H5Pset_deflate(layout_, kDeflate), "H5Pset_deflate");
      chunked_ = true;
    }
    return Handle(H5Dcreate2(group_, name, type, space_, links_, layout_, H5P_DEFAULT), H5Dclose, "H5Dcreate2");
  }
  static void write(const Handle& set, hid_t memory, const void* values) {
    checked(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "H5Dwrite");
  }

  hid_t links_;
  hsize_t count_;
  bool chunked_ = false;
  Handle space_, layout_, group_, times_;
  Scale scale_;
};

const char* power_name(traces::PowerKind kind) {
  switch (kind) {
    case traces::PowerKind::draw:
      return "power_draw";
    case traces::PowerKind::average:
      return "power_average";
    case traces::PowerKind::instant:
      return "power_instant";
    case traces::PowerKind::meter:
      return "power_meter";
  }
  return "power";
}

void write_gpu(hid_t file, hid_t gpus, const traces::GpuSeries& gpu, hid_t links) {
  SampleGroup samples(file, gpus, gpu.label(), "/gpu/" + gpu.label(), gpu.time_ns, links);
  put(samples.id(), "uuid", gpu.uuid);
  put(samples.id(), "model", gpu.model);
  for (const auto& channel : gpu.power) samples.add(power_name(channel.kind), "W", channel.watts);
  samples.add("energy", "J", gpu.energy_joules);
  samples.add("sm_clock", "Hz", gpu.sm_clock_hertz);
  samples.add("memory_clock", "Hz", gpu.memory_clock_hertz);
  samples.add("utilization", "1", gpu.utilization);
  samples.add("temperature", "degC", gpu.temperature_celsius);
  samples.add("power_limit", "W", gpu.power_limit_watts);
  samples.add("memory_used", "byte", gpu.memory_used_bytes);
  samples.add("throttle_reasons", "1", gpu.throttle_reasons);
  samples.finish();
}

void write_marks(hid_t file, const std::vector<traces::PhaseMark>& marks, hid_t links) {
  if (marks.empty()) return;
  std::vector<std::int64_t> times;
  std::vector<const char*> names;
  for (const auto& mark : marks) {
    times.push_back(mark.time_ns);
    names.push_back(mark.name.c_str());
  }
  SampleGroup group_of_marks(file, file, "marks", "/marks", times, links);
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy");
  checked(H5Tset_size(type, H5T_VARIABLE), "H5Tset_size");
  const hsize_t count = names.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "H5Screate_simple");
  const Handle layout = untimed(H5P_DATASET_CREATE);
  const Handle set(H5Dcreate2(group_of_marks.id(), "name", type, space, links, layout, H5P_DEFAULT), H5Dclose, "H5Dcreate2");
  checked(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names.data()), "H5Dwrite");
  group_of_marks.finish();
}

}  // namespace

void write_recording_h5(const std::filesystem::path& path, const traces::PowerLog& log) {
  const std::filesystem::path aside = path.string() + ".part";
  std::error_code fault;
  try {
    write_file(aside, [&](hid_t file) {
      const Handle links = named_links();
      put(file, "format", std::string("joulecast-recording 1"));
      put(file, "driver", log.source.driver);
      put(file, "host", log.source.host);
      const Handle gpus = group(file, "gpu", links);
      for (const auto& gpu : log.gpus) write_gpu(file, gpus, gpu, links);
      write_marks(file, log.marks, links);
    });
  } catch (...) {
    std::filesystem::remove(aside, fault);
    throw;
  }
  std::filesystem::rename(aside, path, fault);
  if (fault) throw UserError(Place{path.string()}, fmt::format("cannot be put here: {}", fault.message()), "make room or name another file");
}

}  // namespace joulecast::report
