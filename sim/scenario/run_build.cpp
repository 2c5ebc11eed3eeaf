#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "scenario/costs.hpp"
#include "scenario/run.hpp"

namespace joulecast::scenario {

namespace {

/// Does nothing in the last nanosecond before a time, so that a run that drains lasts until then even where everything is done sooner.
class Lasting final : public engine::Entity {
 public:
  explicit Lasting(Time end) : end_(end) {}
  void start(engine::Context& context) override { context.set_timer(0, Time{end_.ns - 1}); }
  void on(const engine::Event&, engine::Context&) override {}
  std::uint64_t fingerprint(Time) const override { return 0; }

 private:
  Time end_;
};

}  // namespace

Run::Run(const Scenario& scenario, const RunOptions& options)
    : scenario_(scenario),
      options_(options),
      placement_(place(scenario)),
      warmup_{span_from_seconds(scenario.warmup.si()).ns},
      ledger_(span_from_seconds(scenario.bin.si()), scenario.sites.front().pue),
      pools_(scenario.pools.size()),
      traffics_(scenario.traffics.size()) {
  plan_jobs();
  meter_hardware();
  make_controllers();
  make_replicas();
  add_sources_and_routers();
  add_governor();
  add_replicas();
  connect_governor();
  close_loops();
  add_jobs();
}

void Run::make_replicas() {
  std::vector<serving::RequestTable*> tables;
  for (auto& traffic : traffics_) {
    traffic.table = std::make_shared<serving::RequestTable>();
    tables.push_back(traffic.table.get());
  }
  std::int32_t index = 0;
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    serving::EngineConfig engine = scenario_.pools[p].engine.folded();
    engine.speculative.seed = scenario_.seed;
    for (metering::Meter* meter : pools_[p].meters) {
      pools_[p].made.push_back(
          std::make_unique<serving::Replica>(serving::ReplicaSetup{index++, engine, *pools_[p].costs, tables, *meter, warmup_, options_.step_mode,
                                                                   pools_[p].governed ? pools_[p].points.get() : nullptr, model_loading(p)}));
      pools_[p].replicas.push_back(pools_[p].made.back().get());
    }
  }
}

void Run::add_sources_and_routers() {
  struct Pair {
    engine::EntityId id;
    serving::Source* source;
  };
  std::vector<Pair> sources;
  for (std::size_t t = 0; t < traffics_.size(); ++t) {
    const Traffic& traffic = scenario_.traffics[t];
    auto requests = stream(traffic, traffics_[t].counts);
    const auto [id, source] = simulation_.add_new<serving::Source>(
        "traffic/" + traffic.name, engine::Level::source,
        serving::SourceSetup{std::move(requests), *traffics_[t].table, static_cast<std::uint32_t>(t), limit_of(traffic), closed_loop(traffic)});
    sources.push_back({id, source});
    sources_.push_back(id);
  }
  for (std::size_t t = 0; t < traffics_.size(); ++t) {
    add_router(t);
    const engine::EntityId router = traffics_[t].router.first;
    sources[t].source->connect(simulation_.connect(sources[t].id, std::array{router}, Span{0}), router, serving::Router::route);
  }
  add_decode_stages();
}

// Replicas come last: their ids are higher than the routers', so a router's message comes before a replica's own timer of the same instant.
void Run::add_replicas() {
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    const bool prompts_alone = scenario_.pools[p].engine.kv_role == serving::KvRole::producer;
    const auto level = prompts_alone ? engine::Level::prefill : engine::Level::decode;
    for (std::size_t r = 0; r < pools_[p].made.size(); ++r) {
      pools_[p].ids.push_back(simulation_.add(fmt::format("pool/{}/{}", scenario_.pools[p].name, r), level, std::move(pools_[p].made[r])));
    }
    pools_[p].made.clear();
  }
  for (std::size_t t = 0; t < traffics_.size(); ++t) {
    connect_router(traffics_[t].router, *traffics_[t].views, scenario_.traffics[t].pools, true);
  }
  connect_transfers();
}

void Run::connect_router(const std::pair<engine::EntityId, serving::Router*>& router, engine::Views<serving::ReplicaView>& views,
                         const std::vector<std::size_t>& pools, bool from_users) {
  std::vector<engine::EntityId> targets;
  std::vector<Span> delays;
  for (const std::size_t p : pools) {
    targets.insert(targets.end(), pools_[p].ids.begin(), pools_[p].ids.end());
    const Site& site = scenario_.sites[scenario_.clusters[scenario_.pools[p].cluster].site];
    delays.insert(delays.end(), pools_[p].ids.size(), from_users ? span_from_seconds(site.network_latency.si()) : Span{0});
  }
  const auto port = simulation_.connect(router.first, targets, *std::min_element(delays.begin(), delays.end()));
  router.second->connect(port, targets, std::move(delays));
  if (scenario_.report_period) {
    simulation_.report(dynamic_cast<engine::Board&>(views), targets, span_from_seconds(scenario_.report_period->si()));
  } else {
    std::vector<engine::EntityId> group = targets;
    group.push_back(router.first);
    simulation_.group(group);
  }
}

engine::RunStats Run::run() {
  if (scenario_.at_end == AtEnd::drain && scenario_.duration) {
    simulation_.add("duration", engine::Level::source, std::make_unique<Lasting>(Time{span_from_seconds(scenario_.duration->si()).ns}));
  }
  engine::RunOptions options;
  options.horizon = scenario_.at_end == AtEnd::cut ? Time{span_from_seconds(scenario_.duration->si()).ns} : kForever;
  options.threads = options_.threads;
  options.grouping = options_.grouping;
  options.grouping_seed = options_.grouping_seed;
  options.fingerprints = options_.fingerprints;
  options.stop = options_.stop;
  if (options_.progress) {
    const double horizon = scenario_.duration ? scenario_.duration->si() : 0;
    options.progress = [this, horizon](Time now, std::uint64_t events) { options_.progress(now.seconds(), horizon, events); };
  }
  return simulation_.run(options);
}

}  // namespace joulecast::scenario
