// A trace brought with another rate: superposed, compressed, thinned. The mean rate is the same, the tail is not.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "traces/requests/scaled.hpp"
#include "unit/traces/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;
using By = RateScale::By;

namespace {

std::vector<Request> scaled(std::string_view text, const TraceOptions& options, double scale, By by, std::uint64_t seed = 1,
                            std::size_t most = SIZE_MAX) {
  return all(*open_trace_text(text, options, nullptr, {RateScale{scale, by}, seed, "traffic/chat"}), most);
}

std::vector<std::int64_t> arrivals(const std::vector<Request>& requests) {
  std::vector<std::int64_t> ns;
  for (const Request& request : requests) ns.push_back(request.arrival.ns);
  return ns;
}

using Times = std::vector<std::int64_t>;

/// 10 requests at once, every 10 s, 400 times: bursts. The last gap is a mean gap, so the period is close to 4000 s.
std::string bursts() {
  std::string text = "at,in,out\n";
  for (int i = 0; i < 4000; ++i) text += std::to_string(i / 10 * 10) + "," + std::to_string(i + 1) + ",1\n";
  return text;
}

/// Variance over mean of the counts in windows of `window` seconds, over [0, 3900 s) of the original's time divided by `speed`.
double dispersion(const std::vector<Request>& requests, double window, double speed = 1) {
  const auto windows = static_cast<std::size_t>(3900 / speed / window);
  std::vector<double> counts(windows, 0);
  for (const Request& request : requests) {
    const auto at = static_cast<std::size_t>(request.arrival.seconds() / window);
    if (at < windows) ++counts[at];
  }
  double sum = 0, squares = 0;
  for (const double count : counts) {
    sum += count;
    squares += count * count;
  }
  const double mean = sum / static_cast<double>(windows);
  return (squares / static_cast<double>(windows) - mean * mean) / mean;
}

}  // namespace

TEST_CASE("compressing divides the time since the first arrival") {
  TraceOptions options = plain("ns");
  options.offset = Seconds(5e-9);
  CHECK(arrivals(scaled("at,in,out\n100,1,1\n110,1,1\n141,1,1\n", options, 2, By::compress)) == Times{5, 10, 25});
  CHECK(arrivals(scaled("at,in,out\n100,1,1\n110,1,1\n141,1,1\n", options, 0.5, By::compress)) == Times{5, 25, 87});
  options.repeat = true;  // rounds of 41 + 21 ns
  CHECK(arrivals(scaled("at,in,out\n100,1,1\n110,1,1\n141,1,1\n", options, 2, By::compress, 1, 5)) == Times{5, 10, 25, 36, 41});
  CHECK(scaled("at,in,out\n0,1,1\n1000000000000000000,1,1\n", plain("ns"), 1e-6, By::compress).size() == 1);  // the second is beyond time
}

// Each of n requests is kept with probability p: n p, with standard deviation sqrt(n p (1 - p)); which are kept depends on seed and name.
TEST_CASE("thinning keeps each request with its probability, and those as they are") {
  const std::string text = bursts();
  const auto whole = read(text, plain("s"));
  const auto kept = scaled(text, plain("s"), 0.3, By::thin);
  CHECK(std::abs(static_cast<double>(kept.size()) - 1200) < 4 * std::sqrt(4000 * 0.3 * 0.7));
  for (const Request& request : kept) {
    CHECK(request.arrival == whole[static_cast<std::size_t>(request.input - 1)].arrival);
  }
  CHECK(same_requests(kept, scaled(text, plain("s"), 0.3, By::thin)));
  CHECK_FALSE(same_requests(kept, scaled(text, plain("s"), 0.3, By::thin, 2)));
  CHECK(same_requests(whole, scaled(text, plain("s"), 1, By::thin)));
}

TEST_CASE("superposing gives every request of the trace once a copy, within the trace's period, in order") {
  const std::string text = "at,in,out\n100,1,1\n110,2,1\n140,3,1\n";  // a period of 60 ns
  const auto three = scaled(text, plain("ns"), 3, By::superpose);
  REQUIRE(three.size() == 9);
  std::map<std::int32_t, int> copies;
  for (std::size_t i = 0; i < three.size(); ++i) {
    ++copies[three[i].input];
    CHECK(three[i].arrival.ns < 60);
    if (i > 0) CHECK(three[i].arrival >= three[i - 1].arrival);
  }
  CHECK(copies == std::map<std::int32_t, int>{{1, 3}, {2, 3}, {3, 3}});
  CHECK(same_requests(scaled(text, plain("ns"), 1, By::superpose), read(text, plain("ns"))));
  CHECK_FALSE(same_requests(three, scaled(text, plain("ns"), 3, By::superpose, 2)));

  // Repeated, the shifted copies go on where the trace begins again: a round is the round before, 60 ns later.
  TraceOptions options = plain("ns");
  options.repeat = true;
  const auto rounds = scaled(text, options, 3, By::superpose, 1, 27);
  for (std::size_t i = 0; i + 9 < rounds.size(); ++i) {
    CHECK(rounds[i + 9].arrival.ns == rounds[i].arrival.ns + 60);
    CHECK(rounds[i + 9].input == rounds[i].input);
  }
  CHECK(same_requests(three, {rounds.begin(), rounds.begin() + 9}));
  CHECK(fault_of([&] { scaled("at,in,out\n1,1,1\n", plain("ns"), 2, By::superpose); }).what == "superposing a trace without two distinct arrivals");
}

TEST_CASE("a broken scale thins the last copy") {
  const std::string text = bursts();
  const auto some = scaled(text, plain("s"), 2.25, By::superpose);
  CHECK(std::abs(static_cast<double>(some.size()) - 9000) < 4 * std::sqrt(4000 * 0.25 * 0.75));
  std::map<std::int32_t, int> copies;
  for (const Request& request : some) ++copies[request.input];
  for (const auto& [input, count] : copies) CHECK((count == 2 || count == 3));
  CHECK(copies.size() == 4000);
}

// Of bursts of 10, one every 10 s, a window of 5 s sees one or none: 10 with probability 1/2, so variance / mean = 25 / 5 = 5. Eight copies whose shifts
// are uniform have eight times that variance and mean: 5 again, on average over the shifts. Compressed by 8 there is a burst every 1.25 s, and four
// in every window of 5 s: 0. Thinned to p, 1 + p (5 - 1).
TEST_CASE("the index of dispersion tells how the rate was reached") {
  const std::string text = bursts();
  CHECK(dispersion(read(text, plain("s")), 5) == Approx(5));
  CHECK(dispersion(scaled(text, plain("s"), 8, By::compress), 5, 8) == Approx(0).margin(1e-9));
  double superposed = 0, squares = 0, thinned_index = 0;
  const int seeds = 200;
  for (int seed = 1; seed <= seeds; ++seed) {
    const double index = dispersion(scaled(text, plain("s"), 8, By::superpose, static_cast<std::uint64_t>(seed)), 5);
    superposed += index / seeds;
    squares += index * index / seeds;
  }
  const double error = std::sqrt((squares - superposed * superposed) / seeds);
  CHECK(std::abs(superposed - 5) < 4 * error);
  for (int seed = 1; seed <= 40; ++seed)
    thinned_index += dispersion(scaled(text, plain("s"), 0.25, By::thin, static_cast<std::uint64_t>(seed)), 5) / 40;
  CHECK(thinned_index == Approx(1 + 0.25 * 4).epsilon(0.05));
}

TEST_CASE("superposed copies are other people's prompts") {
  const std::string text =
      "{\"timestamp\": 0, \"input_length\": 1024, \"output_length\": 2, \"hash_ids\": [1, 2]}\n"
      "{\"timestamp\": 9, \"input_length\": 1024, \"output_length\": 3, \"hash_ids\": [1, 3]}\n";
  const auto stream = open_trace_text(text, named("mooncake"), nullptr, {RateScale{2, By::superpose}, 1, "chat"});
  const auto requests = all(*stream);
  REQUIRE(requests.size() == 4);
  const PrefixTree& tree = *stream->prefixes();
  int own = 0;
  for (const Request& request : requests) {
    own += tree.parent(request.prefix) == 1 ? 1 : 0;
    CHECK(tree.original(tree.parent(request.prefix)) == 1);
    CHECK(tree.tokens(request.prefix) == 1024);
  }
  CHECK(own == 2);  // of the trace itself; the copy's are others
}

TEST_CASE("a share of every prompt is taken as cached, never all of it") {
  const auto cached = [](int input, double share) {
    const std::string text = "at,in,out\n1," + std::to_string(input) + ",1\n";
    return all(*with_cached(open_trace_text(text, plain("s")), share)).front().cached;
  };
  CHECK(cached(1000, 0.25) == 250);
  CHECK(cached(1001, 0.5) == 501);
  CHECK(cached(1000, 1) == 999);
  CHECK(cached(1, 1) == 0);
  CHECK(cached(1000, 0) == 0);
}

TEST_CASE("requests until an end") {
  CHECK(arrivals(all(*until(open_trace_text("at,in,out\n1,1,1\n2,1,1\n4,1,1\n", plain("ns")), Time{3}))) == Times{0, 1});
}
