#include "serving/kv_cache.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"

using joulecast::Bug;
using joulecast::serving::KvCache;

TEST_CASE("Freed blocks are taken in the order of the queue, a request's last block first") {
  KvCache cache(10);
  cache.allocate(10);
  REQUIRE(cache.free() == 0);
  cache.release_findable(7, 4, 1);  // queue: one anonymous block, then blocks 3, 2, 1, 0 of request 7
  cache.release_findable(8, 3, 0);  // then 2, 1, 0 of request 8
  REQUIRE(cache.free() == 8);
  REQUIRE(cache.findable(7) == 4);
  cache.allocate(1);
  REQUIRE(cache.findable(7) == 4);
  cache.allocate(3);
  REQUIRE(cache.findable(7) == 1);
  REQUIRE(cache.findable(8) == 3);
  cache.allocate(2);
  REQUIRE(cache.findable(7) == 0);
  REQUIRE(cache.findable(8) == 2);
}

TEST_CASE("A hit takes the surviving blocks out of the middle of the queue") {
  KvCache cache(6);
  cache.allocate(6);
  cache.release_findable(1, 2, 0);
  cache.release_findable(2, 2, 0);
  cache.release(2);
  REQUIRE(cache.take_findable(2) == 2);
  REQUIRE(cache.findable(2) == 0);
  REQUIRE(cache.take_findable(2) == 0);
  REQUIRE(cache.free() == 4);
  cache.allocate(3);
  REQUIRE(cache.findable(1) == 0);
  REQUIRE(cache.free() == 1);
  // Freed again, it is found again.
  cache.release_findable(2, 2, 0);
  REQUIRE(cache.findable(2) == 2);
  REQUIRE(cache.used() == 3);
}

TEST_CASE("Misuse of the cache is a bug") {
  KvCache cache(2);
  REQUIRE_THROWS_AS(cache.allocate(3), Bug);
  cache.allocate(2);
  cache.release_findable(1, 1, 0);
  REQUIRE_THROWS_AS(cache.release_findable(1, 1, 0), Bug);
}
