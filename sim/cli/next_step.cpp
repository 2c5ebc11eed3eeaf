#include "cli/next_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/shell_word.hpp"
#include "cli/scenario_input.hpp"

namespace joulecast::cli {
namespace {

bool missed_slo(const scenario::Result& result) {
  return std::any_of(result.traffics.begin(), result.traffics.end(),
                     [](const scenario::TrafficResult& t) { return t.slo_attainment && t.slo_target && *t.slo_attainment < *t.slo_target; });
}

/// A clock near seven tenths of the highest, below which most GPUs' voltage no longer falls; nothing where the profile has none.
std::string lower_clock(const hardware::GpuProfile& gpu) {
  const auto clocks = gpu.clock_list();
  const auto above = std::find_if(clocks.begin(), clocks.end(), [&](Hertz f) { return f.si() >= 0.7 * gpu.clocks.highest.value.si(); });
  return above == clocks.end() ? "" : fmt::format("{:.0f} MHz", above->si() * 1e-6);
}

}  // namespace

std::string next_command(const scenario::Scenario& scenario, const scenario::Result& result, const ScenarioArguments& arguments) {
  const std::string command = "joulecast run " + repeated(arguments);
  if (scenario.pools.empty()) return command + (scenario.jobs.empty() ? " --requests" : " --timeline");
  const scenario::Pool& pool = scenario.pools.front();
  if (missed_slo(result)) return command + fmt::format(" --set pool.{}.replicas={}", pool.name, pool.replicas + 1);
  const std::string clock = lower_clock(scenario.clusters[pool.cluster].gpu);
  if (pool.decode_clock || clock.empty()) return command + " --requests";
  return command + " --set " + shell_word(fmt::format("pool.{}.sm_clock=\"{}\"", pool.name, clock));
}

}  // namespace joulecast::cli
