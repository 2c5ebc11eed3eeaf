#include "traces/grid/civil_time.hpp"

#include <catch2/catch.hpp>

#include "traces/grid/zone.hpp"
#include "unit/traces/grid/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;

namespace {

std::string shown(std::string_view text, DateOrder order) {
  const auto time = read_civil(text, order);
  if (!time) return "none";
  return local_text(time->local_ns) + (time->offset_minutes ? " " + std::to_string(*time->offset_minutes) : "");
}

}  // namespace

TEST_CASE("dates and times as files write them") {
  CHECK(shown("2025-03-30 02:15:00", DateOrder::ymd) == "2025-03-30 02:15:00");
  CHECK(shown("2025-03-30T02:15Z", DateOrder::ymd) == "2025-03-30 02:15:00 0");
  CHECK(shown("2024-11-30T06:00:00.000Z", DateOrder::ymd) == "2024-11-30 06:00:00 0");
  CHECK(shown("2022-02-01T15:00:00-00:00", DateOrder::ymd) == "2022-02-01 15:00:00 0");
  CHECK(shown("2022-01-01 00:00:00+05:30", DateOrder::ymd) == "2022-01-01 00:00:00 330");
  CHECK(shown("2022-01-01 00:00 -0330", DateOrder::ymd) == "2022-01-01 00:00:00 -210");
  CHECK(shown("2025-03-30", DateOrder::ymd) == "2025-03-30 00:00:00");
  CHECK(shown("30/03/2025 23:45:00", DateOrder::dmy) == "2025-03-30 23:45:00");
  CHECK(shown("30.03.2025 00:00", DateOrder::dmy) == "2025-03-30 00:00:00");
  CHECK(shown("1/1/2021 4:55:00 AM", DateOrder::mdy) == "2021-01-01 04:55:00");
  CHECK(shown("12/31/2020 12:05:00 am", DateOrder::mdy) == "2020-12-31 00:05:00");
  CHECK(shown("12/31/2020 12:05:00 PM", DateOrder::mdy) == "2020-12-31 12:05:00");
  CHECK(shown("2025-03-30 24:00", DateOrder::ymd) == "2025-03-31 00:00:00");
  CHECK(read_civil("2025-03-30 00:00:00.000000001", DateOrder::ymd)->local_ns % 1000 == 1);
}

TEST_CASE("what is no date and time") {
  for (const char* text : {"",
                           "2025",
                           "2025-3",
                           "2025-02-29",
                           "2025-13-01",
                           "2025-00-10",
                           "2025-03-30 25:00",
                           "2025-03-30 24:01",
                           "2025-03-30 10:60",
                           "2025-03-30 10:00:61",
                           "2025-03-30 1000",
                           "2025/03-30",
                           "30/03/2025",
                           "2025-03-30 10:00+15:00",
                           "2025-03-30 10:00:00 CET",
                           "2025-03-30x",
                           "2025-03-30 ",
                           "2025-03-30 10:00:00.",
                           "1900-01-01",
                           "2151-01-01",
                           "2025-03-30 13:00 PM",
                           "2025-03-30 0:00 AM"}) {
    CAPTURE(text);
    CHECK_FALSE(read_civil(text, DateOrder::ymd).has_value());
  }
  CHECK(read_civil("2024-02-29", DateOrder::ymd).has_value());
}
