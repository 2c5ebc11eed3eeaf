// Who controls clocks, power and scaling: what is read, written out again and refused.
#include <array>
#include <catch2/catch.hpp>

#include "scenario/beliefs.hpp"
#include "scenario/control_facts.hpp"
#include "scenario/costs.hpp"
#include "scenario/simulate.hpp"
#include "serving/clock_sweep.hpp"
#include "serving/service_sweep.hpp"
#include "unit/scenario/text_file.hpp"

using namespace joulecast;
using namespace joulecast::scenario;
using Catch::Contains;

namespace {

const std::string kRow = R"(schema = 1
[time]
duration = "10 min"
[site.here]
pue = 1.25
[feed.row]
rating = "40 kW"
[cluster.a]
feed = "row"
node = "dgx-h100"
nodes = 1
[pool.chat]
cluster = "a"
model = "meta-llama/Llama-3.1-8B-Instruct"
tensor_parallel_size = 1
replicas = 2
[traffic.chat]
requests = "azure-2023-conv"
request_rate = "2 /s"
slo = { ttft = "2 s", tpot = "80 ms" }
[policy.doze]
use = "sleep"
load_time = "60 s"
[policy.share]
use = "budget"
watts = "20 kW"
)";

}  // namespace

TEST_CASE("policies of clocks, scaling and power are written out with their parameters and read back equal") {
  const Scenario scenario = load_text(kRow, {"pool.chat.sm_clock='slo_dvfs'", "pool.chat.scaling='doze'", "feed.row.policy='row_cap'",
                                             "site.here.power_policy='share'", "traffic.chat.priority='low'"});
  REQUIRE(scenario.pools[0].clock_policy.has_value());
  CHECK(scenario.pools[0].clock_policy->use == "slo_dvfs");
  CHECK(scenario.pools[0].scaling->use == "sleep");
  CHECK(scenario.feeds[0].policy->use == "row_cap");
  CHECK(scenario.sites[0].power_policy->use == "budget");
  CHECK(scenario.pools[0].priority == control::Priority::low);
  const std::string resolved = resolved_toml(scenario);
  CHECK(resolved_toml(load_text(resolved)) == resolved);
}

TEST_CASE("phase_lock sets the pool's clocks before the run") {
  const Scenario scenario = load_text(kRow, {"policy.locks={use='phase_lock',decode='1200 MHz',prefill='1980 MHz'}", "pool.chat.sm_clock='locks'"});
  CHECK(scenario.pools[0].decode_clock == Hertz(1200e6));
  CHECK(scenario.pools[0].prefill_clock == Hertz(1980e6));
}

TEST_CASE("a pool's own priority goes before its traffics'") {
  CHECK(load_text(kRow, {"pool.chat.priority='high'", "traffic.chat.priority='low'"}).pools[0].priority == control::Priority::high);
  const Scenario high = load_text(kRow, {"pool.chat.priority='high'", "traffic.chat.priority='low'"});
  CHECK(load_text(resolved_toml(high)).pools[0].priority == control::Priority::high);
  CHECK_THAT(faults(kRow, {"pool.chat.priority='middle'"}), Contains("\"high\" or \"low\""));
}

TEST_CASE("names of no such policy, and policies that a table can't use, are refused with what was meant") {
  CHECK_THAT(faults(kRow, {"pool.chat.sm_clock='phase_lok'"}), Contains("chooses a pool's clocks") && Contains("did you mean \"phase_lock\""));
  CHECK_THAT(faults(kRow, {"pool.chat.sm_clock='pipeline_slack'"}), Contains("plans the clocks of a training job"));
  CHECK_THAT(faults(kRow, {"pool.chat.scaling='row_cap'"}), Contains("there is no policy \"row_cap\" that loads and unloads"));
  CHECK_THAT(faults(kRow, {"feed.row.policy='doze'"}), Contains("there is no policy \"sleep\" that holds power"));
  CHECK_THAT(faults(kRow, {"site.here.power_policy='row_cap'"}), Contains("site \"here\" has no rating"));
  CHECK_THAT(faults(kRow, {"site.here.power_policy='budget'"}), Contains("does not say how many watts"));
  CHECK_THAT(faults(kRow, {"pool.chat.scaling='sleep'"}), Contains("load_time"));
  CHECK_THAT(faults(kRow, {"policy.low={use='phase_lock',decode='100 MHz'}", "pool.chat.sm_clock='low'"}), Contains("can't run at 100 MHz"));
  CHECK_THAT(faults(kRow, {"policy.share.carbon_above='300 g/kWh'", "policy.share.watts_above='10 kW'", "site.here.power_policy='share'"}),
             Contains("needs the carbon of site \"here\""));
}

TEST_CASE("what controllers know of a replica of several ranks is all ranks together") {
  const Scenario scenario =
      load("scenarios/rtx-pro-6000-experts.toml", {{"pool.chat.sm_clock='slo_dvfs'", "traffic.chat.slo.tpot='80 ms'"}, {}, "."});
  const Pool& pool = scenario.pools[0];
  REQUIRE(pool.engine.data_parallel_size == 2);
  CHECK(pool.clock_facts->max_num_seqs == 256);
  CHECK(scaling_facts(scenario, 0).max_num_seqs == 256);
  const auto costs = pool_costs(scenario, pool);
  const Hertz clock = pool.clock_facts->belief.points.front().clock;
  const auto swept = [&](const serving::EngineConfig& engine) {
    return serving::clock_sweep(*costs, operating_point(scenario, pool), engine, std::array{clock}).points.front().decode_seconds[1];
  };
  CHECK(pool.clock_facts->belief.points.front().decode_seconds[1] == swept(pool.engine.folded()));
  CHECK(swept(pool.engine.folded()) != swept(pool.engine));
  const auto service = [&](const serving::EngineConfig& engine) { return serving::profile_service(*costs, engine, 4096).step_seconds.a_sequence; };
  CHECK(profiled_service(scenario, pool, 4096).step_seconds.a_sequence == service(pool.engine.folded()));
  CHECK(service(pool.engine.folded()) != service(pool.engine));
}

TEST_CASE("slo_dvfs needs a limit to hold") {
  const std::string without = kRow.substr(0, kRow.find("slo =")) + kRow.substr(kRow.find("[policy.doze]"));
  CHECK_THAT(faults(without, {"pool.chat.sm_clock='slo_dvfs'"}), Contains("no traffic of pool \"chat\" states one"));
}
