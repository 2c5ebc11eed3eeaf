#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace joulecast::traces {

/// What a column of GPU watts holds. `draw` is nvidia-smi's power.draw, whose meaning moved with GPU and driver (Yang et al., arXiv 2312.02741, table 2):
/// the mean of the last second on Ampere except GA100 and later, a short sample elsewhere and with driver 530.
enum class PowerKind : std::uint8_t { draw, average, instant, meter };

std::string_view name(PowerKind kind);

/// What the times of a log are. `utc`: nanoseconds since 1970. `local`: what a wall clock of an unknown zone showed, as if it were UTC; lengths hold,
/// moments cannot be laid beside another log. `monotonic`: from an unknown start. `numbered`: no times; sample k stands at k seconds.
enum class TimeBase : std::uint8_t { utc, local, monotonic, numbered };

std::string_view name(TimeBase base);

/// Watts of one GPU from one column of the log, a value a sample; NaN where the sample is missing.
struct PowerChannel {
  PowerKind kind = PowerKind::draw;
  std::string column;  ///< as the log calls it
  std::vector<double> watts;
  std::size_t missing = 0;  ///< samples without a reading: N/A, isolated zeros, sentinels
};

/// The samples of one GPU in rising order of time. A quantity that the log lacks has an empty vector; one that it has, a value a sample, NaN
/// where it is missing.
struct GpuSeries {
  std::string index;  ///< as the log numbers it; "" where it does not
  std::string uuid;   ///< "" where the log has none
  std::string model;  ///< the GPU's name; "" where the log has none
  std::vector<std::int64_t> time_ns;
  std::vector<PowerChannel> power;    ///< one at most a kind; empty where only energy is logged
  std::vector<double> energy_joules;  ///< the energy counter
  std::vector<double> sm_clock_hertz;
  std::vector<double> memory_clock_hertz;
  std::vector<double> utilization;         ///< share of time with a kernel running, 0 .. 1
  std::vector<double> memory_utilization;  ///< share of time with memory traffic, 0 .. 1
  std::vector<double> temperature_celsius;
  std::vector<double> power_limit_watts;
  std::vector<double> memory_used_bytes;
  std::vector<double> performance_state;  ///< 0 for P0
  std::vector<double> throttle_reasons;   ///< NVML's mask of clock event reasons, a whole number below 2^53

  /// What people call it: its index, or the UUID where it has none, or "without number".
  std::string label() const;
  const PowerChannel* channel(PowerKind kind) const;
  /// The channel to take: a meter, else instant (not smeared over a second), else average, else draw; nullptr without any.
  const PowerChannel* best_channel() const;
  std::size_t samples() const { return time_ns.size(); }
};

/// A window that the log gives the energy of: a Zeus window, a CodeCarbon row.
struct EnergyWindow {
  std::string name;
  std::optional<std::int64_t> start_ns;  ///< in the log's time base
  double seconds = 0;
  std::vector<double> joules;  ///< a GPU each, in the order of `PowerLog::window_gpus`; NaN where not measured
};

/// From `time_ns` on the phase has this name ("" for none), until the next mark.
struct PhaseMark {
  std::int64_t time_ns = 0;
  std::string name;
};

/// A GPU that the log names and has no power of, and why.
struct AbsentGpu {
  std::string label, reason;
};

/// Where a log is from and what became of its rows.
struct LogSource {
  std::string file, sha256, format;
  std::string timezone;  ///< as declared; "" where the log needs none or none was declared
  std::string driver, host;
  std::size_t rows = 0;                        ///< read and used
  std::map<std::string, std::size_t> dropped;  ///< rows left out, by reason
};

/// What a log of GPU power, energy and clocks says, whoever wrote it.
struct PowerLog {
  LogSource source;
  TimeBase time_base = TimeBase::utc;
  std::vector<GpuSeries> gpus;  ///< in the order of their index, else of appearance
  std::vector<AbsentGpu> absent;
  std::vector<PhaseMark> marks;
  std::vector<std::string> window_gpus;  ///< what the joules of each window stand for
  std::vector<EnergyWindow> windows;
  /// True where a value stands until the next row, as in logs that leave out equal readings (Zeus's PowerMonitor): not to be interpolated.
  bool held = false;
  std::vector<std::string> notes;     ///< what was done with the log
  std::vector<std::string> warnings;  ///< what is wrong with it

  /// From the first sample to the last, over all GPUs, in nanoseconds; 0 without samples.
  std::int64_t begin_ns() const;
  std::int64_t end_ns() const;
};

}  // namespace joulecast::traces
