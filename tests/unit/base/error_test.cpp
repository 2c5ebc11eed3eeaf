#include "base/error.hpp"

#include <catch2/catch.hpp>

using namespace joulecast;

TEST_CASE("a place says as much as is known") {
  CHECK(Place{"a.toml", 3, 7}.text() == "a.toml:3:7");
  CHECK(Place{"a.toml", 3, 0}.text() == "a.toml:3");
  CHECK(Place{"a.toml", 0, 0}.text() == "a.toml");
  CHECK(Place{"", 3, 7}.text() == "line 3:7");
  CHECK(Place{}.text().empty());
}

TEST_CASE("a user's error says place, fault and remedy of each") {
  const UserError error({{{"a.toml", 3, 7}, "unknown key", "did you mean \"x\"?"}, {{}, "no traffic", ""}});
  CHECK(std::string(error.what()) == "a.toml:3:7: unknown key\n  did you mean \"x\"?\nno traffic");
  CHECK(error.faults().size() == 2);
}

TEST_CASE("a broken invariant names its source line") {
  const auto fail = [] { JOULECAST_CHECK(1 + 1 == 3, "sums"); };
  CHECK_THROWS_WITH(fail(), Catch::Contains("error_test.cpp:") && Catch::Contains("sums"));
}
