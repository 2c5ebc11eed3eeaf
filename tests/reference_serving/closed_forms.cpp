#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "reference_serving/engine_road.hpp"

using namespace joulecast;
using namespace joulecast::reference;
using serving::Chunk;
using serving::DecodeSegment;
using serving::Phase;
using serving::StepCost;
using serving::Work;

namespace {

constexpr auto kGemm = static_cast<std::size_t>(Work::gemm);
constexpr auto kAttention = static_cast<std::size_t>(Work::attention);

/// A decode step takes 10 ns and 7 nJ plus 1 nJ a context token, a step with prompt chunks 100 ns and 1000 nJ, of them 500 attention; idle 2 nJ/ns.
class FlatCosts final : public serving::StepCosts {
 public:
  FlatCosts() {
    segment_.base.seconds[kGemm] = segment_.base_seconds = FixedTime::from_nano(10);
    segment_.base.joules[kGemm] = segment_.base_joules = FixedEnergy::from_nano(7);
    segment_.attention_joules_per_context = FixedEnergy::from_nano(1);
    segment_.context_to = INT64_MAX;
    mixed_.seconds[kGemm] = FixedTime::from_nano(100);
    mixed_.joules[kGemm] = mixed_.joules[kAttention] = FixedEnergy::from_nano(500);
  }
  const DecodeSegment& decode(Phase, int, const serving::Contexts&) const override { return segment_; }
  StepCost mixed(Phase, std::span<const Chunk>, int, const serving::Contexts&) const override { return mixed_; }
  FixedEnergy idle_joules_per_nanosecond() const override { return FixedEnergy::from_nano(2); }
  Provenance time_provenance(Work) const override { return Provenance::modelled; }
  Provenance watts_provenance(Work) const override { return Provenance::modelled; }
  Span switch_latency() const override { return {0}; }
  bool one_clock() const override { return true; }

 private:
  DecodeSegment segment_;
  StepCost mixed_;
};

Problem problem_of(const FlatCosts& costs, std::vector<traces::Request> requests, std::int64_t horizon_ns) {
  Problem problem;
  problem.costs = &costs;
  problem.requests = std::move(requests);
  problem.horizon = Time{horizon_ns};
  problem.engine.max_model_len = 1000;
  problem.engine.num_gpu_blocks = 1001;
  return problem;
}

/// All three ways must say the same.
template <class Check>
void on_all_roads(const Problem& problem, Check check) {
  check(solve(problem));
  check(solve_with_engine(problem, {}).answer);
  EngineRoadOptions steps;
  steps.step_mode = true;
  check(solve_with_engine(problem, steps).answer);
}

}  // namespace

TEST_CASE("One request alone: a prompt step, then a step a token") {
  const FlatCosts costs;
  // Arrives at 50; its prompt step ends at 150 with the first token; five more take 10 ns each.
  on_all_roads(problem_of(costs, {{Time{50}, 40, 6}}, 1000), [](const Answer& answer) {
    const serving::Outcome& outcome = answer.outcomes[0];
    REQUIRE(outcome.queued_until.ns == 50);
    REQUIRE(outcome.first_token.ns == 150);
    REQUIRE(outcome.last_token.ns == 200);
    // The decode steps read 41, 42, ..., 45 tokens: 5 * 7 + 215 nJ. 500 nJ do not divide by the prompt's 40 tokens and 820 reads without a rest,
    // which stays below one unit a share.
    const FixedEnergy active = FixedEnergy::from_nano(1000 + 35 + 215);
    REQUIRE((answer.replicas[0].active == active));
    REQUIRE((outcome.joules <= active));
    REQUIRE((active - outcome.joules).raw < 40 + 820);
    REQUIRE((answer.replicas[0].idle == FixedEnergy::from_nano(2 * (50 + 800))));
    REQUIRE((answer.replicas[0].busy == FixedTime::from_nano(150)));
    // 3 blocks of 16 hold the 40 tokens of the prompt, and the 45 tokens of the last step.
    REQUIRE((answer.replicas[0].block_time == int128{3 * 150} << 24));
  });
}

TEST_CASE("A request that arrives during step n first runs in step n + 2 with async scheduling, in n + 1 without") {
  const FlatCosts costs;
  // The first request's steps end at 100, 110, 120, ...; the second arrives at 115.
  Problem problem = problem_of(costs, {{Time{0}, 8, 100}, {Time{115}, 8, 1}}, 10000);
  on_all_roads(problem, [](const Answer& answer) {
    REQUIRE(answer.outcomes[1].queued_until.ns == 130);
    REQUIRE(answer.outcomes[1].first_token.ns == 230);
  });
  problem.engine.async_scheduling = false;
  on_all_roads(problem, [](const Answer& answer) {
    REQUIRE(answer.outcomes[1].queued_until.ns == 120);
    REQUIRE(answer.outcomes[1].first_token.ns == 220);
  });
  // At the very instant of a boundary it is there before the boundary.
  problem.requests[1].arrival = Time{120};
  on_all_roads(problem, [](const Answer& answer) { REQUIRE(answer.outcomes[1].queued_until.ns == 120); });
}

TEST_CASE("Whoever arrives at one instant at an idle replica is in its first step") {
  const FlatCosts costs;
  on_all_roads(problem_of(costs, {{Time{7}, 8, 2}, {Time{7}, 8, 2}, {Time{8}, 8, 2}}, 10000), [](const Answer& answer) {
    REQUIRE(answer.outcomes[0].first_token.ns == 107);
    REQUIRE(answer.outcomes[1].first_token.ns == 107);
    // The third is seen at 107, when the decode step of the two is already planned.
    REQUIRE(answer.outcomes[2].queued_until.ns == 117);
  });
}

TEST_CASE("least_outstanding spreads a burst: what was sent at this instant counts") {
  const FlatCosts costs;
  Problem problem = problem_of(costs, {{Time{7}, 8, 2}, {Time{7}, 8, 2}, {Time{7}, 8, 2}, {Time{7}, 8, 2}}, 10000);
  problem.replicas = 3;
  problem.router = "least_outstanding";
  on_all_roads(problem, [](const Answer& answer) {
    for (int i = 0; i < 4; ++i) REQUIRE(answer.outcomes[static_cast<std::size_t>(i)].replica == i % 3);
  });
}

TEST_CASE("Too few blocks: the last to be admitted gives way, comes back to its own blocks and computes what it lost") {
  const FlatCosts costs;
  Problem problem = problem_of(costs, {{Time{0}, 32, 40}, {Time{0}, 32, 40}}, 10000);
  problem.engine.async_scheduling = false;
  problem.engine.num_gpu_blocks = 1 + 7;  // 7 of 16 tokens
  on_all_roads(problem, [](const Answer& answer) {
    // Step i >= 1 writes token 32 + i of each: both need a third block in step 1, a fourth in step 17, when 1 of 7 is free. The second is
    // preempted there after 17 tokens, with 48 tokens in 3 full blocks.
    REQUIRE(answer.outcomes[0].preemptions == 0);
    REQUIRE(answer.outcomes[1].preemptions == 1);
    REQUIRE(answer.outcomes[0].last_token.ns == 100 + 39 * 10);
    // The first goes on alone with 4 blocks to step 32, and in step 33 its fifth is taken from what the second left: its third block. At 490 all
    // is free; 2 of its blocks are found again, and its chunk of 49 - 32 tokens gives the 18th token.
    REQUIRE(answer.replicas[0].prefix_hits == 32);
    REQUIRE(answer.replicas[0].prefix_queries == 32 + 32 + 49);
    REQUIRE(answer.outcomes[1].last_token.ns == 490 + 100 + 22 * 10);
    REQUIRE(answer.replicas[0].output_tokens == 80);
  });
}

TEST_CASE("The end of the run cuts a step: its joules in proportion, its tokens not at all") {
  const FlatCosts costs;
  // 100 ns of prompt, decode steps to 110 and 120, and 4 of the 10 ns of the next, which reads 8 + 3 tokens.
  on_all_roads(problem_of(costs, {{Time{0}, 8, 50}}, 124), [](const Answer& answer) {
    REQUIRE((answer.replicas[0].active == FixedEnergy::from_nano(1000 + (7 + 9) + (7 + 10)) +
                                              share(FixedEnergy::from_nano(7 + 11), FixedTime::from_nano(4), FixedTime::from_nano(10))));
    REQUIRE(answer.replicas[0].output_tokens == 3);
    REQUIRE(answer.outcomes[0].last_token.ns == -1);
    REQUIRE((FixedEnergy::from_nano(1000 + 16 + 17) - answer.outcomes[0].joules).raw < 8 + 36);
    REQUIRE((answer.replicas[0].idle == FixedEnergy{}));
  });
}

TEST_CASE("Stretches save events: one request of 100,000 tokens is a handful") {
  const FlatCosts costs;
  Problem problem = problem_of(costs, {{Time{0}, 8, 100'000}}, 10'000'000);
  problem.engine.max_model_len = 200'000;
  problem.engine.num_gpu_blocks = 10'000;
  const EngineRoadAnswer stretches = solve_with_engine(problem, {});
  REQUIRE(stretches.answer.outcomes[0].last_token.ns == 100 + 99'999 * 10);
  REQUIRE(stretches.run.events < 10);
  EngineRoadOptions options;
  options.step_mode = true;
  const EngineRoadAnswer steps = solve_with_engine(problem, options);
  REQUIRE(steps.run.events > 100'000);
  REQUIRE((steps.answer.replicas[0].active == stretches.answer.replicas[0].active));
  REQUIRE((steps.answer.replicas[0].block_time == stretches.answer.replicas[0].block_time));
}
