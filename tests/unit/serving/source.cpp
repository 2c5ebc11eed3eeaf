#include "serving/source.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "base/error.hpp"
#include "engine/simulation.hpp"
#include "serving/replica.hpp"

using namespace joulecast;
using namespace joulecast::serving;

namespace {

class ListStream final : public traces::RequestStream {
 public:
  explicit ListStream(std::vector<traces::Request> requests) : requests_(std::move(requests)) {}
  std::optional<traces::Request> next() override {
    if (at_ == requests_.size()) return std::nullopt;
    return requests_[at_++];
  }

 private:
  std::vector<traces::Request> requests_;
  std::size_t at_ = 0;
};

class Sink final : public engine::Entity {
 public:
  void on(const engine::Event& event, engine::Context& context) override { got.emplace_back(context.now().ns, event.payload); }
  std::uint64_t fingerprint(Time) const override { return got.size(); }
  std::vector<std::pair<std::int64_t, std::uint64_t>> got;
};

/// Completes each request `service` ns after it came, and tells the source.
class Server final : public engine::Entity {
 public:
  explicit Server(std::int64_t service) : service_(service) {}
  void connect(engine::Port port, engine::EntityId source) {
    port_ = port;
    source_ = source;
  }
  void on(const engine::Event& event, engine::Context& context) override {
    if (event.timer == 0) {
      arrived.push_back(context.now().ns);
      context.set_timer(static_cast<std::uint16_t>(arrived.size()), context.now() + Span{service_});
      most = std::max(most, ++inside_);
    } else {
      --inside_;
      context.send(port_, source_, Source::completed, 0);
    }
  }
  std::uint64_t fingerprint(Time) const override { return arrived.size(); }
  std::vector<std::int64_t> arrived;
  int most = 0;

 private:
  std::int64_t service_;
  engine::Port port_;
  engine::EntityId source_ = 0;
  int inside_ = 0;
};

struct Loop {
  RequestTable table;
  std::vector<std::int64_t> arrived;
  int most = 0;
  std::uint64_t rejected = 0;
};

Loop close(std::vector<traces::Request> requests, ClosedLoop loop, std::int64_t service, ContextLimit limit = {100, OverContext::reject}) {
  Loop result;
  engine::Simulation simulation;
  SourceSetup setup{std::make_unique<ListStream>(std::move(requests)), result.table, 0, limit, loop};
  const auto [source_id, source] = simulation.add_new<Source>("source", engine::Level::source, std::move(setup));
  const auto [server_id, server] = simulation.add_new<Server>("server", engine::Level::decode, service);
  source->connect(simulation.connect(source_id, std::vector{server_id}, Span{0}), server_id, 0);
  server->connect(simulation.connect(server_id, std::vector{source_id}, loop.delay()), source_id);
  simulation.run({});
  result.arrived = server->arrived;
  result.most = server->most;
  result.rejected = source->rejected();
  return result;
}

const std::vector<traces::Request> kSix(6, {Time{0}, 10, 10});

struct Run {
  RequestTable table;
  std::vector<std::pair<std::int64_t, std::uint64_t>> got;
  std::uint64_t rejected, truncated;
};

Run bring(std::vector<traces::Request> requests, ContextLimit limit) {
  Run run;
  engine::Simulation simulation;
  SourceSetup setup{std::make_unique<ListStream>(std::move(requests)), run.table, 3, limit};
  const auto [source_id, source] = simulation.add_new<Source>("source", engine::Level::source, std::move(setup));
  const auto [sink_id, sink] = simulation.add_new<Sink>("sink", engine::Level::decode);
  source->connect(simulation.connect(source_id, std::vector{sink_id}, Span{0}), sink_id, 0);
  simulation.run({});
  run.got = sink->got;
  run.rejected = source->rejected();
  run.truncated = source->truncated();
  return run;
}

}  // namespace

TEST_CASE("Requests come at their time, those of one instant in order") {
  const Run run = bring({{Time{5}, 1, 1}, {Time{5}, 2, 2}, {Time{9}, 3, 3}}, {100, OverContext::reject});
  REQUIRE(run.got ==
          std::vector<std::pair<std::int64_t, std::uint64_t>>{{5, request_payload(3, 0)}, {5, request_payload(3, 1)}, {9, request_payload(3, 2)}});
  REQUIRE(run.table[1].facts.input == 2);
}

TEST_CASE("A request over the context is rejected: in the table, not sent") {
  const Run run = bring({{Time{1}, 60, 40}, {Time{2}, 60, 41}, {Time{3}, 1, 1}}, {100, OverContext::reject});
  REQUIRE(run.got.size() == 2);
  REQUIRE(run.rejected == 1);
  REQUIRE(run.table.size() == 3);
  REQUIRE(run.table[1].outcome.fate == Fate::rejected_over_context);
  REQUIRE(run.table[0].outcome.fate == Fate::waiting);
}

TEST_CASE("A request over the context is truncated: the input to all but one token at most, the output to what is left") {
  const Run run = bring({{Time{1}, 60, 70}, {Time{2}, 200, 5}, {Time{3}, 99, 1}}, {100, OverContext::truncate});
  REQUIRE(run.got.size() == 3);
  REQUIRE(run.truncated == 2);
  REQUIRE(run.table[0].facts.input == 60);
  REQUIRE(run.table[0].facts.output == 40);
  REQUIRE(run.table[1].facts.input == 99);
  REQUIRE(run.table[1].facts.output == 1);
  REQUIRE(run.table[1].outcome.truncated);
  REQUIRE_FALSE(run.table[2].outcome.truncated);
}

TEST_CASE("The context's limit is the smaller of the model's and the cache's, one block being vLLM's null block") {
  EngineConfig engine;
  engine.max_model_len = 1000;
  engine.block_size = 16;
  engine.num_gpu_blocks = 11;
  REQUIRE(ContextLimit::of(engine).tokens == 160);
  engine.num_gpu_blocks = 2588;
  REQUIRE(ContextLimit::of(engine).tokens == 1000);
}

// With n in flight, service s and think time z, arrivals are n at 0 and n at each multiple of s + max(z, 1).
TEST_CASE("A closed loop brings the next request a think time, and at least 1 ns, after a completion") {
  REQUIRE(close(kSix, {1, Span{0}}, 100).arrived == std::vector<std::int64_t>{0, 101, 202, 303, 404, 505});
  REQUIRE(close(kSix, {1, Span{50}}, 100).arrived == std::vector<std::int64_t>{0, 150, 300, 450, 600, 750});
  const Loop two = close(kSix, {2, Span{50}}, 100);
  REQUIRE(two.arrived == std::vector<std::int64_t>{0, 0, 150, 150, 300, 300});
  REQUIRE(two.most == 2);
  REQUIRE(two.table.size() == 6);
  REQUIRE(two.table[5].facts.arrival == Time{300});
  REQUIRE(close(kSix, {100, Span{0}}, 100).arrived == std::vector<std::int64_t>(6, 0));
}

// The trap of replaying the time from start to start as a think time: service 100 and think 50 give a request every 150 ns, not every 50 or 100.
TEST_CASE("A think time runs from completion to arrival, not from arrival to arrival") {
  REQUIRE(close(kSix, {1, Span{50}}, 100).arrived[5] == 5 * (100 + 50));
}

TEST_CASE("A closed loop ends with its time or its stream") {
  REQUIRE(close(kSix, {1, Span{50}, Time{300}}, 100).arrived == std::vector<std::int64_t>{0, 150});
  REQUIRE(close(kSix, {1, Span{50}, Time{0}}, 100).arrived.empty());
}

TEST_CASE("In a closed loop a rejected request makes room for the next at once; if all are rejected the loop says so") {
  std::vector<traces::Request> requests = kSix;
  requests[1].input = requests[2].input = 200;
  const Loop loop = close(requests, {1, Span{50}}, 100);
  REQUIRE(loop.rejected == 2);
  REQUIRE(loop.arrived == std::vector<std::int64_t>{0, 150, 300, 450});
  const std::vector<traces::Request> long_ones(200'000, {Time{0}, 200, 10});
  REQUIRE_THROWS_AS(close(long_ones, {1, Span{50}}, 100), UserError);
}

TEST_CASE("A prompt that is cut shares nothing") {
  const ContextLimit limit{100, OverContext::truncate};
  traces::Request request{Time{0}, 150, 10};
  request.cached = 20;
  request.prefix = 3;
  request.conversation = 2;
  const traces::Request cut = limit.truncated(request);
  REQUIRE(cut.input == 99);
  REQUIRE((cut.cached == 0 && cut.prefix == 0 && cut.conversation == 2));
  request.input = 95;
  REQUIRE(limit.truncated(request).prefix == 3);
}
