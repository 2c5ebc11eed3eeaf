#include "scenario/resolved.hpp"

namespace joulecast::scenario {
void resolved_router(const Scenario& scenario, TomlWriter& root) {
  TomlWriter router, policies;
  if (!scenario.pool_policy.empty()) {
    router.text("pool", "pool");
    put_policy(policies, "pool", scenario.pool_policy, scenario.pool_policy_parameters);
  }
  router.text("replica", "router");
  put_policy(policies, "router", scenario.replica_policy, scenario.replica_policy_parameters);
  if (!scenario.decode_policy.empty()) {
    router.text("decode_replica", "decode_router");
    put_policy(policies, "decode_router", scenario.decode_policy, scenario.decode_policy_parameters);
  }
  for (const TrainingJob& job : scenario.jobs) {
    if (!job.clock_policy.empty()) put_policy(policies, resolved_clock_policy(job), job.clock_policy, job.clock_policy_parameters);
  }
  resolved_control(scenario, policies);
  if (scenario.report_period) router.quantity("report_period", scenario.report_period->si(), "s");
  root.table("router", std::move(router)).table("policy", std::move(policies));
}

}  // namespace joulecast::scenario
