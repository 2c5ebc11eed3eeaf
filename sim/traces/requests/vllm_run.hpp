#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace joulecast::traces {

/// A request of a recorded run with the instants that the engine states, all in seconds after the first request came.
struct RecordedRequest {
  std::string id;
  std::int64_t input = 0, output = 0;  ///< tokens
  double arrival = 0;                  ///< at the client
  double queued = 0, first_token = 0, last_token = 0;

  double ttft() const { return first_token - queued; }
  double e2e() const { return last_token - queued; }
  /// Of the tokens after the first; nothing where there is none.
  std::optional<double> tpot() const {
    if (output < 2) return std::nullopt;
    return (last_token - first_token) / static_cast<double>(output - 1);
  }
};

/// A run of vLLM as LLMServingSim's bench writes it: meta.json (the engine's arguments), requests.jsonl and, where it is there,
/// cluster_config.json (link_bw in GB/s, link_latency in ns).
struct RecordedRun {
  std::string folder;
  std::string model;  ///< Hugging Face id
  std::string vllm_version, dtype, kv_cache_dtype;
  std::string device;  ///< as CUDA names it; "" where the run does not say
  std::int64_t tensor_parallel_size = 1, data_parallel_size = 1;
  bool enable_expert_parallel = false;
  std::int64_t max_num_seqs = 256, max_num_batched_tokens = 8192;
  std::optional<std::int64_t> max_model_len, num_gpu_blocks, block_size;
  std::optional<double> gpu_memory_utilization;
  std::optional<bool> enable_prefix_caching, async_scheduling;
  /// Of the link between the run's GPUs, where cluster_config.json states it beside the run: bytes/s a direction, and seconds a hop.
  std::optional<double> link_bandwidth, link_latency;
  std::vector<RecordedRequest> requests;  ///< in the order of arrival; those with the same instant in the file's

  std::string requests_file() const { return folder + "/requests.jsonl"; }
};

/// Whether the folder holds such a run.
bool is_recorded_run(const std::string& folder);

/// Reads one. `arrival_time` is Unix time and the `_ts` are monotonic: from each kind its first request's (arrival_time, queued_ts) is taken. Throws
/// UserError with the place of a fault: no JSON, a key that is missing or of another kind, tokens before they can be there.
RecordedRun read_recorded_run(const std::string& folder);

}  // namespace joulecast::traces
