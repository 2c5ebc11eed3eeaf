#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "config/record.hpp"
#include "control/clock_controller.hpp"

namespace joulecast::policy {

/// Keys of a `[policy.NAME]` with `use = "phase_lock"`.
struct PhaseLockParameters {
  std::optional<Hertz> prefill, decode;
  double max_slowdown = 0.05;
  std::int64_t batch = 32, context = 1024, prompt = 2048;
};

config::Record<PhaseLockParameters> phase_lock_record();

/// One lock for steps with prompt chunks and one for pure decode steps, for the whole run. What is not given is the clock of least believed joules for
/// the phase's step among those at which it takes at most 1 + max_slowdown of its time at the clock that the pool has without a policy.
std::unique_ptr<control::ClockController> make_phase_lock(const PhaseLockParameters& parameters, const control::ClockFacts& facts);

}  // namespace joulecast::policy
