#pragma once

#include <chrono>
#include <string>

#include "calibration/record/recorder.hpp"
#include "cli/console.hpp"

namespace joulecast::cli {

/// What the GPUs do while they are recorded, on standard error: on a terminal a table that renews itself twice a second, else a line every five seconds.
class RecordView {
 public:
  explicit RecordView(Console& console) : console_(console), shown_(Clock::now()) {}

  void operator()(const calibration::Poll& poll);
  /// Leaves the last table standing and goes below it.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  std::string table(const calibration::Poll& poll) const;
  Console& console_;
  Clock::time_point shown_;
  int lines_ = 0;
};

/// "power cap, thermal" of NVML's clock event reasons; "" for none.
std::string reasons_text(std::uint64_t mask);

}  // namespace joulecast::cli
