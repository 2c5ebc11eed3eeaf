#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/gpu.hpp"

namespace joulecast::calibration {

/// What a planned measurement is to find out.
enum class MeasuringPlan : std::uint8_t { idle, clock_sweep, cap_sweep, batch_sweep };
/// "idle", "clock-sweep", "cap-sweep", "batch-sweep", in this order.
const std::vector<std::string>& measuring_plan_names();
std::optional<MeasuringPlan> measuring_plan(std::string_view name);

/// A shell script that takes the measurement with `joulecast record`, a phase a mark, for this GPU's clocks and limits; it says what each step is for and how
/// the log becomes a profile. It is run by whoever measures: nothing here sets a clock.
std::string measuring_script(MeasuringPlan plan, const hardware::GpuProfile& gpu);

/// The line that records the same where only nvidia-smi is, at a period of so many milliseconds; what to know of its log below it.
std::string nvidia_smi_line(std::int64_t period_ms);

}  // namespace joulecast::calibration
