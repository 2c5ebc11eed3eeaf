#pragma once

#include <optional>
#include <string>
#include <utility>

#include "config/diagnostics.hpp"
#include "scenario/records.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::scenario {

/// Looks up the names of a file and checks what spans tables; every fault goes to the diagnostics.
class Resolver {
 public:
  Resolver(const File& file, std::string share, config::Diagnostics& diagnostics)
      : file_(file), share_(std::move(share)), diagnostics_(diagnostics) {}

  Scenario resolve();

 private:
  void time();
  void site();
  void clusters();
  void pool(const std::string& name, const PoolTable& table);
  std::optional<std::size_t> pool_cluster(const std::string& name, const PoolTable& table);
  std::optional<Cluster> cluster(const std::string& name, const std::string& node, const std::string& gpu, const CostTable& cost, const Place& place);
  void engine(Pool& pool, const PoolTable& table, const hardware::GpuProfile& gpu);
  void operating_point(Pool& pool, const PoolTable& table, const hardware::GpuProfile& gpu);
  void traffic(const std::string& name, const TrafficTable& table);
  void traffic_pools(Traffic& traffic, const TrafficTable& table);
  void router();
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
