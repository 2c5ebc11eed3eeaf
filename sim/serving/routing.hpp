#pragma once

#include <cstdint>

#include "base/philox.hpp"
#include "engine/entity.hpp"
#include "traces/requests/request.hpp"

namespace joulecast::serving {

/// What a replica shows of itself.
struct ReplicaView {
  std::int32_t waiting = 0;  ///< requests that have arrived and are not running
  std::int32_t running = 0;
  double kv_usage = 0;             ///< share of KV blocks in use
  std::int64_t tokens_queued = 0;  ///< prompt tokens still to be computed
  bool accepting = true;           ///< its model is loaded and stays so; a router shows its policy those alone

  std::int32_t outstanding() const { return waiting + running; }
};

/// What a policy sees of a request: its prompt and what is predicted of its answer, never the answer's length itself.
struct RoutedRequest {
  std::uint32_t number = 0;                      ///< among the traffic's requests, by arrival
  std::int32_t input = 0;                        ///< prompt tokens
  double predicted_output = 0;                   ///< tokens; 0 where no policy of the scenario asked for a prediction
  std::uint32_t prefix = 0;                      ///< as traces::Request has it
  std::uint32_t conversation = 0;                ///< likewise
  const traces::PrefixTree* prefixes = nullptr;  ///< what `prefix` refers to; null where the traffic has none
};

/// Chooses a replica for each request: `[router] replica`.
class ReplicaRouter {
 public:
  virtual ~ReplicaRouter() = default;
  /// A position in `replicas`, which is never empty. May keep state of its own; random choices come from `random` only.
  virtual std::size_t choose(const RoutedRequest& request, const engine::Views<ReplicaView>& replicas, Time now, Stream& random) = 0;
};

}  // namespace joulecast::serving
