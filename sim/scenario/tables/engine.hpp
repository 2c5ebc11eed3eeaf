#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/record.hpp"
#include "serving/engine_config.hpp"

namespace joulecast::scenario {

/// `[engine.NAME]`.
struct EngineTable {
  serving::EngineConfig config;
  std::string vllm_version = "0.19";
  std::optional<std::int64_t> max_model_len;
  std::optional<std::int64_t> num_gpu_blocks_override;
  config::Share gpu_memory_utilization{0.9};
  std::string over_context = "reject";
  Place place;
};

config::Record<EngineTable> engine_record();

}  // namespace joulecast::scenario
