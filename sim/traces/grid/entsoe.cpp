#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "traces/excerpt.hpp"
#include "traces/grid/formats.hpp"
#include "traces/grid/local_clock.hpp"

namespace joulecast::traces {
namespace {

/// What the header of the time column says of the clock: Central European Time is the same in all of its countries, and so on.
struct ClockName {
  const char* header;
  const char* zone;
};
constexpr ClockName kClocks[] = {{"MTU (CET/CEST)", "Europe/Brussels"}, {"MTU (UTC)", "UTC"},
                                 {"MTU (EET/EEST)", "Europe/Athens"},   {"MTU (WET/WEST)", "Europe/Lisbon"},
                                 {"MTU (GMT/BST)", "Europe/London"},    {"MTU", ""}};
constexpr const char* kCurrencies[] = {"EUR", "GBP", "USD"};
constexpr std::size_t kClockCount = std::size(kClocks), kArea = kClockCount, kSequence = kArea + 1, kPrice = kSequence + 1;

std::vector<Column> columns(bool required) {
  std::vector<Column> all;
  for (const ClockName& clock : kClocks) all.push_back({{clock.header}, false});
  all.push_back({{"Area", "BZN"}, false});
  all.push_back({{"Sequence"}, false});
  for (const char* currency : kCurrencies) {
    all.push_back({{fmt::format("Day-ahead Price ({}/MWh)", currency), fmt::format("Day-ahead Price [{}/MWh]", currency)}, false});
  }
  if (required) all[0].required = all[kPrice].required = true;
  return all;
}

/// The one of the columns from `first` on that the file has.
std::size_t present(const Delimited& rows, std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count; ++i) {
    if (rows.has(i)) return i;
  }
  return first + count;
}

/// "Sequence 1", "Sequence Sequence 1", "1"; 0 where there is no number ("Without Sequence").
std::int64_t sequence_of(std::string_view text) {
  std::int64_t number = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9' && number < 100) number = number * 10 + (c - '0');
  }
  return number;
}

/// One end of "18/03/2025 00:00:00 (CET) - 18/03/2025 00:15:00 (CET)"; `pass` by the summer-time mark where one stands.
std::optional<CivilTime> one_end(std::string_view text, LocalClock::Pass& pass) {
  pass = LocalClock::Pass::by_order;
  const auto trim = [&] {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  };
  trim();
  if (!text.empty() && text.back() == ')') {
    const std::size_t open = text.rfind('(');
    if (open == std::string_view::npos) return std::nullopt;
    const std::string_view mark = text.substr(open + 1, text.size() - open - 2);
    if (mark == "CEST" || mark == "EEST" || mark == "WEST" || mark == "BST") {
      pass = LocalClock::Pass::first;
    } else if (mark == "CET" || mark == "EET" || mark == "WET" || mark == "GMT") {
      pass = LocalClock::Pass::second;
    } else if (mark != "UTC") {
      return std::nullopt;
    }
    text.remove_suffix(text.size() - open);
    trim();
  }
  return read_civil(text, DateOrder::dmy);
}

/// The interval of a cell; nullopt where it cannot be read.
std::optional<std::pair<std::int64_t, std::int64_t>> interval(std::string_view cell, LocalClock& clock, const Place& place) {
  const std::size_t dash = cell.find(" - ");
  if (dash == std::string_view::npos) return std::nullopt;
  LocalClock::Pass from_pass{}, to_pass{};
  const auto from = one_end(cell.substr(0, dash), from_pass), to = one_end(cell.substr(dash + 3), to_pass);
  if (!from || !to) return std::nullopt;
  const std::int64_t start = clock.moment(*from, from_pass, place);
  return std::pair{start, clock.end_behind(start, *from, *to, place)};
}

/// The zone that the header names, or the scenario's.
std::optional<Zone> zone_of(const ClockName& clock, const SeriesOptions& options) {
  if (options.timezone.empty() && *clock.zone == '\0') return std::nullopt;
  if (*clock.zone == '\0') return Zone::find(options.timezone, options.place);
  const Zone named = Zone::find(clock.zone, options.place);
  if (options.timezone.empty()) return named;
  Zone wanted = Zone::find(options.timezone, options.place);
  constexpr std::int64_t winter = 1'735'689'600'000'000'000, summer = winter + 181 * std::int64_t{86'400'000'000'000};  // 1 January and 1 July 2025
  if (wanted.offset_minutes(winter) != named.offset_minutes(winter) || wanted.offset_minutes(summer) != named.offset_minutes(summer)) {
    throw UserError(options.place, fmt::format("timezone = \"{}\" is not the clock of the file, {}", options.timezone, clock.header),
                    "leave timezone out");
  }
  return wanted;
}

class Sequences {
 public:
  explicit Sequences(std::optional<std::int64_t> wanted) : wanted_(wanted) {}
  bool keeps(std::int64_t sequence) {
    seen_.insert(sequence);
    return !wanted_ || *wanted_ == sequence;
  }
  void check(const std::string& file, const Place& place) const {
    if (seen_.empty()) return;
    const std::string list = fmt::format("{}", fmt::join(seen_, ", "));
    if (!wanted_ && seen_.size() > 1) {
      throw UserError(place, fmt::format("{} has the prices of several sequences: {}", file, list),
                      fmt::format("add sequence = {}", *seen_.rbegin()));
    }
    if (wanted_ && seen_.count(*wanted_) == 0) {
      throw UserError(place, fmt::format("{} has no sequence {}", file, *wanted_), fmt::format("it has {}", list));
    }
  }

 private:
  std::optional<std::int64_t> wanted_;
  std::set<std::int64_t> seen_;
};

}  // namespace

RawSeries read_entsoe(const SeriesText& text, const SeriesOptions& options) {
  Delimited rows(text.lines(), columns(false));
  const std::size_t time = present(rows, 0, kClockCount), price = present(rows, kPrice, std::size(kCurrencies));
  if (time == kClockCount || price == kPrice + std::size(kCurrencies)) Delimited(text.lines(), columns(true));  // throws, with the names

  RawSeries raw;
  raw.zone = zone_of(kClocks[time], options);
  raw.unit = std::string(kCurrencies[price - kPrice]) + "/MWh";
  Locations areas(options.location, "area");
  Sequences sequences(options.sequence);
  // A row of another area or sequence shows the same hours again: each kept series has a clock of its own.
  LocalClock clock(raw.zone);
  while (rows.next()) {
    const bool of_area = !rows.has(kArea) || areas.keeps(rows.cell(kArea));
    const bool of_sequence = !rows.has(kSequence) || sequences.keeps(sequence_of(rows.cell(kSequence)));
    if (!of_area || !of_sequence) continue;
    const auto when = interval(rows.cell(time), clock, rows.place(time));
    if (!when) {
      rows.refuse(time, "an interval such as 18/03/2025 00:00:00 - 18/03/2025 00:15:00", "write the interval in that form", false);
    }
    SeriesRow row{when->first, when->second, std::nullopt, rows.line_place().line};
    if (!read_value(rows, price, row.value)) break;
    raw.rows.push_back(row);
  }
  check_torn(rows, options.torn_last_row, raw.notes);
  areas.check(text.name(), options.place);
  sequences.check(text.name(), options.place);
  if (!rows.has(kSequence) && options.sequence) {
    throw UserError(options.place, fmt::format("{} has no column Sequence", text.name()), "leave sequence out");
  }
  return raw;
}

}  // namespace joulecast::traces
