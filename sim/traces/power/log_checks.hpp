#pragma once

#include "traces/power/log.hpp"

namespace joulecast::traces {

/// Refuses watts that cannot be watts: above three times the GPU's power limit, above any board's, below 1 W in P0 or throughout. UserError.
void check_units(const PowerLog& log);

/// Leaves out energy counters that stand still while the GPU draws power, and warns of those that start again. UserError: a counter alone that stands
/// still.
void check_counters(PowerLog& log);

/// Warns of GPUs whose number is missing, of rows of a GPU that end before the others', of power above its limit; notes what power.draw is, where
/// other columns show it.
void remark_gpus(PowerLog& log);

}  // namespace joulecast::traces
