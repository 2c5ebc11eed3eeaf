#pragma once

#include <vector>

#include "calibration/phases.hpp"
#include "calibration/step_signal.hpp"
#include "traces/load/log.hpp"

namespace joulecast::calibration {

/// How a load log's times were laid on the power's.
struct LoadOffset {
  double seconds = 0;      ///< added to the load's times
  double correlation = 0;  ///< of running sequences and watts at that offset; NaN where the offset was stated or running sequences are not logged
};

/// The offset of up to 30 s at which log(1 + running sequences) and power correlate best.
LoadOffset find_load_offset(const traces::EngineLoad& load, const StepSignal& watts);

/// Marks at which the number of running sequences changes (`change_points` on means of a second), moved by the offset: "batch=32" where some run,
/// "context-idle" where none does; behind the load's last time "load-ends", which names no state. Empty where running sequences are not logged.
std::vector<traces::PhaseMark> marks_of_load(const traces::EngineLoad& load, double offset_seconds);

/// Gives each active phase the mean batch and the step time that the load shows in it: seconds over steps counted, else the median step logged, else
/// running*seconds over tokens generated. What a phase's name already says stays.
void add_load(std::vector<Phase>& phases, const traces::EngineLoad& load, double offset_seconds);

}  // namespace joulecast::calibration
