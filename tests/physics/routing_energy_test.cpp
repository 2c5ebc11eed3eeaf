// What a weight between energy and accuracy does to a fleet of two models.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "report/summary.hpp"
#include "report/terminal.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"

using namespace joulecast;

namespace {

scenario::Result run(std::vector<std::string> sets) {
  sets.emplace_back("time.duration='5 min'");
  return scenario::simulate(scenario::load("scenarios/two-models.toml", {std::move(sets), {}, "."}), {});
}

double facility(const scenario::Result& result) { return result.energy.joules[static_cast<std::size_t>(metering::Boundary::facility)]; }

}  // namespace

TEST_CASE("Energy and accuracy never rise with zeta") {
  double joules = INFINITY, accuracy = INFINITY, first_joules = 0, first_accuracy = 0;
  for (int i = 0; i <= 10; ++i) {
    const scenario::Result result = run({fmt::format("policy.ea.zeta={}", i / 10.0)});
    CAPTURE(i);
    REQUIRE(result.traffics[0].accuracy);
    CHECK(facility(result) <= joules);
    CHECK(*result.traffics[0].accuracy <= accuracy);
    joules = facility(result);
    accuracy = *result.traffics[0].accuracy;
    if (i == 0) {
      first_joules = joules;
      first_accuracy = accuracy;
    }
    // The small model's traffic has no choice.
    CHECK(*result.traffics[1].accuracy == Approx(0.694));
  }
  // All to the large model at 0, all to the small one at 1, but for the few that a queue sends elsewhere.
  CHECK(first_accuracy > 0.835);
  CHECK(accuracy < 0.695);
  CHECK(joules < 0.9 * first_joules);
}

TEST_CASE("Beliefs are shown beside what was simulated, in the summary and on the terminal") {
  // At zeta = 0.1 both pools run batches near that of the sweep, 16: the large one about as large, the small one a third of it.
  const scenario::Result result = run({"policy.ea.zeta=0.1"});
  for (const auto& pool : result.pools) {
    CAPTURE(pool.name);
    REQUIRE(pool.belief_over_simulated);
    CHECK(*pool.belief_over_simulated > 0.4);
    CHECK(*pool.belief_over_simulated < 1.6);
  }
  CHECK_THAT(report::summary_json(result), Catch::Contains("\"belief_over_simulated\"") && Catch::Contains("\"accuracy\""));
  CHECK_THAT(report::terminal_report(result, {}),
             Catch::Contains("believed (fitted at a batch of 16) over simulated") && Catch::Contains("accuracy"));
}

TEST_CASE("At zeta = 0 what is predicted changes what is believed, and nothing else") {
  const scenario::Result oracle = run({"traffic.chat.length_prediction='oracle'", "policy.ea.zeta=0"});
  const scenario::Result mean = run({"traffic.chat.length_prediction='mean'", "policy.ea.zeta=0"});
  // At zeta = 0 beliefs choose nothing: the same run, other beliefs.
  CHECK(facility(oracle) == facility(mean));
  CHECK(oracle.pools[0].belief_over_simulated != mean.pools[0].belief_over_simulated);
}

TEST_CASE("Times between tokens are a traffic's own, where traffics share replicas too") {
  // Every token but a request's first ends one interval, so over a drained run the intervals of a traffic add up to last - first token of its
  // requests, each of which stands at the nanosecond below its exact time.
  scenario::Scenario scenario = scenario::load(
      "scenarios/two-models.toml",
      {{"time.duration='1 min'", "time.warmup='0 s'", "time.at_end='drain'", "policy.ea.zeta=1", "policy.ea.queue_weight=0"}, {}, "."});
  scenario::RunOptions options;
  options.keep_requests = true;
  const scenario::Result result = scenario::simulate(scenario, options);
  for (std::size_t t = 0; t < 2; ++t) {
    double seconds = 0, tokens = 0;
    const auto& table = *result.requests[t].second;
    for (std::uint32_t i = 0; i < table.size(); ++i) {
      const auto& outcome = table[i].outcome;
      REQUIRE(outcome.fate == serving::Fate::completed);
      seconds += (outcome.last_token - outcome.first_token).seconds();
      tokens += outcome.generated - 1;
    }
    CHECK(result.traffics[t].itl_s.mean == Approx(seconds / tokens).epsilon(1e-7));
  }
  CHECK(result.traffics[0].itl_s.mean != result.traffics[1].itl_s.mean);
}
