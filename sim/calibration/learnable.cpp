#include "calibration/learnable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "calibration/phases.hpp"
#include "calibration/window_caps.hpp"

namespace joulecast::calibration {
namespace {

using traces::PowerLog;
using traces::TimeBase;

/// Utilisation below which a GPU runs nothing, and above which it is busy.
constexpr double kIdle = 0.02, kBusy = 0.5;
/// A level counts when the GPU stays on it for so long: twice the second over which power.draw averages.
constexpr double kLevelSeconds = 2;

template <class Of>
bool any_gpu(const LogFacts& facts, Of&& of) {
  return std::any_of(facts.gpus.begin(), facts.gpus.end(), of);
}

/// Longest stretch, in seconds, of samples whose utilisation `wanted` accepts.
template <class Wanted>
double longest_stretch(const PowerLog& log, Wanted&& wanted) {
  double longest = 0;
  for (const auto& gpu : log.gpus) {
    std::size_t from = SIZE_MAX;
    for (std::size_t i = 0; i < gpu.utilization.size(); ++i) {
      if (std::isnan(gpu.utilization[i])) continue;
      if (!wanted(gpu.utilization[i])) {
        from = SIZE_MAX;
        continue;
      }
      if (from == SIZE_MAX) from = i;
      longest = std::max(longest, static_cast<double>(gpu.time_ns[i] - gpu.time_ns[from]) * 1e-9);
    }
  }
  return longest;
}

Learnable energy(const PowerLog& log, const LogFacts& facts) {
  if (!log.windows.empty()) return {"energy of windows", true, fmt::format("the log gives the joules of {} windows", log.windows.size())};
  if (any_gpu(facts, [](const GpuFacts& gpu) { return gpu.counter.has_value(); })) return {"energy", true, "differences of the energy counter"};
  if (log.time_base == TimeBase::numbered) return {"energy", false, "the samples have no times: log a timestamp, or give --period"};
  if (facts.span_seconds <= 0) return {"energy", false, "one sample: log for longer"};
  return {"energy", true, "integrated power; log total_energy_consumption too for a second road"};
}

bool of_meter(const LogFacts& facts) {
  return any_gpu(facts, [](const GpuFacts& gpu) {
    return std::any_of(gpu.channels.begin(), gpu.channels.end(),
                       [](const ChannelFacts& channel) { return channel.chosen && channel.kind == traces::PowerKind::meter; });
  });
}

Learnable sensor_period(const PowerLog& log, const LogFacts& facts) {
  if (log.time_base == TimeBase::numbered) return {"sensor's update period", false, "the samples have no times: log a timestamp, or give --period"};
  if (of_meter(facts)) return {"sensor's update period", false, "the watts are a meter's; log the board's own readings beside it"};
  if (!any_gpu(facts, [](const GpuFacts& gpu) { return gpu.samples >= 20; }))
    return {"sensor's update period", false, "too few samples: poll at 10-20 ms for a minute, under a load that changes"};
  for (const GpuFacts& gpu : facts.gpus) {
    for (const ChannelFacts& channel : gpu.channels) {
      if (!channel.chosen || std::isnan(channel.update_period_seconds) || channel.changes < 10) continue;
      const double update = channel.update_period_seconds, poll = gpu.sampling_period_seconds;
      if (update > 1.5 * poll) {
        return {"sensor's update period", true, fmt::format("{:.0f} ms, polled every {:.0f} ms", 1e3 * update, 1e3 * poll)};
      }
      return {"sensor's update period", false,
              fmt::format("every sample is a new value: the period is at most {:.0f} ms; poll five times as often for a minute", 1e3 * poll)};
    }
  }
  return {"sensor's update period", false, "the power hardly changes: log a load that changes, polled at 10-20 ms"};
}

Learnable averaging(const PowerLog& log, const LogFacts& facts) {
  const auto named = [](const GpuFacts& gpu) {
    return std::any_of(gpu.channels.begin(), gpu.channels.end(),
                       [](const ChannelFacts& channel) { return channel.chosen && channel.kind != traces::PowerKind::draw; });
  };
  if (any_gpu(facts, named)) return {"what the power column averages", true, "the column says it"};
  if (log.gpus.empty()) return {"what the power column averages", false, "the log has no power samples"};
  return {"what the power column averages", false,
          "power.draw means a second's mean or a short sample, by GPU and driver: log power.draw.instant and power.draw.average, or a step of load"};
}

Learnable floors(const PowerLog& log) {
  const bool has = std::any_of(log.gpus.begin(), log.gpus.end(), [](const auto& gpu) { return !gpu.utilization.empty(); });
  const bool marked = std::any_of(log.marks.begin(), log.marks.end(), [](const auto& mark) {
    const PhaseState state = phase_facts(mark.name).state;
    return state == PhaseState::bare_idle || state == PhaseState::context_idle;
  });
  if (marked) return {"idle watts", true, "phases that are marked idle"};
  if (!log.marks.empty()) return {"idle watts", false, "the log has marks and none says bare-idle or context-idle: mark those phases so"};
  if (!has) return {"idle watts", false, "no utilisation and no marks: log utilization.gpu, and 30 s without and with a process on the GPU"};
  const double idle = longest_stretch(log, [](double share) { return share <= kIdle; });
  if (idle < kLevelSeconds && static_cast<double>(log.end_ns() - log.begin_ns()) < 1e9 * kLevelSeconds)
    return {"idle watts", false, "the log is shorter than 2 s: log 30 s before the first process and 30 s with the model loaded"};
  if (idle < kLevelSeconds)
    return {"idle watts", false, "the GPU is never idle for 2 s: log 30 s before the first process and 30 s with the model loaded"};
  return {"idle watts", true, fmt::format("{:.0f} s without work; whether a process held a context is not in the log: say it with marks", idle)};
}

Learnable clock_curve(const PowerLog& log, const LogFacts& facts) {
  std::size_t most = 0;
  for (const GpuFacts& gpu : facts.gpus) most = std::max(most, gpu.sm_clocks_hertz.size());
  const bool busy = longest_stretch(log, [](double share) { return share >= kBusy; }) >= kLevelSeconds;
  if (most == 0)
    return {"watts against clock", false,
            "no clocks in the log: log clocks.current.sm under the same load at 6 or more locked clocks (nvidia-smi -lgc)"};
  if (most < 4 || !busy) {
    return {"watts against clock", false,
            fmt::format("{} seen{}: lock 6 or more from the lowest to the highest, each 30 s under the same load",
                        most == 1 ? "1 clock" : fmt::format("{} clocks", most), busy ? "" : " and no steady load")};
  }
  return {"watts against clock", true, fmt::format("{} clocks seen", most)};
}

Learnable cap_curve(const PowerLog& log, const LogFacts& facts) {
  constexpr const char* kWhat = "time against the power limit";
  const std::size_t windows = log.gpus.empty() ? cap_points_of_windows(log).size() : 0;
  if (windows >= 2) return {kWhat, true, fmt::format("{} limits, each in the names of its windows", windows)};
  std::set<double> limits, timed;
  for (const traces::PhaseMark& mark : log.marks) {
    const PhaseFacts named = phase_facts(mark.name);
    if (named.cap_watts > 0) limits.insert(named.cap_watts);
    if (named.cap_watts > 0 && named.step_seconds > 0) timed.insert(named.cap_watts);
  }
  if (timed.size() >= 2) return {kWhat, true, fmt::format("{} limits in marks, with their step times", timed.size())};
  if (limits.size() >= 2)
    return {kWhat, false, fmt::format("{} limits in marks without step times: add step_s=SECONDS, or give the engine's log (--load)", limits.size())};
  const bool moved = any_gpu(facts, [](const GpuFacts& gpu) { return gpu.most_limit_watts > gpu.least_limit_watts; });
  const bool logged = any_gpu(facts, [](const GpuFacts& gpu) { return gpu.most_limit_watts > 0; });
  return {kWhat, false,
          fmt::format("{}: repeat the load at 5 or more limits (nvidia-smi -pl), each marked cap=WATTS step_s=SECONDS",
                      moved    ? "the limit changes, and no marks name it"
                      : logged ? "one limit"
                               : "no power limit in the log")};
}

Learnable serving(const PowerLog& log) {
  if (log.gpus.empty()) return {"watts against batch", false, "the log has no power samples"};
  if (log.time_base == TimeBase::utc)
    return {"watts against batch", false, "needs the engine's load beside the log: --load FILE (scrapes of vLLM's /metrics)"};
  return {"watts against batch", false,
          "needs the engine's load beside the log, and times that can be laid beside it: declare --timezone, or log seconds since 1970"};
}

}  // namespace

std::vector<Learnable> learnable(const PowerLog& log, const LogFacts& facts) {
  std::vector<Learnable> all = {energy(log, facts)};
  if (!log.gpus.empty()) {
    all.push_back(sensor_period(log, facts));
    all.push_back(averaging(log, facts));
    all.push_back(floors(log));
    all.push_back(clock_curve(log, facts));
  }
  all.push_back(cap_curve(log, facts));
  all.push_back(serving(log));
  all.push_back({"gain and offset of the sensor", false,
                 of_meter(facts) ? "the watts are a meter's: lay them beside the board's own log (calibrate fit LOG --meter FILE)"
                                 : "needs a meter beside it: the wall, or the board's supply; without, 5 % is assumed"});
  return all;
}

}  // namespace joulecast::calibration
