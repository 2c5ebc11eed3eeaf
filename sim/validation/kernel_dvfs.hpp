#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/kernel_surfaces.hpp"
#include "policy/clocks/kernel_dvfs.hpp"
#include "policy/clocks/kernel_set.hpp"
#include "traces/power/kernel_table.hpp"
#include "validation/registry.hpp"

namespace joulecast::validation {

/// The published tables of arXiv 2601.08539 (RTX 3080 Ti, GPT-3-XL, batch 40, sequence 1024).
struct KernelTables {
  std::vector<traces::KernelRow> kernels;
  traces::PassTable passes;
};
/// Nothing where they are not in `folder` (of measured data: training/kernel-dvfs).
std::optional<KernelTables> kernel_tables(const std::string& folder);

/// Each kernel with two options: auto and its published best pair.
policy::KernelSet published_set(const std::vector<traces::KernelRow>& kernels);
/// Each kernel with an option a pair of the tables, auto first, from surfaces.
policy::KernelSet surface_set(const calibration::KernelSurfaceFit& fit);
/// Surfaces fitted to the tables.
calibration::KernelSurfaceFit fitted_surfaces(const KernelTables& tables);

/// Switch-aware plans on fitted surfaces over switch latencies, within `tolerance` of the baseline's time. While clocks change the board draws what
/// it does without traffic and core activity.
struct LatencyCurve {
  std::vector<Seconds> latencies;
  std::vector<policy::KernelResult> plans;
  double baseline_joules = 0;
};
LatencyCurve latency_curve(const calibration::KernelSurfaceFit& fit, double tolerance, const std::vector<Seconds>& latencies);
/// `latency_us,time_change_pct,energy_change_pct,bound_pct,clock_changes`, one line a latency.
std::string latency_curve_csv(const LatencyCurve& curve);

/// The published assignment replayed, naive switching, pass-level look-up, and plans on fitted surfaces.
std::vector<Comparison> kernel_dvfs();

}  // namespace joulecast::validation
