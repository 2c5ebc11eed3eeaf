#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/step_signal.hpp"

namespace joulecast::calibration {

/// What a board's power sensor shows: every `period` it takes the mean of the last `window` as it was `lag` ago, times `gain`, plus `offset`, and
/// shows it until the next. A100 and H100 average 25 ms of every 100 (a quarter of the time), Ampere except GA100, Ada and Hopper's averaged field the
/// last second, V100 10 of every 20 ms; gain and offset are a card's own, within 5 % (Yang et al., arXiv 2312.02741, tables 1-3).
struct SensorModel {
  double period = 0.1;    ///< s between values
  double window = 0.025;  ///< s averaged for a value; 0 takes the moment
  double gain = 1;        ///< shown over true
  double offset = 0;      ///< W
  double lag = 0;         ///< s

  /// What stands in the log at each poll where the board draws `truth`; values are taken at `phase_ns` + k*period. Polls rise.
  std::vector<double> readings(const StepSignal& truth, std::span<const std::int64_t> polls_ns, std::int64_t phase_ns) const;
  /// Watts of the board from a value that was shown.
  double watts(double shown) const { return (shown - offset) / gain; }
  /// How long after a change of load a value is free of what was before it, s.
  double settling() const { return lag + window + period; }
  /// How much later than the load the middle of what a value averages stands, s: energies of windows are read so much later.
  double centre() const { return lag + window / 2; }
};

/// Joules of [from, to] of the board's own time from what its sensor showed: the window is read `centre()` later and the values are corrected for
/// gain and offset. Equal readings are held, not joined by lines.
double corrected_joules(const SensorModel& sensor, const StepSignal& shown, std::int64_t from_ns, std::int64_t to_ns);

/// Says that a load repeating every `load_period` seconds is seen at the same few moments of its period, so that a sensor that averages only part of
/// the time may show a mean that is not the load's: the load's period lies within 5 % of a multiple of the sensor's, or the other way round. Nothing
/// where it does not, or where the window covers the whole time.
std::optional<std::string> locked_period(const SensorModel& sensor, double load_period);

}  // namespace joulecast::calibration
