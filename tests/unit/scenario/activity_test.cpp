// What requests did over time, against integrals by hand.
#include "scenario/activity.hpp"

#include <catch2/catch.hpp>
#include <numeric>

using namespace joulecast;
using namespace joulecast::scenario;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Sum over intervals times their length: the integral over the run.
double integral(const std::vector<float>& means, const Activity& activity) {
  return activity.interval_s * std::accumulate(means.begin(), means.end(), 0.0);
}

serving::RequestRecord& add(serving::RequestTable& table, double arrival_s, std::int64_t input) {
  traces::Request facts{};
  facts.arrival = Time{static_cast<std::int64_t>(arrival_s * kSecond)};
  facts.input = static_cast<decltype(facts.input)>(input);
  return table[table.add(facts)];
}

}  // namespace

TEST_CASE("waiting, running, tokens and context of one request integrate to what its times say") {
  serving::RequestTable table;
  serving::RequestRecord& request = add(table, 1, 100);
  request.outcome.queued_until = Time{3 * kSecond};
  request.outcome.first_token = Time{4 * kSecond};
  request.outcome.last_token = Time{14 * kSecond};
  request.outcome.generated = 11;
  request.outcome.replica = 1;
  request.outcome.fate = serving::Fate::completed;
  const serving::RequestTable* tables[] = {&table};
  const std::size_t pool_of_replica[] = {0, 1};
  const Activity activity = find_activity(tables, pool_of_replica, 2, Time{48 * kSecond});
  REQUIRE(activity.pools.size() == 2);
  REQUIRE(activity.traffics.size() == 1);
  CHECK(activity.interval_s == Approx(0.1));
  CHECK(integral(activity.traffics[0].arrivals_per_s, activity) == Approx(1));
  CHECK(integral(activity.traffics[0].waiting, activity) == Approx(2));
  CHECK(integral(activity.pools[0].running, activity) == 0);
  CHECK(integral(activity.pools[1].running, activity) == Approx(11));
  CHECK(integral(activity.pools[1].output_tokens_per_s, activity) == Approx(11));
  // A second of the prompt, then ten in which ten tokens come evenly.
  CHECK(integral(activity.pools[1].context_tokens, activity) == Approx(100 + 10 * (100 + 5)));
  // Within the answer a token a second comes.
  CHECK(activity.pools[1].output_tokens_per_s[100] == Approx(1));
  CHECK(activity.pools[1].output_tokens_per_s[145] == 0);
}

TEST_CASE("what is unfinished at the end waits or runs until there, and what was rejected does neither") {
  serving::RequestTable table;
  add(table, 40, 10);  // waits for 8 s
  serving::RequestRecord& running = add(table, 42, 10);
  running.outcome.queued_until = Time{44 * kSecond};
  running.outcome.replica = 0;
  running.outcome.fate = serving::Fate::running;
  add(table, 46, 10).outcome.fate = serving::Fate::rejected_over_context;
  const serving::RequestTable* tables[] = {&table};
  const std::size_t pool_of_replica[] = {0};
  const Activity activity = find_activity(tables, pool_of_replica, 1, Time{48 * kSecond});
  CHECK(integral(activity.traffics[0].arrivals_per_s, activity) == Approx(3));
  CHECK(integral(activity.traffics[0].waiting, activity) == Approx(8 + 2));
  CHECK(integral(activity.pools[0].running, activity) == Approx(4));
  CHECK(find_activity({}, pool_of_replica, 1, Time{48 * kSecond}).traffics.empty());
}

TEST_CASE("latencies at shares are linear between order statistics") {
  std::vector<double> samples;
  for (int i = 1000; i >= 0; --i) samples.push_back(i);
  const std::vector<double> found = at_latency_shares(samples);
  REQUIRE(found.size() == latency_shares().size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(1000 * latency_shares()[i]));
  std::vector<double> none;
  CHECK(at_latency_shares(none).empty());
  std::vector<double> one{3};
  CHECK(at_latency_shares(one).front() == 3);
}
