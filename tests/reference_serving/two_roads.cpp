#include <catch2/catch.hpp>
#include <cstdlib>

#include "reference_serving/engine_road.hpp"
#include "reference_serving/equal.hpp"
#include "reference_serving/random_problem.hpp"

using namespace joulecast;
using namespace joulecast::reference;

namespace {

void require_equal(const Answer& a, const Answer& b) {
  REQUIRE(a.outcomes.size() == b.outcomes.size());
  for (std::size_t i = 0; i < a.outcomes.size(); ++i) {
    INFO("request " << i);
    reference::require_equal(a.outcomes[i], b.outcomes[i]);
  }
  for (std::size_t i = 0; i < a.replicas.size(); ++i) {
    INFO("replica " << i);
    reference::require_equal(a.replicas[i], b.replicas[i]);
  }
}

void require_equal(const EngineRoadAnswer& a, const EngineRoadAnswer& b) {
  require_equal(a.answer, b.answer);
  REQUIRE(a.run.end.ns == b.run.end.ns);
  REQUIRE(a.run.fingerprints.size() == b.run.fingerprints.size());
  for (std::size_t i = 0; i < a.run.fingerprints.size(); ++i) {
    INFO("fingerprint of entity " << a.run.fingerprints[i].entity << " at " << a.run.fingerprints[i].time.ns << " ns");
    REQUIRE(a.run.fingerprints[i].hash == b.run.fingerprints[i].hash);
  }
  for (std::size_t i = 0; i < a.statistics.size(); ++i) {
    for (const double q : {0.0, 0.5, 0.9, 1.0}) {
      const double one = a.statistics[i].inter_token.front().quantile_s(q);
      const double other = b.statistics[i].inter_token.front().quantile_s(q);
      REQUIRE((one == other || (one != one && other != other)));
    }
  }
}

/// Requests never get more than was spent, and all of it but for a rest of less than a unit a token and a context token read in each step.
void require_attributed(const Answer& answer) {
  FixedEnergy attributed, active;
  std::int64_t steps = 0;
  bool all_done = true;
  for (const serving::Outcome& outcome : answer.outcomes) {
    attributed += outcome.joules;
    all_done = all_done && outcome.fate == serving::Fate::completed;
  }
  for (const ReplicaAnswer& replica : answer.replicas) {
    active += replica.active;
    steps += replica.steps;
  }
  REQUIRE((attributed <= active));
  constexpr std::int64_t kMostInAStep = 12 * 120 + 12 * 120 * 120;  // 12 sequences of at most 120 tokens
  if (all_done) REQUIRE(((active - attributed).raw <= int128{steps} * kMostInAStep));
}

/// The committed seeds, or `JOULECAST_SEEDS` of them from `JOULECAST_FIRST_SEED` on.
std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace

TEST_CASE("The program and the reference agree to the bit on 100 small scenarios, step by step and in stretches") {
  const std::uint64_t first = from_environment("JOULECAST_FIRST_SEED", 1);
  const std::uint64_t count = from_environment("JOULECAST_SEEDS", 100);
  std::int64_t preemptions = 0, hits = 0, cut = 0;
  std::uint64_t step_events = 0, stretch_events = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    const RandomProblem random = random_problem(seed);
    const Problem& problem = random.problem;
    const Answer reference = solve(problem);

    // Fingerprints at odd instants, most of them while requests are there.
    EngineRoadOptions options;
    options.fingerprint_period = {(problem.requests.back().arrival.ns + 200 * random.step_ns) / 61 + 1};
    if (problem.horizon.ns / options.fingerprint_period.ns > 2000) options.fingerprint_period = {problem.horizon.ns / 2000};
    const EngineRoadAnswer stretches = solve_with_engine(problem, options);
    require_equal(stretches.answer, reference);
    REQUIRE(stretches.meters_exact);
    options.step_mode = true;
    const EngineRoadAnswer steps = solve_with_engine(problem, options);
    require_equal(steps, stretches);
    REQUIRE(steps.meters_exact);

    for (std::size_t i = 0; i < reference.replicas.size(); ++i) {
      const ReplicaAnswer& replica = reference.replicas[i];
      preemptions += replica.preemptions;
      hits += replica.prefix_hits;
      if (replica.inter_token_count == 0) continue;
      REQUIRE(stretches.statistics[i].inter_token.front().mean_s() ==
              replica.inter_token_sum.units() / static_cast<double>(replica.inter_token_count));
      REQUIRE(steps.statistics[i].inter_token.front().mean_s() == stretches.statistics[i].inter_token.front().mean_s());
    }
    require_attributed(reference);
    for (const serving::Outcome& outcome : reference.outcomes) cut += outcome.fate != serving::Fate::completed;
    step_events += steps.run.events;
    stretch_events += stretches.run.events;
  }
  // The scenarios do what they are for.
  CHECK(preemptions > 100);
  CHECK(hits > 100);
  CHECK(cut > 20);
  CHECK(stretch_events < step_events);
  if (count > 100)
    WARN(preemptions << " preemptions, " << hits << " tokens hit, " << cut << " cut, events " << step_events << " and " << stretch_events);
}

TEST_CASE("Load reports and random choices give the same bits step by step and in stretches") {
  const std::uint64_t first = from_environment("JOULECAST_FIRST_SEED", 1001);
  const std::uint64_t count = from_environment("JOULECAST_SEEDS", 100);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    RandomProblem random = random_problem(seed);
    random.problem.replicas = 3;
    random.problem.router = seed % 2 == 0 ? "power_of_two" : "least_outstanding";
    const Time last = random.problem.requests.back().arrival;
    random.problem.horizon = {last.ns + last.ns / 4 + 1000};
    EngineRoadOptions options;
    options.report_period = {last.ns / 29 + 1};
    options.fingerprint_period = {last.ns / 37 + 1};
    const EngineRoadAnswer stretches = solve_with_engine(random.problem, options);
    options.step_mode = true;
    const EngineRoadAnswer steps = solve_with_engine(random.problem, options);
    require_equal(steps, stretches);
    options.grouping = engine::Grouping::one_cell;
    require_equal(solve_with_engine(random.problem, options), stretches);
    REQUIRE(stretches.meters_exact);
  }
}

TEST_CASE("A run that drains covers every nanosecond up to its end, and gives the same bits step by step and in stretches") {
  for (std::uint64_t seed = 2001; seed < 2021; ++seed) {
    INFO("seed " << seed);
    RandomProblem random = random_problem(seed);
    random.problem.horizon = kForever;
    EngineRoadOptions options;
    const EngineRoadAnswer stretches = solve_with_engine(random.problem, options);
    REQUIRE(stretches.meters_exact);
    for (const serving::Outcome& outcome : stretches.answer.outcomes) REQUIRE(outcome.fate == serving::Fate::completed);
    options.step_mode = true;
    require_equal(solve_with_engine(random.problem, options), stretches);
    // The reference, closed where the run ended, says so too.
    random.problem.horizon = stretches.run.end;
    require_equal(solve(random.problem), stretches.answer);
  }
}
