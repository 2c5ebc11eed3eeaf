#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace joulecast::calibration::nvml {

/// What nvmlDeviceGetPowerUsage returns on a GPU.
enum class PowerMeaning : std::uint8_t {
  average,  ///< over the last second
  instant,
  unknown
};
std::string_view name(PowerMeaning meaning);

/// By architecture (an nvml::Architecture), board and driver ("530.30.02"): instantaneous up to Turing and on GA100 (A100, A30, A800); a 1 s average on later
/// ones, but for GA10x and Ada under driver 530. Yang et al., "Part-time power measurements" (SC24), table of sensors, and NVML's documentation.
PowerMeaning meaning_of_power_usage(std::uint32_t architecture, std::string_view gpu, std::string_view driver);

}  // namespace joulecast::calibration::nvml
