#include <catch2/catch.hpp>
#include <vector>

#include "base/error.hpp"
#include "probe.hpp"

using namespace joulecast;
using namespace joulecast::engine;
using joulecast::test::connect;
using joulecast::test::Probe;

TEST_CASE("a port without delay goes to a higher level only") {
  Simulation simulation;
  const EntityId router = simulation.add_new<Probe>("router", Level::router).first;
  const EntityId other = simulation.add_new<Probe>("other router", Level::router).first;
  const EntityId source = simulation.add_new<Probe>("source", Level::source).first;
  const EntityId decode = simulation.add_new<Probe>("replica", Level::decode).first;
  REQUIRE_THROWS_AS(connect(simulation, router, other, Span{0}), Bug);
  REQUIRE_THROWS_WITH(connect(simulation, router, source, Span{0}), Catch::Contains("'router'") && Catch::Contains("'source'"));
  REQUIRE_THROWS_AS(connect(simulation, router, router, Span{0}), Bug);
  REQUIRE_THROWS_AS(connect(simulation, router, decode, Span{-1}), Bug);
  REQUIRE_THROWS_AS(connect(simulation, router, 99, Span{5}), Bug);
  REQUIRE_NOTHROW(connect(simulation, router, decode, Span{0}));
  REQUIRE_NOTHROW(connect(simulation, decode, router, Span{1}));
}

TEST_CASE("a send outside its port is a bug that names both") {
  const auto sends = [](const std::function<void(Context&, Port, Port)>& send) {
    Simulation simulation;
    auto [a, first] = simulation.add_new<Probe>("a", Level::source);
    auto [b, second] = simulation.add_new<Probe>("b", Level::source);
    simulation.add_new<Probe>("c", Level::source);
    simulation.add_new<Probe>("d", Level::source);
    const Port mine = simulation.connect(a, std::vector<EntityId>{1, 3}, Span{10});
    const Port yours = connect(simulation, b, a, Span{10});
    first->at_start = [=](Context& context) { send(context, mine, yours); };
    simulation.run({});
    return second->seen.size();
  };
  REQUIRE(sends([](Context& c, Port mine, Port) { c.send(mine, 1, 0, 0); }) == 1);
  REQUIRE(sends([](Context& c, Port mine, Port) { c.send(mine, 3, 0, 0, Span{11}); }) == 0);
  REQUIRE_THROWS_WITH(sends([](Context& c, Port mine, Port) { c.send(mine, 1, 0, 0, Span{9}); }), Catch::Contains("'a' sends to 'b'"));
  REQUIRE_THROWS_WITH(sends([](Context& c, Port mine, Port) { c.send(mine, 2, 0, 0); }), Catch::Contains("'a' sends to 'c'"));
  REQUIRE_THROWS_WITH(sends([](Context& c, Port, Port yours) { c.send(yours, 0, 0, 0); }), Catch::Contains("a port of 'b'"));
  REQUIRE_THROWS_AS(sends([](Context& c, Port, Port) { c.send(Port{}, 1, 0, 0); }), Bug);
  REQUIRE_THROWS_AS(sends([](Context& c, Port mine, Port) { c.send(mine, 1000, 0, 0); }), Bug);
}

TEST_CASE("names are unique and a simulation runs once") {
  Simulation simulation;
  simulation.add_new<Probe>("a", Level::source);
  REQUIRE_THROWS_AS(simulation.add_new<Probe>("a", Level::source), Bug);
  REQUIRE(simulation.name(0) == "a");
  simulation.run({});
  REQUIRE_THROWS_AS(simulation.run({}), Bug);
}
