#include "reference_serving/random_problem.hpp"

#include <algorithm>

#include "base/philox.hpp"

namespace joulecast::reference {

RandomProblem random_problem(std::uint64_t seed) {
  Stream random(seed, "random problem", "reference");
  const auto among = [&](std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most - least + 1)));
  };
  const auto chance = [&](double share) { return random.uniform() < share; };

  CostShape shape;
  shape.seed = seed;
  shape.step_ns = chance(0.2) ? among(1, 6) : chance(0.5) ? among(100, 5000) : 1'000'000;
  shape.segment = chance(0.5) ? among(3, 200) : 1 << 20;
  shape.slopes_may_fall = chance(0.3);
  shape.two_clocks = chance(0.4);
  shape.switch_ns = shape.two_clocks ? among(0, 12) * shape.step_ns : 0;

  RandomProblem made;
  made.step_ns = shape.step_ns;
  made.costs = std::make_unique<SyntheticCosts>(shape);
  Problem& problem = made.problem;
  problem.costs = made.costs.get();
  problem.replicas = static_cast<std::size_t>(chance(0.5) ? 1 : among(2, 4));
  problem.router = chance(0.5) ? "round_robin" : "least_outstanding";

  const std::int64_t longest_input = among(1, 60);
  const std::int64_t longest_output = chance(0.3) ? among(1, 3) : among(2, 60);
  serving::EngineConfig& engine = problem.engine;
  engine.block_size = chance(0.3) ? among(1, 3) : among(4, 16);
  engine.max_model_len = longest_input + longest_output;
  engine.max_num_seqs = among(1, 12);
  engine.max_num_batched_tokens = engine.max_num_seqs + (chance(0.5) ? among(0, 8) : among(8, 200));
  engine.enable_chunked_prefill = chance(0.7);
  if (!engine.enable_chunked_prefill) engine.max_num_batched_tokens = std::max(engine.max_num_batched_tokens, engine.max_model_len);
  const std::int64_t blocks_of_longest = (engine.max_model_len + engine.block_size - 1) / engine.block_size;
  engine.num_gpu_blocks = 1 + blocks_of_longest + (chance(0.6) ? among(0, blocks_of_longest) : among(0, 12 * blocks_of_longest));
  engine.enable_prefix_caching = chance(0.7);
  engine.async_scheduling = chance(0.6);

  if (chance(0.5)) {
    made.prefixes = std::make_unique<traces::PrefixTree>(static_cast<std::int32_t>(chance(0.5) ? engine.block_size : among(1, 12)));
    problem.prefixes = made.prefixes.get();
  }
  const bool states_cached = chance(0.3);
  const std::int64_t count = among(1, 40);
  const std::int64_t gap = among(0, 30) * shape.step_ns;
  Time arrival{among(0, 3) * shape.step_ns};
  for (std::int64_t i = 0; i < count; ++i) {
    if (!chance(0.4)) arrival = arrival + Span{chance(0.1) ? 20 * gap : among(0, gap)};
    traces::Request& request = problem.requests.emplace_back();
    request.arrival = arrival;
    request.input = static_cast<std::int32_t>(among(1, longest_input));
    request.output = static_cast<std::int32_t>(among(1, longest_output));
    if (made.prefixes) {
      // Few hashes a level, so that many prompts share a path.
      const std::int64_t depth = among(0, request.input / made.prefixes->block_tokens());
      for (std::int64_t level = 0; level < depth; ++level) {
        request.prefix = made.prefixes->child(request.prefix, static_cast<std::uint64_t>(chance(0.8) ? 0 : among(1, 2)));
      }
    } else if (states_cached) {
      request.cached = static_cast<std::int32_t>(among(0, request.input - 1));
    }
  }
  // Enough for everything to be done, or a cut.
  problem.horizon = Time{arrival.ns + 1 + (chance(0.4) ? among(0, 60) * shape.step_ns : shape.step_ns * 200'000)};
  problem.warmup = Time{chance(0.5) ? 0 : among(0, arrival.ns)};
  return made;
}

}  // namespace joulecast::reference
