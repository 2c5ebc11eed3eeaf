#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "traces/text_lines.hpp"

namespace joulecast::traces {

/// What one GPU takes for a pass of its pipeline stage at one locked SM clock.
struct StageProfileRow {
  Hertz clock;
  Seconds time;
  Joules energy;
};

/// A measured pipeline: for each stage the rows of its forward and its backward pass, by falling clock. Rows that are slower and dearer than others
/// are kept.
struct StageProfile {
  struct Stage {
    std::vector<StageProfileRow> forward, backward;
  };
  std::string file;
  std::vector<Stage> stages;
  std::int32_t rows = 0;
};

/// Reads a profile in the CSV of ml-energy's Perseus and Zeus: columns `stage` (from 0), `instruction` (forward or backward), `frequency` (MHz),
/// `time` (s) and `energy` (J) in any order of columns and rows. UserError, all faults of a kind at once: a number that is none, a time, energy or
/// clock of 0 or below, an unknown instruction, two rows for one stage, instruction and clock, a stage or a pass without rows, a clock that one pass
/// has and another lacks, no rows, a row that was cut off.
StageProfile read_stage_profile(TextLines lines);

}  // namespace joulecast::traces
