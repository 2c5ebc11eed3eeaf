#pragma once

#include <optional>

#include "config/record.hpp"
#include "control/scaler.hpp"

namespace joulecast::policy {

/// What every scaling policy must know of loading a model.
struct LoadingParameters {
  Seconds load_time{0};
  std::optional<Watts> load_power;
};

/// Adds the keys `load_time` and `load_power` to a policy's record.
template <class P>
void add_loading(config::Record<P>& record, Seconds P::*time, std::optional<Watts> P::*power) {
  record.required("load_time", time, config::Bounds::between(1e-3, 86400), "from the command until a replica serves: weights, graphs and all")
      .optional("load_power", power, "the GPU's context idle", config::Bounds::positive(), "watts of one GPU meanwhile");
}

control::LoadTimes load_times(const LoadingParameters& loading, const control::ScalingFacts& facts);

/// For how long a replica must be without work for unloading it to pay: what loading draws above an unloaded GPU, over what context idle does:
/// load_time (P_load - P_bare)/(P_context - P_bare). 0 where context idle draws no more than bare idle.
Span break_even(const LoadingParameters& loading, const control::ScalingFacts& facts);

}  // namespace joulecast::policy
