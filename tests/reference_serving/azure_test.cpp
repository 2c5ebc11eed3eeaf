// The two roads at the size of a real run: step costs of a pool of scenarios/azure-conv.toml, requests of the Azure conversation trace of 2023 or
// of its length histogram.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>

#include "reference_serving/engine_road.hpp"
#include "scenario/costs.hpp"
#include "scenario/load.hpp"
#include "serving/source.hpp"
#include "traces/requests/generate.hpp"
#include "traces/requests/open.hpp"

using namespace joulecast;
using namespace joulecast::reference;

namespace {

/// The pool of scenarios/azure-conv.toml as the reference takes it. Tests start in the source tree.
struct AzurePool {
  scenario::Scenario scenario;
  std::unique_ptr<serving::StepCosts> costs;
  Problem problem;

  explicit AzurePool(std::vector<std::string> sets)
      : scenario(scenario::load("scenarios/azure-conv.toml", {std::move(sets), {}, "."})),
        costs(scenario::pool_costs(scenario, scenario.pools.front())) {
    const scenario::Pool& pool = scenario.pools.front();
    problem.engine = pool.engine;
    problem.costs = costs.get();
    problem.replicas = static_cast<std::size_t>(pool.replicas);
    problem.router = scenario.replica_policy;
  }

  /// Takes up to `count` of a stream's requests, without those over the context, and time for all of them to be done.
  void take(traces::RequestStream& stream, std::size_t count) {
    const auto limit = serving::ContextLimit::of(problem.engine);
    for (auto request = stream.next(); request && problem.requests.size() < count; request = stream.next()) {
      if (limit.allows(*request)) problem.requests.push_back(*request);
    }
    problem.horizon = problem.requests.back().arrival + Span{3'600'000'000'000};
  }
};

std::int64_t preemptions(const Answer& answer) {
  std::int64_t sum = 0;
  for (const ReplicaAnswer& replica : answer.replicas) sum += replica.preemptions;
  return sum;
}

/// Every TTFT, finish and replica's joules to the bit, a request's joules to 1e-9, and every request done.
void require_same_run(const Answer& engine, const Answer& reference) {
  REQUIRE(engine.outcomes.size() == reference.outcomes.size());
  for (std::size_t i = 0; i < engine.outcomes.size(); ++i) {
    const serving::Outcome& a = engine.outcomes[i];
    const serving::Outcome& b = reference.outcomes[i];
    INFO("request " << i);
    REQUIRE(b.fate == serving::Fate::completed);
    REQUIRE(a.fate == serving::Fate::completed);
    REQUIRE(a.replica == b.replica);
    REQUIRE(a.queued_until.ns == b.queued_until.ns);
    REQUIRE(a.first_token.ns == b.first_token.ns);
    REQUIRE(a.last_token.ns == b.last_token.ns);
    REQUIRE(a.preemptions == b.preemptions);
    REQUIRE(std::abs(a.joules.units() - b.joules.units()) <= 1e-9 * b.joules.units());
  }
  for (std::size_t i = 0; i < engine.replicas.size(); ++i) {
    const ReplicaAnswer& a = engine.replicas[i];
    const ReplicaAnswer& b = reference.replicas[i];
    INFO("replica " << i);
    REQUIRE((a.active == b.active));
    REQUIRE((a.idle == b.idle));
    REQUIRE((a.busy == b.busy));
    REQUIRE((a.block_time == b.block_time));
    REQUIRE(a.steps == b.steps);
    REQUIRE(a.output_tokens == b.output_tokens);
    REQUIRE(a.preemptions == b.preemptions);
    REQUIRE(a.prefix_hits == b.prefix_hits);
  }
}

/// Solves a problem on both roads, step by step and in stretches; returns the reference's answer.
Answer require_two_roads(const Problem& problem) {
  const Answer reference = solve(problem);
  for (const bool steps : {false, true}) {
    INFO("step mode " << steps);
    EngineRoadOptions options;
    options.step_mode = steps;
    const EngineRoadAnswer engine = solve_with_engine(problem, options);
    REQUIRE(engine.meters_exact);
    require_same_run(engine.answer, reference);
  }
  return reference;
}

}  // namespace

TEST_CASE("The first 2,000 Azure conversation requests on 4 replicas of Llama-3.1-70B: both roads agree to the bit") {
  const char* data = std::getenv("JOULECAST_DATA");
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  AzurePool pool({});
  traces::TraceOptions trace;
  trace.file = std::string(data) + "/traces/azure-llm/AzureLLMInferenceTrace_conv.csv";
  trace.format = "azure";
  pool.take(*traces::open_trace(trace), 2000);
  REQUIRE(pool.problem.requests.size() == 2000);
  REQUIRE(pool.problem.replicas == 4);
  REQUIRE(pool.problem.router == "least_outstanding");
  require_two_roads(pool.problem);
}

TEST_CASE("Azure lengths on a KV cache that preempts often: both roads agree to the bit") {
  const std::string clocks = "pool.chat.sm_clock={prefill='1980 MHz',decode='1200 MHz'}";
  const std::string blocks = "engine.default.num_gpu_blocks_override=";
  const std::vector<std::vector<std::string>> variants = {
      {blocks + "700"},
      {blocks + "700", clocks, "engine.default.max_num_seqs=48", "engine.default.max_num_batched_tokens=1024"},
      {blocks + "640", "engine.default.async_scheduling=false", "engine.default.enable_prefix_caching=false"},
      {blocks + "500", "engine.default.enable_chunked_prefill=false", "pool.chat.gpu_power_limit='400 W'"}};
  for (const auto& sets : variants) {
    CAPTURE(sets);
    AzurePool pool(sets);
    traces::Arrivals arrivals;
    arrivals.request_rate = Hertz(30);
    const auto lengths = traces::LengthHistogram::read("workloads/serving/azure-2023-conv.toml");
    pool.take(*traces::generate(arrivals, lengths, {}, 11, "traffic/chat"), 1000);
    const Answer answer = require_two_roads(pool.problem);
    CHECK(preemptions(answer) > 100);
  }
}
