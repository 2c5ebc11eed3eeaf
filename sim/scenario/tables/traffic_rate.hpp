#pragma once

#include "scenario/tables/traffic.hpp"

namespace joulecast::scenario {

/// `rate = { scale = 8.0, by = "superpose" }`, `rate = { daily = [..] }`.
config::Record<TrafficRateTable> rate_record();

/// `lengths`: a histogram's name or path, `{ "azure-2023-conv" = 0.7, "azure-2023-code" = 0.3 }`, or a trace `{ file, format, .. }`.
void read_lengths(TrafficTable& traffic, const config::Node& node, config::Diagnostics& diagnostics);

}  // namespace joulecast::scenario
