// Every routing policy, on views of this instant and on load reports: one result for all threads, groupings and step modes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "report/summary.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"

using namespace joulecast;

namespace {

scenario::Scenario load(std::vector<std::string> sets) {
  for (const char* set :
       {"time.duration='20 s'", "time.warmup='1 s'", "policy.threshold={use='length_threshold',tokens=500,below='small',above='large'}",
        "policy.bounded={use='energy_aware',zeta=0.2,shares={large='30 %'}}", "traffic.code.models=['small','large']",
        "traffic.code.length_prediction='mean'"}) {
    sets.emplace_back(set);
  }
  return scenario::load("scenarios/two-models.toml", {std::move(sets), {}, "."});
}

struct Shown {
  std::string summary, fingerprint;
  bool operator==(const Shown&) const = default;
};

Shown run(const scenario::Scenario& scenario, scenario::RunOptions options) {
  options.fingerprints = true;
  const scenario::Result result = scenario::simulate(scenario, options);
  return {report::summary_json(result), result.fingerprint};
}

}  // namespace

TEST_CASE("Routing gives one result for all threads, groupings and step modes") {
  struct Policies {
    const char *pool, *replica;
  };
  std::vector<std::string> summaries;
  for (const auto& [pool, replica] :
       {Policies{"bounded", "least_outstanding"}, Policies{"ea", "join_shortest_queue"}, Policies{"threshold", "random"},
        Policies{"least_outstanding", "power_of_two"}, Policies{"random", "round_robin"}}) {
    for (const char* period : {"", "200 ms"}) {
      std::vector<std::string> sets{std::string("router.pool='") + pool + "'", std::string("router.replica='") + replica + "'"};
      if (*period != '\0') sets.push_back(std::string("router.report_period='") + period + "'");
      const scenario::Scenario scenario = load(sets);
      const Shown first = run(scenario, {});
      if (*period == '\0') summaries.push_back(first.summary);
      CAPTURE(pool, replica, period);
      for (const auto grouping : {engine::Grouping::derived, engine::Grouping::one_cell, engine::Grouping::shuffled}) {
        scenario::RunOptions options;
        options.grouping = grouping;
        options.grouping_seed = 5;
        options.threads = 2;
        CHECK(run(scenario, options) == first);
      }
      scenario::RunOptions steps;
      steps.step_mode = true;
      CHECK(run(scenario, steps) == first);
    }
  }
  // And they are policies: no two of them give the same run.
  std::sort(summaries.begin(), summaries.end());
  CHECK(std::adjacent_find(summaries.begin(), summaries.end()) == summaries.end());
}
