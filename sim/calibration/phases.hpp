#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "calibration/sensor.hpp"
#include "traces/power/log.hpp"

namespace joulecast::calibration {

/// What a GPU did in a phase.
enum class PhaseState : std::uint8_t { bare_idle, context_idle, spin_wait, active, unknown };
std::string_view name(PhaseState state);

/// What a phase's name says. Names are those that `record --plan` writes: a state ("bare-idle", "context-idle", "spin-wait"), or what was set
/// ("clock=1410" in MHz, "cap=400" in W, "batch=32", "step_s=0.0231", "work=prefill"), several parted by a space or "+". Anything else ("warm-up",
/// "between", "loading") is left out.
struct PhaseFacts {
  PhaseState state = PhaseState::unknown;
  double clock_hertz = 0, cap_watts = 0, batch = 0, step_seconds = 0;  ///< 0 where not said
  std::string work;                                                    ///< phases of one clock or cap curve have the same; "" where not said
};
PhaseFacts phase_facts(std::string_view name);

/// One steady stretch of one GPU.
struct Phase {
  std::string gpu, name;
  PhaseFacts facts;
  std::int64_t from_ns = 0, to_ns = 0;  ///< of the board's own time, as marked or found
  double watts = 0;                     ///< mean, corrected for gain and offset, without what the sensor still showed of before
  double spread = 0;                    ///< standard deviation of the values shown, W
  std::size_t updates = 0;              ///< sensor values in it
  double counter_watts = 0;             ///< by the energy counter; NaN where there is none
  double batch = 0;                     ///< mean of what the load log says; else what the name says; 0 where neither
  double clock_hertz = 0;               ///< median of the SM clock logged; else what the name says; 0 where neither
  double seconds() const { return static_cast<double>(to_ns - from_ns) * 1e-9; }
};

/// How a log was cut.
struct Phases {
  std::vector<Phase> phases;
  std::vector<std::string> notes;
  std::map<std::string, std::size_t> dropped;  ///< phases left out, by reason
};

/// Cuts each GPU's power by the log's marks, or where it has none by change points of the mean (`change_points`), then names idle phases by
/// utilisation and memory. A phase loses `sensor.settling()` at its beginning; fewer than 5 sensor values then are refused, fewer than 20 noted.
Phases find_phases(const traces::PowerLog& log, traces::PowerKind kind, const SensorModel& sensor);

}  // namespace joulecast::calibration
