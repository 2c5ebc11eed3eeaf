#pragma once

#include <cstdint>
#include <string_view>

#include "serving/speculation.hpp"

namespace joulecast::serving {

/// Who else uses the node's CPUs: see hardware::HostContention.
enum class HostLoad : std::uint8_t { exclusive, shared, shared_long_outputs };
constexpr std::string_view name(HostLoad load) {
  constexpr std::string_view names[] = {"exclusive", "shared", "shared_long_outputs"};
  return names[static_cast<int>(load)];
}

enum class OverContext : std::uint8_t { reject, truncate };

/// What a replica does of a request (vLLM's kv_role): all of it, its prompt alone, or what comes after the prompt (kv_transfer.hpp).
enum class KvRole : std::uint8_t { both, producer, consumer };

/// vLLM V1's engine arguments, its names and meanings (0.19).
struct EngineConfig {
  std::int64_t max_num_seqs = 256;
  std::int64_t max_num_batched_tokens = 8192;
  std::int64_t max_model_len = 0;  ///< resolved: the model's context where the scenario says nothing
  std::int64_t block_size = 16;
  std::int64_t num_gpu_blocks = 0;  ///< resolved; one of them is vLLM's null block
  bool enable_prefix_caching = true;
  bool async_scheduling = true;
  bool enable_chunked_prefill = true;
  bool enable_expert_parallel = false;  ///< whole experts on each GPU in place of a slice of every one
  /// Ranks that share the experts and step together. The sizes above are those of one rank, as in vLLM.
  std::int64_t data_parallel_size = 1;
  HostLoad host_load = HostLoad::exclusive;
  OverContext over_context = OverContext::reject;
  KvRole kv_role = KvRole::both;
  Speculation speculative;

  /// All ranks as one engine: their sequences, tokens and KV blocks together. Requests are taken to spread evenly over ranks, as vLLM's balancer has it.
  EngineConfig folded() const {
    EngineConfig whole = *this;
    whole.max_num_seqs *= data_parallel_size;
    whole.max_num_batched_tokens *= data_parallel_size;
    whole.num_gpu_blocks = (num_gpu_blocks - 1) * data_parallel_size + 1;
    return whole;
  }
};

}  // namespace joulecast::serving
