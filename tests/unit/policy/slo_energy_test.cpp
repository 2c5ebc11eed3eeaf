// slo_energy: the least added energy among the pools that are predicted to hold the limits.
#include <catch2/catch.hpp>

#include "unit/policy/routing_support.hpp"

using namespace joulecast;
using namespace joulecast::policy;
using Catch::Contains;

namespace {

/// A replica whose step takes 10 ms and 5 J, and 0.1 ms and 0.2 J more a sequence, whose prompts take 0.1 ms and 0.05 J a token; `faster` divides times,
/// `dearer` multiplies joules.
control::ServiceBelief service(double faster, double dearer) {
  control::ServiceBelief belief;
  belief.step_seconds = {0.010 / faster, 0.0001 / faster, 0};
  belief.step_joules = {5 * dearer, 0.2 * dearer, 0};
  belief.prompt_seconds = {0, 0.0001 / faster, 0};
  belief.prompt_joules = {0, 0.05 * dearer, 0};
  belief.idle_watts = 100 * dearer;
  return belief;
}

serving::PoolChoice slow_and_fast() {
  serving::PoolChoice choice = choice_among({{"slow", "small", 8192, {}, {}}, {"fast", "small", 8192, {}, {}}}, {"small"});
  choice.pools[0].service = service(1, 1);
  choice.pools[1].service = service(4, 3);
  choice.ttft_s = 0.5;
  choice.tpot_s = 0.05;
  return choice;
}

Made make(const serving::PoolChoice& choice, const std::string& parameters = "") { return made("slo_energy", choice, parameters); }

serving::PoolView load(int replicas, std::int64_t running, std::int64_t queued_tokens) {
  serving::PoolView view;
  view.replicas = replicas;
  view.running = running;
  view.tokens_queued = queued_tokens;
  return view;
}

std::size_t choose(const Made& made, const serving::RoutedRequest& request, const serving::PoolView& slow, const serving::PoolView& fast) {
  Stream random(1, "router", "pool routing");
  return made.router->choose(request, Given<serving::PoolView>({slow, fast}), Time{0}, random);
}

}  // namespace

TEST_CASE("a request that joins others adds the difference of two steps, one that comes alone the whole step less what waiting takes") {
  const control::ServiceBelief belief = service(1, 1);
  CHECK(belief.added_joules(1000, 200, 8, 1100) == Approx(1000 * 0.05 + 200 * 0.2));
  CHECK(belief.added_joules(1000, 200, 0, 1100) == Approx(1000 * 0.05 + 200 * (5.2 - 100 * 0.0101)));
}

TEST_CASE("the least added energy wins: a busy pool over an idle one") {
  const Made made = make(slow_and_fast());
  REQUIRE(made.told == "");
  // Both idle: slow adds 50 + 838 J, fast three times that. Fast busy: 150 + 120 J.
  CHECK(choose(made, asks(1000, 200), load(2, 0, 0), load(2, 0, 0)) == 0);
  CHECK(choose(made, asks(1000, 200), load(2, 0, 0), load(2, 8, 0)) == 1);
  CHECK(choose(made, asks(1000, 200), load(2, 8, 0), load(2, 8, 0)) == 0);
}

TEST_CASE("a pool that is predicted to miss a limit is left out, and of two that miss the nearer one is taken") {
  const Made made = make(slow_and_fast(), "margin = 0\n");
  // TTFT: 0.1 ms a token of queue and prompt, and a step. 3,800 queued + 1,000 + 10.9 ms is 490.9 ms; 4,000 queued is over.
  CHECK(choose(made, asks(1000, 200), load(1, 8, 3800), load(1, 8, 0)) == 0);
  CHECK(choose(made, asks(1000, 200), load(1, 8, 4000), load(1, 8, 0)) == 1);
  // The margin takes 10 % off the limit.
  CHECK(choose(make(slow_and_fast()), asks(1000, 200), load(1, 8, 3800), load(1, 8, 0)) == 1);
  // TPOT: 10 ms + 0.1 ms a sequence: 400 running is over 50 ms.
  CHECK(choose(made, asks(10, 200), load(1, 398, 0), load(1, 8, 0)) == 0);
  CHECK(choose(made, asks(10, 200), load(1, 400, 0), load(1, 8, 0)) == 1);
  // Both miss TTFT: slow by 2.2, fast by 1.1 and by 4.
  CHECK(choose(made, asks(1000, 200), load(1, 8, 10000), load(1, 8, 21000)) == 1);
  CHECK(choose(made, asks(1000, 200), load(1, 8, 10000), load(1, 8, 80000)) == 0);
}

TEST_CASE("network latency counts in TTFT") {
  auto choice = slow_and_fast();
  choice.pools[0].network_s = 0.45;
  CHECK(choose(make(choice), asks(1000, 200), load(1, 8, 0), load(1, 8, 0)) == 1);
}

TEST_CASE("no limit is refused, limits of its own take the place of the traffic's, hopeless pools are named") {
  auto choice = slow_and_fast();
  choice.ttft_s.reset();
  choice.tpot_s.reset();
  CHECK_THAT(make(choice).told, Contains("no limit to hold for traffic \"chat\"") && Contains("slo = {"));
  CHECK(make(choice, "tpot = \"50 ms\"\n").told == "");
  CHECK_THAT(make(choice, "tpot = \"5 ms\"\n").told, Contains("note: pool \"slow\"") && Contains("even when idle"));
  CHECK_THAT(make(choice, "tpott = \"5 ms\"\n").told, Contains("tpott"));
}
