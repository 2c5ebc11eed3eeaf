#include <utility>

#include "traces/requests/delimited_trace.hpp"
#include "traces/requests/formats.hpp"

namespace joulecast::traces {
namespace {

DelimitedTrace::Clock clock_of(const std::string& unit) {
  using Clock = DelimitedTrace::Clock;
  if (unit == "s") return Clock::seconds;
  if (unit == "ms") return Clock::milliseconds;
  if (unit == "us") return Clock::microseconds;
  if (unit == "ns") return Clock::nanoseconds;
  JOULECAST_CHECK(unit == "datetime", "unknown unit of time: " + unit);
  return Clock::datetime;
}

}  // namespace

std::unique_ptr<TraceReader> read_plain_csv(TextLines lines, const TraceColumns& columns, const std::string& unit) {
  std::vector<Column> wanted = {{{columns.arrival}}, {{columns.input}}, {{columns.output}}};
  return std::make_unique<DelimitedTrace>(Delimited(std::move(lines), std::move(wanted)), clock_of(unit));
}

}  // namespace joulecast::traces
