#include "traces/requests/delimited_trace.hpp"

#include "traces/cell_values.hpp"

namespace joulecast::traces {
namespace {

constexpr std::size_t kArrival = static_cast<std::size_t>(TraceField::arrival);

/// Powers of ten from the clock's unit to nanoseconds.
constexpr int exponent(DelimitedTrace::Clock clock) {
  switch (clock) {
    case DelimitedTrace::Clock::seconds:
      return 9;
    case DelimitedTrace::Clock::milliseconds:
      return 6;
    case DelimitedTrace::Clock::microseconds:
      return 3;
    default:
      return 0;
  }
}

}  // namespace

bool read_token_cell(Delimited& rows, std::size_t column, std::int32_t& tokens) {
  const Reading reading = read_tokens(rows.cell(column), tokens);
  if (reading == Reading::good) return true;
  rows.refuse(column, "a whole number of tokens, 0 .. 2147483647", "write whole tokens in that cell, or delete the row", reading == Reading::cut);
  return false;
}

bool DelimitedTrace::next(TraceRow& row) {
  return rows_.next() && read_arrival(row.arrival_ns) && read_count(TraceField::input, row.input) && read_count(TraceField::output, row.output) &&
         read_more(row);
}

bool DelimitedTrace::read_arrival(std::int64_t& ns) {
  const std::string_view text = rows_.cell(kArrival);
  if (clock_ != Clock::datetime) {
    const Reading reading = read_decimal_ns(text, exponent(clock_), ns);
    if (reading == Reading::good) return true;
    rows_.refuse(kArrival, "a number within 126 years of zero", "write the arrival as a decimal number, or declare another time_unit",
                 reading == Reading::cut);
    return false;
  }
  bool zoned = false;
  const Reading reading = read_datetime_ns(text, ns, zoned);
  if (reading != Reading::good) {
    rows_.refuse(kArrival, "a date and time such as 2023-11-16 18:17:03.9799600", "write the time of arrival in that form, with or without an offset",
                 reading == Reading::cut);
    return false;
  }
  if (!zoned_) zoned_ = zoned;
  if (zoned == *zoned_) return true;
  rows_.refuse(kArrival, zoned ? "no offset, as in the first row" : "an offset such as +00:00, as in the first row",
               "write all times of the file with an offset, or none", !zoned);
  return false;
}

}  // namespace joulecast::traces
