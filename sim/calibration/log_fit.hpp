#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "calibration/batch_curve.hpp"
#include "calibration/clock_curve.hpp"
#include "calibration/load_join.hpp"
#include "calibration/log_facts.hpp"
#include "calibration/phases.hpp"
#include "calibration/power_cap_curve.hpp"
#include "calibration/sensor_learning.hpp"
#include "hardware/gpu.hpp"
#include "traces/power/log.hpp"

namespace joulecast::calibration {

/// What is known beside a log of power.
struct LogFitRequest {
  const traces::PowerLog* log = nullptr;
  hardware::GpuProfile base;  ///< keeps every figure that the log does not give
  SensorStatement sensor;
  std::optional<traces::PowerKind> kind;  ///< of the power column; absent takes the best there is
  std::optional<traces::EngineLoad> load;
  std::optional<double> load_offset;  ///< s added to the load's times; absent finds it
  double host_step_seconds = 0;       ///< host time in each step, taken off before the clock is fitted
  std::optional<double> load_period;  ///< s after which the load repeats, for the warning of a locked sensor
};

/// A floor: mean watts of a state over GPUs.
struct FloorFit {
  double watts = 0;
  double error = 0;   ///< relative half-width of the 80 % interval: the sensor's, and the spread over GPUs and phases
  double spread = 0;  ///< W between the least and the most of the phases
  std::size_t phases = 0;
  double seconds = 0;
};

/// The energy counter of one GPU beside its power, over the log.
struct CounterCheck {
  std::string gpu;
  CounterFacts facts;
};

/// What a log told.
struct LogFit {
  traces::PowerKind kind{};
  SensorLearning sensor;
  Phases phases;
  std::optional<LoadOffset> load_offset;
  std::vector<CounterCheck> counters;
  bool by_counter = false;  ///< watts of phases are the counter's
  std::optional<FloorFit> bare_idle, context_idle, spin_wait;
  std::optional<ClockCurve> clock;
  ClockCurveQuality clock_quality;
  std::vector<ClockPoint> clock_points;
  std::optional<CapCurve> cap;
  std::vector<CapPoint> cap_points;
  std::optional<BatchCurve> batch;
  std::vector<BatchPoint> batch_points;
  Hertz batch_lock{0};                 ///< that the batch points ran at; 0 where no mark says one
  std::vector<RefusedFigure> refused;  ///< what the log does not give, and which measurement would
  std::vector<std::string> notes, warnings;
};

/// Learns the sensor, cuts the log into phases and fits what they hold. A part that cannot be fitted is named in `refused` and leaves the rest. A log of
/// windows named by their power limit gives the cap curve alone. Throws UserError where no GPU has power.
LogFit fit_log(const LogFitRequest& request);

}  // namespace joulecast::calibration
