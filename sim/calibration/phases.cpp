#include "calibration/phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "calibration/change_points.hpp"
#include "fit/held_out.hpp"

namespace joulecast::calibration {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kLeastUpdates = 5, kFewUpdates = 20;

double seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }
std::int64_t nanoseconds(double s) { return std::llround(s * 1e9); }

struct Stretch {
  std::string name;
  std::int64_t from_ns, to_ns;
};

std::vector<Stretch> marked(const traces::PowerLog& log, std::int64_t end_ns) {
  std::vector<Stretch> all;
  for (std::size_t i = 0; i < log.marks.size(); ++i) {
    all.push_back({log.marks[i].name, log.marks[i].time_ns, i + 1 < log.marks.size() ? std::min(log.marks[i + 1].time_ns, end_ns) : end_ns});
  }
  return all;
}

/// Stretches of one mean, at least two seconds and the settling long; times are the board's, before the sensor's lag.
std::vector<Stretch> found(const StepSignal& shown, const SensorModel& sensor) {
  // The search takes the square of the values where nothing changes: a long log is cut to coarser ones, each the mean of its time.
  constexpr std::int64_t kMostValues = 20'000;
  const std::int64_t step_ns = std::max(nanoseconds(std::max(sensor.period, 0.05)), (shown.last_ns() - shown.begin_ns()) / kMostValues);
  std::vector<double> values;
  for (std::int64_t t = shown.begin_ns(); t <= shown.last_ns(); t += step_ns) values.push_back(shown.mean(t - step_ns / 2, t + step_ns / 2));
  std::vector<Stretch> all;
  for (const MeanSegment& segment : change_points(values, 1, 3, 3)) {
    const std::int64_t from = shown.begin_ns() + static_cast<std::int64_t>(segment.begin) * step_ns;
    const std::int64_t to = shown.begin_ns() + static_cast<std::int64_t>(segment.end) * step_ns;
    if (seconds(to - from) < 2 + sensor.settling()) continue;
    all.push_back({fmt::format("plateau {}", all.size() + 1), from - nanoseconds(sensor.lag), to - nanoseconds(sensor.lag)});
  }
  return all;
}

/// The values of a column in [from, to) that are there.
std::vector<double> within(const traces::GpuSeries& gpu, const std::vector<double>& column, std::int64_t from, std::int64_t to) {
  std::vector<double> some;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (gpu.time_ns[i] >= from && gpu.time_ns[i] < to && !std::isnan(column[i])) some.push_back(column[i]);
  }
  return some;
}

double median_or_nan(const std::vector<double>& values) { return values.empty() ? kNaN : fit::quantile(values, 0.5); }

double counter_watts(const traces::GpuSeries& gpu, std::int64_t from, std::int64_t to) {
  std::optional<std::size_t> first, last;
  for (std::size_t i = 0; i < gpu.energy_joules.size(); ++i) {
    if (gpu.time_ns[i] < from || gpu.time_ns[i] >= to || std::isnan(gpu.energy_joules[i])) continue;
    if (!first) first = i;
    last = i;
  }
  if (!first || *last == *first || gpu.energy_joules[*last] <= gpu.energy_joules[*first]) return kNaN;
  return (gpu.energy_joules[*last] - gpu.energy_joules[*first]) / seconds(gpu.time_ns[*last] - gpu.time_ns[*first]);
}

/// Without a name: idle where the GPU says that nothing ran, with a model in memory or without; else active.
PhaseState state_of(const traces::GpuSeries& gpu, std::int64_t from, std::int64_t to) {
  const double used = median_or_nan(within(gpu, gpu.utilization, from, to));
  if (std::isnan(used)) return PhaseState::unknown;
  if (used > 0.02) return PhaseState::active;
  constexpr double kModelInMemory = 2e9;  // a bare driver holds less, a model more
  const double memory = median_or_nan(within(gpu, gpu.memory_used_bytes, from, to));
  if (std::isnan(memory)) return PhaseState::unknown;
  return memory > kModelInMemory ? PhaseState::context_idle : PhaseState::bare_idle;
}

std::optional<Phase> phase_of(const traces::GpuSeries& gpu, const StepSignal& shown, const traces::PowerChannel& channel, const Stretch& stretch,
                              const SensorModel& sensor, Phases& result) {
  Phase phase;
  phase.gpu = gpu.label();
  phase.name = stretch.name;
  phase.facts = phase_facts(stretch.name);
  phase.batch = phase.facts.batch;
  phase.from_ns = stretch.from_ns;
  phase.to_ns = stretch.to_ns;
  const std::int64_t settled = stretch.from_ns + nanoseconds(sensor.settling());
  const double length = seconds(stretch.to_ns - settled);
  phase.updates = length > 0 ? static_cast<std::size_t>(length / sensor.period) : 0;
  if (phase.updates < kLeastUpdates) {
    ++result.dropped["shorter than five sensor values after settling"];
    return std::nullopt;
  }
  if (phase.updates < kFewUpdates) {
    result.notes.push_back(
        fmt::format("\"{}\" of GPU {} holds {} sensor values: 20 and more make a steady mean", phase.name, phase.gpu, phase.updates));
  }
  phase.watts = sensor.watts(shown.mean(settled, stretch.to_ns));
  if (!(phase.watts > 0)) {
    ++result.dropped["not above 0 W after gain and offset"];
    return std::nullopt;
  }
  const std::vector<double> values = within(gpu, channel.watts, settled, stretch.to_ns);
  double squares = 0;
  for (const double value : values) squares += std::pow(sensor.watts(value) - phase.watts, 2);
  phase.spread = values.empty() ? 0 : std::sqrt(squares / static_cast<double>(values.size()));
  phase.counter_watts = sensor.watts(counter_watts(gpu, settled, stretch.to_ns));
  if (!(phase.counter_watts > 0)) phase.counter_watts = kNaN;
  const double clock = median_or_nan(within(gpu, gpu.sm_clock_hertz, settled, stretch.to_ns));
  phase.clock_hertz = std::isnan(clock) ? phase.facts.clock_hertz : clock;
  if (phase.facts.cap_watts == 0 && phase.facts.state == PhaseState::unknown) phase.facts.state = state_of(gpu, settled, stretch.to_ns);
  if (phase.facts.state == PhaseState::unknown) {
    const bool used = !gpu.utilization.empty();
    result.notes.push_back(fmt::format("\"{}\" of GPU {}, {:.1f} W: which state it is does not show without {} in the log", phase.name, phase.gpu,
                                       phase.watts,
                                       used                            ? "memory used"
                                       : gpu.memory_used_bytes.empty() ? "utilisation and memory used"
                                                                       : "utilisation"));
  }
  return phase;
}

/// Names that say nothing of a state: what was between the phases.
bool left_out(const PhaseFacts& facts, bool by_marks) { return by_marks && facts.state == PhaseState::unknown; }

}  // namespace

Phases find_phases(const traces::PowerLog& log, traces::PowerKind kind, const SensorModel& sensor) {
  Phases result;
  const bool by_marks = !log.marks.empty();
  result.notes.emplace_back(by_marks
                                ? fmt::format("cut by {} mark{}", log.marks.size(), log.marks.size() == 1 ? "" : "s")
                                : "no marks: cut where the mean changes (PELT, Killick et al. 2012), idle phases named by utilisation and memory");
  for (const traces::GpuSeries& gpu : log.gpus) {
    const traces::PowerChannel* channel = gpu.channel(kind);
    if (channel == nullptr || channel->missing >= gpu.samples()) {
      result.notes.push_back(fmt::format("GPU {} has no {} power: left out", gpu.label(), traces::name(kind)));
      continue;
    }
    const StepSignal shown(gpu.time_ns, channel->watts);
    for (const Stretch& stretch : by_marks ? marked(log, shown.last_ns()) : found(shown, sensor)) {
      if (left_out(phase_facts(stretch.name), by_marks)) {
        ++result.dropped[stretch.name.empty() ? "no name" : "\"" + stretch.name + "\""];
        continue;
      }
      if (auto phase = phase_of(gpu, shown, *channel, stretch, sensor, result)) result.phases.push_back(*std::move(phase));
    }
  }
  return result;
}

}  // namespace joulecast::calibration
