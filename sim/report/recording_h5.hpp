#pragma once

#include <filesystem>

#include "traces/power/log.hpp"

namespace joulecast::report {

/// A log of GPU power as HDF5: a group `gpu/LABEL` a GPU with its `time` (a dimension scale: nanoseconds since 1970) and a data set a quantity in SI units on it, NaN
/// where a sample is missing; attributes `uuid`, `model`; group `marks` with `time` and `name`. The same log gives the same bytes. Written aside
/// and renamed when whole. UserError where it cannot be written.
void write_recording_h5(const std::filesystem::path& path, const traces::PowerLog& log);

}  // namespace joulecast::report
