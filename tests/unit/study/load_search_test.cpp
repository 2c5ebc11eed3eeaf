// The greatest load that holds: found where it is, not where a search would like it to be.
#include "study/load_search.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace joulecast::study;

namespace {

std::function<Judgement(double)> up_to(double limit) {
  return [limit](double load) { return Judgement{load <= limit, limit - load}; };
}

}  // namespace

TEST_CASE("the found load holds, and one a precision above it does not, wherever the limit is") {
  for (const double limit : {0.0123, 0.4, 0.999, 1.0, 1.7, 2.0, 63.3, 900.0}) {
    CAPTURE(limit);
    const FoundLoad found = search_load(up_to(limit));
    REQUIRE(found.load);
    CHECK(*found.load <= limit);
    CHECK(*found.load * 1.01 >= limit * (1 - 1e-12));
    CHECK(found.bounded);
    CHECK(found.monotone);
    CHECK(found.rise == 0);
    CHECK(found.tried.size() < 24);
  }
}

TEST_CASE("where no load holds there is none, and where all do nothing bounds it") {
  const FoundLoad none = search_load(up_to(1e-6));
  CHECK_FALSE(none.load);
  CHECK(none.tried.back().load == 1.0 / 1024);
  const FoundLoad all = search_load(up_to(1e9), {0.1, 5, 0.01});
  CHECK(all.load == 5);
  CHECK_FALSE(all.bounded);
}

// Holds up to 1.4 and, again, between 1.5 and 1.9: a search that halves a bracket lands on either edge. The greatest load below which all that was
// tried held is the answer, and that it was not the only one is said.
TEST_CASE("a load that holds again beyond one that does not is told, and not taken") {
  const FoundLoad gap = search_load([](double load) { return Judgement{load <= 1.4 || (load > 1.43 && load < 1.9), 2 - load}; }, {0.01, 100, 0.01});
  CHECK(gap.load);
  const auto island = [](double load) { return Judgement{load <= 1.4 || (load > 1.45 && load < 1.5), load < 1.45 ? 0.1 : 0.2}; };
  const FoundLoad found = search_load(island, {0.01, 100, 0.01});
  REQUIRE(found.load);
  CHECK(*found.load <= 1.4);
  CHECK_FALSE(found.monotone);
  CHECK(found.rise > 0);
}
