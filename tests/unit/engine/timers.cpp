#include <catch2/catch.hpp>
#include <vector>

#include "base/error.hpp"
#include "engine/cell.hpp"
#include "probe.hpp"

using namespace joulecast;
using namespace joulecast::engine;
using joulecast::test::Probe;

TEST_CASE("a timer that is set again moves, a cancelled one never comes, and neither counts twice") {
  Simulation simulation;
  Probe* probe = simulation.add_new<Probe>("a", Level::decode).second;
  probe->at_start = [](Context& context) {
    for (std::uint16_t slot = 0; slot < 8; ++slot) context.set_timer(slot, Time{10 + slot});
    context.set_timer(0, Time{30});  // later
    context.set_timer(7, Time{5});   // earlier
    context.cancel_timer(1);
    context.cancel_timer(6);
    context.cancel_timer(1);
    context.set_timer(6, Time{40});
    context.cancel_timer(100);
  };
  probe->at_event = [](const Event& event, Context& context) {
    if (event.time == Time{12}) context.cancel_timer(3);
    if (event.time == Time{14}) context.set_timer(4, Time{14});  // at once, once more
    if (event.time == Time{14}) context.cancel_timer(4);
  };
  const RunStats stats = simulation.run({});
  std::vector<std::pair<std::int64_t, int>> seen;
  for (const Event& event : probe->seen) {
    REQUIRE(event.timer == 1);
    seen.emplace_back(event.time.ns, event.kind);
  }
  REQUIRE(seen == std::vector<std::pair<std::int64_t, int>>{{5, 7}, {12, 2}, {14, 4}, {15, 5}, {30, 0}, {40, 6}});
  REQUIRE(stats.events == 6);
  REQUIRE(stats.end == Time{41});
}

TEST_CASE("a cancelled timer at the end does not lengthen a run without a horizon") {
  Simulation simulation;
  Probe* probe = simulation.add_new<Probe>("a", Level::decode).second;
  probe->at_start = [](Context& context) {
    context.set_timer(0, Time{10});
    context.set_timer(1, Time{5'000'000'000});
  };
  probe->at_event = [](const Event&, Context& context) { context.cancel_timer(1); };
  struct Count : Controller {
    int calls = 0;
    void at_grid_point(Time) override { ++calls; }
  } count;
  simulation.control(count, Span{1'000'000'000});
  const RunStats stats = simulation.run({});
  REQUIRE(stats.end == Time{11});
  REQUIRE(count.calls == 0);
}

TEST_CASE("stale timers stay few in the heap") {
  Probe probe;
  World world;
  world.actors.resize(1);
  world.actors[0].entity = &probe;
  world.actors[0].next_number = 1;
  world.routes.push_back({0, 4});
  world.names.push_back("a");
  world.next.push_back(kForever);
  world.cells.push_back(std::make_unique<Cell>(world, 0));
  Cell& cell = *world.cells[0];
  std::size_t most = 0;
  int left = 20'000;
  probe.at_start = [](Context& context) { context.set_timer(0, Time{1}); };
  probe.at_event = [&](const Event& event, Context& context) {
    if (--left == 0) {
      context.cancel_timer(1);
      return;
    }
    context.set_timer(0, event.time + Span{1});
    context.set_timer(1, event.time + Span{1'000'000});
    most = std::max(most, cell.pending());
  };
  Context context(cell, 0, Time{0});
  probe.start(context);
  cell.run(key_at(Time{2'000'000}), false);
  REQUIRE(cell.handled() == 20'000);
  REQUIRE(most < 200);
  REQUIRE(world.next[0] == kForever);
}

TEST_CASE("a timer in the past is a bug that names the entity") {
  Simulation simulation;
  Probe* probe = simulation.add_new<Probe>("replica 3", Level::decode).second;
  probe->at_start = [](Context& context) { context.set_timer(0, Time{10}); };
  probe->at_event = [](const Event&, Context& context) { context.set_timer(0, Time{9}); };
  REQUIRE_THROWS_WITH(simulation.run({}), Catch::Contains("'replica 3' sets timer 0 at 10 ns to 9 ns"));
}
