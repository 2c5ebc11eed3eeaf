// Another trace like the one there is, from blocks of it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "unit/traces/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;

namespace {

std::vector<Request> drawn(std::string_view text, double blocks, double within, std::uint64_t seed = 1, const TraceOptions& options = plain("s"),
                           std::optional<RateScale> rate = {}) {
  return all(*open_trace_text(text, options, nullptr, {rate, seed, "traffic/chat", Resample{Seconds(blocks), Seconds(within), {}}}), 200'000);
}

/// One request a second for `seconds`; the prompt's tokens say which.
std::string even(int seconds) {
  std::string text = "at,in,out\n";
  for (int i = 0; i < seconds; ++i) text += std::to_string(i) + "," + std::to_string(i + 1) + ",1\n";
  return text;
}

}  // namespace

TEST_CASE("requests come in the order of arrival, in blocks of neighbours, from no further than was said") {
  const auto requests = drawn(even(1000), 50, 100);
  REQUIRE(requests.size() > 900);
  std::size_t jumps = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const double own = requests[i].arrival.seconds(), source = requests[i].input - 1;
    CHECK(std::abs(own - source) <= 100);
    if (i == 0) continue;
    CHECK(requests[i].arrival >= requests[i - 1].arrival);
    jumps += requests[i].input != requests[i - 1].input + 1 ? 1 : 0;
  }
  CHECK(jumps <= 19);  // 20 blocks
  CHECK(jumps >= 10);
}

TEST_CASE("the seed decides, and the trace's mean rate and length stay") {
  const auto one = drawn(even(1000), 50, 100, 1), again = drawn(even(1000), 50, 100, 1), other = drawn(even(1000), 50, 100, 2);
  const auto inputs = [](const std::vector<Request>& requests) {
    std::vector<std::int32_t> tokens;
    for (const Request& request : requests) tokens.push_back(request.input);
    return tokens;
  };
  CHECK(inputs(one) == inputs(again));
  CHECK(inputs(one) != inputs(other));
  CHECK(std::abs(static_cast<double>(one.size()) - 1000) <= 20);  // a block of 50 s holds 50 requests, one at its edge more or less
  CHECK(one.back().arrival < Time{1000'000'000'000});
}

// Two days of 24 requests an hour at night (hours 0 to 11) and 240 by day: within half an hour of a time of day, either day may give a block.
TEST_CASE("the shape of the day stays, and blocks come from any day") {
  std::string text = "at,in,out\n";
  for (int hour = 0; hour < 48; ++hour) {
    const int count = hour % 24 < 12 ? 24 : 240;
    for (int i = 0; i < count; ++i) text += std::to_string(3600.0 * hour + 3600.0 / count * i) + "," + std::to_string(hour + 1) + ",1\n";
  }
  const auto requests = drawn(text, 600, 1800);
  std::map<int, int> by_hour;
  std::set<int> days;
  for (const Request& request : requests) {
    const int hour = static_cast<int>(request.arrival.seconds() / 3600), source = request.input - 1;
    ++by_hour[hour];
    CHECK(std::min(std::abs(hour % 24 - source % 24), 24 - std::abs(hour % 24 - source % 24)) <= 1);
    if (hour == 30) days.insert(source / 24);
  }
  CHECK(by_hour[5] < 60);
  CHECK(by_hour[17] > 180);
  CHECK(by_hour[41] > 180);
  CHECK(days.size() == 2);
}

TEST_CASE("a scaled trace is resampled first, and blocks that do not fit twice are refused") {
  CHECK(drawn(even(1000), 50, 100, 1, plain("s"), RateScale{2, RateScale::By::superpose}).size() > 1800);
  CHECK(drawn(even(1000), 50, 100, 1, plain("s"), RateScale{2, RateScale::By::compress}).back().arrival < Time{501'000'000'000});
  TraceOptions repeat = plain("s");
  repeat.repeat = true;
  CHECK(drawn(even(100), 10, 20, 1, repeat).size() == 200'000);
  CHECK_THROWS_AS(drawn(even(100), 60, 20), UserError);
}
