// A tail judged with a confidence, and the limit at which the same run would just hold.
#include "study/fleet_judgement.hpp"

#include <catch2/catch.hpp>

#include "scenario/load.hpp"
#include "scenario/simulate.hpp"
#include "study/tail.hpp"

using namespace joulecast;
using namespace joulecast::study;

namespace {

const std::string kChat = R"(schema = 1
[time]
duration = "200 s"
warmup = "10 s"
[site.here]
pue = 1.25
[pool.chat]
node = "dgx-h100"
model = "meta-llama/Llama-3.1-70B-Instruct"
tensor_parallel_size = 4
replicas = 2
[traffic.chat]
requests = "azure-2023-conv"
request_rate = "9 /s"
slo = { ttft = "1 s", tpot = "40 ms", attainment = "95 %" }
)";

}  // namespace

TEST_CASE("the tightest limit that a run holds is held, and one a millionth below it is not") {
  scenario::Scenario scenario = scenario::load_text(kChat, "chat.toml", {{}, {}, "."});
  scenario::RunOptions options;
  options.keep_requests = true;
  const scenario::Result result = scenario::simulate(scenario, options);
  const auto tails = judge_tails(scenario, result, 0.95);
  REQUIRE(tails.size() == 1);
  REQUIRE(tails[0].judged > 1000);
  CHECK(tails[0].allowed == most_misses(tails[0].judged, 0.95, 0.95));
  REQUIRE(tails[0].limits.size() == 2);
  // Far limits hold; each is then put where the run would just hold, alone.
  scenario.traffics[0].slo->ttft = Seconds(1e6);
  scenario.traffics[0].slo->tpot = Seconds(1e6);
  const auto far = judge_tails(scenario, result, 0.95);
  REQUIRE(far[0].held());
  CHECK(far[0].misses == 0);
  for (const std::size_t which : {0, 1}) {
    CAPTURE(which);
    REQUIRE(far[0].limits[which].holds);
    scenario::Scenario tight = scenario;
    auto& limit = which == 0 ? tight.traffics[0].slo->ttft : tight.traffics[0].slo->tpot;
    limit = Seconds(*far[0].limits[which].holds);
    const auto just = judge_tails(tight, result, 0.95);
    CHECK(just[0].held());
    limit = Seconds(*far[0].limits[which].holds * (1 - 1e-6));
    const auto below = judge_tails(tight, result, 0.95);
    CHECK_FALSE(below[0].held());
    CHECK(below[0].worst() == (which == 0 ? "ttft" : "tpot"));
    CHECK(below[0].margin() < 0);
  }
}
