#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "probe.hpp"

using namespace joulecast;
using namespace joulecast::engine;
using joulecast::test::connect;
using joulecast::test::Probe;

namespace {

struct CountView {
  int events;
  std::int64_t made_at;
};

/// Counts events at 0, 10, 20, ... ns.
class Counter final : public Entity, public Viewed<CountView> {
 public:
  void start(Context& context) override { context.set_timer(0, Time{0}); }
  void on(const Event& event, Context& context) override {
    ++events_;
    context.set_timer(0, event.time + Span{10});
  }
  CountView view(Time now) const override { return {events_, now.ns}; }
  std::uint64_t fingerprint(Time) const override { return static_cast<std::uint64_t>(events_); }

 private:
  int events_ = 0;
};

}  // namespace

TEST_CASE("a grid view holds exactly what came before the grid point") {
  for (const Grouping grouping : {Grouping::derived, Grouping::one_cell}) {
    Simulation simulation;
    Probe* reader = simulation.add_new<Probe>("reader", Level::source).second;
    auto [b, counter] = simulation.add_new<Counter>("counter", Level::decode);
    GridViews<CountView> board({counter});
    simulation.report(board, std::vector<EntityId>{b}, Span{100});
    std::vector<std::vector<std::int64_t>> read;
    reader->at_start = [](Context& context) {
      for (const std::int64_t t : {0, 99, 100, 101, 450}) context.set_timer(static_cast<std::uint16_t>(t), Time{t});
    };
    reader->at_event = [&](const Event&, Context& context) {
      const CountView view = board.at(0, context.now());
      read.push_back({context.now().ns, view.events, view.made_at});
    };
    RunOptions options;
    options.grouping = grouping;
    options.horizon = Time{500};
    simulation.run(options);
    // Ten events (0, 10, .., 90) come before 100; the one at 100 does not.
    REQUIRE(read == std::vector<std::vector<std::int64_t>>{{0, 0, 0}, {99, 0, 0}, {100, 10, 100}, {101, 10, 100}, {450, 40, 400}});
  }
}

TEST_CASE("after a long stretch of nothing a grid view is that of the last grid point") {
  Simulation simulation;
  struct Age final : Entity, Viewed<CountView> {
    void on(const Event&, Context&) override {}
    CountView view(Time now) const override { return {0, now.ns}; }
    std::uint64_t fingerprint(Time) const override { return 0; }
  };
  auto [a, viewed] = simulation.add_new<Age>("a", Level::decode);
  Probe* reader = simulation.add_new<Probe>("b", Level::source).second;
  GridViews<CountView> board({viewed});
  simulation.report(board, std::vector<EntityId>{a}, Span{1000});
  std::vector<std::int64_t> read;
  reader->at_start = [](Context& context) {
    context.set_timer(0, Time{999});
    context.set_timer(1, Time{77'500});
    context.set_timer(2, Time{78'000});
  };
  reader->at_event = [&](const Event&, Context& context) { read.push_back(board.at(0, context.now()).made_at); };
  const RunStats stats = simulation.run({});
  REQUIRE(read == std::vector<std::int64_t>{0, 77'000, 78'000});
  REQUIRE(stats.windows == 3);
}

TEST_CASE("an instant view is the state after all smaller keys") {
  for (const Grouping grouping : {Grouping::derived, Grouping::one_cell}) {
    Simulation simulation;
    auto [a, router] = simulation.add_new<Probe>("router", Level::router);
    auto [b, counter] = simulation.add_new<Counter>("counter", Level::decode);
    simulation.group(std::vector<EntityId>{a, b});
    const InstantViews<CountView> views({counter});
    std::vector<int> read;
    router->at_start = [](Context& context) {
      for (const std::int64_t t : {0, 9, 10, 11}) context.set_timer(static_cast<std::uint16_t>(t), Time{t});
    };
    router->at_event = [&](const Event&, Context& context) { read.push_back(views.at(0, context.now()).events); };
    RunOptions options;
    options.grouping = grouping;
    options.horizon = Time{12};
    simulation.run(options);
    REQUIRE(read == std::vector<int>{0, 1, 1, 2});  // at an instant the router (level 1) comes before the counter (level 4)
  }
}

TEST_CASE("controllers run in the order in which they came, on views of their instant, before its events") {
  Simulation simulation;
  auto [b, counter] = simulation.add_new<Counter>("counter", Level::decode);
  GridViews<CountView> board({counter});
  std::vector<std::vector<std::int64_t>> calls;
  struct Recorder final : Controller {
    Recorder(int number_, GridViews<CountView>& board_, std::vector<std::vector<std::int64_t>>& calls_)
        : number(number_), board(board_), calls(calls_) {}
    void at_grid_point(Time now) override { calls.push_back({number, now.ns, board.at(0, now).events}); }
    int number;
    GridViews<CountView>& board;
    std::vector<std::vector<std::int64_t>>& calls;
  };
  Recorder slow(1, board, calls), fast(2, board, calls);
  simulation.report(board, std::vector<EntityId>{b}, Span{50});
  simulation.control(slow, Span{100});
  simulation.control(fast, Span{50});
  RunOptions options;
  options.horizon = Time{150};
  const RunStats stats = simulation.run(options);
  REQUIRE(calls == std::vector<std::vector<std::int64_t>>{{2, 50, 5}, {1, 100, 10}, {2, 100, 10}});
  REQUIRE(stats.windows == 3);
}

TEST_CASE("what an acting controller sends at a grid point comes before the events of that instant at its targets") {
  for (const Grouping grouping : {Grouping::derived, Grouping::one_cell}) {
    Simulation simulation;
    struct Commander final : Entity, ActingController {
      void on(const Event&, Context&) override {}
      std::uint64_t fingerprint(Time) const override { return 0; }
      void at_grid_point(Context& context) override { context.send(port, target, 7, static_cast<std::uint64_t>(context.now().ns)); }
      Port port;
      EntityId target = 0;
    };
    auto [id, commander] = simulation.add_new<Commander>("commander", Level::source);
    auto [target, probe] = simulation.add_new<test::Probe>("probe", Level::decode);
    probe->at_start = [](Context& context) { context.set_timer(0, Time{100}); };
    commander->target = target;
    commander->port = simulation.connect(id, std::vector<EntityId>{target}, Span{0});
    simulation.control(id, *commander, Span{50});
    RunOptions options;
    options.horizon = Time{120};
    options.grouping = grouping;
    simulation.run(options);
    std::vector<std::pair<std::int64_t, int>> seen;
    for (const Event& event : probe->seen) seen.emplace_back(event.time.ns, event.timer != 0 ? -1 : event.kind);
    REQUIRE(seen == std::vector<std::pair<std::int64_t, int>>{{50, 7}, {100, 7}, {100, -1}});
  }
}

TEST_CASE("an acting controller is called at points of its own between those of its grid, and they keep no run going") {
  for (const Grouping grouping : {Grouping::derived, Grouping::one_cell}) {
    Simulation simulation;
    struct Commander final : Entity, ActingController {
      void on(const Event&, Context&) override {}
      std::uint64_t fingerprint(Time) const override { return 0; }
      void at_grid_point(Context& context) override {
        context.send(port, target, 7, 0);
        own = context.now().ns == 50 ? Time{63} : context.now().ns == 100 ? Time{1'000'000} : kForever;
      }
      Time next_point() const override { return own; }
      Port port;
      EntityId target = 0;
      Time own = kForever;
    };
    auto [id, commander] = simulation.add_new<Commander>("commander", Level::source);
    auto [target, probe] = simulation.add_new<test::Probe>("probe", Level::decode);
    probe->at_start = [](Context& context) { context.set_timer(0, Time{110}); };
    commander->target = target;
    commander->port = simulation.connect(id, std::vector<EntityId>{target}, Span{0});
    simulation.control(id, *commander, Span{50});
    RunOptions options;
    options.grouping = grouping;
    const RunStats stats = simulation.run(options);
    std::vector<std::int64_t> seen;
    for (const Event& event : probe->seen) seen.push_back(event.time.ns);
    REQUIRE(seen == std::vector<std::int64_t>{50, 63, 100, 110});
    REQUIRE(stats.end == Time{111});
  }
}
