#include "engine/heap.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "base/philox.hpp"

using namespace joulecast;
using namespace joulecast::engine;

namespace {

/// Random pushes, pops, replacements and purges against a sorted list. Few distinct times: many events differ in the second word alone.
void check_against_sorted_list(std::uint64_t seed, std::uint64_t distinct_times, std::size_t most) {
  Stream random(seed, "heap", "operations");
  EventHeap heap;
  std::vector<Event> sorted;
  const auto insert = [&](const Event& event) { sorted.insert(std::lower_bound(sorted.begin(), sorted.end(), event), event); };
  for (std::uint64_t n = 0; n < 20'000; ++n) {
    const Event event{
        Time{static_cast<std::int64_t>(random.below(distinct_times))}, random.below(1U << 20) << 20 | n, static_cast<EntityId>(n), 1, 0, n};
    const double what = random.uniform();
    if (sorted.empty() || (what < 0.5 && sorted.size() < most)) {
      heap.push(event);
      insert(event);
    } else if (what < 0.8) {
      heap.replace_top(event);
      sorted.erase(sorted.begin());
      insert(event);
    } else if (what < 0.999) {
      heap.pop();
      sorted.erase(sorted.begin());
    } else {
      const auto odd = [](const Event& e) { return e.payload % 2 == 1; };
      heap.purge(odd);
      sorted.erase(std::remove_if(sorted.begin(), sorted.end(), odd), sorted.end());
    }
    REQUIRE(heap.size() == sorted.size());
    REQUIRE(heap.empty() == sorted.empty());
    if (!sorted.empty()) REQUIRE(heap.top().payload == sorted.front().payload);
  }
  for (; !sorted.empty(); sorted.erase(sorted.begin())) {
    REQUIRE(heap.top().payload == sorted.front().payload);
    heap.pop();
  }
  REQUIRE(heap.empty());
}

}  // namespace

TEST_CASE("a heap gives events in the order of their keys") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    check_against_sorted_list(seed, 4, 300);
    check_against_sorted_list(seed, 1U << 30, 300);
    check_against_sorted_list(seed, 50, 5);
  }
}

TEST_CASE("the top of an empty heap is later than any event") {
  EventHeap heap;
  REQUIRE(heap.empty());
  REQUIRE(key_of(heap.top()) > key_at(Time{INT64_MAX - 1}));
  heap.push({Time{5}, 1, 0, 0, 0, 0});
  REQUIRE(heap.top().time == Time{5});
  heap.pop();
  REQUIRE(key_of(heap.top()) > key_at(Time{INT64_MAX - 1}));
}
