#include "validation/kernel_dvfs.hpp"

#include <utility>

#include "policy/clocks/kernel_dvfs.hpp"

namespace joulecast::validation {
namespace {

using policy::KernelResult;
using policy::KernelSet;

constexpr const char* kSource = "arXiv 2601.08539";
constexpr const char* kDerived = "arXiv 2601.08539, derived";
/// A strict test needs this much slack: published times have four digits.
constexpr double kPublishedRounding = 1e-4;

std::optional<KernelTables> tables(const Sources& sources) {
  if (sources.data.empty()) return std::nullopt;
  return kernel_tables(sources.data + "/training/kernel-dvfs");
}

Comparison replay() {
  std::vector<Entry> entries = {
      {"training.kernel_dvfs.naive_1ms.time", "same plan, 1 ms a switch", kDerived, 15.4, "%", "0.1 points", Kind::derived},
      {"training.kernel_dvfs.naive_6ms.time", "same plan, 6 ms a switch", kDerived, 92.3, "%", "0.1 points", Kind::derived},
      {"training.kernel_dvfs.replay.energy", "published assignment replayed", kSource, -15.6375, "%", "0.0001 points", Kind::exact},
      {"training.kernel_dvfs.replay.switches", "clock changes an iteration", kDerived, 824, "changes", "0", Kind::derived},
      {"training.kernel_dvfs.replay.time", "published assignment replayed", kSource, 0.0006, "%", "0.0001 points", Kind::exact}};
  return {std::move(entries), [](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const auto found = tables(sources);
            if (!found) return std::nullopt;
            const KernelSet set = published_set(found->kernels);
            const policy::KernelPlan best(set.kernels.size(), 1);
            const auto charged = [&](double latency) { return measured(set, best, {Seconds(latency), Watts(0)}); };
            const KernelResult free = charged(0);
            return std::vector<Ours>{{100 * charged(1e-3).time_change},
                                     {100 * charged(6e-3).time_change},
                                     {100 * free.energy_change},
                                     {static_cast<double>(free.totals.changes)},
                                     {100 * free.time_change}};
          }};
}

/// Two "kernels", the passes, with every published pair: shares of an iteration's time and energy stand for seconds and joules.
KernelSet pass_set(const traces::PassTable& passes) {
  constexpr double kForwardTime = 0.33, kForwardEnergy = 0.325;
  KernelSet set;
  const auto pass = [&](const char* name, const std::vector<traces::PassRow>& rows, double time, double energy) {
    policy::Kernel kernel{name, 1, {{0, time, energy}}};
    for (const traces::PassRow& row : rows) {
      set.settings.push_back(traces::text(row.clocks));
      kernel.options.push_back({static_cast<std::int32_t>(set.settings.size()) - 1, time * (1 + row.time_change), energy * (1 + row.energy_change)});
    }
    set.kernels.push_back(std::move(kernel));
  };
  set.settings.push_back("baseline");
  pass("forward", passes.forward, kForwardTime, kForwardEnergy);
  pass("backward", passes.backward, 1 - kForwardTime, 1 - kForwardEnergy);
  return set;
}

Comparison pass_level() {
  const std::string source = "arXiv 2601.08539 table 2", words = "look-up, forward shares 0.33 time 0.325 energy";
  const auto entry = [&](const std::string& name, double expected) {
    return Entry{"training.kernel_dvfs.pass_level." + name + ".energy", words, source, expected, "%", "0.05 points", Kind::exact};
  };
  return {{entry("edp", -25.42), entry("global", -2.07), entry("local", -1.98)}, [](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const auto found = tables(sources);
            if (!found) return std::nullopt;
            const KernelSet set = pass_set(found->passes);
            return std::vector<Ours>{{100 * policy::plan_global_edp(set).energy_change},
                                     {100 * policy::plan_global(set, 0).energy_change},
                                     {100 * policy::plan_local(set, 0).energy_change}};
          }};
}

Comparison fitted() {
  const std::string words = "planned on surfaces fitted to the published data";
  const auto entry = [&](const std::string& name, double expected, const std::string& tolerance) {
    return Entry{"training.kernel_dvfs.fitted." + name + ".energy", words, kSource, expected, "%", tolerance, Kind::derived};
  };
  return {{entry("edp_global", -27.52, "3.5 points"), entry("global", -15.64, "2 points"), entry("local", -11.54, "2 points"),
           entry("relaxed_30", -34.3, "3 points")},
          [](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const auto found = tables(sources);
            if (!found) return std::nullopt;
            const KernelSet set = surface_set(fitted_surfaces(*found));
            return std::vector<Ours>{{100 * policy::plan_global_edp(set).energy_change},
                                     {100 * policy::plan_global(set, kPublishedRounding).energy_change},
                                     {100 * policy::plan_local(set, kPublishedRounding).energy_change},
                                     {100 * policy::plan_global(set, 0.3).energy_change}};
          }};
}

}  // namespace

std::vector<Comparison> kernel_dvfs() { return {fitted(), replay(), pass_level()}; }

}  // namespace joulecast::validation
