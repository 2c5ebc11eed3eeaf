#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "traces/text_lines.hpp"

namespace joulecast::traces {

/// A pair of clock settings; absent: the driver chooses ("auto").
struct ClockPair {
  std::optional<Hertz> memory, core;

  friend bool operator==(const ClockPair&, const ClockPair&) = default;
};
/// "5001/auto": memory and core MHz.
std::string text(const ClockPair& pair);

/// One kernel of a training iteration as kernel-level DVFS studies publish it: its time and energy with both clocks on auto, the pair that saves most
/// without a slowdown in sum, and the extremes over all pairs.
struct KernelRow {
  std::int32_t id = 0;
  std::string section;  ///< L: once a layer; others once an iteration, E before and X after the layers
  bool forward = true;
  std::string kernel;
  std::int32_t repeat = 1;  ///< calls an iteration
  Seconds auto_time;        ///< of one call
  Joules auto_energy;
  Seconds least_time, most_time;
  Joules least_energy, most_energy;
  ClockPair best;
  double best_time_change = 0, best_energy_change = 0;  ///< relative to auto, -0.1 is 10 % less
};

/// Reads `kernel_id, section, phase, kernel, repeat, auto_time_s, auto_energy_J, min_time_s, max_time_s, min_energy_J, max_energy_J, best_mem_mhz,
/// best_core_mhz, best_time_pct, best_energy_pct` (arXiv 2601.08539, tables 1 and 3). UserError: a number that is none, a time, energy or repeat not
/// above 0, a phase other than fwd and bwd, an id twice, no rows, a row that was cut off.
std::vector<KernelRow> read_kernel_table(TextLines lines);

/// What a whole pass takes with all its kernels at one pair, relative to auto.
struct PassRow {
  ClockPair clocks;
  double time_change = 0, energy_change = 0;
};
struct PassTable {
  std::vector<PassRow> forward, backward;
};

/// Reads `pass` (fwd or bwd), `mem_mhz`, `core_mhz`, `time_pct_change`, `energy_pct_change`. UserError as above; a pair twice in a pass; a pass
/// without rows.
PassTable read_pass_table(TextLines lines);

}  // namespace joulecast::traces
