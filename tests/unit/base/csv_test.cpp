// A cell that a reader of CSV gives back as it was.
#include "base/csv.hpp"

#include <catch2/catch.hpp>

using joulecast::csv_cell;

TEST_CASE("only what would break a row is quoted") {
  CHECK(csv_cell("plain text; 1.5") == "plain text; 1.5");
  CHECK(csv_cell("") == "");
  CHECK(csv_cell("a,b") == "\"a,b\"");
  CHECK(csv_cell("say \"so\"") == "\"say \"\"so\"\"\"");
  CHECK(csv_cell("two\nlines") == "\"two\nlines\"");
  CHECK(csv_cell("a\rb") == "\"a\rb\"");
}
