#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "config/record.hpp"
#include "control/scaler.hpp"

namespace joulecast::policy {

/// Keys of a `[policy.NAME]` with `use = "autoscale"`.
struct AutoscaleParameters {
  Seconds load_time{0};
  std::optional<Watts> load_power;
  std::int64_t min_replicas = 1;
  std::optional<double> target;
  std::optional<Seconds> cooldown;
  Seconds period{10};
};

config::Record<AutoscaleParameters> autoscale_record();

/// As many replicas as hold `target` outstanding requests each, min_replicas at least. More are loaded at once, the lowest numbers first; fewer are kept
/// only after no decision within `cooldown` wanted more, the highest numbers going first, each once it has finished what it has.
std::unique_ptr<control::Scaler> make_autoscale(const AutoscaleParameters& parameters, const control::ScalingFacts& facts);

}  // namespace joulecast::policy
