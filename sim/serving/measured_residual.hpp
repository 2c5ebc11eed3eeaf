#pragma once

#include <functional>
#include <memory>

#include "hardware/measured_steps.hpp"
#include "hardware/serving_points.hpp"
#include "serving/cost/pool_costs.hpp"

namespace joulecast::serving {

/// Step costs of the pool measured, with an engine that takes in the points' batches and contexts, at an operating point.
using CostsAt = std::function<std::unique_ptr<StepCosts>(const OperatingPoint& point, const EngineConfig& engine)>;

/// What was measured over what `costs` say of the same steady batches at the profile's reference clock. The prediction is without a cap: what was measured
/// kept the board's limit by itself. `engine` is the pool's.
///
/// How accurate is this? `joulecast validate --only serving.mlenergy`: batch_points (every third batch from the others), dense_one_point (all batches from
/// the middle one).
hardware::ServingResidual measured_residual(const hardware::MeasuredSteps& measured, const hardware::GpuProfile& gpu, EngineConfig engine,
                                            const CostsAt& costs);

}  // namespace joulecast::serving
