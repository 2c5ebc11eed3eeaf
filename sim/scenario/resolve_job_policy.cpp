#include <fmt/format.h>

#include "policy/clock_registry.hpp"
#include "scenario/resolver.hpp"
#include "traces/grid/zone.hpp"

namespace joulecast::scenario {

/// When the job begins, counted from the run's start.
void Resolver::job_start(TrainingJob& job, const TrainingTable& table) {
  if (!table.start.date) {
    job.start = Time{span_from_seconds(table.start.after.si()).ns};
    return;
  }
  const config::DateTime& date = *table.start.date;
  if (!scenario_.start) {
    if (!file_.time.start) {
      diagnostics_.error(table.start.place, fmt::format("job \"{}\" begins at a date, and the run has no start", job.name),
                         "add start = 2026-03-02T00:00:00+01:00, the date and time at which the run begins, to [time]");
    }
    return;
  }
  std::int64_t ns = local_ns(date) - std::int64_t{date.offset_minutes} * 60'000'000'000;
  if (!date.has_offset) {
    const Site& site = scenario_.sites[scenario_.clusters[job.cluster].site];
    if (site.timezone.empty()) {
      diagnostics_.error(table.start.place, "the job's start has no offset, and its site has no timezone",
                         "write 2026-03-02T22:00:00+01:00, or add timezone = \"Europe/Berlin\" to the site");
      return;
    }
    ns = traces::Zone::find(site.timezone, table.start.place).moment(local_ns(date)).first;
  }
  if (ns < scenario_.start->ns) {
    diagnostics_.error(table.start.place, fmt::format("job \"{}\" begins before the run", job.name),
                       fmt::format("the run begins at {}", scenario_.start->text()));
    return;
  }
  job.start = Time{ns - scenario_.start->ns};
}

/// A lock that the GPU has, or a registered policy with its parameters.
void Resolver::job_clock(TrainingJob& job, const TrainingTable& table, const hardware::GpuProfile& gpu) {
  const Place& place = table.sm_clock.place;
  if (table.sm_clock.lock) {
    const std::vector<Hertz> clocks = gpu.clock_list();
    if (table.stage_profile) {
      diagnostics_.error(place, "a stage profile has its own clocks", "write sm_clock = \"auto\", or a policy such as static_clock");
    } else if (*table.sm_clock.lock < clocks.front() || *table.sm_clock.lock > clocks.back()) {
      diagnostics_.error(place, fmt::format("{:g} MHz is no clock of {}", table.sm_clock.lock->si() * 1e-6, gpu.name),
                         fmt::format("choose from {:g} to {:g} MHz", clocks.front().si() * 1e-6, clocks.back().si() * 1e-6));
    }
    job.clock = table.sm_clock.lock;
    return;
  }
  const std::string& name = table.sm_clock.policy;
  if (name.empty()) return;
  job.clock_policy = job.clock_policy_name = name;
  config::Table parameters;
  for (const auto& [key, node] : file_.policy) {
    const config::Node* use = node.as<config::Table>()->find("use");
    if (key != name || use == nullptr || use->as<std::string>() == nullptr) continue;
    job.clock_policy = *use->as<std::string>();
    for (const auto& entry : node.as<config::Table>()->entries) {
      if (entry.key != "use") parameters.entries.push_back({entry.key, entry.place, std::make_unique<config::Node>(*entry.value)});
    }
  }
  job.clock_policy_parameters = config::Node(std::move(parameters), place);
  if (const policy::ClockPolicy* policy = policy::find_clock_policy(job.clock_policy)) {
    policy->make(&job.clock_policy_parameters, diagnostics_);
    return;
  }
  std::vector<std::string> known = policy::clock_policy_names();
  for (const auto& each : file_.policy) known.push_back(each.first);
  const std::string near = config::nearest(job.clock_policy, known);
  diagnostics_.error(place, fmt::format("there is no policy \"{}\" that plans a job's clocks", job.clock_policy),
                     (near.empty() ? "" : "did you mean \"" + near + "\"? ") + "`joulecast policies` lists them");
}

}  // namespace joulecast::scenario
