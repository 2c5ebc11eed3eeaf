#pragma once

#include "scenario/scenario.hpp"
#include "scenario/toml_writer.hpp"

namespace joulecast::scenario {

/// The tables of a resolved scenario, every default written out.
TomlWriter resolved_currency(const CurrencyTable& currency);
TomlWriter resolved_site(const Site& site);
TomlWriter resolved_feed(const Scenario& scenario, const Feed& feed);
TomlWriter resolved_cluster(const Scenario& scenario, const Cluster& cluster);
TomlWriter resolved_engine(const Pool& pool);
TomlWriter resolved_pool(const Scenario& scenario, const Pool& pool);
/// What a resolved scenario calls the policy of a job's clocks.
inline std::string resolved_clock_policy(const TrainingJob& job) { return "clock-" + job.name; }
TomlWriter resolved_job(const Scenario& scenario, const TrainingJob& job);
TomlWriter resolved_traffic(const Traffic& traffic);
/// Whether a pool's model is more than the id of a shipped architecture.
bool has_model_table(const Pool& pool);
TomlWriter resolved_model(const Pool& pool);
/// Adds `policies`' table of a name.
void put_policy(TomlWriter& policies, const std::string& name, const std::string& use, const config::Node& parameters);
/// The policies of clocks, scaling and power.
void resolved_control(const Scenario& scenario, TomlWriter& policies);
/// Adds the tables `router` and `policy`.
void resolved_router(const Scenario& scenario, TomlWriter& root);

}  // namespace joulecast::scenario
