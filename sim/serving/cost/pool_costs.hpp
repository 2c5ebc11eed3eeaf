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
#include "hardware/serving_points.hpp"
#include "llm/split.hpp"
#include "serving/cost/class_factors.hpp"
#include "serving/engine_config.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::serving {

/// What a pool's GPUs are set to. Clocks are locks ("auto": the profile's reference clock); the cap acts on a step's mean watts a GPU.
struct OperatingPoint {
  Hertz prefill_clock{}, decode_clock{};
  std::optional<Watts> cap;  ///< below the board's default limit: absent = the default limit (it acts too, where a step would draw more)
  double speed_factor = 1;   ///< of core time: 0.9 makes core-bound work take 1/0.9

  friend bool operator==(const OperatingPoint&, const OperatingPoint&) = default;
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

/// Half-width of the 80 % interval of joules a token of bottom-up costs: the profile's for dense models, its mixture_error for a mixture of experts,
/// and the whole figure (1) where the profile has none.
double bottom_up_error(const hardware::GpuProfile& gpu, const llm::Architecture& model);

/// How well joules a token of a model on a GPU are known: what `profiles` lists.
struct Coverage {
  Provenance tier = Provenance::modelled;
  double error = 0;  ///< half-width of the 80 % interval of joules a token
};
/// Bottom-up costs at the reference clock. Throws as `bottom_up_costs` does.
Coverage bottom_up_coverage(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel);

/// Step costs from operations (GEMM form, attention and all-reduce tables, elementwise bytes, host cost). Throws UserError for a model that can't be
/// served, or a tensor parallelism that it can't be split over or for which the profile has no all-reduce. `residual` is of what was measured (ClockedCosts);
/// `factors` hold before it.
std::unique_ptr<StepCosts> bottom_up_costs(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel,
                                           const OperatingPoint& point, const EngineConfig& engine, const hardware::ServingResidual& residual = {},
                                           const ClassFactors& factors = {});

/// How the experts of a model lie on a replica's GPUs.
inline llm::ExpertSplit expert_split(const EngineConfig& engine) {
  return engine.enable_expert_parallel ? llm::ExpertSplit::expert : llm::ExpertSplit::tensor;
}

/// What KV takes on one GPU: so many bytes a token, beside what is set aside for the windows of local layers.
struct KvFootprint {
  double token_bytes = 0, reserved_bytes = 0;
};

/// Of `bytes` for KV on a GPU, the footprint that holds more tokens of these two: every layer keeps every token; or full layers do and local layers
/// keep a window for each of max_num_seqs sequences, set aside once. vLLM's hybrid KV cache manager holds at least as many tokens as either, since it
/// gives windows to running sequences only; what it holds more is not counted. A latent is held whole by each GPU.
KvFootprint kv_footprint(const llm::Architecture& model, int tensor_parallel, const EngineConfig& engine, double bytes);

/// What a draft model takes of a GPU: its weights, and its KV beside the model's.
struct DraftMemory {
  double weight_bytes = 0, token_bytes = 0;
};

/// KV blocks of one replica: (utilization*memory - weights/TP - overhead [- NCCL at TP > 1] - windows) / bytes of a block on one GPU. Throws
/// UserError at `place` naming what does not fit, or why the model can't be served.
std::int64_t kv_blocks(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel, const EngineConfig& engine,
                       double gpu_memory_utilization, const Place& place, const DraftMemory& draft = {});

}  // namespace joulecast::serving
