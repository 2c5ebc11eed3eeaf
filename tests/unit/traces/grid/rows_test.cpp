// What every format shares: order, resolution, gaps, broken rows, units.
#include <catch2/catch.hpp>

#include "unit/traces/grid/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;
using Catch::Contains;

namespace {

const std::string kCsv = "format = \"csv\", time = \"time\", value = \"price\", unit = \"EUR/MWh\", interval = \"start\", timezone = \"UTC\"";

/// Rows of quarter hours of 2 March 2026, UTC, with their number as the price; those of `left_out` are not there.
std::string quarters(int count, const std::vector<int>& left_out, const std::string& empty = "") {
  std::string text = "time,price\n";
  for (int i = 0; i < count; ++i) {
    const bool out = std::find(left_out.begin(), left_out.end(), i) != left_out.end();
    if (out && empty.empty()) continue;
    char time[32];
    std::snprintf(time, sizeof time, "2026-03-02 %02d:%02d", i / 4, 15 * (i % 4));
    text += std::string(time) + "," + (out ? empty : std::to_string(i)) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a day of 96 quarter hours, each [start, end)") {
  const Series series = prices(quarters(96, {}), kCsv);
  CHECK(series.value.size() == 96);
  CHECK(series.end_ns - series.start_ns.front() == 24 * kHour);
  CHECK(series.notes.empty());
}

TEST_CASE("where a row's time is its interval's end, the day ends at its midnight and no hour is lost") {
  std::string text = "time,price\n";
  for (int hour = 1; hour <= 24; ++hour)
    text += "2026-03-02 " + std::string(hour < 10 ? "0" : "") + std::to_string(hour) + ":00," + std::to_string(hour) + "\n";
  const Series series =
      prices(text, "format = \"csv\", time = \"time\", value = \"price\", unit = \"EUR/MWh\", interval = \"end\", timezone = \"UTC\"");
  REQUIRE(series.value.size() == 24);
  CHECK(series.start_ns.front() == ns("2026-03-02T00:00:00Z"));
  CHECK(series.end_ns == ns("2026-03-03T00:00:00Z"));
  CHECK(series.at(ns("2026-03-02T23:30:00Z")) == Approx(24 / kMWh));
}

TEST_CASE("one slot missing of 96 is named; it is filled only if a policy says how") {
  const std::string text = quarters(96, {41});
  CHECK_THAT(refused([&] { prices(text, kCsv); }),
             Contains("s.csv:43:1") && Contains("1 gap: from 2026-03-02 10:15:00 UTC on for") && Contains("1 step") && Contains("gaps = \"hold\""));
  const Series held = prices(text, kCsv + ", gaps = \"hold\"");
  CHECK(held.at(ns("2026-03-02T10:20:00Z")) == Approx(40 / kMWh));
  CHECK_THAT(all_notes(held), Contains("1 gap of 1 step filled (the last value goes on)"));
  const Series line = prices(text, kCsv + ", gaps = \"interpolate\"");
  CHECK(line.value.size() == 96);
  CHECK(line.at(ns("2026-03-02T10:20:00Z")) == Approx(41 / kMWh));
}

// Four slots of value 1, .., 4 between 0 and 5: a line.
TEST_CASE("long gaps stop the run unless a policy is set, with the longest named") {
  const std::string text = quarters(30, {1, 2, 3, 4, 20});
  CHECK_THAT(refused([&] { prices(text, kCsv); }), Contains("2 gaps: from 2026-03-02 00:15:00") && Contains("4 steps") && Contains("the longest"));
  const Series line = prices(text, kCsv + ", gaps = \"interpolate\"");
  REQUIRE(line.value.size() == 30);
  for (std::size_t i = 0; i < 30; ++i) CHECK(line.value[i] == Approx(static_cast<double>(i) / kMWh).margin(1e-20));
  CHECK_THAT(all_notes(prices(text, kCsv + ", gaps = \"hold\"")), Contains("2 gaps of 5 steps filled"));
}

TEST_CASE("cells that say there is no value are gaps too; at the ends of the file they shorten the series") {
  for (const std::string word : {"null", "NaN", "N/A", "-", "n/e", "None"}) {
    CAPTURE(word);
    CHECK_THAT(refused([&] { prices(quarters(8, {3}, word), kCsv); }), Contains("1 gap"));
    const Series series = prices(quarters(8, {0, 3, 7}, word), kCsv + ", gaps = \"hold\"");
    CHECK(series.start_ns.front() == ns("2026-03-02T00:15:00Z"));
    CHECK(series.end_ns == ns("2026-03-02T01:45:00Z"));
    CHECK_THAT(all_notes(series), Contains("2 rows without a value at the ends of the file left out") && Contains("1 row without a value"));
  }
  CHECK_THAT(refused([&] { prices(quarters(3, {0, 1, 2}, "null"), kCsv); }), Contains("no row of the series has a value"));
}

TEST_CASE("rows out of order are sorted and counted, doubles left out, contradictions refused") {
  const Series newest_first = prices("time,price\n2026-03-02 02:00,3\n2026-03-02 01:00,2\n2026-03-02 00:00,1\n", kCsv);
  CHECK(newest_first.value[0] == Approx(1 / kMWh));
  CHECK_THAT(all_notes(newest_first), Contains("newest row first"));
  CHECK_THAT(all_notes(prices("time,price\n2026-03-02 00:00,1\n2026-03-02 02:00,3\n2026-03-02 01:00,2\n2026-03-02 03:00,4\n", kCsv)),
             Contains("1 row stood before an earlier one"));
  CHECK_THAT(all_notes(prices("time,price\n2026-03-02 00:00,1\n2026-03-02 00:00,1\n2026-03-02 01:00,2\n", kCsv)),
             Contains("1 row left out that stood twice"));
  CHECK_THAT(refused([] { prices("time,price\n2026-03-02 00:00,1\n2026-03-02 00:00,2\n2026-03-02 01:00,2\n", kCsv); }),
             Contains("s.csv:3:1") && Contains("a second value for 2026-03-02 00:00:00 UTC (line 2 has another)"));
}

TEST_CASE("how long a row lasts is the usual distance, or stated") {
  CHECK_THAT(refused([] { prices("time,price\n2026-03-02 00:00,1\n", kCsv); }),
             Contains("one row does not say how long it lasts") && Contains("resolution"));
  CHECK(prices("time,price\n2026-03-02 00:00,1\n", kCsv + ", resolution = \"1 h\"").end_ns == ns("2026-03-02T01:00:00Z"));
  CHECK_THAT(refused([] { prices("time,price\n2026-03-02 00:00,1\n2026-03-02 01:00,1\n2026-03-02 03:00,1\n2026-03-02 07:00,1\n", kCsv); }),
             Contains("no usual distance"));
  const Series mixed = prices("time,price\n2026-03-02 00:00,1\n2026-03-02 01:00,2\n2026-03-02 01:30,3\n2026-03-02 02:30,4\n", kCsv);
  CHECK(mixed.end_ns == ns("2026-03-02T03:30:00Z"));
  CHECK_THAT(all_notes(mixed), Contains("1 row shorter than"));
}

TEST_CASE("rows with fewer or more cells than the header are refused by line, never moved to the left") {
  const std::string wide =
      "timestamp,run,gpu_count,gpu_model,energy\n2026-03-01T09:00:00Z,a,,,0.5\n2026-03-01T10:00:00Z,b,0.7\n2026-03-01T11:00:00Z,b,,,0.7\n";
  const std::string keys = "format = \"csv\", time = \"timestamp\", value = \"energy\", unit = \"EUR/MWh\", interval = \"start\"";
  CHECK_THAT(refused([&] { prices(wide, keys); }), Contains("s.csv:3:1") && Contains("3 cells, expected 5"));
  const std::string fused = "timestamp,zone,price\n2026-03-01T09:00:00Z,azure,0.52026-03-01T10:00:00Z,azure,0.7\n2026-03-01T11:00:00Z,azure,1\n";
  CHECK_THAT(refused([&] { prices(fused, "format = \"csv\", time = \"timestamp\", value = \"price\", unit = \"EUR/MWh\", interval = \"start\""); }),
             Contains("s.csv:2:1") && Contains("5 cells, expected 3"));
}

TEST_CASE("an empty file, a header alone, no line end at the end, a torn last row") {
  CHECK_THAT(refused([] { prices("", kCsv); }), Contains("the file is empty"));
  CHECK_THAT(refused([] { prices("time,price\n", kCsv); }), Contains("the series has no row"));
  CHECK(prices("time,price\r\n2026-03-02 00:00,1\r\n2026-03-02 01:00,2", kCsv).value.size() == 2);
  const std::string torn = "time,price\n2026-03-02 00:00,1\n2026-03-02 01:00,2\n2026-03-02 02:0";
  CHECK_THAT(refused([&] { prices(torn, kCsv); }), Contains("s.csv:4:1") && Contains("the last row was cut off"));
  const Series dropped = prices(torn, kCsv + ", torn_last_row = \"drop\"");
  CHECK(dropped.value.size() == 2);
  CHECK_THAT(all_notes(dropped), Contains("cut off"));
}

TEST_CASE("a renamed column is refused with what is there and what is known") {
  CHECK_THAT(refused([] { prices("Time,Prices\n2026-03-02 00:00,1\n", kCsv); }),
             Contains("no column price") && Contains("the file has: Time, Prices") && Contains("known names: price"));
}

TEST_CASE("values that are none: words, commas, 1e308, hexadecimal") {
  for (const char* value : {"much", "\"2,16\"", "1e308", "inf", "0x10", "1.2.3", "1 EUR", "2e7"}) {
    CAPTURE(value);
    CHECK_THAT(refused([&] { prices("time,price\n2026-03-02 00:00," + std::string(value) + "\n2026-03-02 01:00,1\n", kCsv); }),
               Contains("s.csv:2:") && Contains("expected a number"));
  }
}

TEST_CASE("units of prices and of intensities, and a negative intensity") {
  const auto one = [](const std::string& unit) {
    return "format = \"csv\", time = \"time\", value = \"v\", unit = \"" + unit +
           "\", interval = \"start\", timezone = \"UTC\", resolution = \"1 h\"";
  };
  const std::string text = "time,v\n2026-03-02 00:00,1000\n";
  CHECK(prices(text, one("EUR/kWh")).value[0] == Approx(1000 / kKWh));
  CHECK(prices(text, one("USD/MWh")).currency == "USD");
  CHECK(carbon(text, one("g/kWh")).value[0] == Approx(1000 / kKWh));
  CHECK(carbon(text, one("kg/MWh")).value[0] == Approx(1000 / kKWh));
  CHECK(carbon(text, one("gCO2eq/kWh")).value[0] == Approx(1000 / kKWh));
  CHECK(carbon(text, one("lbs/MWh")).value[0] == Approx(453.59237 / kKWh));  // 1000 lb of 453.59237 g a MWh
  CHECK_THAT(refused([&] { prices(text, one("g/kWh")); }), Contains("carbon intensities (g/kWh), not of prices") && Contains("write it as carbon"));
  CHECK_THAT(refused([&] { carbon(text, one("EUR/MWh")); }), Contains("prices (EUR/MWh), not of carbon"));
  CHECK_THAT(refused([&] { prices(text, one("EUR/kW")); }), Contains("\"EUR/kW\" is no unit of a price"));
  CHECK_THAT(refused([&] { prices(text, one("SEK/MWh")); }), Contains("no unit"));
  CHECK_THAT(refused([&] { carbon("time,v\n2026-03-02 00:00,-1\n", one("g/kWh")); }), Contains("s.csv:2:1") && Contains("not negative"));
}

TEST_CASE("local times need a zone, and with it the short and the long day come out right") {
  const std::string keys = "format = \"csv\", time = \"time\", value = \"price\", unit = \"EUR/MWh\", interval = \"start\"";
  const auto day = [](const std::string& date, const std::vector<int>& hours) {
    std::string text = "time,price\n";
    for (const int hour : hours) text += date + (hour < 10 ? " 0" : " ") + std::to_string(hour) + ":00,1\n";
    return text;
  };
  std::vector<int> short_day, long_day;
  for (int hour = 0; hour < 24; ++hour) {
    if (hour != 2) short_day.push_back(hour);
    long_day.push_back(hour);
    if (hour == 2) long_day.push_back(hour);
  }
  CHECK_THAT(refused([&] { prices(day("2025-03-30", short_day), keys); }), Contains("no timezone is stated"));
  CHECK_THAT(refused([&] { prices(day("2025-03-30", short_day), keys + ", timezone = \"UTC\""); }), Contains("1 gap"));
  const Series spring = prices(day("2025-03-30", short_day), keys + ", timezone = \"Europe/Berlin\"");
  CHECK(spring.value.size() == 23);
  CHECK(spring.end_ns - spring.start_ns.front() == 23 * kHour);
  const Series autumn = prices(day("2025-10-26", long_day), keys + ", timezone = \"Europe/Berlin\"");
  CHECK(autumn.value.size() == 25);
  CHECK(autumn.end_ns - autumn.start_ns.front() == 25 * kHour);
  // Newest first, the second pass comes first.
  std::string reversed = "time,price\n";
  for (auto hour = long_day.rbegin(); hour != long_day.rend(); ++hour)
    reversed += std::string("2025-10-26 ") + (*hour < 10 ? "0" : "") + std::to_string(*hour) + ":00,1\n";
  CHECK(prices(reversed, keys + ", timezone = \"Europe/Berlin\"").start_ns == autumn.start_ns);
  CHECK_THAT(refused([&] { prices("time,price\n2026-03-02 00:00,1\n2026-03-02 01:00Z,1\n", keys + ", timezone = \"UTC\""); }),
             Contains("s.csv:3:1") && Contains("has an offset and the first row's has none"));
}

TEST_CASE("keys that a format does not take, needs, or does not know") {
  const auto keys = [](const std::string& text) { return refused([&] { series(text); }); };
  CHECK_THAT(keys("format = \"entsoee\""), Contains("did you mean \"entsoe\"?"));
  CHECK_THAT(keys("format = \"electricitymaps\""), Contains("needs factor") && Contains("life-cycle"));
  CHECK_THAT(keys("format = \"electricitymaps\", factor = \"lca\""), Contains("factor = \"lca\" is not known"));
  CHECK_THAT(keys("format = \"watttime\""), Contains("needs unit"));
  CHECK_THAT(keys("format = \"csv\""), Contains("needs time") && Contains("needs value") && Contains("needs unit") && Contains("needs interval"));
  CHECK_THAT(keys("format = \"eia\", sequence = 1"), Contains("takes no sequence"));
  CHECK_THAT(keys("format = \"entsoe\", gaps = \"fill\""), Contains("\"fill\""));
  CHECK_THAT(keys("format = \"entsoe\", seqence = 1"), Contains("did you mean \"sequence\"?"));
}
