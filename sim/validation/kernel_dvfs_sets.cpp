#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

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
    if (setting == set.settings.end()) setting = set.settings.insert(setting, best);
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

}  // namespace joulecast::validation
