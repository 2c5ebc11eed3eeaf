// An NVML that plays a recording or a square wave where there is no GPU, and fails as it is told: nvmlReturn_t, symbols and layouts as in NVML 13, declared
// here a second time so that a wrong layout of the program's own does not meet its like. Built twice: whole, and as a library from before driver 535.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "script.hpp"

using namespace joulecast::nvml_replay;

namespace {

using Clock = std::chrono::steady_clock;

struct State {
  Script script = read_script();
  Clock::time_point started = Clock::now();
};
std::unique_ptr<State> state;

constexpr int kOk = 0, kUninitialized = 1, kInvalid = 2, kNotSupported = 3, kTooSmall = 7;

double now_s() { return std::chrono::duration<double>(Clock::now() - state->started).count(); }
int gpu_of(void* device) { return static_cast<int>(reinterpret_cast<std::intptr_t>(device)) - 1; }

int put_text(const std::string& text, char* to, unsigned length) {
  if (text.size() + 1 > length) return kTooSmall;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return kOk;
}

/// A number of a GPU, or the fault that the script has for it.
template <class Number>
int put(const char* function, void* device, std::optional<double> Shown::*member, Number* to) {
  if (state == nullptr) return kUninitialized;
  const double at = now_s();
  if (const int code = state->script.code(function, gpu_of(device), at)) return code;
  const Shown shown = state->script.shown(gpu_of(device), at);
  if (!(shown.*member)) return kNotSupported;
  *to = static_cast<Number>(std::llround(*(shown.*member)));
  return kOk;
}

}  // namespace

extern "C" {

struct ReplayUtilization {
  unsigned gpu, memory;
};
struct ReplayMemory {
  unsigned long long total, free, used;
};
struct ReplayField {
  unsigned id, scope;
  long long timestamp_us, latency_us;
  int type, status;
  union {
    double d;
    unsigned ui;
    unsigned long long ull;
  } value;
};
static_assert(sizeof(ReplayField) == 40 && sizeof(ReplayMemory) == 24 && sizeof(ReplayUtilization) == 8);

int nvmlInit_v2() {
  state = std::make_unique<State>();
  return state->script.code("init", -1, 0);
}
int nvmlShutdown() {
  state.reset();
  return kOk;
}
const char* nvmlErrorString(int code) {
  switch (code) {
    case 0:
      return "Success";
    case 3:
      return "Not Supported";
    case 4:
      return "Insufficient Permissions";
    case 9:
      return "Driver Not Loaded";
    case 15:
      return "GPU is lost";
    case 18:
      return "Driver/library version mismatch";
    default:
      return "Unknown Error";
  }
}
int nvmlSystemGetDriverVersion(char* text, unsigned length) { return put_text(state->script.driver, text, length); }
int nvmlSystemGetNVMLVersion(char* text, unsigned length) { return put_text("13." + state->script.driver, text, length); }
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = state->script.gpus;
  return state->script.code("count", -1, 0);
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  if (index >= state->script.gpus) return kInvalid;
  *device = reinterpret_cast<void*>(static_cast<std::intptr_t>(index) + 1);
  return state->script.code("handle", static_cast<int>(index), now_s());
}
int nvmlDeviceGetName(void*, char* text, unsigned length) { return put_text(state->script.name, text, length); }
int nvmlDeviceGetUUID(void* device, char* text, unsigned length) {
  char uuid[64];
  std::snprintf(uuid, sizeof uuid, "GPU-%08x-0000-4000-8000-%012x", 0xabc00000U + static_cast<unsigned>(gpu_of(device)), 0x1234U);
  return put_text(uuid, text, length);
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* mw) {
  // Before driver 535 this call is all there is of power.
  return put("power_usage", device, state->script.architecture >= 7 ? &Shown::average_mw : &Shown::instant_mw, mw);
}
int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* mj) { return put("total_energy", device, &Shown::energy_mj, mj); }
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* mw) { return put("limit", device, &Shown::limit_mw, mw); }
int nvmlDeviceGetPowerManagementDefaultLimit(void* device, unsigned* mw) { return put("default_limit", device, &Shown::limit_mw, mw); }
int nvmlDeviceGetClockInfo(void* device, int type, unsigned* mhz) {
  return put("clock", device, type == 2 ? &Shown::memory_mhz : &Shown::sm_mhz, mhz);
}
int nvmlDeviceGetTemperature(void* device, int, unsigned* degrees) { return put("temperature", device, &Shown::temperature_c, degrees); }
int nvmlDeviceGetUtilizationRates(void* device, ReplayUtilization* rates) {
  rates->memory = 0;
  return put("utilization", device, &Shown::utilization_percent, &rates->gpu);
}
int nvmlDeviceGetMemoryInfo(void* device, ReplayMemory* memory) {
  memory->total = 85'000'000'000ULL;
  const int code = put("memory", device, &Shown::memory_bytes, &memory->used);
  memory->free = memory->total - memory->used;
  return code;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* mask) {
  const double at = now_s();
  *mask = state->script.shown(gpu_of(device), at).reasons;
  return state->script.code("reasons", gpu_of(device), at);
}

#ifndef JOULECAST_NVML_BEFORE_535
int nvmlDeviceGetCurrentClocksEventReasons(void* device, unsigned long long* mask) { return nvmlDeviceGetCurrentClocksThrottleReasons(device, mask); }
int nvmlDeviceGetArchitecture(void*, unsigned* architecture) {
  *architecture = state->script.architecture;
  return kOk;
}
int nvmlDeviceGetFieldValues(void* device, int count, ReplayField* fields) {
  const double at = now_s();
  if (const int code = state->script.code("fields", gpu_of(device), at)) return code;
  for (int i = 0; i < count; ++i) {
    ReplayField& field = fields[i];
    unsigned mw = 0;
    field.timestamp_us = static_cast<long long>(at * 1e6);
    field.latency_us = 20;
    if (field.id == 83) {
      field.status = put("field:83", device, &Shown::energy_mj, &field.value.ull);
      field.type = 3;
      continue;
    }
    field.status = field.id == 185   ? put("field:185", device, &Shown::average_mw, &mw)
                   : field.id == 186 ? put("field:186", device, &Shown::instant_mw, &mw)
                                     : kInvalid;
    field.type = 1;
    field.value.ui = mw;
  }
  return kOk;
}
#endif

}  // extern "C"
