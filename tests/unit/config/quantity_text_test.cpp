#include "config/quantity_text.hpp"

#include <catch2/catch.hpp>

using joulecast::config::quantity_of;

TEST_CASE("a text that is a quantity is known as one, whatever its dimension") {
  const auto clock = quantity_of("1410 MHz");
  REQUIRE(clock);
  CHECK(clock->number == 1410);
  CHECK(clock->unit == "MHz");
  CHECK(clock->si == 1.41e9);
  CHECK(clock->si_unit == "Hz");
  CHECK(quantity_of("80 %")->si == 0.8);
  CHECK(quantity_of("80 %")->si_unit == "1");
  CHECK(quantity_of("0.36 USD/kWh")->si == Approx(1e-7));
  CHECK(quantity_of("0.36 USD/kWh")->si_unit == "USD/J");
  CHECK(quantity_of("1 EUR/GPU/h")->si_unit == "EUR/s/GPU");
  for (const char* other : {"auto", "8", "", "dgx-h100", "8 parsec", "nan s"}) CHECK_FALSE(quantity_of(other));
}
