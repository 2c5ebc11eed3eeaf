#include <fmt/format.h>

#include <algorithm>

#include "policy/registry.hpp"
#include "scenario/beliefs.hpp"
#include "scenario/pool_choice.hpp"
#include "scenario/resolver.hpp"
#include "scenario/toml_writer.hpp"

namespace joulecast::scenario {

/// Gets the policy that chooses pools what it needs, and lets it check each traffic's choice.
void Resolver::pool_choice() {
  const policy::PoolPolicy& policy = *policy::find_pool_policy(scenario_.pool_policy);
  config::Node& parameters = scenario_.pool_policy_parameters;
  const policy::PoolNeeds needs = policy.needs(&parameters, diagnostics_);
  bool any = false;
  for (Traffic& traffic : scenario_.traffics) any |= traffic.chooses_pool = traffic.pools.size() > 1;
  if (diagnostics_.failed()) return;
  if (!any) {
    scenario_.notes.push_back(fmt::format("[router] pool = \"{}\" has nothing to choose: no traffic has more than one pool", policy.name));
    return;
  }
  if (!pool_needs_met(needs, policy.name, parameters.place())) return;
  if (needs.service) profile_service();
  if (needs.belief) believe(*needs.belief, parameters.place());
  if (diagnostics_.failed()) return;
  for (const Traffic& traffic : scenario_.traffics) {
    if (traffic.chooses_pool) policy.make(&parameters, scenario::pool_choice(scenario_, traffic), diagnostics_);
  }
}

/// Predictions, accuracies and lengths of the traffics that have a choice.
bool Resolver::pool_needs_met(const policy::PoolNeeds& needs, const std::string& policy, const Place& place) {
  std::vector<std::string> told;
  for (Traffic& traffic : scenario_.traffics) {
    if (!traffic.chooses_pool) continue;
    if (needs.output_length && !traffic.length_prediction) {
      diagnostics_.error(find(file_.traffic, traffic.name)->place,
                         fmt::format("policy \"{}\" needs a prediction of output lengths, and traffic \"{}\" states none", policy, traffic.name),
                         "add length_prediction = \"oracle\", \"mean\" or { relative_error = \"40 %\" }; there is no default");
    } else if (needs.output_length) {
      scenario_.notes.push_back(
          fmt::format("traffic \"{}\": {} is told output lengths by the prediction \"{}\"", traffic.name, policy, traffic.length_prediction->text()));
    }
    for (const std::size_t index : traffic.pools) {
      const Pool& pool = scenario_.pools[index];
      if ((needs.belief || needs.service) && pool.engine.kv_role == serving::KvRole::producer) {
        diagnostics_.error(place,
                           fmt::format("policy \"{}\" believes what whole requests take, and pool \"{}\" computes prompts alone", policy, pool.name),
                           "choose another policy for the pool, or leave role out of the pools that it chooses among");
      }
      if (!needs.accuracy || pool.accuracy || std::find(told.begin(), told.end(), pool.model_name) != told.end()) continue;
      told.push_back(pool.model_name);
      diagnostics_.error(
          place, fmt::format("policy \"{}\" needs the accuracy of model \"{}\", which states none", policy, pool.model_name),
          fmt::format("add accuracy = {{ value = 0.7, per = \"request\", source = \"..\" }} to [model.{}]", config::key_text(pool.model_name)));
    }
    if (needs.belief || needs.service || needs.output_length) collecting([&] { traffic.length_facts = length_facts(traffic); });
  }
  return !diagnostics_.failed();
}

/// Gives each pool among which somebody chooses what is believed of its steps.
void Resolver::profile_service() {
  for (const Traffic& traffic : scenario_.traffics) {
    if (!traffic.chooses_pool) continue;
    for (const std::size_t index : traffic.pools) {
      Pool& pool = scenario_.pools[index];
      if (pool.service) continue;
      const std::int64_t longest = traffic.length_facts->range.most_input + traffic.length_facts->range.most_output;
      if (!collecting([&] { pool.service = profiled_service(scenario_, pool, longest); })) continue;
      scenario_.notes.push_back(
          fmt::format("pool \"{}\": seconds of a decode step profiled on a replica, {:.1f} % off the sweep", pool.name, 100 * pool.service->error));
    }
  }
}

/// Gives each pool among which somebody chooses what is believed of its energy.
void Resolver::believe(const policy::PoolNeeds::Belief& wanted, const Place& place) {
  std::optional<control::TokenRange> lengths;
  std::vector<std::size_t> pools;
  for (const Traffic& traffic : scenario_.traffics) {
    if (!traffic.chooses_pool) continue;
    lengths = lengths ? lengths->with(traffic.length_facts->range) : traffic.length_facts->range;
    pools.insert(pools.end(), traffic.pools.begin(), traffic.pools.end());
  }
  std::sort(pools.begin(), pools.end());
  pools.erase(std::unique(pools.begin(), pools.end()), pools.end());
  std::string path;
  if (wanted.energy_model != "fitted") {
    if (!collecting([&] { path = belief_path(share_, wanted.energy_model, place); })) return;
    scenario_.inputs.push_back(path);
    if (wanted.energy_model.ends_with(".toml")) {
      *scenario_.pool_policy_parameters.as<config::Table>()->find("energy_model")->as<std::string>() = absolute(path);
    }
  }
  for (const std::size_t index : pools) {
    Pool& pool = scenario_.pools[index];
    std::vector<std::string> names{pool.model.name};
    names.insert(names.end(), pool.model.aliases.begin(), pool.model.aliases.end());
    collecting([&] {
      pool.belief = path.empty() ? fitted_belief(scenario_, pool, wanted.profile_batch, *lengths) : control::read_energy_belief(path, names, place);
    });
    if (!pool.belief || !pool.belief->fit_error || !pool.belief->worst_error) continue;
    scenario_.notes.push_back(fmt::format("pool \"{}\": joules a request {}, {:.1f} % off the sweep (worst {:.0f} %), for {}", pool.name,
                                          path.empty() ? pool.belief->source : "of \"" + pool.belief->source + "\"", 100 * *pool.belief->fit_error,
                                          100 * *pool.belief->worst_error, pool.belief->range.text()));
  }
}

}  // namespace joulecast::scenario
