#include "policy/clock_registry.hpp"

#include <optional>
#include <utility>

#include "policy/clocks/envpipe.hpp"
#include "policy/clocks/fixed_clock.hpp"
#include "policy/clocks/kernel_planner.hpp"
#include "policy/clocks/pipeline_slack.hpp"
#include "policy/clocks/power_limit.hpp"
#include "policy/own_policies.hpp"
#include "policy/parameters.hpp"

namespace joulecast::policy {
namespace {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;
using training::ClockPlanner;

struct Nothing {};
Record<Nothing> no_parameters(const char* name) { return Record<Nothing>(std::string("policy ") + name); }

std::unique_ptr<ClockPlanner> envpipe(const Node* parameters, Diagnostics& diagnostics) {
  read_parameters(no_parameters("envpipe"), parameters, diagnostics);
  return std::make_unique<EnvPipe>();
}

Record<KernelDvfsOptions> kernel_dvfs_record() {
  using Goal = KernelDvfsOptions::Goal;
  Record<KernelDvfsOptions> record("policy kernel_dvfs");
  record
      .choice("goal", &KernelDvfsOptions::goal, {{"local", Goal::local}, {"global", Goal::global}, {"edp", Goal::edp}}, "\"global\"",
              "least energy with each kind within the tolerance, with all together within it, or the least energy-delay product")
      .optional("tolerance", &KernelDvfsOptions::tolerance, "0.0", Bounds::between(0, 10), "slowdown allowed: 0.01 is 1 %; not for edp");
  return record;
}

std::unique_ptr<ClockPlanner> kernel_dvfs(const Node* parameters, Diagnostics& diagnostics) {
  return std::make_unique<KernelDvfs>(read_parameters(kernel_dvfs_record(), parameters, diagnostics));
}

std::unique_ptr<ClockPlanner> max_clock(const Node* parameters, Diagnostics& diagnostics) {
  read_parameters(no_parameters("max_clock"), parameters, diagnostics);
  return std::make_unique<MaxClock>();
}

Record<SlackOptions> pipeline_slack_record() {
  Record<SlackOptions> record("policy pipeline_slack");
  record
      .optional("max_slowdown_factor", &SlackOptions::max_slowdown_factor, "1.0", Bounds::between(1, 10),
                "the deadline is this many times the makespan that it is counted from")
      .choice("deadline_from", &SlackOptions::deadline_from,
              {{"highest_clocks", DeadlineFrom::highest_clocks}, {"shortest_points", DeadlineFrom::shortest_points}}, "\"highest_clocks\"",
              "the makespan with all operations at their highest clocks, or at their shortest points: the fastest possible");
  return record;
}

std::unique_ptr<ClockPlanner> pipeline_slack(const Node* parameters, Diagnostics& diagnostics) {
  return std::make_unique<PipelineSlack>(read_parameters(pipeline_slack_record(), parameters, diagnostics));
}

Record<PowerLimitOptions> power_limit_record() {
  using Selector = PowerLimitOptions::Selector;
  Record<PowerLimitOptions> record("policy power_limit");
  record.required("limits", &PowerLimitOptions::limits, Bounds::positive(), "power limits of one GPU to choose among")
      .choice("selector", &PowerLimitOptions::selector,
              {{"energy", Selector::energy}, {"time", Selector::time}, {"cost", Selector::cost}, {"max_slowdown", Selector::max_slowdown}},
              "\"energy\"",
              "least energy, least time, least eta_knob*energy + (1 - eta_knob)*highest limit*time, or the lowest limit within max_slowdown_factor")
      .optional("eta_knob", &PowerLimitOptions::eta_knob, "0.5", Bounds::between(0, 1), "weight of energy against time, for cost")
      .optional("max_slowdown_factor", &PowerLimitOptions::max_slowdown_factor, "1.0", Bounds::between(1, 10),
                "time allowed, relative to the highest limit's, for max_slowdown")
      .check([](const PowerLimitOptions& options, const Place& place, Diagnostics& diagnostics) {
        if (options.limits.empty()) diagnostics.error(place, "no power limit to choose from", "write limits = [\"300 W\", \"250 W\"]");
      });
  return record;
}

std::unique_ptr<ClockPlanner> power_limit(const Node* parameters, Diagnostics& diagnostics) {
  PowerLimitOptions options = read_parameters(power_limit_record(), parameters, diagnostics);
  if (options.limits.empty()) return nullptr;  // reported
  return std::make_unique<PowerLimit>(std::move(options));
}

struct StaticClockOptions {
  std::optional<Hertz> clock;
};

Record<StaticClockOptions> static_clock_record() {
  Record<StaticClockOptions> record("policy static_clock");
  record.optional("clock", &StaticClockOptions::clock, "", Bounds::positive(),
                  "one clock for all operations; without it, the one of least energy that keeps the time at highest clocks");
  return record;
}

std::unique_ptr<ClockPlanner> static_clock(const Node* parameters, Diagnostics& diagnostics) {
  return std::make_unique<StaticClock>(read_parameters(static_clock_record(), parameters, diagnostics).clock);
}

}  // namespace

const std::vector<ClockPolicy>& clock_policies() {
  static const std::vector<ClockPolicy> policies = {
      {"envpipe",
       "the outer envelope of the pipeline at its highest clocks, the rest at the clock of least energy, raised until the time is kept",
       {},
       envpipe},
      {"kernel_dvfs", "a clock for each kind of operation of a stage, by an exact knapsack over their times and energies",
       kernel_dvfs_record().describe(), kernel_dvfs},
      {"max_clock", "every operation at its highest clock", {}, max_clock},
      {"pipeline_slack", "operations off the critical path slowed down until nobody waits, by a linear program; states the bound",
       pipeline_slack_record().describe(), pipeline_slack},
      {"power_limit", "one power limit for all GPUs, chosen as Zeus does", power_limit_record().describe(), power_limit},
      {"static_clock", "one clock for all operations", static_clock_record().describe(), static_clock},
  };
  static const std::vector<ClockPolicy> all = with_own(policies, own_policies().job_clock);
  return all;
}

const ClockPolicy* find_clock_policy(std::string_view name) {
  for (const ClockPolicy& policy : clock_policies()) {
    if (policy.name == name) return &policy;
  }
  return nullptr;
}

std::vector<std::string> clock_policy_names() {
  std::vector<std::string> names;
  for (const ClockPolicy& policy : clock_policies()) names.push_back(policy.name);
  return names;
}

}  // namespace joulecast::policy
