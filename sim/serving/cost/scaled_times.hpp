#pragma once

#include <memory>

#include "hardware/gpu.hpp"
#include "serving/cost/class_factors.hpp"
#include "serving/cost/operation_times.hpp"

namespace joulecast::serving {

/// The same times with the seconds of each class times its factor, the part that follows the SM clock too. Factors of 1 give `times` itself.
std::unique_ptr<const OperationTimes> scaled_times(std::unique_ptr<const OperationTimes> times, const ClassFactors& factors);

/// The profile with each class's watts times its factor.
hardware::GpuProfile scaled_watts(hardware::GpuProfile gpu, const ClassFactors& factors);

}  // namespace joulecast::serving
