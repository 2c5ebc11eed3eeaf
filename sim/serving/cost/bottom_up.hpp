#pragma once

#include <memory>

#include "hardware/gpu.hpp"
#include "llm/architecture.hpp"
#include "serving/cost/operation_times.hpp"

namespace joulecast::serving {

/// Times added up from operations:
///   step = L*(qkv, o, gate_up, down)(T) + lm_head(S) + L*attention + elementwise bytes/bandwidth + (2L + 1) all-reduces(T) + host(S),
/// T = scheduled tokens padded to the CUDA graph, S = scheduled sequences. Throws UserError for a tensor parallelism that the model can't be split
/// over or for which the profile has no all-reduce.
std::unique_ptr<const OperationTimes> bottom_up_times(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel);

}  // namespace joulecast::serving
