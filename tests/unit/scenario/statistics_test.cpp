#include "scenario/statistics.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace joulecast;
using namespace joulecast::scenario;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// A request that completed: times in seconds.
void add(serving::RequestTable& table, std::int64_t arrival, std::int64_t queued, std::int64_t first, std::int64_t last, std::int32_t output) {
  const std::uint32_t number = table.add({Time{arrival * kSecond}, 10, output});
  serving::Outcome& outcome = table[number].outcome;
  outcome.queued_until = Time{queued * kSecond};
  outcome.first_token = Time{first * kSecond};
  outcome.last_token = Time{last * kSecond};
  outcome.generated = output;
  outcome.fate = serving::Fate::completed;
}

}  // namespace

TEST_CASE("Percentiles lie on the line between order statistics") {
  // 5 samples: position of q is 4 q; q = 0.9 lies at 3.6, between 40 and 100; 0.99 at 3.96.
  std::vector<double> samples = {40, 10, 100, 30, 20};
  const Distribution d = distribution(samples);
  CHECK(d.mean == 40);
  CHECK(d.p50 == 30);
  CHECK(d.p90 == Approx(40 + 0.6 * 60).epsilon(1e-15));
  CHECK(d.p99 == Approx(40 + 0.96 * 60).epsilon(1e-15));
  std::vector<double> one = {7};
  const Distribution single = distribution(one);
  CHECK((single.mean == 7 && single.p50 == 7 && single.p90 == 7 && single.p99 == 7));
  std::vector<double> none;
  CHECK(std::isnan(distribution(none).p90));
}

TEST_CASE("Latencies are of completed requests that arrived after the warm-up; counts are of all") {
  serving::RequestTable table;
  add(table, 1, 2, 3, 4, 2);      // before the warm-up
  add(table, 10, 11, 14, 24, 6);  // ttft 4, e2e 14, tpot 10/5 = 2, queue 1
  add(table, 20, 20, 22, 22, 1);  // ttft 2, e2e 2, no tpot
  table[table.add({Time{30 * kSecond}, 10, 5})].outcome.generated = 3;
  table[table.add({Time{40 * kSecond}, 10, 5})].outcome.fate = serving::Fate::rejected_over_context;
  table[0].outcome.truncated = true;
  Traffic traffic;
  traffic.name = "t";
  traffic.slo = SloTable{};
  traffic.slo->ttft = Seconds(3);
  traffic.slo->tpot = Seconds(2);
  const TrafficResult result = traffic_result(traffic, table, serving::LatencyHistogram{}, Time{10 * kSecond}, Time{50 * kSecond});
  CHECK(result.arrived == 5);
  CHECK(result.completed == 3);
  CHECK(result.unfinished == 1);
  CHECK(result.rejected == 1);
  CHECK(result.truncated == 1);
  CHECK(result.over_context == 2);
  CHECK(result.input_tokens == 50);
  CHECK(result.output_tokens == 2 + 6 + 1 + 3);
  CHECK(result.output_tokens_per_s == Approx(12.0 / 50).epsilon(1e-15));
  CHECK(result.ttft_s.mean == 3);
  CHECK(result.e2e_s.p50 == 8);
  CHECK(result.tpot_s.mean == 2);
  CHECK(result.queue_s.mean == 0.5);
  CHECK(result.slo_attainment == 0.5);  // 4 s to the first token is over the limit; a request of one token has no time a further token
}
