#include "base/format.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace joulecast;

TEST_CASE("quantities for people") {
  CHECK(si(1250, "W") == "1.25 kW");
  CHECK(si(999.6, "W") == "1.00 kW");
  CHECK(si(999.4, "W") == "999 W");
  CHECK(si(-0.0805, "s") == "-80.5 ms");
  CHECK(si(0, "W") == "0 W");
  CHECK(si(2.5e-12, "s") == "0.00250 ns");
  CHECK(si(123456, "J", 2) == "123 kJ");
  CHECK(energy_kwh(44.28e6) == "12.3 kWh");
  CHECK(energy_kwh(120) == "120 J");
  CHECK(number_text(1234.5) == "1234");
  CHECK(number_text(0.012) == "0.0120");
  CHECK(number_text(std::numeric_limits<double>::infinity()) == "inf");
}

TEST_CASE("lengths of time and counts for people") {
  CHECK(duration_text(0.08) == "80.0 ms");
  CHECK(duration_text(12.34) == "12.3 s");
  CHECK(duration_text(59.96) == "1 min 00 s");
  CHECK(duration_text(3599.6) == "1 h 00 min");
  CHECK(duration_text(3 * 3600 + 7 * 60) == "3 h 07 min");
  CHECK(duration_text(52 * 3600) == "2 day 4 h");
  CHECK(duration_text(-90) == "-1 min 30 s");
  CHECK(grouped(22361870) == "22,361,870");
  CHECK(grouped(-1000) == "-1,000");
  CHECK(grouped(999) == "999");
  CHECK(grouped(std::numeric_limits<std::int64_t>::min()) == "-9,223,372,036,854,775,808");
}
