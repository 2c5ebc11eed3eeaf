#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calibration/sensor_learning.hpp"
#include "scenario/scenario.hpp"
#include "traces/power/log.hpp"

namespace joulecast::study {

/// One moment of a recorded run: what the sensors of its GPUs showed, and what they would have shown of the simulated run, summed over the GPUs.
struct PowerMoment {
  double seconds = 0;                  ///< since the run began
  double measured = 0, simulated = 0;  ///< W
};

/// A recorded run's power beside the simulated one's.
struct PowerReplay {
  calibration::SensorLearning sensor;
  traces::PowerKind kind{};
  std::size_t gpus = 0;
  calibration::Alignment offset;  ///< where the run lies in the log: seconds after its first sample
  std::vector<PowerMoment> moments;
  double measured_joules = 0, simulated_joules = 0;
  double mean_error = 0;                       ///< simulated/measured joules - 1
  double rms_watts = 0;                        ///< root of the mean squared difference of moments
  double correlation = 0;                      ///< of the moments; NaN where one stands still
  double p99_measured = 0, p99_simulated = 0;  ///< W, 99th percentile of the moments
  std::vector<std::string> notes;
};

/// Simulates the scenario (whose GPUs in all are those of the log), passes its watts through the sensor that the log shows (or that is stated), finds
/// where the run lies in the log by correlation within `most_offset` seconds of its first sample, and lays both side by side each 100 ms. Throws UserError
/// where the log has another number of GPUs than the scenario, no power, or none that moves with the simulated one and no stated `offset`.
PowerReplay replay_power(const scenario::Scenario& scenario, const traces::PowerLog& log, const calibration::SensorStatement& stated,
                         std::optional<double> offset, double most_offset);

}  // namespace joulecast::study
