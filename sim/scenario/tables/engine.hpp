#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/record.hpp"
#include "serving/engine_config.hpp"

namespace joulecast::scenario {

/// `speculative` of an engine: vLLM's --speculative-config, and what vLLM finds out by itself, how often a draft is right.
struct SpeculativeTable {
  serving::Speculation::Method method = serving::Speculation::Method::ngram;
  std::int64_t num_speculative_tokens = 1;
  config::Share acceptance_rate{0};
  std::string draft_model;
  Place place;
};

/// `[engine.NAME]`.
struct EngineTable {
  serving::EngineConfig config;
  std::string vllm_version = "0.19";
  std::optional<std::int64_t> max_model_len;
  std::optional<std::int64_t> num_gpu_blocks_override;
  config::Share gpu_memory_utilization{0.9};
  std::string over_context = "reject";
  std::optional<SpeculativeTable> speculative;
  Place place;
};

config::Record<EngineTable> engine_record();

}  // namespace joulecast::scenario
