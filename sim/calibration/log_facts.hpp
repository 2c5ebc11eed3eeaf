#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "traces/power/log.hpp"

namespace joulecast::calibration {

/// What a column of watts says of one GPU. `joules`: each value held until the next sample, missing samples bridged by the one before.
struct ChannelFacts {
  traces::PowerKind kind = traces::PowerKind::draw;
  std::string column;
  double mean_watts = 0, least_watts = 0, most_watts = 0;
  double joules = 0;            ///< from the first sample that reads to the last
  double trapezoid_joules = 0;  ///< the same with straight lines between samples
  std::size_t missing = 0;
  std::size_t changes = 0;           ///< samples whose value differs from the one before
  double update_period_seconds = 0;  ///< as `learn_update_period` finds it; NaN with fewer than eight changes
  bool chosen = false;               ///< the column that fits and energies take
};

/// Energy by the counter against energy from power, over the time that both have.
struct CounterFacts {
  double counter_joules = 0, power_joules = 0;
  double seconds = 0;
  /// Counter over power, minus 1; NaN without power.
  double difference() const;
  bool disagree() const;
};

/// Joules that the counter rose by, over its restarts, and those of the channel's watts; nothing with fewer than two readings.
std::optional<CounterFacts> counter_facts(const traces::GpuSeries& gpu, const traces::PowerChannel* channel);

struct GpuFacts {
  std::string label, uuid, model;
  std::size_t samples = 0;
  double span_seconds = 0;
  double sampling_period_seconds = 0;  ///< median time between samples; NaN with one
  double longest_gap_seconds = 0;
  std::size_t gaps = 0;  ///< between samples, more than ten usual periods long and than 1 s
  std::vector<ChannelFacts> channels;
  std::optional<CounterFacts> counter;
  std::vector<double> sm_clocks_hertz;                 ///< those seen in at least one in fifty samples, rising
  double least_limit_watts = 0, most_limit_watts = 0;  ///< 0 where the log has none
  double mean_utilization = 0;                         ///< NaN where the log has none
  double capped_share = 0;                             ///< of samples with the power cap as a reason of the clock; NaN where the log has none
};

/// A phase that the log's marks name: mean watts of all GPUs' chosen columns.
struct MarkFacts {
  std::string name;
  double seconds = 0;
  double mean_watts = 0;  ///< a GPU
};

/// What a calibration could take from the log, and what it lacks.
struct Learnable {
  std::string what;
  bool can = false;
  std::string reason;  ///< from what it is learnt, or which measurement would give it
};

struct LogFacts {
  double span_seconds = 0;
  std::vector<GpuFacts> gpus;
  std::vector<MarkFacts> marks;
  std::vector<Learnable> learnable;
  std::vector<std::string> warnings;  ///< beside the log's own
};

LogFacts log_facts(const traces::PowerLog& log);

}  // namespace joulecast::calibration
