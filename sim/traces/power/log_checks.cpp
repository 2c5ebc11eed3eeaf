#include "traces/power/log_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "traces/grid/zone.hpp"

namespace joulecast::traces {
namespace {

/// No accelerator board draws as much; a larger reading is in another unit than it is taken for.
constexpr double kMostBoardWatts = 5000;
constexpr double kMostOverLimit = 3;
constexpr double kLeastLiveWatts = 1;
/// Readings above the limit by less are the sensor's and the cap's play (average_power in public tables exceeds its limit by up to a fifth).
constexpr double kOverLimit = 1.25;
constexpr double kEqualShare = 0.98;

std::string when(const PowerLog& log, std::int64_t time_ns) {
  if (log.time_base == TimeBase::utc || log.time_base == TimeBase::local) return local_text(time_ns);
  return fmt::format("{:.3f} s", static_cast<double>(time_ns) * 1e-9);
}

double at(const std::vector<double>& values, std::size_t i) { return values.empty() ? std::nan("") : values[i]; }

void check_channel(const PowerLog& log, const GpuSeries& gpu, const PowerChannel& channel) {
  std::size_t live = 0, faint = 0;
  for (std::size_t i = 0; i < channel.watts.size(); ++i) {
    const double watts = channel.watts[i], limit = at(gpu.power_limit_watts, i);
    if (std::isnan(watts)) continue;
    ++live;
    const bool far_above = watts > kMostBoardWatts || (limit > 0 && watts > kMostOverLimit * limit);
    const bool faint_at_top = watts < kLeastLiveWatts && at(gpu.performance_state, i) == 0;
    if (watts < 0) {
      throw UserError({log.source.file, 0, 0},
                      fmt::format("GPU {} reads {} W in {} at {}", gpu.label(), watts, channel.column, when(log, gpu.time_ns[i])),
                      "no GPU draws less than nothing: is it the right column?");
    }
    if (far_above || faint_at_top) {
      throw UserError({log.source.file, 0, 0},
                      fmt::format("GPU {} reads {} W in {} at {}{}: looks like mW", gpu.label(), watts, channel.column, when(log, gpu.time_ns[i]),
                                  faint_at_top ? " in P0" : (limit > 0 ? fmt::format(", with a limit of {} W", limit) : "")),
                      faint_at_top ? "the column is off by a thousand: state its unit (a column \"power [kW]\", or --map power=COLUMN:kW)"
                                   : "state the column's unit: a header \"power [mW]\", or --map power=COLUMN:mW");
    }
    faint += watts < kLeastLiveWatts ? 1 : 0;
  }
  if (live > 0 && faint == live) {
    throw UserError({log.source.file, 0, 0},
                    fmt::format("GPU {} stays below 1 W in {}: the unit is off, or the GPU is not there", gpu.label(), channel.column),
                    "state the column's unit: a header \"power [kW]\", or --map power=COLUMN:kW");
  }
}

double share_equal(const PowerChannel& a, const PowerChannel& b) {
  std::size_t both = 0, equal = 0;
  for (std::size_t i = 0; i < a.watts.size(); ++i) {
    if (std::isnan(a.watts[i]) || std::isnan(b.watts[i])) continue;
    ++both;
    equal += a.watts[i] == b.watts[i] ? 1 : 0;
  }
  return both == 0 ? 0 : static_cast<double>(equal) / static_cast<double>(both);
}

void remark_draw(PowerLog& log, const GpuSeries& gpu) {
  const PowerChannel* draw = gpu.channel(PowerKind::draw);
  if (draw == nullptr) return;
  for (const auto& [kind, meaning] :
       {std::pair{PowerKind::average, "the mean of the last second"}, std::pair{PowerKind::instant, "the short sample"}}) {
    const PowerChannel* other = gpu.channel(kind);
    if (other == nullptr) continue;
    const double share = share_equal(*draw, *other);
    if (share < kEqualShare) continue;
    log.notes.push_back(
        fmt::format("GPU {}: {} is {}: it equals {} in {:.1f} % of samples", gpu.label(), draw->column, meaning, other->column, 100 * share));
    return;
  }
}

}  // namespace

void check_units(const PowerLog& log) {
  for (const GpuSeries& gpu : log.gpus) {
    for (const PowerChannel& channel : gpu.power) check_channel(log, gpu, channel);
  }
}

void check_counters(PowerLog& log) {
  for (GpuSeries& gpu : log.gpus) {
    std::size_t back = 0;
    double first = std::nan(""), last = std::nan("");
    bool moved = false;
    for (const double joules : gpu.energy_joules) {
      if (std::isnan(joules)) continue;
      if (std::isnan(first)) first = joules;
      if (joules < last) ++back;
      moved = moved || joules != first;
      last = joules;
    }
    if (back > 0) log.warnings.push_back(fmt::format("GPU {}: the energy counter starts again {} times (driver reloaded?)", gpu.label(), back));
    if (gpu.energy_joules.empty() || moved || gpu.samples() < 2) continue;
    const double seconds = static_cast<double>(gpu.time_ns.back() - gpu.time_ns.front()) * 1e-9;
    if (gpu.power.empty()) {
      throw UserError({log.source.file, 0, 0},
                      fmt::format("GPU {}: the energy counter stands still at {} J over {:.1f} s", gpu.label(), last, seconds),
                      "this GPU's counter does not count: log its power");
    }
    if (seconds < 1) continue;
    log.warnings.push_back(fmt::format("GPU {}: the energy counter stands still at {} J over {:.1f} s: not used", gpu.label(), last, seconds));
    gpu.energy_joules.clear();
  }
}

void remark_gpus(PowerLog& log) {
  std::set<long> numbers;
  for (const auto& each : log.gpus) {
    long number = -1;
    std::from_chars(each.index.data(), each.index.data() + each.index.size(), number);
    if (number >= 0 && number < 1024) numbers.insert(number);
  }
  for (const AbsentGpu& gpu : log.absent) {
    long number = -1;
    std::from_chars(gpu.label.data(), gpu.label.data() + gpu.label.size(), number);
    if (number >= 0 && number < 1024) numbers.insert(number);
  }
  std::string between;
  for (long i = numbers.empty() ? 0 : *numbers.begin(); !numbers.empty() && i < *numbers.rbegin(); ++i) {
    if (!numbers.contains(i)) between += fmt::format("{}{}", between.empty() ? "" : ", ", i);
  }
  if (!between.empty()) log.warnings.push_back(fmt::format("no rows of GPU {}, between others that have some", between));
  const std::int64_t end = log.end_ns();
  for (const GpuSeries& gpu : log.gpus) {
    const std::size_t n = gpu.samples();
    if (n > 0) {
      const std::int64_t early = end - gpu.time_ns.back(),
                         period = n > 1 ? (gpu.time_ns[n - 1] - gpu.time_ns[0]) / static_cast<std::int64_t>(n - 1) : 0;
      if (early / 5 > period && early > 1'000'000'000) {
        log.warnings.push_back(fmt::format("GPU {}: its rows end {:.1f} s before the log's", gpu.label(), static_cast<double>(early) * 1e-9));
      }
    }
    for (const PowerChannel& channel : gpu.power) {
      std::size_t over = 0;
      for (std::size_t i = 0; i < channel.watts.size(); ++i) over += channel.watts[i] > kOverLimit * at(gpu.power_limit_watts, i) ? 1 : 0;
      if (over > 0)
        log.warnings.push_back(
            fmt::format("GPU {}: {} samples of {} are a quarter or more above the power limit", gpu.label(), over, channel.column));
    }
    remark_draw(log, gpu);
  }
}

}  // namespace joulecast::traces
