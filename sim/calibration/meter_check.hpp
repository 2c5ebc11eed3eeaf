#pragma once

#include <string>

#include "calibration/fit_quality.hpp"
#include "calibration/sensor_learning.hpp"

namespace joulecast::calibration {

/// A board's own readings held against another meter's of the same board.
struct MeterCheck {
  Alignment shift;              ///< how much later the readings move than the meter
  double error_as_read = 0;     ///< readings' joules over the meter's - 1, over the time both have, with the times as they are
  double error_aligned = 0;     ///< the same with the readings moved back by the shift
  double gain = 1, offset = 0;  ///< reading = gain*meter + offset, on means of `stretch` seconds, aligned
  bool offset_fitted = false;   ///< the meter spans a factor of two: else offset is 0 and the gain is the ratio of joules
  std::vector<FittedFigure> figures;
  /// Which shift, and what it costs: "the readings lie 0.50 s later than the meter: a window is read 4.7 % low"; "" below 50 ms, or where it costs less than 0.1 %.
  std::string shift_text() const;
};

/// Aligns within 2 s and fits gain and offset. `from_ns` .. `to_ns` is the window of the load, whose energy the errors are of. Throws UserError where the
/// two do not cover it together.
MeterCheck check_meter(const StepSignal& meter, const StepSignal& shown, std::int64_t from_ns, std::int64_t to_ns);

}  // namespace joulecast::calibration
