// The fewest nodes that hold, and that one fewer was tried and did not.
#include "study/node_search.hpp"

#include <catch2/catch.hpp>
#include <map>

using namespace joulecast::study;

namespace {

bool tried(const FoundNodes& found, int nodes, bool held) {
  for (const TriedNodes& each : found.tried) {
    if (each.nodes == nodes) return each.judgement.held == held;
  }
  return false;
}

}  // namespace

TEST_CASE("wherever holding begins and wherever the search does, it is found, the fleet one smaller has failed, and no fleet is tried twice") {
  for (const int limit : {1, 2, 3, 7, 8, 33, 100}) {
    for (const int guess : {1, 2, 8, 40, 100}) {
      CAPTURE(limit, guess);
      const FoundNodes found = search_nodes([&](int nodes) { return Judgement{nodes >= limit, static_cast<double>(nodes - limit)}; }, 1, guess, 100);
      REQUIRE(found.nodes);
      CHECK(*found.nodes == limit);
      CHECK(tried(found, limit, true));
      CHECK((limit == 1 || tried(found, limit - 1, false)));
      CHECK(found.monotone);
      std::map<int, int> times;
      for (const TriedNodes& each : found.tried) CHECK(++times[each.nodes] == 1);
      CHECK(found.tried.size() <= 16);
    }
  }
}

TEST_CASE("nothing is found where not even the most hold, and that was tried") {
  const FoundNodes found = search_nodes([](int) { return Judgement{false, -1}; }, 2, 3, 9);
  CHECK_FALSE(found.nodes);
  CHECK(tried(found, 9, false));
  CHECK(search_nodes([](int) { return Judgement{true, 1}; }, 3, 3, 2).tried.empty());
}

TEST_CASE("a smaller fleet that held below one that did not is said") {
  const FoundNodes found = search_nodes([](int nodes) { return Judgement{nodes >= 6 || nodes == 4, 0}; }, 1, 6, 20);
  REQUIRE(found.nodes);
  CHECK(*found.nodes == 6);
  CHECK_FALSE(found.monotone);
}
