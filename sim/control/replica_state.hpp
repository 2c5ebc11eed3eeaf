#pragma once

#include <cstdint>

namespace joulecast::control {

/// Whether a replica can serve.
enum class Readiness : std::uint8_t {
  ready,     ///< model loaded, takes requests
  draining,  ///< finishes what it has, then unloads; new requests should go elsewhere
  unloaded,  ///< no model; a request that comes all the same makes it load
  loading
};

/// What a controller can read of a replica: the engine's own metrics and the counters of its GPUs. Making it changes nothing.
struct ReplicaState {
  Readiness readiness = Readiness::ready;
  std::int32_t waiting = 0, running = 0;  ///< requests
  std::int64_t decodes = 0;               ///< sequences that decode in the running step
  std::int64_t context = 0;               ///< tokens in KV that they read
  std::int64_t tokens_queued = 0;         ///< prompt tokens still to be computed
  double kv_usage = 0;                    ///< share of KV blocks in use
  // Counters since the run began.
  std::int64_t requests_arrived = 0, prompt_tokens_arrived = 0, output_tokens = 0;
  double joules = 0;  ///< of all its GPUs

  std::int32_t outstanding() const { return waiting + running; }
};

}  // namespace joulecast::control
