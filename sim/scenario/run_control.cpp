#include <fmt/format.h>

#include <array>

#include "policy/control_registry.hpp"
#include "scenario/control_facts.hpp"
#include "scenario/run.hpp"

namespace joulecast::scenario {

/// The controllers of the pools, before their replicas.
void Run::make_controllers() {
  config::Diagnostics diagnostics;
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    const Pool& pool = scenario_.pools[p];
    if (pool.clock_policy) {
      pools_[p].clocks = policy::find_clock_control(pool.clock_policy->use)->make(&pool.clock_policy->parameters, *pool.clock_facts, diagnostics);
    }
    if (pool.scaling) {
      pools_[p].scaler = policy::find_scaling_control(pool.scaling->use)->make(&pool.scaling->parameters, scaling_facts(scenario_, p), diagnostics);
    }
    pools_[p].governed = pool.clock_policy && pools_[p].clocks->period();
  }
  const auto hold = [&](std::size_t site, std::optional<std::size_t> feed, const PolicyUse& use) {
    serving::GovernedPower power{nullptr, {}, serving::PowerMeter({})};
    const control::PowerFacts facts = power_facts(scenario_, site, feed, power.pools);
    power.controller = policy::find_power_control(use.use)->make(&use.parameters, facts, diagnostics);
    power.meter = serving::PowerMeter(measured_nodes(site, feed));
    for (const std::size_t pool : power.pools) pools_[pool].governed = true;
    power_.push_back(std::move(power));
  };
  for (std::size_t f = 0; f < scenario_.feeds.size(); ++f) {
    if (scenario_.feeds[f].policy) hold(scenario_.feeds[f].site, f, *scenario_.feeds[f].policy);
  }
  for (std::size_t s = 0; s < scenario_.sites.size(); ++s) {
    if (scenario_.sites[s].power_policy) hold(s, std::nullopt, *scenario_.sites[s].power_policy);
  }
  JOULECAST_CHECK(!diagnostics.failed(), "a checked scenario's controllers have no faults");
}

std::vector<serving::MeasuredNode> Run::measured_nodes(std::size_t site, std::optional<std::size_t> feed) const {
  std::vector<serving::MeasuredNode> nodes;
  for (std::size_t c = 0; c < scenario_.clusters.size(); ++c) {
    const Cluster& cluster = scenario_.clusters[c];
    if (feed ? cluster.feed != feed : cluster.site != site) continue;
    std::vector<serving::MeasuredNode> of_cluster;
    for (int n = 0; n < cluster.nodes; ++n) {
      const int unused = placement_.unused_gpus[c][static_cast<std::size_t>(n)];
      of_cluster.push_back({cluster.node.overhead(), {}, unused * cluster.gpu.idle.bare.value});
    }
    for (std::size_t p = 0; p < pools_.size(); ++p) {
      if (scenario_.pools[p].cluster != c) continue;
      const auto& node_of = placement_.node_of_replica[p];
      for (std::size_t r = 0; r < node_of.size(); ++r) of_cluster[static_cast<std::size_t>(node_of[r])].replicas.emplace_back(p, r);
    }
    for (auto& node : of_cluster) nodes.push_back(std::move(node));
  }
  return nodes;
}

std::optional<serving::ModelLoading> Run::model_loading(std::size_t pool) const {
  if (!pools_[pool].scaler) return std::nullopt;
  const control::LoadTimes times = pools_[pool].scaler->load_times();
  const auto rate = [&](Watts watts) { return FixedEnergy::from_units(1e-9 * watts.si() * scenario_.pools[pool].gpus_per_replica()); };
  return serving::ModelLoading{times.load, rate(times.unloaded), rate(times.loading)};
}

/// Before the replicas are in the simulation: at one instant its commands come before everything else.
void Run::add_governor() {
  bool any = !power_.empty();
  std::vector<serving::GovernedPool> governed;
  for (PoolParts& pool : pools_) {
    any = any || pool.governed || pool.scaler;
    serving::GovernedPool& each = governed.emplace_back();
    each.replicas.assign(pool.replicas.begin(), pool.replicas.end());
    if (pool.governed) each.points = pool.points.get();
    if (pool.governed) each.clocks = std::move(pool.clocks);
    each.scaler = std::move(pool.scaler);
  }
  if (!any) return;
  governor_ = simulation_.add_new<serving::Governor>("governor", engine::Level::source, std::move(governed), std::move(power_));
}

void Run::connect_governor() {
  if (governor_.second == nullptr) return;
  std::vector<engine::EntityId> all;
  std::vector<std::vector<engine::EntityId>> ids;
  for (const PoolParts& pool : pools_) {
    all.insert(all.end(), pool.ids.begin(), pool.ids.end());
    ids.push_back(pool.ids);
  }
  governor_.second->connect(simulation_.connect(governor_.first, all, Span{0}), std::move(ids));
  simulation_.control(governor_.first, *governor_.second, governor_.second->period());
}

/// What came of control, as notes.
void Run::read_control(Result& result, Time end) const {
  if (governor_.second == nullptr) return;
  const serving::Governor& governor = *governor_.second;
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    const Pool& pool = scenario_.pools[p];
    const serving::GovernorCounts& counts = governor.counts(p);
    if (pools_[p].governed && pool.clock_policy) {
      result.notes.push_back(fmt::format("pool \"{}\": {} changed a replica's clocks {} times, {} settings in all", pool.name, pool.clock_policy->use,
                                         counts.clock_changes, pools_[p].points->size()));
    }
    if (!pool.scaling) continue;
    std::int64_t loads = 0;
    double unloaded = 0;
    for (const serving::Replica* replica : pools_[p].replicas) {
      loads += replica->statistics().loads;
      unloaded += replica->statistics().unloaded.units();
    }
    result.notes.push_back(fmt::format("pool \"{}\": {} loaded the model {} times; replicas were without it {:.1f} % of the time", pool.name,
                                       pool.scaling->use, loads, 100 * unloaded / (end.seconds() * pool.replicas)));
  }
  std::size_t index = 0;
  const auto tell = [&](const std::string& place, const PolicyUse& use) {
    const serving::PowerCounts& counts = governor.power_counts(index++);
    result.notes.push_back(
        fmt::format("{}: {} changed limits at {} of {} readings; the highest reading was {:.2f} kW; limits held {:.0f} pool-seconds", place, use.use,
                    counts.changes, counts.decisions, counts.peak_watts / 1000, counts.limited_s));
  };
  for (const Feed& feed : scenario_.feeds) {
    if (feed.policy) tell("feed \"" + feed.name + "\"", *feed.policy);
  }
  for (const Site& site : scenario_.sites) {
    if (site.power_policy) tell("site \"" + site.name + "\"", *site.power_policy);
  }
}

}  // namespace joulecast::scenario
