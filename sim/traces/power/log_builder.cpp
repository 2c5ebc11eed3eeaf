#include "traces/power/log_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "traces/power/log_checks.hpp"

namespace joulecast::traces {
namespace {

constexpr std::size_t kWatts = 4;

/// Longer runs of 0 W than these are no hiccup of polling faster than the sensor.
constexpr std::size_t kIsolated = 5;

std::optional<long> as_number(const std::string& index) {
  long number = 0;
  const auto [end, failure] = std::from_chars(index.data(), index.data() + index.size(), number);
  if (failure != std::errc() || end != index.data() + index.size()) return std::nullopt;
  return number;
}

std::string label_of(const std::string& index, const std::string& uuid) {
  GpuSeries gpu;
  gpu.index = index;
  gpu.uuid = uuid;
  return gpu.label();
}

std::size_t missing_values(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }));
}

/// Turns zeros into missing samples; the number of them, and of the longest run.
std::pair<std::size_t, std::size_t> drop_zeros(std::vector<double>& watts) {
  std::size_t zeros = 0, run = 0, longest = 0;
  for (double& value : watts) {
    if (value == 0) {
      value = LogSample::missing();
      ++zeros;
      longest = std::max(longest, ++run);
    } else if (!std::isnan(value)) {
      run = 0;
    }
  }
  return {zeros, longest};
}

}  // namespace

double LogSample::missing() { return std::numeric_limits<double>::quiet_NaN(); }

Dimension dimension(LogQuantity quantity) {
  constexpr Dimension all[] = {Dimension::power,     Dimension::power,     Dimension::power, Dimension::power, Dimension::energy,
                               Dimension::frequency, Dimension::frequency, Dimension::share, Dimension::share, Dimension::temperature,
                               Dimension::power,     Dimension::memory,    Dimension::plain, Dimension::plain};
  return all[static_cast<std::size_t>(quantity)];
}

std::string_view usual_unit(LogQuantity quantity) {
  constexpr std::string_view all[] = {"W", "W", "W", "W", "mJ", "MHz", "MHz", "%", "%", "C", "W", "MiB", "", ""};
  return all[static_cast<std::size_t>(quantity)];
}

void LogBuilder::column(LogQuantity quantity, const std::string& header) { headers_[static_cast<std::size_t>(quantity)] = header; }

std::size_t LogBuilder::gpu(const std::string& index, const std::string& uuid, const std::string& model) {
  const auto same = [&](const Gpu& gpu) { return uuid.empty() ? gpu.uuid.empty() && gpu.index == index : gpu.uuid == uuid; };
  for (std::size_t i = 0; i < gpus_.size(); ++i) {  // rows go round the GPUs: the next is most likely the one behind the last
    const std::size_t at = (last_ + 1 + i) % gpus_.size();
    if (!same(gpus_[at])) continue;
    last_ = at;
    if (gpus_[at].model.empty()) gpus_[at].model = model;
    if (gpus_[at].index.empty()) gpus_[at].index = index;
    return at;
  }
  gpus_.push_back({index, uuid, model, {}});
  last_ = gpus_.size() - 1;
  return last_;
}

void LogBuilder::add(std::size_t gpu, const LogSample& sample) { gpus_[gpu].samples.push_back(sample); }

void LogBuilder::order(Gpu& gpu, PowerLog& log) const {
  std::size_t inversions = 0;
  for (std::size_t i = 1; i < gpu.samples.size(); ++i) inversions += gpu.samples[i].time_ns < gpu.samples[i - 1].time_ns ? 1 : 0;
  if (inversions > 0) {
    std::stable_sort(gpu.samples.begin(), gpu.samples.end(), [](const LogSample& a, const LogSample& b) { return a.time_ns < b.time_ns; });
    log.notes.push_back(fmt::format("GPU {}: {} rows lay before the row above and were put in order", label_of(gpu.index, gpu.uuid), inversions));
  }
  const auto last =
      std::unique(gpu.samples.begin(), gpu.samples.end(), [](const LogSample& a, const LogSample& b) { return a.time_ns == b.time_ns; });
  const auto doubles = static_cast<std::size_t>(gpu.samples.end() - last);
  if (doubles > 0) log.source.dropped["same time and GPU as another row"] += doubles;
  gpu.samples.erase(last, gpu.samples.end());
}

std::vector<double> LogBuilder::values(const Gpu& gpu, LogQuantity quantity) const {
  std::vector<double> out;
  if (headers_[static_cast<std::size_t>(quantity)].empty()) return out;
  out.reserve(gpu.samples.size());
  for (const LogSample& sample : gpu.samples) out.push_back(sample[quantity]);
  if (missing_values(out) == out.size()) out.clear();
  return out;
}

GpuSeries LogBuilder::series(const Gpu& gpu, PowerLog& log) const {
  GpuSeries out;
  out.index = gpu.index;
  out.uuid = gpu.uuid;
  out.model = gpu.model;
  for (const LogSample& sample : gpu.samples) out.time_ns.push_back(sample.time_ns);
  bool zero = false;
  std::size_t blanks = 0;
  for (std::size_t q = 0; q < kWatts; ++q) {
    PowerChannel channel{static_cast<PowerKind>(q), headers_[q], values(gpu, static_cast<LogQuantity>(q)), 0};
    if (headers_[q].empty()) continue;
    const std::size_t before = missing_values(channel.watts);
    const auto [zeros, run] = drop_zeros(channel.watts);
    channel.missing = before + zeros;
    if (channel.watts.empty() || channel.missing == channel.watts.size()) {
      zero = zero || zeros > 0;
      ++blanks;
      continue;
    }
    if (zeros > 0) {
      log.notes.push_back(fmt::format("GPU {}: {} samples of {} read 0 W and are taken as missing", out.label(), zeros, channel.column));
    }
    if (before > 0) log.notes.push_back(fmt::format("GPU {}: {} samples of {} have no reading", out.label(), before, channel.column));
    if (run > kIsolated) {
      log.warnings.push_back(fmt::format("GPU {}: {} reads 0 W in {} samples in a row: was the GPU lost?", out.label(), channel.column, run));
    }
    out.power.push_back(std::move(channel));
  }
  out.energy_joules = values(gpu, LogQuantity::energy);
  if (std::all_of(out.energy_joules.begin(), out.energy_joules.end(), [](double v) { return v == 0 || std::isnan(v); })) out.energy_joules.clear();
  out.sm_clock_hertz = values(gpu, LogQuantity::sm_clock);
  out.memory_clock_hertz = values(gpu, LogQuantity::memory_clock);
  out.utilization = values(gpu, LogQuantity::utilization);
  out.memory_utilization = values(gpu, LogQuantity::memory_utilization);
  out.temperature_celsius = values(gpu, LogQuantity::temperature);
  out.power_limit_watts = values(gpu, LogQuantity::limit);
  out.memory_used_bytes = values(gpu, LogQuantity::memory_used);
  out.performance_state = values(gpu, LogQuantity::performance_state);
  out.throttle_reasons = values(gpu, LogQuantity::throttle);
  if (out.power.empty() && out.energy_joules.empty()) {
    std::string reason = "no power column has rows of it";
    if (blanks > 0) reason = zero ? "reads 0 W in every row" : "no power sensor: every row says that there is no reading";
    log.absent.push_back({out.label(), std::move(reason)});
  }
  return out;
}

void LogBuilder::finish(PowerLog& log) {
  if (gpus_.empty()) {
    throw UserError({log.source.file, 0, 0}, "the log has no samples",
                    "it holds no row behind its header: was the logger stopped before its first poll?");
  }
  const bool numbered = std::all_of(gpus_.begin(), gpus_.end(), [](const Gpu& gpu) { return as_number(gpu.index).has_value(); });
  if (numbered) {
    std::stable_sort(gpus_.begin(), gpus_.end(), [](const Gpu& a, const Gpu& b) { return *as_number(a.index) < *as_number(b.index); });
  }
  for (Gpu& gpu : gpus_) {
    order(gpu, log);
    log.source.rows += gpu.samples.size();
    GpuSeries made = series(gpu, log);
    if (!made.power.empty() || !made.energy_joules.empty()) log.gpus.push_back(std::move(made));
    gpu.samples = {};
  }
  if (log.gpus.empty()) {
    const bool zeros = std::any_of(log.absent.begin(), log.absent.end(), [](const AbsentGpu& gpu) { return gpu.reason.starts_with("reads 0 W"); });
    if (zeros) {
      throw UserError({log.source.file, 0, 0}, "the log holds no live GPU: its power reads 0 W in every row",
                      "check that the logger may read the sensor (a container without the GPU, a driver that is not loaded), and take the log again");
    }
    throw UserError({log.source.file, 0, 0},
                    fmt::format("no GPU of the log has a power reading (GPU {}: {})", log.absent[0].label, log.absent[0].reason),
                    "log a GPU with a power sensor, or its energy counter");
  }
  const bool energy_column = !headers_[static_cast<std::size_t>(LogQuantity::energy)].empty();
  for (const GpuSeries& gpu : log.gpus) {
    if (energy_column && gpu.energy_joules.empty()) {
      log.notes.push_back(fmt::format("GPU {}: no energy counter reads; its power is integrated instead", gpu.label()));
    }
  }
  for (const AbsentGpu& gpu : log.absent) log.warnings.push_back(fmt::format("GPU {} is left out: {}", gpu.label, gpu.reason));
  check_units(log);
  check_counters(log);
  remark_gpus(log);
}

}  // namespace joulecast::traces
