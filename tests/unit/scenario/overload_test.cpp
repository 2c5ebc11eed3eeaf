#include "scenario/overload.hpp"

#include <catch2/catch.hpp>

using namespace joulecast;
using namespace joulecast::scenario;

namespace {

Time seconds(double s) { return {static_cast<std::int64_t>(s * 1e9)}; }

/// Two requests a second for 400 s; each waits what `wait` says of its arrival.
template <class Wait>
std::optional<Overload> overload(Wait&& wait, double end = 400) {
  serving::RequestTable table;
  for (int i = 0; i < 800; ++i) {
    traces::Request facts;
    const double at = 0.5 * i;
    facts.arrival = seconds(at);
    const auto number = table.add(facts);
    const double begun = at + wait(at);
    if (begun < end) table[number].outcome.queued_until = seconds(begun);
  }
  return find_overload(table, seconds(0), seconds(end));
}

}  // namespace

TEST_CASE("a queue that grows in every quarter is an overload, with the rate at which requests begin") {
  // Waits grow by a second a second: a request begins every second, half of what comes.
  const auto found = overload([](double at) { return at; });
  REQUIRE(found);
  CHECK(found->offered_requests_per_s == Approx(2).epsilon(0.01));
  CHECK(found->sustained_requests_per_s == Approx(1).epsilon(0.02));
  for (std::size_t i = 0; i < kQuarters; ++i) CHECK(found->waiting[i] == Approx(50 + 100.0 * static_cast<double>(i)).epsilon(0.02));
  CHECK(overload_note(*found).find("unstable") == 0);
  // The same where the run goes on until all is done.
  CHECK(overload([](double at) { return at; }, 2000)->sustained_requests_per_s == Approx(1).epsilon(0.02));
}

TEST_CASE("a steady queue, one that a burst leaves behind, and a short one that grows are none") {
  CHECK_FALSE(overload([](double) { return 30.0; }));
  CHECK_FALSE(overload([](double at) { return at > 200 && at < 300 ? 80.0 : 0.1; }));
  CHECK_FALSE(overload([](double at) { return 0.001 * at; }));
  CHECK_FALSE(find_overload(serving::RequestTable(), seconds(0), seconds(10)));
}
