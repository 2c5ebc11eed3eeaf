#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "probe.hpp"
#include "support/layered.hpp"
#include "support/phold.hpp"

using namespace joulecast;
using namespace joulecast::engine;
using namespace joulecast::test;

namespace {

struct Spread {
  int threads;
  Grouping grouping;
  std::uint64_t seed;
};

std::vector<Spread> spreads() {
  std::vector<Spread> all;
  for (const int threads : {1, 2, 3}) {
    all.push_back({threads, Grouping::derived, 0});
    all.push_back({threads, Grouping::one_cell, 0});
    for (std::uint64_t seed = 1; seed <= 3; ++seed) all.push_back({threads, Grouping::shuffled, seed});
  }
  return all;
}

RunOptions with_fingerprints(const Spread& spread, Span period, Time horizon) {
  RunOptions options;
  options.threads = spread.threads;
  options.grouping = spread.grouping;
  options.grouping_seed = spread.seed;
  options.fingerprints = true;
  options.fingerprint_period = period;
  options.horizon = horizon;
  return options;
}

void require_equal(const RunStats& expected, const RunStats& stats, const Spread& spread, const Simulation& simulation) {
  INFO("threads " << spread.threads << ", grouping " << static_cast<int>(spread.grouping) << ", seed " << spread.seed);
  const auto difference = compare(expected.fingerprints, stats.fingerprints);
  if (difference) FAIL("the first to differ is " << simulation.name(difference->entity) << " before " << difference->time.ns << " ns");
  REQUIRE(stats.events == expected.events);
  REQUIRE(stats.end == expected.end);
}

RunStats run_phold(const PholdSize& size, const RunOptions& options) {
  Simulation simulation;
  build_phold(simulation, size);
  return simulation.run(options);
}

}  // namespace

TEST_CASE("PHOLD has the same bits for any threads and grouping") {
  PholdSize size;
  const Time horizon{40'000'000};
  const RunStats expected = run_phold(size, with_fingerprints({1, Grouping::one_cell, 0}, Span{10'000'000}, horizon));
  REQUIRE(expected.events > 4'000);
  REQUIRE(expected.fingerprints.size() == 4 * size.processes);
  for (const Spread& spread : spreads()) {
    Simulation simulation;
    build_phold(simulation, size);
    const RunStats stats = simulation.run(with_fingerprints(spread, Span{10'000'000}, horizon));
    require_equal(expected, stats, spread, simulation);
    if (spread.threads == 1) REQUIRE(stats.parallel_windows == 0);
    if (spread.threads > 1 && spread.grouping == Grouping::derived) REQUIRE(stats.parallel_windows > stats.windows / 2);
  }
}

TEST_CASE("another seed gives other fingerprints") {
  PholdSize size;
  const RunOptions options = with_fingerprints({1, Grouping::derived, 0}, Span{10'000'000}, Time{20'000'000});
  const RunStats one = run_phold(size, options);
  size.seed = 2;
  const RunStats two = run_phold(size, options);
  const auto difference = compare(one.fingerprints, two.fingerprints);
  REQUIRE(difference.has_value());
  REQUIRE(difference->time == Time{10'000'000});
}

TEST_CASE("the first difference is named") {
  const std::vector<Fingerprint> a{{Time{1}, 0, 5}, {Time{1}, 1, 6}, {Time{2}, 0, 7}};
  std::vector<Fingerprint> b = a;
  REQUIRE(!compare(a, b));
  b[1].hash = 9;
  b[2].hash = 9;
  REQUIRE(compare(a, b)->entity == 1);
  REQUIRE(compare(a, b)->time == Time{1});
  b = {a[0], a[1]};
  REQUIRE(compare(a, b)->time == Time{2});
}

TEST_CASE("random layered models with zero delays, groups, timers and views have the same bits for any threads and grouping") {
  for (std::uint64_t model = 1; model <= 12; ++model) {
    const std::uint32_t nodes = model <= 8 ? 20 : 120;
    const Time horizon{model <= 8 ? 200'000'000 : 60'000'000};
    RunStats expected;
    {
      LayeredModel reference(model, nodes);
      expected = reference.simulation.run(with_fingerprints({1, Grouping::one_cell, 0}, Span{4'000'000}, horizon));
    }
    REQUIRE(expected.events > 500);
    for (const Spread& spread : spreads()) {
      LayeredModel layered(model, nodes);
      INFO("model " << model);
      require_equal(expected, layered.simulation.run(with_fingerprints(spread, Span{4'000'000}, horizon)), spread, layered.simulation);
    }
  }
}

TEST_CASE("two simulations at once in one process have the bits of one alone") {
  PholdSize size;
  size.messages_each = 8;
  const RunOptions options = with_fingerprints({2, Grouping::derived, 0}, Span{10'000'000}, Time{20'000'000});
  const RunStats alone = run_phold(size, options);
  RunStats first, second;
  std::thread other([&] { first = run_phold(size, options); });
  second = run_phold(size, options);
  other.join();
  REQUIRE(first.parallel_windows > 0);
  REQUIRE(second.parallel_windows > 0);
  REQUIRE(!compare(alone.fingerprints, first.fingerprints));
  REQUIRE(!compare(alone.fingerprints, second.fingerprints));
}

TEST_CASE("an exception on several threads is the one that one thread meets first") {
  for (const int threads : {1, 2, 3}) {
    Simulation simulation;
    std::vector<EntityId> all;
    std::vector<Probe*> probes;
    for (EntityId e = 0; e < 40; ++e) {
      all.push_back(e);
      probes.push_back(simulation.add_new<Probe>("probe " + std::to_string(e), Level::decode).second);
    }
    for (EntityId e = 0; e < 40; ++e) {
      simulation.connect(e, all, Span{1'000'000});
      probes[e]->at_start = [](Context& context) { context.set_timer(0, Time{0}); };
      probes[e]->at_event = [](const Event& event, Context& context) {
        context.set_timer(0, event.time + Span{50'000});
        const std::int64_t breaks_at = 30'000'000 - 50'000 * static_cast<std::int64_t>(context.self() % 7);
        if (event.time.ns == breaks_at) throw std::runtime_error("probe " + std::to_string(context.self()));
      };
    }
    RunOptions options;
    options.threads = threads;
    REQUIRE_THROWS_WITH(simulation.run(options), "probe 6");
  }
}
