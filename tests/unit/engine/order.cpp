#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "probe.hpp"

using namespace joulecast;
using namespace joulecast::engine;
using joulecast::test::connect;
using joulecast::test::Probe;

TEST_CASE("events come in the order of time, then sender, then number") {
  Simulation simulation;
  auto [a, first] = simulation.add_new<Probe>("a", Level::source);
  auto [b, second] = simulation.add_new<Probe>("b", Level::source);
  auto [c, sink] = simulation.add_new<Probe>("c", Level::decode);
  const Port from_a = connect(simulation, a, c, Span{0}), from_b = connect(simulation, b, c, Span{0});
  const EntityId target = c;
  second->at_start = [=](Context& context) {
    context.send(from_b, target, 0, 10, Span{5});
    context.send(from_b, target, 0, 11, Span{5});
    context.send(from_b, target, 0, 12, Span{4});
  };
  first->at_start = [=](Context& context) {
    context.send(from_a, target, 0, 20, Span{5});
    context.send(from_a, target, 0, 21, Span{9});
  };
  const RunStats stats = simulation.run({});
  std::vector<std::uint64_t> payloads;
  for (const Event& event : sink->seen) payloads.push_back(event.payload);
  REQUIRE(payloads == std::vector<std::uint64_t>{12, 20, 10, 11, 21});
  REQUIRE(stats.events == 5);
  REQUIRE(stats.end == Time{10});
}

TEST_CASE("a chain without delay runs through the levels in one instant, each level after all that reaches it") {
  for (const Grouping grouping : {Grouping::derived, Grouping::one_cell}) {
    Simulation simulation;
    std::vector<std::pair<int, std::int64_t>> log;
    auto [source, clock] = simulation.add_new<Probe>("source", Level::source);
    auto [router, route] = simulation.add_new<Probe>("router", Level::router);
    auto [early, prefill] = simulation.add_new<Probe>("prefill", Level::prefill);
    auto [late, decode] = simulation.add_new<Probe>("decode", Level::decode);
    const Port to_router = connect(simulation, source, router, Span{0});
    const Port to_both = simulation.connect(router, std::vector<EntityId>{early, late}, Span{0});
    const Port to_decode = connect(simulation, early, late, Span{0});
    const EntityId ids[] = {source, router, early, late};
    clock->at_start = [](Context& context) { context.set_timer(0, Time{100}); };
    clock->at_event = [=](const Event&, Context& context) { context.send(to_router, ids[1], 0, 0); };
    route->at_event = [=](const Event&, Context& context) {
      context.send(to_both, ids[3], 0, 1);
      context.send(to_both, ids[2], 0, 2);
    };
    prefill->at_event = [=](const Event&, Context& context) { context.send(to_decode, ids[3], 0, 3); };
    decode->at_event = [&log](const Event& event, Context& context) { log.emplace_back(event.payload, context.now().ns); };
    RunOptions options;
    options.grouping = grouping;
    simulation.run(options);
    REQUIRE(log == std::vector<std::pair<int, std::int64_t>>{{1, 100}, {3, 100}});
  }
}

TEST_CASE("nothing happens at or after the horizon, and all are finished there in id order") {
  Simulation simulation;
  auto [a, ticker] = simulation.add_new<Probe>("a", Level::source);
  auto [b, other] = simulation.add_new<Probe>("b", Level::source);
  std::vector<std::pair<EntityId, std::int64_t>> finished;
  ticker->at_start = [](Context& context) { context.set_timer(0, Time{10}); };
  ticker->at_event = [](const Event& event, Context& context) { context.set_timer(0, event.time + Span{10}); };
  ticker->at_finish = other->at_finish = [&](Context& context) { finished.emplace_back(context.self(), context.now().ns); };
  RunOptions options;
  options.horizon = Time{50};
  const RunStats stats = simulation.run(options);
  REQUIRE(ticker->seen.size() == 4);
  REQUIRE(stats.end == Time{50});
  REQUIRE(finished == std::vector<std::pair<EntityId, std::int64_t>>{{a, 50}, {b, 50}});
}

TEST_CASE("stop is looked at between windows") {
  Simulation simulation;
  std::atomic<bool> stop{false};
  auto [a, ticker] = simulation.add_new<Probe>("a", Level::source);
  ticker->at_start = [](Context& context) { context.set_timer(0, Time{0}); };
  ticker->at_event = [&](const Event& event, Context& context) {
    context.set_timer(0, event.time + Span{600'000'000});
    if (event.time == Time{1'200'000'000}) stop = true;
  };
  RunOptions options;
  options.stop = &stop;
  std::uint64_t told = 0;
  options.progress = [&](Time, std::uint64_t events) { told = events; };
  const RunStats stats = simulation.run(options);
  REQUIRE(stats.stopped);
  REQUIRE(stats.end == Time{2'400'000'000});  // windows of a second: {0, 0.6}, {1.2, 1.8}, then the one at 2.4 s does not begin
  REQUIRE(ticker->seen.size() == 4);
  REQUIRE(told > 0);
}

TEST_CASE("a long stretch of nothing is one step") {
  Simulation simulation;
  auto [a, ticker] = simulation.add_new<Probe>("a", Level::source);
  ticker->at_start = [](Context& context) { context.set_timer(0, Time{1'000'000'000'000'000}); };
  const RunStats stats = simulation.run({});
  REQUIRE(stats.events == 1);
  REQUIRE(stats.windows == 1);
}

TEST_CASE("the exception of the first event in order is thrown, whatever the grouping") {
  for (const Grouping grouping : {Grouping::derived, Grouping::one_cell}) {
    Simulation simulation;
    auto [a, low] = simulation.add_new<Probe>("a", Level::source);
    auto [b, high] = simulation.add_new<Probe>("b", Level::decode);
    auto [c, later] = simulation.add_new<Probe>("c", Level::decode);
    connect(simulation, a, b, Span{0});
    connect(simulation, a, c, Span{0});
    low->at_start = [](Context& context) { context.set_timer(0, Time{30}); };
    high->at_start = [](Context& context) { context.set_timer(0, Time{20}); };
    later->at_start = [](Context& context) { context.set_timer(0, Time{25}); };
    low->at_event = [](const Event&, Context&) { throw std::runtime_error("at 30"); };
    high->at_event = [](const Event&, Context&) { throw std::runtime_error("at 20"); };
    later->at_event = [](const Event&, Context&) { throw std::runtime_error("at 25"); };
    RunOptions options;
    options.grouping = grouping;
    REQUIRE_THROWS_WITH(simulation.run(options), "at 20");
  }
}
