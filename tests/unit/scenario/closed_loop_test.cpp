// A closed loop between a source and the replicas: who completes makes room for the next.
#include <algorithm>
#include <catch2/catch.hpp>

#include "scenario/simulate.hpp"
#include "unit/scenario/text_file.hpp"

using namespace joulecast;
using namespace joulecast::scenario;

namespace {

std::string loop(const std::string& think_time, const std::string& more = "") {
  return R"(schema = 1
[time]
duration = "20 s"
[site.here]
pue = 1.25
[pool.chat]
node = "dgx-h100"
model = "meta-llama/Llama-3.1-8B-Instruct"
tensor_parallel_size = 1
replicas = 3
[traffic.chat]
lengths = "azure-2023-conv"
arrivals = { process = "closed", max_concurrency = 12, think_time = ")" +
         think_time + "\" }\nlength_prediction = \"mean\"\n" + more;
}

Result run(const std::string& text, RunOptions options = {}) {
  options.keep_requests = true;
  options.fingerprints = true;
  return simulate(load_text(text), options);
}

struct Times {
  std::vector<std::int64_t> arrivals, completions;
  bool operator==(const Times&) const = default;
};

Times times_of(const Result& result) {
  Times times;
  const auto& table = *result.requests[0].second;
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    times.arrivals.push_back(table[i].facts.arrival.ns);
    if (table[i].outcome.fate == serving::Fate::completed) times.completions.push_back(table[i].outcome.last_token.ns);
  }
  std::sort(times.completions.begin(), times.completions.end());
  return times;
}

}  // namespace

// Arrivals are max_concurrency at 0, then each completion + max(think time, 1 ns), in order, as far as that lies before the end.
TEST_CASE("arrivals of a closed loop are its completions, a think time later") {
  for (const auto& [text, delay] : {std::pair<std::string, std::int64_t>{"0 s", 1}, {"10 us", 10'000}, {"1.5 s", 1'500'000'000}}) {
    const Times times = times_of(run(loop(text)));
    REQUIRE(times.arrivals.size() > 40);
    for (std::size_t i = 0; i < 12; ++i) CHECK(times.arrivals[i] == 0);
    std::vector<std::int64_t> expected;
    for (const std::int64_t at : times.completions) {
      if (at + delay < 20'000'000'000) expected.push_back(at + delay);
    }
    CHECK(expected == std::vector<std::int64_t>(times.arrivals.begin() + 12, times.arrivals.end()));
  }
}

TEST_CASE("a closed loop gives the same bits in every grouping, step by step or in stretches, with views of any age") {
  for (const std::string think : {"0 s", "30 ms"}) {
    for (const std::string router :
         {"", "[router]\nreplica = \"least_outstanding\"\n", "[router]\nreplica = \"power_of_two\"\nreport_period = \"40 ms\"\n"}) {
      const std::string text = loop(think, router);
      const Result first = run(text);
      CHECK(first.traffics[0].completed > 20);
      for (const int threads : {1, 2}) {
        for (const auto grouping : {engine::Grouping::derived, engine::Grouping::one_cell, engine::Grouping::shuffled}) {
          for (const bool steps : {false, true}) {
            RunOptions options;
            options.threads = threads;
            options.grouping = grouping;
            options.grouping_seed = 5;
            options.step_mode = steps;
            const Result other = run(text, options);
            CAPTURE(think, router, threads, static_cast<int>(grouping), steps);
            CHECK(other.fingerprint == first.fingerprint);
            CHECK(times_of(other) == times_of(first));
          }
        }
      }
    }
  }
}

TEST_CASE("a closed loop ends with its requests, and drains") {
  const Result counted = run(loop("0 s", "num_requests = 30\n"));
  CHECK(counted.traffics[0].arrived == 30);
  CHECK(counted.traffics[0].completed == 30);
}

TEST_CASE("an open traffic beside a closed one is served as well") {
  const Result both = run(loop("0 s", "[traffic.more]\nrequests = \"azure-2023-code\"\nrequest_rate = \"2 /s\"\nlength_prediction = \"mean\"\n"));
  CHECK(both.traffics[1].arrived > 20);
  CHECK(both.traffics[0].completed > 20);
}
