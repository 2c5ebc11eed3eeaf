#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "traces/delimited.hpp"
#include "traces/excerpt.hpp"
#include "traces/power/log_readers.hpp"
#include "traces/power/measured_cell.hpp"
#include "traces/power/number_cells.hpp"
#include "traces/power/stamp_clock.hpp"

namespace joulecast::traces {
namespace {

enum : std::size_t { kTime, kProject, kRun, kDuration, kGpuEnergy, kEnergy, kGpuModel, kGpuCount, kTracking };
constexpr double kLongest = 10 * 366 * 86400.0;
constexpr double kWattHour = 3.6e6;  // J a kWh

}  // namespace

PowerLog read_codecarbon(const SeriesText& text, const PowerLogOptions& options) {
  PowerLog log;
  log.source.file = text.name();
  log.source.timezone = options.timezone;
  Delimited rows(text.lines(), {{{"timestamp"}},
                                {{"project_name"}},
                                {{"run_id"}},
                                {{"duration"}},
                                {{"gpu_energy"}},
                                {{"energy_consumed"}},
                                {{"gpu_model"}, false},
                                {{"gpu_count"}, false},
                                {{"tracking_mode"}, false}});
  StampClock clock(options.timezone, options.place);
  std::size_t unnamed = 0, nothing = 0;
  log.window_gpus.emplace_back("all GPUs of the host");
  while (rows.next()) {
    const auto civil = read_civil(rows.cell(kTime), DateOrder::ymd);
    if (!civil) rows.refuse(kTime, "a date and time", "write it as 2026-03-01T09:00:00", false);
    const auto seconds = positive_cell(rows, kDuration, "a duration in seconds");
    const auto energy = number_cell(rows, kGpuEnergy, "the GPUs' energy in kWh");
    if (!seconds || !energy) break;
    if (*seconds > kLongest) rows.refuse(kDuration, "a duration in seconds below ten years", "correct the row", false);
    unnamed += rows.cell(kRun).empty() ? 1 : 0;
    nothing += *energy == 0 ? 1 : 0;
    const std::int64_t end = clock.moment(*civil, rows.place(kTime));
    EnergyWindow each;
    each.name = rows.cell(kRun).empty() ? std::string(rows.cell(kProject)) : std::string(rows.cell(kRun));
    each.seconds = *seconds;
    each.start_ns = end - static_cast<std::int64_t>(*seconds * 1e9);
    each.joules.push_back(*energy * kWattHour);
    log.windows.push_back(std::move(each));
    ++log.source.rows;
  }
  if (rows.torn()) ++log.source.dropped["torn last row"];
  if (log.windows.empty()) throw UserError({text.name(), 0, 0}, "the log has no rows", "it holds nothing behind its header");
  log.time_base = clock.base();
  if (nothing == log.windows.size()) {
    throw UserError({text.name(), 0, 0}, "gpu_energy is 0 in every row: CodeCarbon metered no GPU",
                    "its GPU tracking needs NVML (pip install nvidia-ml-py); log the GPU itself");
  }
  if (nothing > 0) log.warnings.push_back(fmt::format("{} of {} rows have 0 kWh of GPU energy", nothing, log.windows.size()));
  if (unnamed > 0) log.notes.push_back(fmt::format("{} rows have no run_id", unnamed));
  log.notes.emplace_back("energy alone, of all GPUs of the host together, over each run");
  return log;
}

}  // namespace joulecast::traces
