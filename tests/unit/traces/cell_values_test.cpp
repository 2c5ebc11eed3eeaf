#include "traces/cell_values.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <string>

using namespace joulecast::traces;

namespace {

std::optional<std::int64_t> decimal(std::string_view text, int exponent) {
  std::int64_t ns = 0;
  if (read_decimal_ns(text, exponent, ns) == Reading::good) return ns;
  return std::nullopt;
}

std::optional<std::int64_t> datetime(std::string_view text) {
  std::int64_t ns = 0;
  bool zoned = false;
  if (read_datetime_ns(text, ns, zoned) == Reading::good) return ns;
  return std::nullopt;
}

Reading tokens(std::string_view text) {
  std::int32_t value = 0;
  return read_tokens(text, value);
}

}  // namespace

TEST_CASE("decimal times are exact to the nanosecond") {
  CHECK(decimal("1787267980.0827403", 9) == 1787267980'082740300);
  CHECK(decimal("0.1", 9) == 100'000'000);
  CHECK(decimal("-7157", 9) == -7157'000'000'000);
  CHECK(decimal("1e-05", 9) == 10'000);
  CHECK(decimal("2.5E+3", 6) == 2'500'000'000);
  CHECK(decimal("1.23456", 3) == 1235);
  CHECK(decimal("0.0000000004", 9) == 0);
  CHECK(decimal("0.0000000005", 9) == 1);
  CHECK(decimal("0.000000000000000000000000000000000000000001", 9) == 0);
  CHECK(decimal("4000000000", 9) == 4'000'000'000'000'000'000);
  CHECK(decimal("0e999", 9) == 0);
}

TEST_CASE("what is no decimal time") {
  for (const char* text : {"1e308", "1e19", "4000000001", "nan", "inf", "-inf", "1,5", "0x10", "1 2", "1.2.3", "+1", "--1", "1e5000"}) {
    std::int64_t ns = 0;
    INFO(text);
    CHECK(read_decimal_ns(text, 9, ns) == Reading::wrong);
  }
  for (const char* text : {"", "-", "1.", "1e", "1e-", "1.5E+", "."}) {
    std::int64_t ns = 0;
    INFO(text);
    CHECK(read_decimal_ns(text, 9, ns) == Reading::cut);
  }
}

TEST_CASE("dates keep 100 ns and take offsets") {
  const std::int64_t day = 19677 * 86'400'000'000'000;  // 2023-11-16
  CHECK(datetime("1970-01-01 00:00:00") == 0);
  CHECK(datetime("2023-11-16 18:17:03.9799600") == day + 65'823'979'960'000);
  CHECK(datetime("2023-11-16T18:17:03.9799601Z") == day + 65'823'979'960'100);
  CHECK(datetime("2023-11-16 18:17:03+01:00") == day + 62'223'000'000'000);
  CHECK(datetime("2023-11-16 18:17:03.5-0030") == day + 67'623'500'000'000);
  CHECK(datetime("2023-11-16 18:17:03.1234567899+00") == day + 65'823'123'456'789);
  CHECK(datetime("2024-02-29 00:00:00") == (19677 + 105) * 86'400'000'000'000);
  CHECK(datetime("1969-12-31 23:59:59") == -1'000'000'000);
}

TEST_CASE("what is no date") {
  for (const char* text : {"2023-02-29 00:00:00", "2023-13-01 00:00:00", "2023-11-16 24:00:00", "2023-11-16 18:60:00", "2023/11/16 18:17:03",
                           "2023-11-16 18:17:03 PM", "2023-11-16 18:17:03.x", "1700-01-01 00:00:00", "2023-11-16 18:17:03+15:00", "x"}) {
    std::int64_t ns = 0;
    bool zoned = false;
    INFO(text);
    CHECK(read_datetime_ns(text, ns, zoned) == Reading::wrong);
  }
  for (const char* text : {"", "2023-1", "2023-11-16 18:17", "2023-11-16 18:17:03.", "2023-11-16 18:17:03+0", "2023-11-16 18:17:03+01:"}) {
    std::int64_t ns = 0;
    bool zoned = false;
    INFO(text);
    CHECK(read_datetime_ns(text, ns, zoned) == Reading::cut);
  }
}

TEST_CASE("tokens are whole numbers") {
  CHECK(tokens("0") == Reading::good);
  CHECK(tokens("2147483647") == Reading::good);
  CHECK(tokens("") == Reading::cut);
  for (const char* text :
       {"2147483648", "99999999999999999999", "-1", "-0", "+1", "3.5", "63.0", "1e3", "1e308", "nan", "NaN", "0x1", "1_000", "12 "}) {
    INFO(text);
    CHECK(tokens(text) == Reading::wrong);
  }
}
