#pragma once

#include <memory>
#include <string>

#include "hardware/profiles.hpp"
#include "serving/cost/bottom_up.hpp"
#include "serving/cost/clocked_costs.hpp"

namespace joulecast::serving {

inline hardware::GpuProfile shipped_gpu(const std::string& name) {
  config::Diagnostics diagnostics;
  auto gpu = hardware::load_gpu(hardware::find_profile(hardware::gpu_folder("."), "GPU", name, {}), diagnostics);
  diagnostics.throw_if_failed();
  return gpu;
}

inline llm::Architecture shipped_model(const std::string& name) {
  config::Diagnostics diagnostics;
  auto model = llm::load_architecture(hardware::find_profile(hardware::model_folder("."), "model", name, {}), diagnostics);
  diagnostics.throw_if_failed();
  return model;
}

inline EngineConfig engine_of(std::int64_t max_model_len) {
  EngineConfig engine;
  engine.max_model_len = max_model_len;
  return engine;
}

struct Step {
  double seconds, watts;
  double joules_of(int gpus) const { return gpus * seconds * watts; }
};

/// Seconds and mean watts of a GPU of a decode step.
inline Step decode_step(const StepCosts& costs, int gpus, int sequences, std::int64_t mean_context) {
  const auto context = sequences * mean_context;
  const auto& segment = costs.decode(Phase::decode, sequences, context);
  const double seconds = (segment.base_seconds + context * segment.attention_seconds_per_context).units();
  const double joules = (segment.base_joules + context * segment.attention_joules_per_context).units();
  return {seconds, joules / seconds / gpus};
}

struct H100Chat {
  hardware::GpuProfile gpu = shipped_gpu("H100 SXM");
  llm::Architecture model = shipped_model("meta-llama/Llama-3.1-70B-Instruct");
  EngineConfig engine = engine_of(32768);

  std::unique_ptr<ClockedCosts> at(const OperatingPoint& point) const {
    return std::make_unique<ClockedCosts>(bottom_up_times(gpu, model, 4), gpu, model, 4, point, engine);
  }
  /// Both phases locked to a clock.
  std::unique_ptr<ClockedCosts> locked(Hertz clock, double speed_factor = 1) const {
    OperatingPoint point = default_point(gpu);
    point.prefill_clock = point.decode_clock = clock;
    point.speed_factor = speed_factor;
    return at(point);
  }
};

}  // namespace joulecast::serving
