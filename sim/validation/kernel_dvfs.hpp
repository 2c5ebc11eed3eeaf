#pragma once

#include <optional>
#include <vector>

#include "calibration/kernel_surfaces.hpp"
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

/// The published assignment replayed, naive switching, pass-level look-up, and plans on fitted surfaces.
std::vector<Comparison> kernel_dvfs();

}  // namespace joulecast::validation
