#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "config/record.hpp"
#include "control/scaler.hpp"

namespace joulecast::policy {

/// Keys of a `[policy.NAME]` with `use = "sleep"`.
struct SleepParameters {
  Seconds load_time{0};
  std::optional<Watts> load_power;
  std::optional<Seconds> after;
  std::int64_t min_replicas = 0;
  Seconds period{1};
};

config::Record<SleepParameters> sleep_record();

/// Unloads a replica that had nothing to do for `after`, but for the min_replicas first ones. A request that finds no loaded replica wakes the one
/// that it is sent to and waits for it; a queue before all ready ones while none loads wakes one more, the lowest number first.
std::unique_ptr<control::Scaler> make_sleep(const SleepParameters& parameters, const control::ScalingFacts& facts);

}  // namespace joulecast::policy
