#include "scenario/resolved.hpp"

namespace joulecast::scenario {
namespace {

TomlWriter policy(const std::string& use, const config::Node& parameters) {
  TomlWriter writer;
  writer.text("use", use);
  for (const auto& entry : parameters.as<config::Table>()->entries) {
    config::Node copy = *entry.value;
    writer.put(entry.key, std::move(copy.value()));
  }
  return writer;
}

}  // namespace

void resolved_router(const Scenario& scenario, TomlWriter& root) {
  TomlWriter router, policies;
  if (!scenario.pool_policy.empty()) {
    router.text("pool", "pool");
    policies.table("pool", policy(scenario.pool_policy, scenario.pool_policy_parameters));
  }
  router.text("replica", "router");
  policies.table("router", policy(scenario.replica_policy, scenario.replica_policy_parameters));
  if (!scenario.decode_policy.empty()) {
    router.text("decode_replica", "decode_router");
    policies.table("decode_router", policy(scenario.decode_policy, scenario.decode_policy_parameters));
  }
  for (const TrainingJob& job : scenario.jobs) {
    if (!job.clock_policy.empty()) policies.table(resolved_clock_policy(job), policy(job.clock_policy, job.clock_policy_parameters));
  }
  resolved_control(scenario, policies);
  if (scenario.report_period) router.quantity("report_period", scenario.report_period->si(), "s");
  root.table("router", std::move(router)).table("policy", std::move(policies));
}

}  // namespace joulecast::scenario
