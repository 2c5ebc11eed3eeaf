#pragma once

#include <optional>
#include <string>

#include "base/quantity.hpp"
#include "config/record.hpp"

namespace joulecast::scenario {

/// `[time]`.
struct TimeTable {
  std::optional<config::DateTime> start;
  std::optional<Seconds> duration;
  Seconds warmup{0};
  std::optional<std::string> at_end;
  Seconds bin{1};
  Place place;
};

config::Record<TimeTable> time_record();

}  // namespace joulecast::scenario
