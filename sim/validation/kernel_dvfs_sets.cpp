#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "policy/clocks/kernel_switches.hpp"
#include "validation/kernel_dvfs.hpp"

namespace joulecast::validation {

std::optional<KernelTables> kernel_tables(const std::string& folder) {
  const std::string kernels = folder + "/kernels_rtx3080ti_gpt3xl.csv", passes = folder + "/pass_level_fig3_fig4.csv";
  if (!std::filesystem::exists(kernels) || !std::filesystem::exists(passes)) return std::nullopt;
  return KernelTables{traces::read_kernel_table(traces::TextLines(kernels)), traces::read_pass_table(traces::TextLines(passes))};
}

policy::KernelSet published_set(const std::vector<traces::KernelRow>& kernels) {
  policy::KernelSet set;
  set.settings.push_back(traces::text({}));
  for (const traces::KernelRow& row : kernels) {
    const std::string best = traces::text(row.best);
    auto setting = std::find(set.settings.begin(), set.settings.end(), best);
    if (setting == set.settings.end()) setting = set.settings.insert(set.settings.end(), best);
    policy::Kernel kernel{row.kernel, row.repeat, {{0, row.auto_time.si(), row.auto_energy.si()}}};
    kernel.options.push_back({static_cast<std::int32_t>(setting - set.settings.begin()), row.auto_time.si() * (1 + row.best_time_change),
                              row.auto_energy.si() * (1 + row.best_energy_change)});
    set.kernels.push_back(std::move(kernel));
  }
  return set;
}

policy::KernelSet surface_set(const calibration::KernelSurfaceFit& fit) {
  policy::KernelSet set;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // memory, core; auto first
  const auto& memories = fit.surfaces.memories();
  for (std::size_t memory = memories.size(); memory-- > 0;) {
    for (std::size_t core = fit.core_ghz.size(); core-- > 0;) {
      pairs.emplace_back(memory, core);
      traces::ClockPair clocks = memories[memory].clocks;
      if (core + 1 < fit.core_ghz.size()) clocks.core = Hertz(fit.core_ghz[core] * 1e9);
      set.settings.push_back(traces::text(clocks));
    }
  }
  for (std::size_t k = 0; k < fit.surfaces.kernels().size(); ++k) {
    const traces::KernelRow& row = fit.surfaces.kernels()[k];
    policy::Kernel kernel{row.kernel, row.repeat, {}};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto point = fit.surfaces.at(k, pairs[i].first, fit.core_ghz[pairs[i].second]);
      kernel.options.push_back({static_cast<std::int32_t>(i), point.seconds, point.joules});
    }
    set.kernels.push_back(std::move(kernel));
  }
  return set;
}

calibration::KernelSurfaceFit fitted_surfaces(const KernelTables& tables) {
  constexpr Hertz kLeastMemory(500e6);
  return calibration::fit_kernel_surfaces(tables.kernels, tables.passes, kLeastMemory);
}

LatencyCurve latency_curve(const calibration::KernelSurfaceFit& fit, double tolerance, const std::vector<Seconds>& latencies) {
  const policy::KernelSet set = surface_set(fit);
  const Watts waiting(fit.surfaces.memories().back().static_watts);
  return {latencies, policy::plan_with_switches(set, tolerance, latencies, waiting), policy::totals(set, {}).joules};
}

std::string latency_curve_csv(const LatencyCurve& curve) {
  std::string text = "latency_us,time_change_pct,energy_change_pct,bound_pct,clock_changes\n";
  for (std::size_t i = 0; i < curve.plans.size(); ++i) {
    const policy::KernelResult& plan = curve.plans[i];
    const double bound = plan.bound_joules.value_or(0) / curve.baseline_joules - 1;
    text += fmt::format("{:g},{:.3f},{:.3f},{:.3f},{}\n", 1e6 * curve.latencies[i].si(), 100 * plan.time_change, 100 * plan.energy_change,
                        100 * bound, plan.totals.changes);
  }
  return text;
}

}  // namespace joulecast::validation
