#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "traces/grid/text.hpp"
#include "traces/power/log.hpp"
#include "traces/power/open_log.hpp"

namespace joulecast::traces {

/// What one engine had to do over time. A quantity that the log lacks has an empty vector; one that it has, a value a sample, NaN where it is missing.
/// Counters count from the engine's start.
struct EngineLoad {
  std::string label;  ///< engine number or model, "" where there is one
  std::vector<std::int64_t> time_ns;
  std::vector<double> running;            ///< requests in the batch
  std::vector<double> waiting;            ///< requests in the queue
  std::vector<double> kv_usage;           ///< share of KV blocks in use, 0 .. 1
  std::vector<double> prompt_tokens;      ///< counter
  std::vector<double> generation_tokens;  ///< counter
  std::vector<double> steps;              ///< counter of engine steps
  std::vector<double> step_seconds;       ///< length of the latest step, where an engine logs it
  std::vector<double> preemptions;        ///< counter
  std::vector<double> prefix_queries;     ///< counter of prompt tokens looked up in the prefix cache
  std::vector<double> prefix_hits;        ///< counter of those found
  std::vector<double> prompt_rate;        ///< prompt tokens/s over the interval before the sample, where the log gives rates
  std::vector<double> generation_rate;    ///< generated tokens/s, likewise

  std::size_t samples() const { return time_ns.size(); }
};

/// A log of load, to lay beside a power log.
struct LoadLog {
  LogSource source;
  TimeBase time_base = TimeBase::utc;
  std::vector<EngineLoad> engines;
  std::vector<std::string> notes, warnings;
};

const std::vector<std::string>& load_log_formats();

/// The format of a load log by its first lines: "vllm-metrics" (scrapes of /metrics, or Prometheus's answer to a range query), "engine-csv" (columns
/// named as vLLM's metrics, seconds since 1970), "vllm-log" (the engine's log lines), "requests-jsonl" (a request a line); "" for anything else.
std::string find_load_format(const SeriesText& text);

/// Reads a load log; of `options` file, place, format, timezone, period, skip_bad and year count. UserError as for power logs.
LoadLog read_load_log(const PowerLogOptions& options);
LoadLog read_load_log_text(std::string_view text, const PowerLogOptions& options);

}  // namespace joulecast::traces
