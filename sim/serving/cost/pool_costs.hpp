#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "hardware/gpu.hpp"
#include "llm/architecture.hpp"
#include "serving/engine_config.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::serving {

/// What a pool's GPUs are set to. Clocks are locks ("auto": the profile's reference clock); the cap acts on a step's mean watts a GPU.
struct OperatingPoint {
  Hertz prefill_clock{}, decode_clock{};
  std::optional<Watts> cap;  ///< below the board's default limit: absent = the default limit (it acts too, where a step would draw more)
  double speed_factor = 1;   ///< of core time: 0.9 makes core-bound work take 1/0.9
};

/// "auto": both clocks at the profile's reference, its default limit as the cap.
OperatingPoint default_point(const hardware::GpuProfile& gpu);

/// Throws UserError at `place` where a clock or the cap is none that the GPU can be set to.
void check_point(const hardware::GpuProfile& gpu, const OperatingPoint& point, const Place& place);

/// Half-widths of the 80 % intervals of a class's seconds and watts, relative, from the profile's figures: the widest of those that make up the
/// class.
struct CostErrors {
  std::array<double, kWorks> seconds{}, watts{};
};
CostErrors cost_errors(const hardware::GpuProfile& gpu);

/// How well joules a token of a model on a GPU are known: what `profiles` lists.
struct Coverage {
  Provenance tier = Provenance::modelled;
  double error = 0;  ///< half-width of the 80 % interval of joules a token
};
/// Bottom-up costs at the reference clock. Throws as `bottom_up_costs` does.
Coverage bottom_up_coverage(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel);

/// Step costs from operations (GEMM form, attention and all-reduce tables, elementwise bytes, host cost). Throws UserError for a tensor parallelism
/// that the model can't be split over or for which the profile has no all-reduce.
std::unique_ptr<StepCosts> bottom_up_costs(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel,
                                           const OperatingPoint& point, const EngineConfig& engine);

/// KV blocks of one replica: (utilization*memory - weights/TP - overhead [- NCCL at TP > 1]) / bytes of a block on one GPU. Throws UserError at
/// `place` naming what does not fit.
std::int64_t kv_blocks(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel, const EngineConfig& engine,
                       double gpu_memory_utilization, const Place& place);

}  // namespace joulecast::serving
