#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

#include "hardware/fabric/collective_times.hpp"
#include "hardware/fabric/fabric_graph.hpp"
#include "hardware/fabric/in_node.hpp"
#include "hardware/fabric/rank_patterns.hpp"

namespace joulecast::hardware {

/// How a collective goes over several nodes. ring: one ring over all ranks that enters and leaves each node once a NIC. tree: double binary tree over
/// the nodes, between a reduce-scatter and an all-gather in them. hierarchical: rings over the nodes, one a rank of a node, between the same. best:
/// the fastest, as NCCL's tuner would choose.
enum class Algorithm : std::uint8_t { best, ring, tree, hierarchical };

struct CollectiveOptions {
  Algorithm algorithm = Algorithm::best;
  std::optional<double> nic_efficiency;  ///< in place of the fabric profile's
};

/// Collectives on a cluster of nodes of one GPU. Within a node: the measured form (in_node.hpp). Over m nodes and n ranks, r of them a node, S bytes:
///
///   step    L = message_latency + (hops - 1)*hop_latency, hops = 1 within a leaf, 3 or 5 beyond; B = 1/(seconds of the slowest link a byte), by the
///           loads that all groups at once put on the graph's links: a NIC shared by k groups gives each 1/k, an uplink 1/oversubscription
///   ring    2(n-1)/n * (m*L + (n-m)*a) + max(2(n-1)/n * S/B, the node's own part), a = in-node latency a step; all-gather and
///           reduce-scatter half of it (Patarasuk and Yuan 2009)
///   hier.   reduce_scatter(S, r) + 2(m-1)*L + 2(m-1)/m * S/B + all_gather(S, r)
///   tree    reduce_scatter(S, r) + 2*ceil(log2 m)*L + S/B_tree + all_gather(S, r), B_tree from two half trees: about 2S a NIC (Sanders et al. 2009)
///   all-to-all   L + (bytes for other nodes)/B, and the exchange in the node: before it on rails (each message joins its rail), beside it otherwise
///   broadcast    a chain, (m-1)*L + max(S/B, the node's own); send: L + S/B
///
/// How accurate: in a node 4-9 % of NCCL tables held out (all-to-all of H100 14 %). Across nodes no public table of these fabrics was found: rates
/// rest on whole training iterations.
/// A single send of one rank gets less than its NIC (0.72 of it between two H100 nodes, microsoft/vidur), many at once do not.
class FabricCollectives final : public CollectiveTimes {
 public:
  /// `fabric` may be null: then a collective that leaves a node is a UserError.
  FabricCollectives(const GpuProfile& gpu, std::int64_t gpus_per_node, const FabricProfile* fabric, std::int64_t nodes,
                    CollectiveOptions options = {});

  double seconds(Collective collective, double bytes, const RankGroup& group) const override;
  /// The same by one algorithm; nothing where the collective has none such.
  std::optional<double> seconds_by(Algorithm algorithm, Collective collective, double bytes, const RankGroup& group) const;
  /// The graph, for those who look at its links; null without a fabric.
  const FabricGraph* graph() const { return graph_ ? &*graph_ : nullptr; }

 private:
  struct Network {
    double step = 0;          ///< L
    double inverse_rate = 0;  ///< 1/B
  };
  Network network(const RankGroup& group, Pattern pattern) const;
  double ring(Collective collective, double bytes, const RankGroup& group) const;
  double hierarchical(Collective collective, double bytes, const RankGroup& group) const;
  double all_to_all(double bytes, const RankGroup& group) const;
  std::optional<double> tree(Collective collective, double bytes, const RankGroup& group) const;
  /// Seconds in a node, 0 for one rank.
  double inside(Collective collective, double bytes, std::int64_t ranks) const;

  const GpuProfile gpu_;
  std::optional<FabricProfile> fabric_;
  std::optional<FabricGraph> graph_;
  CollectiveOptions options_;
  mutable std::mutex mutex_;
  mutable std::map<std::tuple<Pattern, std::int64_t, std::int64_t, std::int64_t, std::int64_t>, Network> known_;
};

/// Refuses, at a scenario's key, a collective that moves nothing: over one rank, or of no bytes. `what` names it: "the gradient all-reduce".
void require_collective(const Place& place, const std::string& what, std::int64_t ranks, double bytes);

/// A message of `bytes` between two stages of `tensor_parallel` ranks each, scattered over them and gathered again at the receiver (Megatron-LM,
/// arXiv 2104.04473, section 4.1): send of bytes/t by each rank at once, then an all-gather among the t receivers. `across_nodes`: the stages lie on
/// different nodes; else peers in one. Seconds.
double scattered_send_seconds(const CollectiveTimes& times, double bytes, std::int64_t tensor_parallel, bool across_nodes);

}  // namespace joulecast::hardware
