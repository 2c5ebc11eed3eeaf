// Registered clock policies: names in order, parameters read, faults named.
#include <algorithm>
#include <catch2/catch.hpp>

#include "policy/clock_registry.hpp"
#include "unit/policy/clocks/pipelines.hpp"

using namespace joulecast;
using namespace joulecast::policy;

namespace {

/// Faults of making a policy from TOML.
std::size_t faults(const std::string& name, const std::string& toml) {
  const config::Node parameters = config::parse_text(toml, "policy.toml");
  config::Diagnostics diagnostics;
  const auto planner = find_clock_policy(name)->make(&parameters, diagnostics);
  if (!diagnostics.failed()) CHECK(planner != nullptr);
  return diagnostics.count();
}

}  // namespace

TEST_CASE("policies are listed in alphabetical order and found by name") {
  const std::vector<std::string> names = clock_policy_names();
  CHECK(names == std::vector<std::string>{"envpipe", "kernel_dvfs", "max_clock", "pipeline_slack", "power_limit", "static_clock"});
  for (const std::string& name : names) CHECK(find_clock_policy(name)->name == name);
  CHECK(find_clock_policy("fastest") == nullptr);
}

TEST_CASE("parameters are read, and faults are named") {
  CHECK(faults("pipeline_slack", "use = \"pipeline_slack\"\nmax_slowdown_factor = 1.1\ndeadline_from = \"shortest_points\"\n") == 0);
  CHECK(faults("pipeline_slack", "max_slowdown_factor = 0.9\n") == 1);
  CHECK(faults("pipeline_slack", "deadline = 3\n") == 1);
  CHECK(faults("envpipe", "use = \"envpipe\"\n") == 0);
  CHECK(faults("envpipe", "clock = \"1410 MHz\"\n") == 1);
  CHECK(faults("power_limit", "") == 1);
  CHECK(faults("power_limit", "limits = []\n") == 1);
  CHECK(faults("power_limit", "limits = [\"300 W\", \"250 W\"]\nselector = \"cost\"\neta_knob = 0.7\n") == 0);
  CHECK(faults("power_limit", "limits = [\"0 W\"]\n") == 1);
  CHECK(faults("static_clock", "clock = \"1200 MHz\"\n") == 0);
  CHECK(faults("kernel_dvfs", "goal = \"edp\"\n") == 0);
  CHECK(faults("kernel_dvfs", "goal = \"fast\"\n") == 1);
}

TEST_CASE("every policy plans without parameters that it does not need") {
  const training::Iteration iteration = test::random_pipeline(1, 3, 4, 4);
  const FixedTime highest = training::replay(iteration, {}).makespan;
  for (const ClockPolicy& each : clock_policies()) {
    if (std::any_of(each.parameters.begin(), each.parameters.end(), [](const auto& parameter) { return parameter.required; })) continue;
    CAPTURE(each.name);
    config::Diagnostics diagnostics;
    const auto planner = each.make(nullptr, diagnostics);
    REQUIRE(planner);
    CHECK(training::replay(iteration, planner->plan(iteration, highest).plan).makespan <= highest);
  }
}
