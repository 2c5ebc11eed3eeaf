#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/sensor.hpp"

namespace joulecast::calibration {

/// How often a sensor shows a new value, from the moments at which the value in the log changes.
struct UpdatePeriod {
  double seconds = 0;  ///< median gap between changes, of gaps up to 1.5 times their lower quartile; NaN with fewer than 8 changes
  double polls = 0;    ///< s between samples, median
  std::size_t changes = 0;
  /// Polling was fast enough to see it: below, every sample is a new value and the period is at most `polls`.
  bool resolved() const { return seconds >= 1.5 * polls; }
};
UpdatePeriod learn_update_period(std::span<const std::int64_t> time_ns, std::span<const double> watts);

/// A rise or fall between two steady levels, each at least 2 s long and at most 3 s apart, as the sensor showed it.
struct SeenStep {
  std::int64_t begin_ns = 0;  ///< when the reading began to move: the load's change + lag
  double window = 0;          ///< s of the straight ramp that fits best; a sensor's rise time from 0 to 100 %
  double from_watts = 0, to_watts = 0;
};

/// The steps of a series of at least 20 W and 10 %, each with the ramp that leaves the least squares, to 10 ms.
std::vector<SeenStep> seen_steps(const StepSignal& shown, double update_period);

/// What a log says of its sensor, and what had to be assumed.
struct SensorLearning {
  SensorModel model;
  UpdatePeriod update;
  std::size_t steps = 0;       ///< seen
  bool window_learnt = false;  ///< else as stated or as assumed
  bool lag_learnt = false;
  std::vector<std::string> notes;  ///< what was learnt, from what; what was assumed; what to measure to know it
};

/// What is stated of a sensor beside the log; nothing is learnt that is stated.
struct SensorStatement {
  std::optional<double> period, window, gain, offset, lag;
  bool by_meter = false;  ///< gain or offset come from another meter beside the log
};

/// Learns the update period from value changes, the window from the rise at steps (their median) and the lag from steps that stand within 2 s of a
/// mark. Windows below two and a half update periods cannot be told apart: then a quarter of one is assumed, which changes no plateau. Gain and offset
/// cannot be learnt from the log alone: 1 and 0, within 5 %.
SensorLearning learn_sensor(const StepSignal& shown, std::span<const std::int64_t> time_ns, std::span<const double> watts,
                            std::span<const std::int64_t> marks_ns, const SensorStatement& stated);

/// How much later than a reference the log's power moves: the shift of up to `most` seconds, to 10 ms, at which the two signals correlate best over the time
/// both have; with that correlation, -2 where they share too little. Above 2 s the search is coarse first. A shift counts by its
/// correlation times the share of the shorter signal that it leaves.
struct Alignment {
  double seconds = 0;
  double correlation = 0;
};
Alignment align(const StepSignal& reference, const StepSignal& shown, double most);

}  // namespace joulecast::calibration
