#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "traces/chassis/log.hpp"

namespace joulecast::traces {

ChassisLog read_ptd(const SeriesText& text, const PowerLogOptions& options);
ChassisLog read_ipmitool(const SeriesText& text, const PowerLogOptions& options);
ChassisLog read_redfish(const SeriesText& text, const PowerLogOptions& options);

/// Gathers readings by sensor. A reading that lies at or before the sensor's last is left out and counted: controllers repeat their last value.
class ChassisBuilder {
 public:
  ChassisSeries& series(const std::string& label) { return series_[label]; }
  /// Adds a reading; false where it repeats the last moment.
  bool add(const std::string& label, std::int64_t time_ns, double watts);
  /// Adds a reading that the log gives no time of, at a time that its number stands for. It counts only in a log without any time: beside readings with
  /// times it is left out and counted.
  void add_undated(const std::string& label, std::int64_t time_ns, double watts);
  void finish(ChassisLog& log);

 private:
  std::map<std::string, ChassisSeries> series_;
  std::map<std::string, std::pair<std::vector<std::int64_t>, std::vector<double>>> undated_;
  std::size_t repeats_ = 0;
};

}  // namespace joulecast::traces
