#include "report/numbers.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace joulecast::report;

TEST_CASE("three significant digits") {
  CHECK(three_digits(0) == "0");
  CHECK(three_digits(9.1349) == "9.13");
  CHECK(three_digits(9.999) == "10.0");
  CHECK(three_digits(146.4) == "146");
  CHECK(three_digits(999.6) == "1,000");
  CHECK(three_digits(12345) == "12,300");
  CHECK(three_digits(-1234567) == "-1,230,000");
  CHECK(three_digits(0.012345) == "0.0123");
  CHECK(three_digits(0.0000123) == "1.23e-05");
  CHECK(three_digits(std::nan("")) == "–");
}

TEST_CASE("counts are exact") {
  CHECK(with_separators(0) == "0");
  CHECK(with_separators(999) == "999");
  CHECK(with_separators(22361870) == "22,361,870");
}

TEST_CASE("shares are never rounded to all or nothing") {
  CHECK(percent(1) == "100 %");
  CHECK(percent(0.99996) == "> 99.9 %");
  CHECK(percent(0.0002) == "< 0.1 %");
  CHECK(percent(0) == "0 %");
  CHECK(percent(0.9871) == "98.7 %");
}

TEST_CASE("scaled units") {
  CHECK(scaled(seconds(), 0.1421) == "142 ms");
  CHECK(scaled(seconds(), 0.99999) == "1.00 s");
  CHECK(scaled(seconds(), 2e-6) == "2.00 µs");
  CHECK(scaled(watt_hours(), 3.6e6) == "1.00 kWh");
  CHECK(scaled(watts(), 6730) == "6.73 kW");
  CHECK(scaled(grams(), 3471) == "3.47 kg");
  CHECK(scaled(joules(), 0) == "0 mJ");
}

TEST_CASE("lengths of simulated time") {
  CHECK(length_of_time(12.5) == "12.5 s");
  CHECK(length_of_time(3502) == "58 min 22 s");
  CHECK(length_of_time(3600) == "1 h");
  CHECK(length_of_time(12000) == "3 h 20 min");
  CHECK(length_of_time(86400 + 7200) == "1 d 2 h");
}

TEST_CASE("width counts code points") { CHECK(display_width("± 9 µs") == 6); }

TEST_CASE("a figure has the digits that its interval deserves, never more than three") {
  CHECK(significant(12345, 2) == "12,000");
  CHECK(significant(0.0996, 2) == "0.10");
  CHECK(significant(9.96, 1) == "10");
  CHECK(significant(-0.000123, 2) == "-1.2e-04");
  CHECK(digits_of(100, 70, 130) == 2);
  CHECK(digits_of(100, 96, 104) == 3);
  CHECK(digits_of(-100, -220, -20) == 1);
  CHECK(digits_of(0, 0, 0) == 3);
  CHECK(digits_of(std::nan("")) == 3);
  CHECK(digits_of(0.05) == 2);
}
