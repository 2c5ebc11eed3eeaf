#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "traces/grid/civil_time.hpp"
#include "traces/power/log.hpp"

namespace joulecast::traces {

/// A column of a plain CSV and what it is: "power=board_W:mW" is { power, "board_W", "mW" }.
struct LogColumn {
  std::string
      quantity;  ///< time, gpu, uuid, power, meter, average, instant, energy, sm_clock, memory_clock, utilization, temperature, limit, memory_used, mark
  std::string header;
  std::string unit;  ///< "" takes the unit that the header carries
};

/// What the log does not say by itself.
struct PowerLogOptions {
  std::string file;
  Place place;                          ///< where the file was named
  std::string format;                   ///< "" finds it by the log's first lines; else one of `power_log_formats`
  std::string timezone;                 ///< of times without an offset: IANA name, "UTC" or "+01:00"; "" leaves them local
  int year = 0;                         ///< in which a log without years (vLLM's lines) begins
  int gpu_count = 0;                    ///< of a log without a GPU column: its rows go round so many GPUs
  double period = 0;                    ///< seconds between polls, of a log without times
  std::optional<DateOrder> date_order;  ///< of dates that may be read two ways (MLPerf's spl.txt)
  int skip_bad = 0;                     ///< so many lines that are no rows may be left out
  bool decimal_comma = false;           ///< columns parted by ';', decimals by ','
  std::vector<std::string> columns;     ///< of an nvidia-smi log without a header: what --query-gpu was given
  std::vector<LogColumn> mapping;       ///< of a plain CSV
};

const std::vector<std::string>& power_log_formats();

/// Reads a log. UserError: no such file, an empty one, one that is no power log (the message says what it is taken for where that is known), a
/// fault of its rows, a unit that cannot be right, no GPU alive in it.
PowerLog read_power_log(const PowerLogOptions& options);
/// The same for text in memory; `options.file` names it.
PowerLog read_power_log_text(std::string_view text, const PowerLogOptions& options);

}  // namespace joulecast::traces
