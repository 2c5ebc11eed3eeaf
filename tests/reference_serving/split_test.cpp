// Prefill and decode apart: the program and the plain second simulator agree to the bit.
#include "reference_serving/split.hpp"

#include <catch2/catch.hpp>

#include "base/philox.hpp"
#include "reference_serving/equal.hpp"
#include "reference_serving/random_problem.hpp"

using namespace joulecast;
using namespace joulecast::reference;

namespace {

void require_equal(const SplitAnswer& a, const SplitAnswer& b) {
  REQUIRE(a.outcomes.size() == b.outcomes.size());
  for (std::size_t i = 0; i < a.outcomes.size(); ++i) {
    INFO("request " << i);
    reference::require_equal(a.outcomes[i], b.outcomes[i]);
  }
  for (std::size_t i = 0; i < a.producers.size(); ++i) {
    INFO("producer " << i);
    reference::require_equal(a.producers[i], b.producers[i]);
  }
  for (std::size_t i = 0; i < a.consumers.size(); ++i) {
    INFO("consumer " << i);
    reference::require_equal(a.consumers[i], b.consumers[i]);
  }
}

/// Two nodes on a leaf and one beyond; every replica lies in one of them.
serving::KvNetworkSetup random_network(Stream& random, std::size_t replicas, std::int64_t step_ns) {
  const auto among = [&](std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most - least + 1)));
  };
  const double step = static_cast<double>(step_ns) * 1e-9;
  const double latency = among(0, 2) == 0 ? 0 : step * static_cast<double>(among(1, 20)) / 10;
  serving::KvNetworkSetup network;
  for (std::int64_t n = 0; n < 3; ++n) {
    network.nodes.push_back({n == 2 ? std::size_t{1} : 0, n / 2, static_cast<double>(among(50, 1000)) / step, latency, latency / 10, 3});
  }
  for (std::size_t i = 0; i < replicas; ++i) {
    serving::KvEndpoint& end = network.endpoints.emplace_back();
    end.node = static_cast<std::size_t>(among(0, 2));
    end.network_rate = static_cast<double>(among(20, 1000)) / step;
    end.in_node_rate = static_cast<double>(among(100, 10000)) / step;
    end.in_node_latency = latency / 20;
    end.gpus = static_cast<int>(among(1, 4));
    end.block_bytes = among(1, 500);
  }
  return network;
}

}  // namespace

TEST_CASE("Prompts on some replicas, answers on others: the program and the reference agree to the bit on 100 small scenarios") {
  std::int64_t preemptions = 0, hits = 0, cut = 0, completed = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    const RandomProblem prompts = random_problem(seed);
    RandomProblem answers = random_problem(seed + 5000);
    Stream random(seed, "random split", "reference");
    SplitProblem problem{prompts.problem, answers.problem, {}};
    problem.consumers.engine = prompts.problem.engine;
    problem.producers.engine.kv_role = serving::KvRole::producer;
    problem.consumers.engine.kv_role = serving::KvRole::consumer;
    problem.consumers.engine.async_scheduling = random.uniform() < 0.5;
    problem.consumers.prefixes = problem.producers.prefixes;
    problem.consumers.warmup = problem.producers.warmup;
    if (random.uniform() < 0.5) problem.consumers.engine.num_gpu_blocks += static_cast<std::int64_t>(random.below(40));
    if (random.uniform() < 0.3) {
      for (Problem* each : {&problem.producers, &problem.consumers}) speculate(each->engine, 1 + seed % 4, 0.7);
    }
    problem.network = random_network(random, problem.producers.replicas + problem.consumers.replicas, prompts.step_ns);
    if (problem.producers.horizon.ns < 1'000'000 * prompts.step_ns && random.uniform() < 0.5) problem.producers.horizon.ns *= 2;

    const SplitAnswer reference = solve_split(problem);
    EngineRoadOptions options;
    options.fingerprint_period = {(problem.producers.requests.back().arrival.ns + 200 * prompts.step_ns) / 61 + 1};
    if (problem.producers.horizon.ns / options.fingerprint_period.ns > 2000) options.fingerprint_period = {problem.producers.horizon.ns / 2000};
    const SplitRoadAnswer stretches = solve_split_with_engine(problem, options);
    require_equal(stretches.answer, reference);
    REQUIRE(stretches.meters_exact);
    options.step_mode = true;
    options.grouping = engine::Grouping::one_cell;
    const SplitRoadAnswer steps = solve_split_with_engine(problem, options);
    require_equal(steps.answer, reference);
    REQUIRE(steps.meters_exact);
    REQUIRE(steps.run.fingerprints.size() == stretches.run.fingerprints.size());
    for (std::size_t i = 0; i < steps.run.fingerprints.size(); ++i) {
      REQUIRE(steps.run.fingerprints[i].hash == stretches.run.fingerprints[i].hash);
    }
    for (const auto& replica : reference.consumers) {
      preemptions += replica.preemptions;
      hits += replica.prefix_hits;
    }
    for (const serving::Outcome& outcome : reference.outcomes) {
      const bool is_done = outcome.fate == serving::Fate::completed;
      cut += !is_done;
      completed += is_done;
      if (is_done) REQUIRE(outcome.first_token > outcome.kv_received);
    }
  }
  // The scenarios do what they are for.
  CHECK(preemptions > 30);
  CHECK(hits > 30);
  CHECK(cut > 20);
  CHECK(completed > 500);
}
