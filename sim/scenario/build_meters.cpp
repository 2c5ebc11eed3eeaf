#include <fmt/format.h>

#include <optional>

#include "scenario/costs.hpp"
#include "scenario/run.hpp"

namespace joulecast::scenario {

void Run::meter_hardware() {
  for (int w = 0; w < serving::kWorks; ++w) ledger_.register_class(std::string(serving::name(static_cast<serving::Work>(w))));
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    const Pool& pool = scenario_.pools[p];
    const Span latency = span_from_seconds(scenario_.clusters[pool.cluster].gpu.switch_latency.value.si());
    pools_[p].points = std::make_unique<serving::OperatingPoints>(pool_costs(scenario_, pool), operating_point(scenario_, pool), latency);
    pools_[p].costs = &pools_[p].points->costs(0);
    ledger_.add_pool(pool.name);
  }
  if (!jobs_.empty()) job_classes_ = register_job_classes();
  for (std::size_t j = 0; j < jobs_.size(); ++j) jobs_[j].account = ledger_.add_pool(scenario_.jobs[j].name);
  for (std::size_t s = 1; s < scenario_.sites.size(); ++s) ledger_.add_site(scenario_.sites[s].pue);
  for (std::size_t f = 0; f < scenario_.feeds.size(); ++f) ledger_.add_feed();
  const auto jobs_alone = nodes_of_jobs(scenario_, placement_);
  std::vector<std::vector<std::optional<std::size_t>>> nodes(scenario_.clusters.size());
  std::optional<std::size_t> no_pool;
  for (std::size_t c = 0; c < scenario_.clusters.size(); ++c) {
    const Cluster& cluster = scenario_.clusters[c];
    for (int n = 0; n < cluster.nodes; ++n) {
      const std::string name = fmt::format("{}/{}", cluster.name, n);
      if (jobs_alone[c][static_cast<std::size_t>(n)]) {
        nodes[c].emplace_back();
        continue;
      }
      nodes[c].emplace_back(ledger_.add_node(name, cluster.node.gpus, cluster.node.overhead(), {cluster.site, cluster.feed}));
      if (const int unused = placement_.unused_gpus[c][static_cast<std::size_t>(n)]; unused > 0) {
        if (!no_pool) no_pool = ledger_.add_pool("no pool");
        unused_.push_back({&ledger_.add_device(name + "/unused", *no_pool, *nodes[c].back(), unused), unused * cluster.gpu.idle.bare.value});
      }
    }
  }
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    const Pool& pool = scenario_.pools[p];
    for (int r = 0; r < pool.replicas; ++r) {
      const auto node = static_cast<std::size_t>(placement_.node_of_replica[p][static_cast<std::size_t>(r)]);
      pools_[p].meters.push_back(&ledger_.add_device(fmt::format("{}/{}", pool.name, r), p, *nodes[pool.cluster][node], pool.gpus_per_replica()));
    }
  }
  meter_jobs(nodes);
}

}  // namespace joulecast::scenario
