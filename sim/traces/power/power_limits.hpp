#pragma once

#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "traces/text_lines.hpp"

namespace joulecast::traces {

/// What an epoch of a job takes on one GPU under one power limit.
struct PowerLimitRow {
  Watts limit;
  Seconds time;
  Watts power;  ///< mean
};

/// One job of a table, its rows by falling limit.
struct PowerLimitJob {
  std::string dataset, network, batch_size, optimizer;
  std::vector<PowerLimitRow> rows;

  std::string name() const { return dataset + " " + network + " batch " + batch_size + " " + optimizer; }
};

struct PowerLimitTable {
  std::vector<PowerLimitJob> jobs;  ///< in the order in which they first appear
  std::vector<std::string> notes;   ///< what is odd in the file but no fault
};

/// Reads a summary table of Zeus (NSDI 2023 artifact): columns `dataset`, `network`, `batch_size`, `optimizer`, `power_limit` (W), `time_per_epoch`
/// (s), `average_power` (W). A mean power above the limit is noted where it exceeds the limit by more than `tolerance`: boards do not hold low limits
/// exactly (up to 21 % above 100 W in that artifact). UserError: a number that is none or not above 0, a job with a limit twice, no rows, a row that
/// was cut off.
PowerLimitTable read_power_limits(TextLines lines, double tolerance = 0.05);

}  // namespace joulecast::traces
