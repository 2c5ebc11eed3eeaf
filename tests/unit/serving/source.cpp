#include "serving/source.hpp"

#include <catch2/catch.hpp>
#include <vector>

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
