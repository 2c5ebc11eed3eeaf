#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "traces/grid/formats.hpp"
#include "traces/grid/local_clock.hpp"

namespace joulecast::traces {
namespace {

constexpr std::int64_t kHour = 3'600'000'000'000;
enum : std::size_t { kDate, kHourEnding, kPrice, kBus, kFlag };

/// A row before its day is known: the hours of a day tell how they are counted.
struct Hour {
  std::int64_t midnight;  ///< local
  int ending;             ///< 1 .. 25
  bool second;            ///< the flag of the repeated hour
  std::optional<double> value;
  int line;
  Place place;
};

/// "01:00", "24:00", "25", "1".
std::optional<int> hour_of(std::string_view text) {
  int hour = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), hour);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (failure != std::errc() || !(rest.empty() || rest == ":00" || rest == ":00:00") || hour < 1 || hour > 25) return std::nullopt;
  return hour;
}

/// Y, N, true or false in any case; nullopt for anything else.
std::optional<bool> flag_of(std::string_view text) {
  std::string plain(text);
  for (char& c : plain) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (plain == "y" || plain == "true" || plain == "1") return true;
  if (plain == "n" || plain == "false" || plain == "0") return false;
  return std::nullopt;
}

/// Days whose hours are counted from midnight as they pass, 1 .. 25 or 1 .. 23: those with an hour 25, and those with an hour that the clocks left
/// out and no hour 24. On all others an hour is what the clock shows at its end.
std::set<std::int64_t> counted_days(const std::vector<Hour>& hours, const Zone& zone) {
  std::map<std::int64_t, std::pair<bool, int>> days;  // whether an hour was left out, and the last hour
  for (const Hour& hour : hours) {
    auto& [left_out, last] = days[hour.midnight];
    left_out = left_out || zone.moment(hour.midnight + (hour.ending - 1) * kHour).kind == LocalMoment::Kind::never;
    last = std::max(last, hour.ending);
  }
  std::set<std::int64_t> counted;
  for (const auto& [midnight, what] : days) {
    if (what.second == 25 || (what.first && what.second < 24)) counted.insert(midnight);
  }
  return counted;
}

}  // namespace

RawSeries read_ercot(const SeriesText& text, const SeriesOptions& options) {
  Delimited rows(text.lines(), {{{"DeliveryDate", "Delivery Date"}, true},
                                {{"HourEnding", "Hour Ending", "DeliveryHour"}, true},
                                {{"LMP", "SettlementPointPrice", "Settlement Point Price", "Price"}, true},
                                {{"BusName", "SettlementPoint", "SettlementPointName", "Settlement Point", "Settlement Point Name"}, false},
                                {{"DSTFlag", "RepeatedHourFlag", "Repeated Hour Flag"}, false}});
  RawSeries raw{{}, "USD/MWh", Zone::find("America/Chicago", options.place), false, {}};
  Locations buses(options.location, "bus node");
  std::vector<Hour> hours;
  while (rows.next()) {
    if (rows.has(kBus) && !buses.keeps(rows.cell(kBus))) continue;
    const auto date = read_civil(rows.cell(kDate), DateOrder::mdy);
    if (!date || date->offset_minutes || date->local_ns % (24 * kHour) != 0) {
      rows.refuse(kDate, "a date such as 08/31/2025", "write month, day and year", false);
    }
    const auto ending = hour_of(rows.cell(kHourEnding));
    if (!ending) rows.refuse(kHourEnding, "an hour's end, 01:00 .. 24:00 or 25:00", "write the hour in that form", false);
    std::optional<bool> flag = false;
    if (rows.has(kFlag)) flag = flag_of(rows.cell(kFlag));
    std::optional<double> value;
    if (!read_value(rows, kPrice, value)) break;
    if (!flag) {
      const bool begins = rows.cell(kFlag).size() < 5;
      rows.refuse(kFlag, "Y, N, true or false", "say with Y whether this is the repeated hour", begins);
      break;
    }
    hours.push_back({date->local_ns, *ending, *flag, value, rows.line_place().line, rows.place(kHourEnding)});
  }
  check_torn(rows, options.torn_last_row, raw.notes);
  buses.check(text.name(), options.place);

  const std::set<std::int64_t> counted = counted_days(hours, *raw.zone);
  LocalClock clock(raw.zone);
  for (const Hour& hour : hours) {
    std::int64_t start = 0;
    if (counted.count(hour.midnight) > 0) {
      start = raw.zone->moment(hour.midnight).first + (hour.ending - 1) * kHour;
    } else {
      const auto pass = !rows.has(kFlag) ? LocalClock::Pass::by_order : hour.second ? LocalClock::Pass::second : LocalClock::Pass::first;
      start = clock.moment({hour.midnight + (hour.ending - 1) * kHour, std::nullopt}, pass, hour.place);
    }
    raw.rows.push_back({start, start + kHour, hour.value, hour.line});
  }
  return raw;
}

}  // namespace joulecast::traces
