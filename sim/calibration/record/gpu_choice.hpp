#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/nvml/gpu.hpp"

namespace joulecast::calibration {

/// GPUs by the text of `--gpu`: "" for all, else indices, ranges and UUIDs with commas between ("0-3,7,GPU-4f..."; the beginning of a UUID is enough).
struct OpenedGpus {
  std::vector<std::unique_ptr<nvml::Gpu>> gpus;
  std::vector<std::string> refused;  ///< "gpu 3: Insufficient Permissions (4)", of those that were not asked for by name
};

/// Opens them in the order of their indices. UserError where the text names what is not there, where one that was named cannot be read, or
/// where none is left.
OpenedGpus open_gpus(const nvml::Library& library, std::string_view chosen);

}  // namespace joulecast::calibration
