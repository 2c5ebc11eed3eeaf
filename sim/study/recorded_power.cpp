#include "study/recorded_power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "fit/held_out.hpp"
#include "scenario/simulate.hpp"

namespace joulecast::study {
namespace {

constexpr std::int64_t kMoment = 100'000'000;
constexpr std::int64_t kGap = 1'000'000'000;  // that GPUs are polled one after the other is no gap
constexpr double kLeastCorrelation = 0.3;     // below it two signals are not taken to move together, as where a load is laid beside a log

std::int64_t nanoseconds(double seconds) { return std::llround(seconds * 1e9); }
double seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

/// The sum over GPUs of what their sensors showed while all were read, and the sensor of the first.
calibration::StepSignal shown_sum(const traces::PowerLog& log, const calibration::SensorStatement& stated, PowerReplay& replay) {
  std::vector<calibration::StepSignal> all;
  for (const traces::GpuSeries& gpu : log.gpus) {
    const traces::PowerChannel* channel = gpu.best_channel();
    if (channel == nullptr || channel->missing >= gpu.samples()) continue;
    all.emplace_back(gpu.time_ns, channel->watts);
    if (all.size() == 1) {
      replay.kind = channel->kind;
      replay.sensor = calibration::learn_sensor(all[0], gpu.time_ns, channel->watts, {}, stated);
    }
  }
  replay.gpus = all.size();
  if (all.empty()) throw UserError({log.source.file, 0, 0}, "no GPU of the log has power readings", "log power.draw of every GPU of the run");
  // Only while every GPU is read: one that is lost, or comes late, would stand in the sum with watts that nobody saw.
  const auto [first_begin, begin] =
      std::minmax_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.begin_ns() < b.begin_ns(); });
  const auto [end, last_end] = std::minmax_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.last_ns() < b.last_ns(); });
  if (begin->begin_ns() - first_begin->begin_ns() > kGap || last_end->last_ns() - end->last_ns() > kGap) {
    replay.notes.push_back(fmt::format("not all GPUs were read all the time: the log is taken from {:.1f} s to {:.1f} s, where they were",
                                       seconds(begin->begin_ns() - log.begin_ns()), seconds(end->last_ns() - log.begin_ns())));
  }
  std::vector<std::int64_t> times;
  std::vector<double> watts;
  for (const std::int64_t t : all.front().times()) {
    if (t < begin->begin_ns() || t > end->last_ns()) continue;
    times.push_back(t - log.begin_ns());
    double sum = 0;
    for (const calibration::StepSignal& signal : all) sum += signal.at(t);
    watts.push_back(sum);
  }
  if (times.empty()) throw UserError({log.source.file, 0, 0}, "there is no moment at which all GPUs were read", "log every GPU over the whole run");
  return {times, watts};
}

/// What the simulated GPUs draw together, and its end.
calibration::StepSignal drawn(const scenario::Result& result) {
  const auto& bins = result.energy.watts[static_cast<std::size_t>(metering::Boundary::gpu)];
  std::vector<std::int64_t> times;
  std::vector<double> watts;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    times.push_back(nanoseconds(static_cast<double>(i) * result.energy.bin_s));
    watts.push_back(static_cast<double>(bins[i]));
  }
  times.push_back(nanoseconds(result.horizon_s));
  watts.push_back(watts.back());
  return {times, watts};
}

int gpus_of(const scenario::Result& result) {
  int gpus = result.no_pool_gpus;
  for (const auto& pool : result.pools) gpus += pool.gpus;
  return gpus;
}

void judge(PowerReplay& replay) {
  double squares = 0, sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  std::vector<double> measured, simulated;
  const double n = static_cast<double>(replay.moments.size());
  for (const PowerMoment& m : replay.moments) {
    squares += (m.simulated - m.measured) * (m.simulated - m.measured);
    sx += m.measured;
    sy += m.simulated;
    sxx += m.measured * m.measured;
    syy += m.simulated * m.simulated;
    sxy += m.measured * m.simulated;
    measured.push_back(m.measured);
    simulated.push_back(m.simulated);
  }
  replay.measured_joules = sx * static_cast<double>(kMoment) * 1e-9;
  replay.simulated_joules = sy * static_cast<double>(kMoment) * 1e-9;
  replay.mean_error = sy / sx - 1;
  replay.rms_watts = std::sqrt(squares / n);
  const double spread = (n * sxx - sx * sx) * (n * syy - sy * sy);
  replay.correlation = spread > 0 ? (n * sxy - sx * sy) / std::sqrt(spread) : std::numeric_limits<double>::quiet_NaN();
  replay.p99_measured = fit::quantile(std::move(measured), 0.99);
  replay.p99_simulated = fit::quantile(std::move(simulated), 0.99);
}

}  // namespace

PowerReplay replay_power(const scenario::Scenario& scenario, const traces::PowerLog& log, const calibration::SensorStatement& stated,
                         std::optional<double> offset, double most_offset) {
  PowerReplay replay;
  const calibration::StepSignal shown = shown_sum(log, stated, replay);
  const scenario::Result result = scenario::simulate(scenario, {});
  if (gpus_of(result) != static_cast<int>(replay.gpus)) {
    throw UserError({log.source.file, 0, 0}, fmt::format("the log has power of {} GPUs, the scenario holds {}", replay.gpus, gpus_of(result)),
                    "log every GPU of the scenario's nodes, or write a scenario of those that were logged");
  }
  // One sensor a GPU with the same figures: their sum is the sum's, but for the offsets.
  calibration::SensorModel sensor = replay.sensor.model;
  sensor.offset *= static_cast<double>(replay.gpus);
  const calibration::StepSignal truth = drawn(result);
  std::vector<std::int64_t> polls;
  for (std::int64_t t = 0; t <= nanoseconds(result.horizon_s); t += kMoment) polls.push_back(t);
  const calibration::StepSignal expected(polls, sensor.readings(truth, polls, 0));
  replay.offset =
      offset ? calibration::Alignment{*offset, std::numeric_limits<double>::quiet_NaN()} : calibration::align(expected, shown, most_offset);
  if (!offset && !(replay.offset.correlation >= kLeastCorrelation)) {
    throw UserError(
        {log.source.file, 0, 0},
        replay.offset.correlation < -1
            ? std::string("log and simulated run are too short or too steady together to be aligned")
            : fmt::format("the log's watts and the simulated ones don't move together (correlation {:.2f} at best)", replay.offset.correlation),
        "state where the run begins with --offset");
  }
  replay.notes.push_back(offset ? fmt::format("the run begins {:.2f} s after the log's first sample, as stated", *offset)
                                : fmt::format("the run begins {:.2f} s after the log's first sample, where the two correlate best ({:.3f})",
                                              replay.offset.seconds, replay.offset.correlation));
  const std::int64_t shift = nanoseconds(replay.offset.seconds);
  for (const std::int64_t t : polls) {
    if (t + shift < shown.begin_ns() || t + shift > shown.last_ns()) continue;
    replay.moments.push_back({static_cast<double>(t) * 1e-9, shown.at(t + shift), expected.at(t)});
  }
  if (replay.moments.empty())
    throw UserError({log.source.file, 0, 0}, "log and simulated run share no moment", "state where the run begins with --offset");
  judge(replay);
  return replay;
}

}  // namespace joulecast::study
