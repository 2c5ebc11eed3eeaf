#include "traces/grid/zone.hpp"

#include <catch2/catch.hpp>

#include "unit/traces/grid/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;
using Catch::Contains;

namespace {

std::int64_t clock(std::string_view text) { return read_civil(text, DateOrder::ymd)->local_ns; }

}  // namespace

// Directive 2000/84/EC: clocks go forward on the last Sunday of March and back on the last Sunday of October, at 01:00 UTC.
TEST_CASE("clocks of Berlin in 2025: an hour that never was and one that came twice") {
  const Zone berlin = Zone::find("Europe/Berlin", {});
  const LocalMoment plain = berlin.moment(clock("2025-03-30 01:59:59"));
  CHECK(plain.kind == LocalMoment::Kind::unique);
  CHECK(plain.first == ns("2025-03-30T00:59:59Z"));
  const LocalMoment never = berlin.moment(clock("2025-03-30 02:30:00"));
  CHECK(never.kind == LocalMoment::Kind::never);
  CHECK(never.first == ns("2025-03-30T01:00:00Z"));
  const LocalMoment twice = berlin.moment(clock("2025-10-26 02:30:00"));
  CHECK(twice.kind == LocalMoment::Kind::twice);
  CHECK(twice.first == ns("2025-10-26T00:30:00Z"));
  CHECK(twice.second == ns("2025-10-26T01:30:00Z"));
  CHECK(berlin.offset_minutes(ns("2025-07-01T00:00:00Z")) == 120);
  CHECK(berlin.offset_minutes(ns("2025-01-01T00:00:00Z")) == 60);
}

TEST_CASE("the months of a zone are those of its calendar") {
  const Zone berlin = Zone::find("Europe/Berlin", {});
  const std::int64_t moment = ns("2025-03-15T12:00:00Z");
  CHECK(berlin.month_begin(moment) == ns("2025-02-28T23:00:00Z"));
  CHECK(berlin.next_month_begin(moment) == ns("2025-03-31T22:00:00Z"));  // 31 days less the hour of summer time
  CHECK(berlin.next_month_begin(ns("2025-12-31T22:59:59Z")) == ns("2025-12-31T23:00:00Z"));
  const Zone utc = Zone::find("UTC", {});
  CHECK(utc.next_month_begin(ns("2024-02-10T00:00:00Z")) == ns("2024-03-01T00:00:00Z"));
}

TEST_CASE("fixed offsets") {
  CHECK(Zone::find("+01:00", {}).moment(clock("2025-10-26 02:30:00")).first == ns("2025-10-26T01:30:00Z"));
  CHECK(Zone::find("-0330", {}).offset_minutes(0) == -210);
  CHECK(Zone::find("Asia/Kolkata", {}).offset_minutes(ns("2025-01-01T00:00:00Z")) == 330);
}

TEST_CASE("a zone that does not exist is refused with the nearest") {
  const auto fault = [](const std::string& name) { return refused([&] { Zone::find(name, {"s.toml", 3, 1}); }); };
  CHECK_THAT(fault("Europe/Berln"),
             Contains("s.toml:3:1") && Contains("no time zone \"Europe/Berln\"") && Contains("did you mean \"Europe/Berlin\"?"));
  CHECK_THAT(fault("europe/berlin"), Contains("did you mean \"Europe/Berlin\"?"));
  CHECK_THAT(fault("../../etc/passwd"), Contains("no time zone"));
  CHECK_THAT(fault("CEST"), Contains("IANA"));
  CHECK_THAT(fault("+25:00"), Contains("no time zone"));
  CHECK_THAT(fault(""), Contains("no time zone"));
}
