#include <catch2/catch.hpp>

#include "unit/traces/grid/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;
using Catch::Contains;

namespace {

constexpr const char* kHeader =
    "\"MTU (CET/CEST)\",\"Area\",\"Sequence\",\"Day-ahead Price (EUR/MWh)\",\"Intraday Period (CET/CEST)\",\"Intraday Price (EUR/MWh)\"\n";

std::string row(const std::string& from, const std::string& to, const std::string& value, const std::string& sequence = "1") {
  return "\"" + from + " - " + to + "\",\"BZN|DE-LU\",\"Sequence " + sequence + "\",\"" + value + "\",\"\",\"\"\n";
}

/// "30/03/2025 03:00:00" of an hour of a day.
std::string at(const std::string& day, int hour, const std::string& mark = "") {
  return day + (hour < 10 ? " 0" : " ") + std::to_string(hour) + ":00:00" + mark;
}

}  // namespace

TEST_CASE("day-ahead prices: intervals, day first, euros per megawatt-hour, below zero too") {
  const Series series = prices(
      std::string(kHeader) + row("18/03/2025 00:00:00", "18/03/2025 00:15:00", "72.5") + row("18/03/2025 00:15:00", "18/03/2025 00:30:00", "-7.4"),
      "format = \"entsoe\"");
  CHECK(series.start_ns == std::vector<std::int64_t>{ns("2025-03-17T23:00:00Z"), ns("2025-03-17T23:15:00Z")});
  CHECK(series.end_ns == ns("2025-03-17T23:30:00Z"));
  CHECK(series.value[0] == Approx(72.5 / kMWh).epsilon(1e-15));
  CHECK(series.value[1] == Approx(-7.4 / kMWh).epsilon(1e-15));
  CHECK(series.currency == "EUR");
  CHECK(series.unit == "EUR/MWh");
  CHECK(series.notes.empty());
  // Half open: the moment at which a step ends belongs to the next.
  CHECK(series.at(ns("2025-03-17T23:14:59Z")) == series.value[0]);
  CHECK(series.at(ns("2025-03-17T23:15:00Z")) == series.value[1]);
}

TEST_CASE("of two sequences one must be chosen") {
  const std::string text = std::string(kHeader) + row("01/01/2025 00:00:00", "01/01/2025 00:15:00", "2.16", "1") +
                           row("01/01/2025 00:00:00", "01/01/2025 00:15:00", "22.4", "2") +
                           row("01/01/2025 00:15:00", "01/01/2025 00:30:00", "2.16", "1") +
                           row("01/01/2025 00:15:00", "01/01/2025 00:30:00", "-7.4", "2");
  CHECK(prices(text, "format = \"entsoe\", sequence = 2").value[0] == Approx(22.4 / kMWh));
  CHECK(prices(text, "format = \"entsoe\", sequence = 1").value[1] == Approx(2.16 / kMWh));
  CHECK_THAT(refused([&] { prices(text, "format = \"entsoe\""); }), Contains("several sequences: 1, 2") && Contains("add sequence = "));
  CHECK_THAT(refused([&] { prices(text, "format = \"entsoe\", sequence = 3"); }), Contains("no sequence 3") && Contains("it has 1, 2"));
}

TEST_CASE("the day on which clocks go forward has 23 hours") {
  std::string text = kHeader;
  int rows = 0;
  for (int hour = 0; hour < 24; ++hour) {
    if (hour == 2) continue;
    const std::string end = hour == 23 ? "31/03/2025 00:00:00" : at("30/03/2025", hour == 1 ? 3 : hour + 1);
    text += row(at("30/03/2025", hour), end, std::to_string(hour));
    ++rows;
  }
  const Series series = prices(text, "format = \"entsoe\"");
  CHECK(rows == 23);
  CHECK(series.value.size() == 23);
  CHECK(series.end_ns - series.start_ns.front() == 23 * kHour);
  CHECK(series.at(ns("2025-03-30T01:00:00Z")) == Approx(3 / kMWh));  // 03:00 in summer time
  CHECK(series.at(ns("2025-03-30T00:59:59Z")) == Approx(1 / kMWh));
}

TEST_CASE("the end of an interval may be written as the hour that never was") {
  const Series series =
      prices(std::string(kHeader) + row("30/03/2025 01:45:00", "30/03/2025 02:00:00", "5") + row("30/03/2025 03:00:00", "30/03/2025 03:15:00", "6"),
             "format = \"entsoe\"");
  CHECK(series.end_ns - series.start_ns.front() == 2 * kQuarter);
}

TEST_CASE("the day on which clocks go back has 25 hours, marked or by order") {
  for (const bool marked : {true, false}) {
    CAPTURE(marked);
    std::string text = kHeader;
    for (int i = 0; i < 25; ++i) {
      const int hour = i < 3 ? i : i - 1;  // 0 1 2 2 3 ..
      const std::string mark = !marked || hour > 3 || hour < 1 ? "" : i < 3 ? " (CEST)" : " (CET)";
      const int end_hour = i == 2 ? 2 : hour + 1;
      const std::string end_mark = !marked || hour > 2 || hour < 1 ? "" : i < 2 ? " (CEST)" : " (CET)";
      text += row(at("26/10/2025", hour, mark), i == 24 ? "27/10/2025 00:00:00" : at("26/10/2025", end_hour, end_mark), std::to_string(i));
    }
    const Series series = prices(text, "format = \"entsoe\"");
    REQUIRE(series.value.size() == 25);
    CHECK(series.end_ns - series.start_ns.front() == 25 * kHour);
    for (std::size_t i = 0; i < 25; ++i) {
      CHECK(series.start_ns[i] == ns("2025-10-25T22:00:00Z") + static_cast<std::int64_t>(i) * kHour);
      CHECK(series.value[i] == Approx(static_cast<double>(i) / kMWh));
    }
  }
}

TEST_CASE("quarter hours of the repeated hour follow the order of the file") {
  std::string text = kHeader;
  const char* quarters[] = {"00", "15", "30", "45"};
  int count = 0;
  for (int hour = 1; hour < 4; ++hour) {
    for (int pass = 0; pass < (hour == 2 ? 2 : 1); ++pass) {
      for (int q = 0; q < 4; ++q) {
        const bool last = q == 3;
        const int end_hour = !last ? hour : hour == 2 && pass == 0 ? 2 : hour + 1;
        text += row("26/10/2025 0" + std::to_string(hour) + ":" + quarters[q] + ":00",
                    "26/10/2025 0" + std::to_string(end_hour) + ":" + quarters[last ? 0 : q + 1] + ":00", std::to_string(count++));
      }
    }
  }
  const Series series = prices(text, "format = \"entsoe\"");
  REQUIRE(series.value.size() == 16);
  for (std::size_t i = 0; i < 16; ++i) CHECK(series.start_ns[i] == ns("2025-10-25T23:00:00Z") + static_cast<std::int64_t>(i) * kQuarter);
}

TEST_CASE("one of the two repeated hours missing is a gap, and no hour of twice the length") {
  const std::string text = std::string(kHeader) + row(at("26/10/2025", 1), at("26/10/2025", 2), "1") +
                           row(at("26/10/2025", 2), at("26/10/2025", 3), "2") + row(at("26/10/2025", 3), at("26/10/2025", 4), "3");
  CHECK_THAT(refused([&] { prices(text, "format = \"entsoe\""); }), Contains("1 gap: from 2025-10-26 02:00:00 Europe/Brussels on for"));
}

TEST_CASE("the resolution may change inside a file") {
  const Series series =
      prices(std::string(kHeader) + row("30/09/2025 22:00:00", "30/09/2025 23:00:00", "1") + row("30/09/2025 23:00:00", "01/10/2025 00:00:00", "2") +
                 row("01/10/2025 00:00:00", "01/10/2025 00:15:00", "3") + row("01/10/2025 00:15:00", "01/10/2025 00:30:00", "4"),
             "format = \"entsoe\"");
  CHECK(series.end_ns - series.start_ns.front() == 2 * kHour + 2 * kQuarter);
  const std::string overlap =
      std::string(kHeader) + row("01/10/2025 00:00:00", "01/10/2025 01:00:00", "1") + row("01/10/2025 00:15:00", "01/10/2025 00:30:00", "2");
  CHECK_THAT(refused([&] { prices(overlap, "format = \"entsoe\""); }), Contains("s.csv:3:1") && Contains("before the one from"));
}

TEST_CASE("older and other headers: brackets, pounds, UTC, points in dates") {
  const Series old = prices(
      "\"MTU (CET/CEST)\",\"Day-ahead Price [EUR/MWh]\",\"Currency\",\"BZN|DE-LU\"\n\"01.01.2019 00:00 - 01.01.2019 01:00\",\"10.07\",\"EUR\",\"\"\n",
      "format = \"entsoe\"");
  CHECK(old.value[0] == Approx(10.07 / kMWh));
  const Series pounds = prices(
      "\"MTU (UTC)\",\"Area\",\"Sequence\",\"Day-ahead Price (GBP/MWh)\"\n\"01/07/2025 00:00:00 - 01/07/2025 00:30:00\",\"BZN|GB\",\"Without "
      "Sequence\",\"80\"\n",
      "format = \"entsoe\"");
  CHECK(pounds.currency == "GBP");
  CHECK(pounds.start_ns[0] == ns("2025-07-01T00:00:00Z"));
  const std::string none = "\"MTU (CET/CEST)\",\"Area\",\"Price\"\n\"01/07/2025 00:00:00 - 01/07/2025 00:30:00\",\"X\",\"80\"\n";
  CHECK_THAT(refused([&] { prices(none, "format = \"entsoe\""); }),
             Contains("no column Day-ahead Price (EUR/MWh)") && Contains("the file has: MTU") && Contains("known names: "));
  CHECK_THAT(refused([&] {
               prices(std::string(kHeader) + row("01/01/2025 00:00:00", "01/01/2025 01:00:00", "1"),
                      "format = \"entsoe\", timezone = \"Europe/Athens\"");
             }),
             Contains("is not the clock of the file"));
}

TEST_CASE("an area of several, a price that is not there yet, and cells that are no intervals") {
  std::string two = std::string(kHeader) + row("01/01/2025 00:00:00", "01/01/2025 01:00:00", "1");
  two += "\"01/01/2025 00:00:00 - 01/01/2025 01:00:00\",\"BZN|FR\",\"Sequence 1\",\"9\",\"\",\"\"\n";
  CHECK_THAT(refused([&] { prices(two, "format = \"entsoe\""); }), Contains("several areas: BZN|DE-LU, BZN|FR"));
  CHECK(prices(two, "format = \"entsoe\", location = \"BZN|FR\"").value[0] == Approx(9 / kMWh));
  CHECK_THAT(refused([&] { prices(two, "format = \"entsoe\", location = \"BZN|DELU\""); }), Contains("did you mean \"BZN|DE-LU\"?"));
  const std::string open = std::string(kHeader) + row("01/01/2025 00:00:00", "01/01/2025 01:00:00", "1") +
                           row("01/01/2025 01:00:00", "01/01/2025 02:00:00", "n/e") + row("01/01/2025 02:00:00", "01/01/2025 03:00:00", "3");
  CHECK_THAT(refused([&] { prices(open, "format = \"entsoe\""); }), Contains("1 gap: from 2025-01-01 01:00:00 Europe/Brussels on for"));
  const std::string wrong = std::string(kHeader) + row("01/13/2025 00:00:00", "01/13/2025 01:00:00", "1");
  CHECK_THAT(refused([&] { prices(wrong, "format = \"entsoe\""); }), Contains("s.csv:2:2") && Contains("expected an interval such as"));
  const std::string never = std::string(kHeader) + row("30/03/2025 02:00:00", "30/03/2025 03:00:00", "1");
  CHECK_THAT(refused([&] { prices(never, "format = \"entsoe\""); }), Contains("2025-03-30 02:00:00 does not exist in Europe/Brussels"));
}
