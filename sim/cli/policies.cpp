#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/parameter_text.hpp"
#include "policy/clock_registry.hpp"
#include "policy/control_registry.hpp"
#include "policy/registry.hpp"

namespace joulecast::cli {
namespace {

constexpr const char* kPool = "a pool, and so a model, for each request";
constexpr const char* kReplica = "a replica for each request";
constexpr const char* kPoolClocks = "the clocks of a pool's replicas";
constexpr const char* kPower = "limits that hold the power of a feed or a site";
constexpr const char* kScaling = "which replicas have their model loaded";
constexpr const char* kClocks = "the clocks of a job's operations";

template <class Policy>
void add_json(nlohmann::ordered_json& rows, const std::vector<Policy>& policies, const char* key, const char* chooses) {
  for (const Policy& entry : policies) {
    nlohmann::ordered_json row = {{"name", entry.name}, {"key", key}, {"chooses", chooses}, {"text", entry.text}};
    for (const config::Parameter& p : entry.parameters) row["parameters"].push_back(parameter_json(p));
    rows.push_back(std::move(row));
  }
}

template <class Policy>
void print(const std::vector<Policy>& policies, const char* key, const char* chooses, Console& console) {
  using report::Ink;
  console.print(console.inked(Ink::heading, key) + console.inked(Ink::dim, fmt::format("  chooses {}", chooses)) + "\n");
  for (const Policy& entry : policies) {
    console.print(fmt::format("  {}\n{}", console.inked(Ink::heading, entry.name), wrapped(entry.text, console.width(), 6)));
    for (const config::Parameter& p : entry.parameters) print_parameter(p, 6, console);
  }
}

}  // namespace

int policies(const PoliciesArguments& arguments, Console& console) {
  if (arguments.json) {
    nlohmann::ordered_json out = {{"schema", 1}};
    out["policies"] = nlohmann::ordered_json::array();
    add_json(out["policies"], policy::pool_policies(), "router.pool", kPool);
    add_json(out["policies"], policy::replica_policies(), "router.replica", kReplica);
    add_json(out["policies"], policy::clock_controls(), "pool.sm_clock", kPoolClocks);
    add_json(out["policies"], policy::scaling_controls(), "pool.scaling", kScaling);
    add_json(out["policies"], policy::power_controls(), "feed.policy", kPower);
    add_json(out["policies"], policy::clock_policies(), "training.sm_clock", kClocks);
    console.print(out.dump(2) + "\n");
    return kDone;
  }
  print(policy::pool_policies(), "[router] pool", kPool, console);
  console.print("\n");
  print(policy::replica_policies(), "[router] replica", kReplica, console);
  console.print("\n");
  print(policy::clock_controls(), "[pool.NAME] sm_clock", kPoolClocks, console);
  console.print("\n");
  print(policy::scaling_controls(), "[pool.NAME] scaling", kScaling, console);
  console.print("\n");
  print(policy::power_controls(), "[feed.NAME] policy, [site.NAME] power_policy", kPower, console);
  console.print("\n");
  print(policy::clock_policies(), "[training.NAME] sm_clock", kClocks, console);
  console.print("\nWith parameters, a policy is a table of its own: [policy.NAME] with use = \"...\", and replica, pool or sm_clock = \"NAME\".\n");
  return kDone;
}

}  // namespace joulecast::cli
