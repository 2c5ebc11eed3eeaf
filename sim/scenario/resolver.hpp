#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/diagnostics.hpp"
#include "policy/registry.hpp"
#include "scenario/records.hpp"
#include "scenario/scenario.hpp"
#include "traces/grid/zone.hpp"

namespace joulecast::scenario {

/// Looks up the names of a file and checks what spans tables; every fault goes to the diagnostics.
class Resolver {
 public:
  Resolver(const File& file, std::string share, config::Diagnostics& diagnostics)
      : file_(file), share_(std::move(share)), diagnostics_(diagnostics) {}

  Scenario resolve();

 private:
  void start();
  void time();
  void sites();
  std::optional<SiteRate> rate(const std::string& site, const char* what, const std::optional<RateTable>& table);
  void signals();
  bool covers(const std::string& site, const char* what, const SiteRate& rate, const traces::Zone& zone);
  std::optional<std::size_t> site_index(const std::string& name, const std::string& of, const Place& place);
  void feeds();
  void clusters();
  void place_cluster(Cluster& cluster, const ClusterTable& table);
  void check_made_clusters();
  void pool(const std::string& name, const PoolTable& table);
  std::int64_t ranks_of(const PoolTable& table) const;
  std::optional<std::size_t> pool_cluster(const std::string& name, const PoolTable& table);
  std::optional<Cluster> cluster(const std::string& name, const std::string& node, const std::string& gpu, const CostTable& cost, const Place& place);
  void engine(Pool& pool, const PoolTable& table, const hardware::GpuProfile& gpu);
  void measured(Pool& pool, const PoolTable& table, const hardware::GpuProfile& gpu);
  bool speculation(Pool& pool, const SpeculativeTable& table);
  void operating_point(Pool& pool, const PoolTable& table, const hardware::GpuProfile& gpu);
  void training(const std::string& name, const TrainingTable& table);
  std::optional<std::size_t> job_cluster(const std::string& name, const TrainingTable& table);
  std::optional<training::Layout> job_layout(const TrainingTable& table);
  void job_start(TrainingJob& job, const TrainingTable& table);
  void job_stragglers(TrainingJob& job, const TrainingTable& table);
  void job_clock(TrainingJob& job, const TrainingTable& table, const hardware::GpuProfile& gpu);
  bool job_model(TrainingJob& job, const TrainingTable& table);
  void job_fabric(TrainingJob& job, const TrainingTable& table);
  void join_cluster(Cluster& cluster, const ClusterTable& table);
  void traffic(const std::string& name, const TrafficTable& table);
  void replayed_traffic(Traffic& traffic, const TrafficTable& table);
  void generated_traffic(Traffic& traffic, const TrafficTable& table);
  void check_roles(const Traffic& traffic, const Place& place);
  void kv_transfers();
  void traffic_pools(Traffic& traffic, const TrafficTable& table);
  void router();
  void check_prefixes(const std::string& policy, const Place& place);
  void pool_choice();
  void control();
  void pool_priority(std::size_t index);
  void pool_clocks(std::size_t index);
  void pool_scaling(std::size_t index);
  void power_policy(const std::string& name, const Place& place, std::size_t site, std::optional<std::size_t> feed, std::optional<PolicyUse>& chosen);
  PolicyUse policy_use(const std::string& name, const Place& place) const;
  void unknown_policy(const PolicyUse& policy, std::vector<std::string> known, const char* what);
  bool pool_needs_met(const policy::PoolNeeds& needs, const std::string& policy, const Place& place);
  void profile_service();
  void believe(const policy::PoolNeeds::Belief& wanted, const Place& place);
  void currencies();
  template <class Action>
  bool collecting(Action action);

  const File& file_;
  std::string share_;
  config::Diagnostics& diagnostics_;
  Scenario scenario_;
};

/// Runs something that throws a UserError and keeps its faults; true if it did not throw.
template <class Action>
bool Resolver::collecting(Action action) {
  try {
    action();
    return true;
  } catch (const UserError& error) {
    for (const auto& fault : error.faults()) diagnostics_.error(fault.place, fault.what, fault.remedy);
    return false;
  }
}

/// The table of that name, or null.
template <class T>
const T* find(const config::NamedTables<T>& tables, const std::string& name) {
  for (const auto& [key, table] : tables) {
    if (key == name) return &table;
  }
  return nullptr;
}

/// "did you mean ...? " with the nearest name of the tables, or nothing.
template <class T>
std::string nearest_table(const config::NamedTables<T>& tables, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& entry : tables) names.push_back(entry.first);
  const std::string near = config::nearest(name, names);
  return near.empty() ? "" : "did you mean \"" + near + "\"? ";
}

}  // namespace joulecast::scenario
