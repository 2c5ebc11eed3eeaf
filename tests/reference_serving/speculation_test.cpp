// Speculative decoding: the program and the plain second simulator agree to the bit; the mean step gives what Leviathan et al. say.
#include <catch2/catch.hpp>

#include "reference_serving/engine_road.hpp"
#include "reference_serving/equal.hpp"
#include "reference_serving/random_problem.hpp"

using namespace joulecast;
using namespace joulecast::reference;

TEST_CASE("With speculative decoding the program and the reference agree to the bit on 60 small scenarios") {
  std::int64_t preemptions = 0, verifications = 0, given = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    RandomProblem random = random_problem(seed);
    Problem& problem = random.problem;
    speculate(problem.engine, 1 + static_cast<std::int64_t>(seed % 5), seed % 7 == 0 ? 1 : seed % 11 == 0 ? 0 : 0.6);
    const Answer reference = solve(problem);
    for (const bool step_mode : {false, true}) {
      EngineRoadOptions options;
      options.step_mode = step_mode;
      const EngineRoadAnswer program = solve_with_engine(problem, options);
      REQUIRE(program.meters_exact);
      for (std::size_t i = 0; i < reference.outcomes.size(); ++i) {
        INFO("request " << i);
        require_equal(program.answer.outcomes[i], reference.outcomes[i]);
      }
      for (std::size_t i = 0; i < reference.replicas.size(); ++i) {
        INFO("replica " << i);
        require_equal(program.answer.replicas[i], reference.replicas[i]);
      }
      if (step_mode) continue;
      for (const auto& statistics : program.statistics) {
        preemptions += statistics.preemptions;
        verifications += statistics.verifications;
        given += statistics.verified_tokens;
      }
    }
  }
  CHECK(preemptions > 20);
  CHECK(verifications > 2000);
  CHECK(given > verifications);
}
