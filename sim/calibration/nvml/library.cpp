#include "calibration/nvml/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "base/error.hpp"

namespace joulecast::calibration::nvml {
namespace {

constexpr const char* kName = "libnvidia-ml.so.1";
/// Where drivers put it besides the loader's own folders; WSL has a folder of its own.
constexpr const char* kFolders[] = {"/usr/lib64/", "/usr/lib64/nvidia/", "/usr/lib/x86_64-linux-gnu/", "/usr/lib/nvidia/", "/usr/lib/wsl/lib/"};
constexpr const char* kElsewhere = "`joulecast record --print-nvidia-smi` prints a line that records on a machine where nothing can be installed";

void* load(const std::string& path) {
  const auto open = [](const std::string& name) { return dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); };
  if (!path.empty()) {
    if (void* handle = open(path)) return handle;
    throw UserError(Place{path}, fmt::format("no NVML library can be loaded from here: {}", dlerror()),
                    "give the path of libnvidia-ml.so.1: --library FILE");
  }
  if (void* handle = open(kName)) return handle;
  const std::string reason = dlerror();
  for (const char* folder : kFolders) {
    if (void* handle = open(std::string(folder) + kName)) return handle;
  }
  throw UserError({}, fmt::format("no NVML library on this machine: {}", reason),
                  fmt::format("install NVIDIA's driver, or name the library: --library FILE; {}", kElsewhere));
}

template <class Function>
void find(void* handle, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(handle, symbol));
}

Functions functions_of(void* handle) {
  Functions f{};
  find(handle, "nvmlInit_v2", f.init);
  find(handle, "nvmlShutdown", f.shutdown);
  find(handle, "nvmlErrorString", f.error_string);
  find(handle, "nvmlSystemGetDriverVersion", f.driver_version);
  find(handle, "nvmlSystemGetNVMLVersion", f.nvml_version);
  find(handle, "nvmlDeviceGetCount_v2", f.device_count);
  find(handle, "nvmlDeviceGetHandleByIndex_v2", f.handle_by_index);
  find(handle, "nvmlDeviceGetName", f.name);
  find(handle, "nvmlDeviceGetUUID", f.uuid);
  find(handle, "nvmlDeviceGetArchitecture", f.architecture);
  find(handle, "nvmlDeviceGetPowerUsage", f.power_usage);
  find(handle, "nvmlDeviceGetTotalEnergyConsumption", f.total_energy);
  find(handle, "nvmlDeviceGetEnforcedPowerLimit", f.enforced_power_limit);
  find(handle, "nvmlDeviceGetPowerManagementDefaultLimit", f.default_power_limit);
  find(handle, "nvmlDeviceGetFieldValues", f.field_values);
  find(handle, "nvmlDeviceGetClockInfo", f.clock);
  find(handle, "nvmlDeviceGetUtilizationRates", f.utilization);
  find(handle, "nvmlDeviceGetTemperature", f.temperature);
  find(handle, "nvmlDeviceGetCurrentClocksEventReasons", f.clock_reasons);
  // The same under the name it had before driver 535.
  if (f.clock_reasons == nullptr) find(handle, "nvmlDeviceGetCurrentClocksThrottleReasons", f.clock_reasons);
  find(handle, "nvmlDeviceGetMemoryInfo", f.memory);
  return f;
}

std::string remedy_for(int code) {
  switch (code) {
    case kDriverNotLoaded:
      return "load the driver's kernel module (nvidia-smi shows whether it is there), or run this where the GPUs are";
    case kLibraryMismatch:
      return "the library is older than the kernel's module: in a container mount the host's, else reboot after the driver's update";
    case kNoPermission:
      return "let this user read /dev/nvidiactl and /dev/nvidia*, as `nvidia-smi` needs it too";
    default:
      return "see whether `nvidia-smi` works here";
  }
}

std::string version(int (*call)(char*, unsigned)) {
  std::array<char, 96> text{};
  if (call == nullptr || call(text.data(), static_cast<unsigned>(text.size() - 1)) != kSuccess) return "";
  return text.data();
}

}  // namespace

std::unique_ptr<Library> Library::open(const std::string& path) {
  void* handle = load(path);
  std::unique_ptr<Library> library(new Library(handle, functions_of(handle)));
  const Functions& f = library->functions_;
  const Place place{path};
  if (f.init == nullptr || f.device_count == nullptr || f.handle_by_index == nullptr) {
    throw UserError(place, "this library has no nvmlInit_v2, nvmlDeviceGetCount_v2 or nvmlDeviceGetHandleByIndex_v2",
                    "it is no NVML, or one from before 2013: give another with --library FILE");
  }
  const int code = f.init();
  if (code != kSuccess) throw UserError(place, fmt::format("NVML does not start: {}", library->text_of(code)), remedy_for(code));
  library->started_ = true;
  return library;
}

Library::~Library() {
  if (started_ && functions_.shutdown != nullptr) functions_.shutdown();
  dlclose(handle_);
}

std::string Library::text_of(int code) const {
  if (code == kFunctionNotFound) return "the library has no such function (13)";
  const char* text = functions_.error_string != nullptr ? functions_.error_string(code) : nullptr;
  return text != nullptr ? fmt::format("{} ({})", text, code) : fmt::format("error {}", code);
}

std::string Library::driver_version() const { return version(functions_.driver_version); }
std::string Library::nvml_version() const { return version(functions_.nvml_version); }

unsigned Library::device_count() const {
  unsigned count = 0;
  const int code = functions_.device_count(&count);
  if (code != kSuccess) throw UserError({}, fmt::format("NVML does not say how many GPUs there are: {}", text_of(code)), remedy_for(code));
  return count;
}

}  // namespace joulecast::calibration::nvml
