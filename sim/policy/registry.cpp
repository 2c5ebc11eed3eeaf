#include "policy/registry.hpp"

#include "policy/find_by_name.hpp"
#include "policy/own_policies.hpp"
#include "policy/parameters.hpp"
#include "policy/routing/carbon_aware.hpp"
#include "policy/routing/energy_aware.hpp"
#include "policy/routing/energy_optimal.hpp"
#include "policy/routing/join_shortest_queue.hpp"
#include "policy/routing/least_outstanding.hpp"
#include "policy/routing/least_outstanding_pool.hpp"
#include "policy/routing/length_threshold.hpp"
#include "policy/routing/power_of_two.hpp"
#include "policy/routing/prefix_affinity.hpp"
#include "policy/routing/random.hpp"
#include "policy/routing/round_robin.hpp"
#include "policy/routing/slo_energy.hpp"

namespace joulecast::policy {
namespace {

using config::Diagnostics;
using config::Node;
using serving::PoolChoice;
using serving::PoolRouter;
using serving::ReplicaRouter;

/// A policy without parameters: any key but `use` is a fault.
void read_none(const Node* parameters, Diagnostics& diagnostics) {
  if (parameters == nullptr) return;
  const auto* table = parameters->as<config::Table>();
  if (table == nullptr) {
    diagnostics.error(parameters->place(), "a policy is a table, not " + std::string(parameters->kind()), "write [policy.NAME] with use = \"...\"");
    return;
  }
  for (const auto& entry : table->entries) {
    if (entry.key == "use") continue;
    diagnostics.error(entry.place, "unknown key \"" + entry.key + "\": this policy has no parameters", "remove the key");
  }
}

template <std::unique_ptr<ReplicaRouter> (*make)()>
std::unique_ptr<ReplicaRouter> plain(const Node* parameters, Diagnostics& diagnostics) {
  read_none(parameters, diagnostics);
  return make();
}

template <std::unique_ptr<PoolRouter> (*make)()>
std::unique_ptr<PoolRouter> plain_pool(const Node*, const PoolChoice&, Diagnostics&) {
  return make();
}

PoolNeeds needs_nothing(const Node* parameters, Diagnostics& diagnostics) {
  read_none(parameters, diagnostics);
  return {};
}

std::unique_ptr<ReplicaRouter> prefix_affinity(const Node* parameters, Diagnostics& diagnostics) {
  return make_prefix_affinity(read_parameters(prefix_affinity_record(), parameters, diagnostics));
}

using EnergyRecord = config::Record<EnergyAwareParameters> (*)();
using EnergyMaker = std::unique_ptr<PoolRouter> (*)(const EnergyAwareParameters&, const PoolChoice&);

template <EnergyRecord record>
PoolNeeds energy_needs(const Node* parameters, Diagnostics& diagnostics) {
  const EnergyAwareParameters read_in = read_parameters(record(), parameters, diagnostics);
  return {true, true, PoolNeeds::Belief{read_in.energy_model, read_in.profile_batch}, false};
}

template <EnergyRecord record, EnergyMaker maker>
std::unique_ptr<PoolRouter> energy_router(const Node* parameters, const PoolChoice& choice, Diagnostics& diagnostics) {
  const EnergyAwareParameters read_in = read_parameters(record(), parameters, diagnostics);
  const std::size_t faults = diagnostics.count();
  check_energy_aware(read_in, choice, place_of(parameters), diagnostics);
  return diagnostics.count() == faults ? maker(read_in, choice) : nullptr;
}

std::unique_ptr<PoolRouter> energy_optimal(const Node* parameters, const PoolChoice& choice, Diagnostics& diagnostics) {
  if (choice.closed_loop) {
    diagnostics.error(place_of(parameters),
                      "energy_optimal plans before the run, and the requests of traffic \"" + choice.traffic + "\" come when others complete",
                      "give the traffic arrivals of their own, or use \"energy_aware\"");
    return nullptr;
  }
  return energy_router<energy_optimal_record, make_energy_optimal>(parameters, choice, diagnostics);
}

PoolNeeds carbon_aware_needs(const Node* parameters, Diagnostics& diagnostics) {
  const CarbonAwareParameters read_in = read_parameters(carbon_aware_record(), parameters, diagnostics);
  return {true, false, PoolNeeds::Belief{read_in.energy_model, read_in.profile_batch}, false};
}

std::unique_ptr<PoolRouter> carbon_aware(const Node* parameters, const PoolChoice& choice, Diagnostics& diagnostics) {
  const CarbonAwareParameters read_in = read_parameters(carbon_aware_record(), parameters, diagnostics);
  const std::size_t faults = diagnostics.count();
  check_carbon_aware(read_in, choice, place_of(parameters), diagnostics);
  return diagnostics.count() == faults ? make_carbon_aware(read_in, choice) : nullptr;
}

PoolNeeds slo_energy_needs(const Node* parameters, Diagnostics& diagnostics) {
  read_parameters(slo_energy_record(), parameters, diagnostics);
  return {true, false, std::nullopt, true};
}

std::unique_ptr<PoolRouter> slo_energy(const Node* parameters, const PoolChoice& choice, Diagnostics& diagnostics) {
  const SloEnergyParameters read_in = read_parameters(slo_energy_record(), parameters, diagnostics);
  const std::size_t faults = diagnostics.count();
  check_slo_energy(read_in, choice, place_of(parameters), diagnostics);
  return diagnostics.count() == faults ? make_slo_energy(read_in, choice) : nullptr;
}

PoolNeeds length_threshold_needs(const Node* parameters, Diagnostics& diagnostics) {
  const LengthThresholdParameters read_in = read_parameters(length_threshold_record(), parameters, diagnostics);
  return {read_in.of != LengthThresholdParameters::Of::input, false, std::nullopt, false};
}

std::unique_ptr<PoolRouter> length_threshold(const Node* parameters, const PoolChoice& choice, Diagnostics& diagnostics) {
  const std::size_t faults = diagnostics.count();
  auto made = make_length_threshold(read_parameters(length_threshold_record(), parameters, diagnostics), choice, place_of(parameters), diagnostics);
  return diagnostics.count() == faults ? std::move(made) : nullptr;
}

template <class Policy>
std::vector<std::string> names(const std::vector<Policy>& policies) {
  std::vector<std::string> all;
  for (const Policy& policy : policies) all.push_back(policy.name);
  return all;
}

}  // namespace

const std::vector<ReplicaPolicy>& replica_policies() {
  static const std::vector<ReplicaPolicy> policies = {
      {"join_shortest_queue",
       "the replica with the fewest prompt tokens still to be computed; among equals the fewest outstanding requests, then the lowest index",
       {},
       false,
       plain<make_join_shortest_queue>},
      {"least_outstanding",
       "the replica with the fewest waiting and running requests; the lowest index among equals",
       {},
       false,
       plain<make_least_outstanding>},
      {"power_of_two", "the less loaded of two replicas drawn at random; the lower index if equal", {}, false, plain<make_power_of_two>},
      {"prefix_affinity",
       "the replica that last got the longest prefix of the prompt, or its conversation; by hash where none did; within a bound on load",
       prefix_affinity_record().describe(), true, prefix_affinity},
      {"random", "a replica drawn at random, whatever the load", {}, false, plain<make_random>},
      {"round_robin", "the replicas in turn, whatever their load", {}, false, plain<make_round_robin>},
  };
  static const std::vector<ReplicaPolicy> all = with_own(policies, own_policies().replica);
  return all;
}

const std::vector<PoolPolicy>& pool_policies() {
  static const std::vector<PoolPolicy> policies = {
      {"carbon_aware", "the pool with the least believed grams of CO2e, by its site's intensity at this instant, within bounds on load and distance",
       carbon_aware_record().describe(), carbon_aware_needs, carbon_aware},
      {"energy_aware", "the pool with the least zeta x energy - (1 - zeta) x accuracy, both as believed, and little waiting",
       energy_aware_record().describe(), energy_needs<energy_aware_record>, energy_router<energy_aware_record, make_energy_aware>},
      {"energy_optimal",
       "offline: the pools that give the whole traffic the least zeta x energy - (1 - zeta) x accuracy, told of all requests before the run",
       energy_optimal_record().describe(), energy_needs<energy_optimal_record>, energy_optimal},
      {"least_outstanding",
       "the pool with the fewest waiting and running requests a replica; the first among equals",
       {},
       needs_nothing,
       plain_pool<make_least_outstanding_pool>},
      {"length_threshold", "one model for short requests, another for long ones", length_threshold_record().describe(), length_threshold_needs,
       length_threshold},
      {"random", "a pool drawn at random, whatever its size and load", {}, needs_nothing, plain_pool<make_random_pool>},
      {"round_robin", "the pools in turn, whatever their size and load", {}, needs_nothing, plain_pool<make_round_robin_pool>},
      {"slo_energy", "of the pools that are believed to hold TTFT and TPOT the one to whose energy the request adds least",
       slo_energy_record().describe(), slo_energy_needs, slo_energy},
  };
  static const std::vector<PoolPolicy> all = with_own(policies, own_policies().pool);
  return all;
}

const ReplicaPolicy* find_replica_policy(std::string_view name) { return find_by_name(replica_policies(), name); }
const PoolPolicy* find_pool_policy(std::string_view name) { return find_by_name(pool_policies(), name); }
std::vector<std::string> replica_policy_names() { return names(replica_policies()); }
std::vector<std::string> pool_policy_names() { return names(pool_policies()); }

}  // namespace joulecast::policy
