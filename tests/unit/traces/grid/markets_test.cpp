#include <catch2/catch.hpp>

#include "unit/traces/grid/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;
using Catch::Contains;

namespace {

const std::string kErcot = "format = \"ercot\"";

/// A day of ERCOT's; `hours` are hour endings, those with 'Y' behind them the second of their kind.
std::string ercot(const std::string& date, const std::vector<std::string>& hours) {
  std::string text = "DeliveryDate,HourEnding,BusName,LMP,DSTFlag\n";
  int price = 20;
  for (const std::string& hour : hours) {
    const bool second = hour.back() == 'Y';
    text += date + "," + (second ? hour.substr(0, hour.size() - 1) : hour) + ",BUS," + std::to_string(price++) + (second ? ",Y\n" : ",N\n");
  }
  return text;
}

std::vector<std::string> endings(int from, int to) {
  std::vector<std::string> hours;
  for (int hour = from; hour <= to; ++hour) hours.push_back((hour < 10 ? "0" : "") + std::to_string(hour) + ":00");
  return hours;
}

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

// Energy Policy Act of 2005, section 110: daylight time from the second Sunday of March to the first of November, 02:00 local; on 1 November 2026 the
// hour from 01:00 comes twice, and "hour ending 02:00" with it.
TEST_CASE("ERCOT: hours ending, and the repeated one flagged") {
  const auto hours = joined(joined(endings(1, 2), {"02:00Y"}), endings(3, 24));
  const Series series = prices(ercot("11/01/2026", hours), kErcot);
  REQUIRE(series.value.size() == 25);
  CHECK(series.start_ns.front() == ns("2026-11-01T05:00:00Z"));  // midnight, daylight time
  CHECK(series.end_ns == ns("2026-11-02T06:00:00Z"));            // midnight, standard time
  for (std::size_t i = 0; i < 25; ++i) {
    CHECK(series.start_ns[i] == ns("2026-11-01T05:00:00Z") + static_cast<std::int64_t>(i) * kHour);
    CHECK(series.value[i] == Approx((20.0 + static_cast<double>(i)) / kMWh));
  }
}

TEST_CASE("ERCOT: true and false for flags, no flags at all, an hour 25, the short day both ways") {
  const auto hours = joined(joined(endings(1, 2), {"02:00Y"}), endings(3, 24));
  const std::vector<std::int64_t> right = prices(ercot("11/01/2026", hours), kErcot).start_ns;
  std::string words = ercot("11/01/2026", hours);
  for (std::size_t at = words.find(",N\n"); at != std::string::npos; at = words.find(",N\n")) words.replace(at, 3, ",false\n");
  words.replace(words.find(",Y\n"), 3, ",True\n");
  CHECK(prices(words, kErcot).start_ns == right);
  std::string bare = "Delivery Date,Hour Ending,Settlement Point Price\n";
  for (int i = 0; i < 25; ++i) bare += "11/01/2026," + std::to_string(i < 2 ? i + 1 : i) + ",7\n";
  CHECK(prices(bare, kErcot).start_ns == right);
  CHECK(prices(ercot("11/01/2026", endings(1, 25)), kErcot).start_ns == right);
  const Series left_out = prices(ercot("03/08/2026", joined(endings(1, 2), endings(4, 24))), kErcot);
  CHECK(left_out.value.size() == 23);
  CHECK(left_out.end_ns - left_out.start_ns.front() == 23 * kHour);
  CHECK(prices(ercot("03/08/2026", endings(1, 23)), kErcot).start_ns == left_out.start_ns);
}

TEST_CASE("ERCOT: two second hours without a flag, an unknown flag, an hour 26, several buses") {
  CHECK_THAT(
      refused([] { prices("DeliveryDate,HourEnding,Price,DSTFlag\n11/01/2026,03:00,1,N\n11/01/2026,03:00,2,N\n11/01/2026,04:00,2,N\n", kErcot); }),
      Contains("a second value for"));
  CHECK_THAT(refused([] { prices("DeliveryDate,HourEnding,Price,DSTFlag\n11/01/2026,02:00,1,maybe\n11/01/2026,03:00,1,N\n", kErcot); }),
             Contains("expected Y, N, true or false"));
  CHECK_THAT(refused([] { prices("DeliveryDate,HourEnding,Price\n11/01/2026,26:00,1\n11/01/2026,03:00,1\n", kErcot); }),
             Contains("01:00 .. 24:00 or 25:00"));
  CHECK_THAT(refused([] { prices("DeliveryDate,HourEnding,Price\n31/12/2026,02:00,1\n11/01/2026,03:00,1\n", kErcot); }), Contains("08/31/2025"));
  const std::string buses = "DeliveryDate,HourEnding,BusName,LMP,DSTFlag\n08/05/2025,01:00,A,23.2,N\n08/05/2025,01:00,B,-3,N\n";
  CHECK_THAT(refused([&] { prices(buses, kErcot); }), Contains("several bus nodes: A, B"));
  CHECK(prices(buses, kErcot + ", location = \"B\"").value[0] == Approx(-3 / kMWh));
}

TEST_CASE("CAISO: the price is in column MW of the rows of type LMP") {
  const std::string head = "INTERVALSTARTTIME_GMT,INTERVALENDTIME_GMT,OPR_DT,OPR_HR,NODE,LMP_TYPE,MW,GROUP\n";
  const std::string text = head + "2022-02-01T15:00:00-00:00,2022-02-01T16:00:00-00:00,2022-02-01,8,N1,LMP,41.5,1\n" +
                           "2022-02-01T15:00:00-00:00,2022-02-01T16:00:00-00:00,2022-02-01,8,N1,MCC,1.5,1\n" +
                           "2022-02-01T15:00:00-00:00,2022-02-01T16:00:00-00:00,2022-02-01,8,N1,MCL,0.5,1\n" +
                           "2022-02-01T15:00:00-00:00,2022-02-01T16:00:00-00:00,2022-02-01,8,N1,MCE,39.5,1\n";
  const Series series = prices(text, "format = \"caiso\"");
  CHECK(series.value == std::vector<double>{41.5 / kMWh});
  CHECK(series.start_ns[0] == ns("2022-02-01T15:00:00Z"));
  CHECK(series.end_ns == ns("2022-02-01T16:00:00Z"));
  CHECK_THAT(all_notes(series), Contains("3 rows of parts of the price"));
}

TEST_CASE("PJM: newest first, months first, a 12-hour clock, UTC") {
  const std::string text =
      "datetime_beginning_utc,datetime_beginning_ept,pnode_name,total_lmp_da\n1/1/2021 6:00:00 AM,1/1/2021 1:00:00 AM,W,12\n1/1/2021 5:00:00 "
      "AM,1/1/2021 "
      "12:00:00 AM,W,11\n1/1/2021 4:00:00 AM,12/31/2020 11:00:00 PM,W,10\n";
  const Series series = prices(text, "format = \"pjm\"");
  CHECK(series.start_ns[0] == ns("2021-01-01T04:00:00Z"));
  CHECK(series.value[0] == Approx(10 / kMWh));
  CHECK(series.end_ns == ns("2021-01-01T07:00:00Z"));
  CHECK_THAT(all_notes(series), Contains("newest row first"));
}
