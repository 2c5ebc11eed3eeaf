#pragma once

#include <memory>

#include "base/error.hpp"
#include "config/diagnostics.hpp"
#include "config/record.hpp"
#include "control/clock_controller.hpp"

namespace joulecast::policy {

/// Keys of a `[policy.NAME]` with `use = "slo_dvfs"`.
struct SloDvfsParameters {
  Seconds period{1};
  double margin = 0.1;
};

config::Record<SloDvfsParameters> slo_dvfs_record();

/// The lowest clocks at which a replica is believed to hold its limits of TTFT and TPOT over the next period, after throttLL'eM (arXiv 2408.05235): batch
/// and KV are projected, and step times believed from a profile.
///
///   batch    n = min(max_num_seqs, running + waiting + arrivals of a period)
///   context  c = (context now + queued prompts + arriving prompts) + n x tokens that a sequence gets in half a period
///   prompts  r = arriving prompt tokens a second x seconds a prompt token at the prefill clock
///   TPOT     = decode step of (n, c) / tokens that it gives a sequence / (1 - r)
///   TTFT     = queued prompt tokens and one more prompt, as long as a period's mean, at the prefill clock + a decode step
///
/// Both stay below 1 - margin of their limit. Clocks below that of least believed joules for the phase's step are never chosen; where no clock holds
/// the limits, the given clock is.
std::unique_ptr<control::ClockController> make_slo_dvfs(const SloDvfsParameters& parameters, const control::ClockFacts& facts);

/// Reports a pool whose traffics state neither TTFT nor TPOT.
void check_slo_dvfs(const control::ClockFacts& facts, const Place& place, config::Diagnostics& diagnostics);

}  // namespace joulecast::policy
