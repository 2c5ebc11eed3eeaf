#include "scenario/resolver.hpp"

#include <algorithm>

#include "policy/registry.hpp"

namespace joulecast::scenario {

Scenario Resolver::resolve() {
  scenario_.name = file_.name;
  scenario_.seed = static_cast<std::uint64_t>(file_.seed);
  site();
  clusters();
  for (const auto& [name, table] : file_.pool) pool(name, table);
  for (const auto& [name, table] : file_.traffic) traffic(name, table);
  router();
  time();
  currencies();
  if (file_.pool.empty()) diagnostics_.error({}, "the scenario has no pool", "add [pool.NAME] with node, model, tensor_parallel_size and replicas");
  return std::move(scenario_);
}

void Resolver::time() {
  const TimeTable& table = file_.time;
  const bool replays =
      std::any_of(scenario_.traffics.begin(), scenario_.traffics.end(), [](const Traffic& t) { return t.trace && !t.trace->repeat; });
  const bool counted = std::any_of(scenario_.traffics.begin(), scenario_.traffics.end(), [](const Traffic& t) { return t.num_requests.has_value(); });
  scenario_.at_end = replays || counted ? AtEnd::drain : AtEnd::cut;
  if (table.at_end) {
    if (*table.at_end != "cut" && *table.at_end != "drain") {
      diagnostics_.error(table.place, "at_end = \"" + *table.at_end + "\" is not known", "write \"cut\" or \"drain\"");
    }
    scenario_.at_end = *table.at_end == "cut" ? AtEnd::cut : AtEnd::drain;
  }
  scenario_.duration = table.duration;
  if (!table.duration && !replays && !counted) scenario_.duration = Seconds(3600);
  if (!scenario_.duration && scenario_.at_end == AtEnd::cut) {
    diagnostics_.error(table.place, "at_end = \"cut\" needs a duration here", "add duration = \"1 h\" to [time], or write at_end = \"drain\"");
  }
  scenario_.warmup = table.warmup;
  scenario_.bin = table.bin;
  if (scenario_.duration && scenario_.duration->si() / table.bin.si() > 5e7) {
    diagnostics_.error(table.place, "more than 50 million bins", "choose a wider bin or a shorter duration");
  }
  if (scenario_.duration && table.warmup >= *scenario_.duration) {
    diagnostics_.error(table.place, "the warmup is as long as the run", "make it shorter than the duration");
  }
}

void Resolver::site() {
  if (file_.site.size() > 1) {
    diagnostics_.error(file_.site[1].second.place, "more than one site is not yet supported", "keep one [site.NAME]");
  }
  if (file_.site.empty()) {
    diagnostics_.error({}, "the scenario has no site", "add [site.NAME] with pue = 1.25 (facility energy over IT energy); there is no default");
    return;
  }
  scenario_.site_name = file_.site.front().first;
  scenario_.site = file_.site.front().second;
}

void Resolver::currencies() {
  std::string first;
  const auto same = [&](const std::string& currency, const Place& place) {
    if (first.empty()) first = currency;
    if (currency != first) {
      diagnostics_.error(place, "costs are in " + first + " and in " + currency, "write all of them in one currency");
    }
  };
  if (scenario_.site.price) same(scenario_.site.price->currency, scenario_.site.place);
  for (const Cluster& cluster : scenario_.clusters) {
    if (cluster.cost.rental) same(cluster.cost.rental->currency, cluster.cost.place);
    if (cluster.cost.capital) same(cluster.cost.capital->currency, cluster.cost.place);
  }
}

void Resolver::router() {
  const RouterTable& table = file_.router;
  scenario_.report_period = table.report_period;
  scenario_.replica_policy = table.replica;
  config::Table parameters;
  Place place = table.place;
  for (const auto& [name, node] : file_.policy) {
    const auto* entries = node.as<config::Table>();
    const config::Node* use = entries->find("use");
    const auto* used = use == nullptr ? nullptr : use->as<std::string>();
    if (used == nullptr) {
      diagnostics_.error(node.place(), "[policy." + name + "] does not say which policy it uses",
                         "add use = \"round_robin\"; see `joulecast policies`");
      continue;
    }
    if (name != table.replica) continue;
    scenario_.replica_policy = *used;
    place = use->place();
    for (const auto& entry : entries->entries) {
      if (entry.key != "use") parameters.entries.push_back({entry.key, entry.place, std::make_unique<config::Node>(*entry.value)});
    }
  }
  scenario_.replica_policy_parameters = config::Node(std::move(parameters), place);
  if (const policy::RoutingPolicy* policy = policy::find_routing_policy(scenario_.replica_policy)) {
    policy->make(&scenario_.replica_policy_parameters, diagnostics_);
    return;
  }
  std::vector<std::string> known = policy::routing_policy_names();
  for (const auto& each : file_.policy) known.push_back(each.first);
  const std::string near = config::nearest(scenario_.replica_policy, known);
  diagnostics_.error(place, "there is no policy \"" + scenario_.replica_policy + "\" that chooses a replica",
                     (near.empty() ? "" : "did you mean \"" + near + "\"? ") + "`joulecast policies` lists them");
}

}  // namespace joulecast::scenario
