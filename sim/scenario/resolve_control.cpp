#include <fmt/format.h>

#include <algorithm>

#include "policy/clock_registry.hpp"
#include "policy/control_registry.hpp"
#include "scenario/control_facts.hpp"
#include "scenario/resolver.hpp"
#include "serving/cost/pool_costs.hpp"

namespace joulecast::scenario {

namespace {

template <class Control>
std::vector<std::string> names(const std::vector<Control>& controls) {
  std::vector<std::string> all;
  for (const Control& control : controls) all.push_back(control.name);
  return all;
}

}  // namespace

PolicyUse Resolver::policy_use(const std::string& name, const Place& place) const {
  config::Table parameters;
  for (const auto& [key, node] : file_.policy) {
    if (key != name) continue;
    const auto* entries = node.as<config::Table>();
    const config::Node* use = entries->find("use");
    if (use == nullptr || use->as<std::string>() == nullptr) break;
    for (const auto& entry : entries->entries) {
      if (entry.key != "use") parameters.entries.push_back({entry.key, entry.place, std::make_unique<config::Node>(*entry.value)});
    }
    return {*use->as<std::string>(), config::Node(std::move(parameters), use->place())};
  }
  return {name, config::Node(std::move(parameters), place)};
}

void Resolver::unknown_policy(const PolicyUse& policy, std::vector<std::string> known, const char* what) {
  for (const auto& each : file_.policy) known.push_back(each.first);
  const std::string near = config::nearest(policy.use, known);
  diagnostics_.error(policy.parameters.place(), fmt::format("there is no policy \"{}\" that {}", policy.use, what),
                     (near.empty() ? "" : "did you mean \"" + near + "\"? ") + "`joulecast policies` lists them");
}

/// Who gives way first: what the pool says, else low where every traffic that it serves is.
void Resolver::pool_priority(std::size_t index) {
  Pool& pool = scenario_.pools[index];
  const PoolTable* table = find(file_.pool, pool.name);
  if (table->priority) {
    pool.priority = *table->priority;
    return;
  }
  bool any = false, all_low = true;
  for (const Traffic& traffic : scenario_.traffics) {
    if (!serves(traffic, index)) continue;
    any = true;
    all_low = all_low && traffic.priority == control::Priority::low;
  }
  if (any && all_low) pool.priority = control::Priority::low;
}

void Resolver::pool_clocks(std::size_t index) {
  Pool& pool = scenario_.pools[index];
  const PoolTable* table = find(file_.pool, pool.name);
  if (table->sm_clock.policy.empty()) return;
  PolicyUse use = policy_use(table->sm_clock.policy, table->place);
  const policy::ClockControl* policy = policy::find_clock_control(use.use);
  if (policy == nullptr) {
    if (policy::find_clock_policy(use.use) != nullptr) {
      diagnostics_.error(use.parameters.place(), fmt::format("policy \"{}\" plans the clocks of a training job, not of a pool", use.use),
                         "write sm_clock = \"phase_lock\" or \"slo_dvfs\"");
    } else {
      unknown_policy(use, names(policy::clock_controls()), "chooses a pool's clocks");
    }
    return;
  }
  control::ClockFacts facts = clock_facts(scenario_, index);
  if (policy->make(&use.parameters, facts, diagnostics_) == nullptr || diagnostics_.failed()) return;
  facts.belief = clock_belief(scenario_, index);
  const auto controller = policy->make(&use.parameters, facts, diagnostics_);
  pool.prefill_clock = controller->first().prefill;
  pool.decode_clock = controller->first().decode;
  serving::OperatingPoint point = serving::default_point(scenario_.clusters[pool.cluster].gpu);
  point.prefill_clock = *pool.prefill_clock;
  point.decode_clock = *pool.decode_clock;
  const Place place = use.parameters.place();
  collecting([&] { serving::check_point(scenario_.clusters[pool.cluster].gpu, point, place); });
  pool.clock_policy = std::move(use);
  pool.clock_facts = std::move(facts);
}

void Resolver::pool_scaling(std::size_t index) {
  Pool& pool = scenario_.pools[index];
  const PoolTable* table = find(file_.pool, pool.name);
  if (table->scaling.empty()) return;
  PolicyUse use = policy_use(table->scaling, table->place);
  const policy::ScalingControl* policy = policy::find_scaling_control(use.use);
  if (policy == nullptr) return unknown_policy(use, names(policy::scaling_controls()), "loads and unloads a pool's replicas");
  policy->make(&use.parameters, scaling_facts(scenario_, index), diagnostics_);
  if (pool.engine.kv_role != serving::KvRole::both) {
    diagnostics_.error(table->place,
                       fmt::format("pool \"{}\" hands KV to other replicas or gets it from them, which scaling can't handle yet", pool.name),
                       "leave scaling out, or role = \"both\"");
  }
  if (const auto* routing = policy::find_replica_policy(scenario_.replica_policy); routing != nullptr && routing->needs_prefixes) {
    diagnostics_.error(table->place,
                       fmt::format("policy \"{}\" remembers which replica has what, and scaling of pool \"{}\" makes replicas forget it",
                                   scenario_.replica_policy, pool.name),
                       "choose another replica policy in [router], such as least_outstanding, or leave scaling out");
  }
  pool.scaling = std::move(use);
}

void Resolver::power_policy(const std::string& name, const Place& place, std::size_t site, std::optional<std::size_t> feed,
                            std::optional<PolicyUse>& chosen) {
  if (name.empty()) return;
  PolicyUse use = policy_use(name, place);
  const policy::PowerControl* policy = policy::find_power_control(use.use);
  if (policy == nullptr) return unknown_policy(use, names(policy::power_controls()), "holds power");
  for (const TrainingJob& job : scenario_.jobs) {
    const Cluster& cluster = scenario_.clusters[job.cluster];
    if (feed ? cluster.feed != feed : cluster.site != site) continue;
    diagnostics_.error(place, fmt::format("policy \"{}\" can't hold the power of training jobs yet, and job \"{}\" runs there", use.use, job.name),
                       "let the job run on a cluster of another feed or site");
  }
  std::vector<std::size_t> pools;
  const control::PowerFacts facts = power_facts(scenario_, site, feed, pools);
  if (pools.empty()) {
    diagnostics_.error(place, fmt::format("policy \"{}\" of {} has no pool to hold", use.use, facts.place), "remove it, or put a cluster there");
    return;
  }
  collecting([&] { policy->make(&use.parameters, facts, diagnostics_); });
  chosen = std::move(use);
}

/// Everything that decides during the run, once pools, traffics and signals are known.
void Resolver::control() {
  if (diagnostics_.failed()) return;
  for (std::size_t p = 0; p < scenario_.pools.size(); ++p) {
    pool_priority(p);
    pool_clocks(p);
    pool_scaling(p);
  }
  for (std::size_t f = 0; f < scenario_.feeds.size(); ++f) {
    Feed& feed = scenario_.feeds[f];
    const FeedTable* table = find(file_.feed, feed.name);
    power_policy(table->policy, table->place, feed.site, f, feed.policy);
  }
  for (std::size_t s = 0; s < scenario_.sites.size(); ++s) {
    const SiteTable* table = find(file_.site, scenario_.sites[s].name);
    if (table != nullptr) power_policy(table->power_policy, table->place, s, std::nullopt, scenario_.sites[s].power_policy);
  }
  const bool held = std::any_of(scenario_.feeds.begin(), scenario_.feeds.end(), [](const Feed& feed) { return feed.policy.has_value(); }) ||
                    std::any_of(scenario_.sites.begin(), scenario_.sites.end(), [](const Site& site) { return site.power_policy.has_value(); });
  for (const Traffic& traffic : scenario_.traffics) {
    if (held || !traffic.priority) continue;
    scenario_.notes.push_back(fmt::format("traffic \"{}\": priority has no effect, no policy of this scenario uses it", traffic.name));
  }
}

}  // namespace joulecast::scenario
