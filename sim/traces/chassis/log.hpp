#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "traces/grid/text.hpp"
#include "traces/power/log.hpp"
#include "traces/power/open_log.hpp"

namespace joulecast::traces {

/// One meter or sensor outside the GPUs: a wall meter, a power supply's input, the baseboard controller's reading.
struct ChassisSeries {
  std::string label;  ///< the sensor's name, "" where there is one
  std::vector<std::int64_t> time_ns;
  std::vector<double> watts;  ///< NaN where missing
  std::vector<double> volts;  ///< empty where the log has none
  std::vector<double> amperes;
  std::vector<double> power_factor;
  bool whole = false;  ///< reads the whole chassis, of which other series may be parts: its supplies, its processors
  std::size_t samples() const { return time_ns.size(); }
};

/// A log of a chassis's power.
struct ChassisLog {
  LogSource source;
  TimeBase time_base = TimeBase::utc;
  std::vector<ChassisSeries> series;
  std::vector<PhaseMark> marks;
  std::vector<std::string> notes, warnings;
};

/// The series whose sum is the chassis's power: where series read the whole of it, the largest of them alone, else all.
std::vector<const ChassisSeries*> counted_series(const ChassisLog& log);

const std::vector<std::string>& chassis_log_formats();

/// The format of a chassis log by its first lines: "ptd" (MLPerf's spl.txt), "ipmitool" (dcmi power reading, sensor, sdr), "redfish" (Power resources a line, or
/// a MetricReport); "" for anything else.
std::string find_chassis_format(const SeriesText& text);

/// Reads a chassis log; of `options` file, place, format, timezone, period, skip_bad and date_order count. UserError as for power logs.
ChassisLog read_chassis_log(const PowerLogOptions& options);
ChassisLog read_chassis_log_text(std::string_view text, const PowerLogOptions& options);

}  // namespace joulecast::traces
