#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.hpp"
#include "engine/entity.hpp"
#include "serving/fair_share.hpp"
#include "serving/requests.hpp"

namespace joulecast::serving {

/// What of the network a replica's GPUs reach. Rates one way, bytes a second.
struct KvEndpoint {
  std::size_t node = 0;        ///< position in the setup's nodes
  double network_rate = 0;     ///< of the NICs that its GPUs use
  double in_node_rate = 0;     ///< of all its GPUs to others in their node
  double in_node_latency = 0;  ///< seconds
  double in_node_root = 0;     ///< seconds a root of a byte of one GPU's part
  int gpus = 1;
  std::int64_t block_bytes = 0;  ///< of a KV block, all its GPUs together
};

/// A node, its place in its cluster's fabric and what the fabric's messages take.
struct KvNode {
  std::size_t cluster = 0;
  std::int64_t leaf = 0;
  double network_rate = 0;      ///< of all its NICs, one way, bytes a second
  double message_latency = 0;   ///< seconds, through two NICs and one switch
  double hop_latency = 0;       ///< of each further switch
  int hops_between_leaves = 3;  ///< switches
};

struct KvNetworkSetup {
  std::vector<KvNode> nodes;
  std::vector<KvEndpoint> endpoints;  ///< by replica over all pools
  std::vector<const RequestTable*> tables;
};

/// Carries the KV of prompts from the replicas that computed them (vLLM's kv_producer) to those that go on (kv_consumer), as vLLM's NIXL connector does: the
/// consumer takes blocks for the whole prompt and reads them from the producer, which keeps its own until all has been read. Whole blocks are read, but for
/// those that the consumer's prefix cache holds.
///
/// Transfers under way share links max-min fairly (fair_share.hpp). One between nodes loads the NICs of both replicas (as many as their GPUs use) and of both
/// nodes (all of them), at nic_bandwidth*nic_efficiency of each end's fabric, and comes L later, L = message_latency + (hops - 1)*hop_latency, hops = 1 below
/// a leaf, 3 or 5 beyond; between clusters 3 hops and the slower end's figures. One within a node takes the GPUs' own links: alpha + root*sqrt(bytes of a GPU)
/// later, at beta a GPU of the in-node send. What the last one of them waits for is the sum: rates change only when a transfer begins or ends.
///
/// How accurate is this? Nobody has published a measurement against which it was held. What it leaves out makes transfers look better than they are: leaves
/// with more ports down than up, other traffic on the NICs, and the time of the connector's handshake. Copies go beside the step (RDMA): neither the
/// producer's nor the consumer's steps get longer, and no profile states the joules of a copied byte; switches, optics and NICs draw what they draw idle.
class KvNetwork final : public engine::Entity {
 public:
  enum Message : std::uint16_t { fetch };

  explicit KvNetwork(KvNetworkSetup setup);
  /// The replicas by index over all pools; consumers are told with no delay or more, producers at least 1 ns later. Before the run.
  void connect(engine::Port consumers, engine::Port producers, std::vector<engine::EntityId> replicas);

  void on(const engine::Event& event, engine::Context& context) override;
  std::uint64_t fingerprint(Time now) const override;

  /// Seconds that a transfer takes alone.
  double seconds_alone(std::size_t from, std::size_t to, std::int64_t blocks) const;

 private:
  struct Way {
    std::vector<std::size_t> links;
    double latency = 0;
  };
  struct Transfer {
    std::uint64_t payload;
    std::size_t from, to;
    Way way;
    double left, rate = 0;
    Time done;
  };
  Way way(std::size_t from, std::size_t to, double bytes) const;
  void begin(std::uint64_t payload, Time now);
  void end_due(engine::Context& context);
  /// Moves all transfers on to `now`.
  void advance(Time now);
  void share_anew(engine::Context& context);

  KvNetworkSetup setup_;
  std::vector<double> capacity_;  ///< by link: two a node, then four a replica
  engine::Port consumers_, producers_;
  std::vector<engine::EntityId> replicas_;
  std::vector<Transfer> under_way_;  ///< in the order in which they began
  Time moved_to_{0};
  std::uint64_t ended_ = 0, hash_ = 0;
};

}  // namespace joulecast::serving
