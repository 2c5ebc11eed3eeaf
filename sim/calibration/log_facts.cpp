#include "calibration/log_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <span>

#include "calibration/learnable.hpp"
#include "calibration/sensor_learning.hpp"

namespace joulecast::calibration {
namespace {

using traces::GpuSeries;
using traces::PowerChannel;
using traces::PowerLog;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// A counter and integrated power that part by more are not the same energy.
constexpr double kMostDifference = 0.05;
/// NVML's bit for the software power cap as a reason of the clock.
constexpr std::uint64_t kPowerCap = 0x4;

double seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

double median(std::vector<double> values) {
  if (values.empty()) return kNaN;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Joules from `values` (W) between two times, values held (or joined by lines) over missing samples.
struct Energy {
  double held = 0, lines = 0, seconds = 0;
};
Energy integrate(const GpuSeries& gpu, const std::vector<double>& values, std::int64_t from, std::int64_t to) {
  Energy energy;
  std::size_t last = SIZE_MAX;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i]) || gpu.time_ns[i] < from || gpu.time_ns[i] > to) continue;
    if (last != SIZE_MAX) {
      const double dt = seconds(gpu.time_ns[i] - gpu.time_ns[last]);
      energy.held += values[last] * dt;
      energy.lines += (values[last] + values[i]) / 2 * dt;
      energy.seconds += dt;
    }
    last = i;
  }
  return energy;
}

ChannelFacts channel_facts(const GpuSeries& gpu, const PowerChannel& channel) {
  ChannelFacts facts;
  facts.kind = channel.kind;
  facts.column = channel.column;
  facts.missing = channel.missing;
  facts.least_watts = std::numeric_limits<double>::infinity();
  facts.most_watts = -facts.least_watts;
  double sum = 0, last = kNaN;
  std::size_t reads = 0;
  for (std::size_t i = 0; i < channel.watts.size(); ++i) {
    const double watts = channel.watts[i];
    if (std::isnan(watts)) continue;
    ++reads;
    sum += watts;
    facts.least_watts = std::min(facts.least_watts, watts);
    facts.most_watts = std::max(facts.most_watts, watts);
    if (reads > 1 && watts != last) ++facts.changes;
    last = watts;
  }
  facts.mean_watts = reads > 0 ? sum / static_cast<double>(reads) : kNaN;
  facts.update_period_seconds = learn_update_period(gpu.time_ns, channel.watts).seconds;
  const Energy energy = integrate(gpu, channel.watts, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  facts.joules = energy.held;
  facts.trapezoid_joules = energy.lines;
  if (energy.seconds > 0) facts.mean_watts = energy.held / energy.seconds;
  return facts;
}

GpuFacts gpu_facts(const PowerLog& log, const GpuSeries& gpu) {
  GpuFacts facts;
  facts.label = gpu.label();
  facts.uuid = gpu.uuid;
  facts.model = gpu.model;
  facts.samples = gpu.samples();
  std::vector<double> periods;
  for (std::size_t i = 1; i < gpu.samples(); ++i) periods.push_back(seconds(gpu.time_ns[i] - gpu.time_ns[i - 1]));
  facts.sampling_period_seconds = median(periods);
  for (const double period : periods) {
    facts.longest_gap_seconds = std::max(facts.longest_gap_seconds, period);
    if (!log.held && period > 10 * facts.sampling_period_seconds && period > 1) ++facts.gaps;
  }
  if (gpu.samples() > 0) facts.span_seconds = seconds(gpu.time_ns.back() - gpu.time_ns.front());
  for (const PowerChannel& channel : gpu.power) {
    facts.channels.push_back(channel_facts(gpu, channel));
    facts.channels.back().chosen = &channel == gpu.best_channel();
  }
  if (log.time_base != traces::TimeBase::numbered) facts.counter = counter_facts(gpu, gpu.best_channel());
  std::map<double, std::size_t> clocks;
  for (const double hertz : gpu.sm_clock_hertz) {
    if (!std::isnan(hertz)) ++clocks[hertz];
  }
  for (const auto& [hertz, count] : clocks) {
    if (50 * count >= gpu.samples()) facts.sm_clocks_hertz.push_back(hertz);
  }
  for (const double limit : gpu.power_limit_watts) {
    if (std::isnan(limit)) continue;
    facts.least_limit_watts = facts.least_limit_watts == 0 ? limit : std::min(facts.least_limit_watts, limit);
    facts.most_limit_watts = std::max(facts.most_limit_watts, limit);
  }
  const auto mean = [](const std::vector<double>& values, auto&& of) {
    double sum = 0;
    std::size_t n = 0;
    for (const double value : values) {
      if (std::isnan(value)) continue;
      sum += of(value);
      ++n;
    }
    return n == 0 ? kNaN : sum / static_cast<double>(n);
  };
  facts.mean_utilization = mean(gpu.utilization, [](double value) { return value; });
  facts.capped_share = mean(gpu.throttle_reasons, [](double mask) { return (static_cast<std::uint64_t>(mask) & kPowerCap) != 0 ? 1.0 : 0.0; });
  return facts;
}

std::vector<MarkFacts> mark_facts(const PowerLog& log) {
  std::vector<MarkFacts> all;
  for (std::size_t m = 0; m < log.marks.size(); ++m) {
    if (log.marks[m].name.empty()) continue;
    const std::int64_t from = log.marks[m].time_ns, to = m + 1 < log.marks.size() ? log.marks[m + 1].time_ns : log.end_ns();
    MarkFacts facts{log.marks[m].name, seconds(to - from), 0};
    double joules = 0, time = 0;
    for (const GpuSeries& gpu : log.gpus) {
      if (gpu.best_channel() == nullptr) continue;
      const Energy energy = integrate(gpu, gpu.best_channel()->watts, from, to);
      joules += energy.held;
      time += energy.seconds;
    }
    facts.mean_watts = time > 0 ? joules / time : kNaN;
    all.push_back(std::move(facts));
  }
  return all;
}

}  // namespace

double CounterFacts::difference() const { return power_joules > 0 ? counter_joules / power_joules - 1 : kNaN; }
bool CounterFacts::disagree() const { return std::abs(difference()) > kMostDifference; }

std::optional<CounterFacts> counter_facts(const GpuSeries& gpu, const PowerChannel* channel) {
  CounterFacts facts;
  std::size_t first = SIZE_MAX, last = SIZE_MAX;
  for (std::size_t i = 0; i < gpu.energy_joules.size(); ++i) {
    if (std::isnan(gpu.energy_joules[i])) continue;
    if (last != SIZE_MAX && gpu.energy_joules[i] > gpu.energy_joules[last]) facts.counter_joules += gpu.energy_joules[i] - gpu.energy_joules[last];
    if (first == SIZE_MAX) first = i;
    last = i;
  }
  if (first == SIZE_MAX || first == last) return std::nullopt;
  facts.seconds = seconds(gpu.time_ns[last] - gpu.time_ns[first]);
  facts.power_joules = channel == nullptr ? kNaN : integrate(gpu, channel->watts, gpu.time_ns[first], gpu.time_ns[last]).held;
  return facts;
}

LogFacts log_facts(const PowerLog& log) {
  LogFacts facts;
  facts.span_seconds = seconds(log.end_ns() - log.begin_ns());
  for (const GpuSeries& gpu : log.gpus) facts.gpus.push_back(gpu_facts(log, gpu));
  facts.marks = mark_facts(log);
  for (const GpuFacts& gpu : facts.gpus) {
    if (gpu.gaps > 0) {
      facts.warnings.push_back(
          fmt::format("GPU {}: {} gaps of more than ten periods, the longest {:.1f} s", gpu.label, gpu.gaps, gpu.longest_gap_seconds));
    }
    if (gpu.counter && gpu.counter->disagree()) {
      facts.warnings.push_back(
          fmt::format("GPU {}: the energy counter says {:.4g} J and integrated power {:.4g} J ({:+.1f} %); the counter is taken for energy, "
                      "power for shape: check the power column's averaging and the sampling",
                      gpu.label, gpu.counter->counter_joules, gpu.counter->power_joules, 100 * gpu.counter->difference()));
    }
    for (const ChannelFacts& channel : gpu.channels) {
      const double updates = gpu.span_seconds / channel.update_period_seconds;
      if (channel.chosen && updates < 20) {
        facts.warnings.push_back(
            fmt::format("GPU {}: the log is {:.0f} of the sensor's updates long; fits want 20 and more a state", gpu.label, updates));
      }
    }
  }
  facts.learnable = learnable(log, facts);
  return facts;
}

}  // namespace joulecast::calibration
