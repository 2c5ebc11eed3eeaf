#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace joulecast::calibration {

/// What one GPU showed at one instant, in SI units; absent where it was not told.
struct Reading {
  double unix_s = 0;
  std::optional<double> power_average_w;  ///< over the sensor's last second
  std::optional<double> power_instant_w;
  std::optional<double> energy_j;  ///< counter since the driver was loaded
  std::optional<double> sm_clock_hz, memory_clock_hz;
  std::optional<double> utilization;  ///< share of time with a kernel running
  std::optional<double> temperature_c, power_limit_w;
  std::optional<std::uint64_t> throttle_reasons;  ///< NVML's mask, as it is
  std::optional<std::uint64_t> memory_used_bytes;
};

/// A GPU that is recorded.
struct RecordedGpu {
  unsigned index = 0;  ///< NVML's, not stable over reboots
  std::string uuid, name;
  std::optional<double> default_limit_w;
  std::string power_average_source, power_instant_source, energy_source;  ///< "field 185", "nvmlDeviceGetPowerUsage", "" for none
};

}  // namespace joulecast::calibration
