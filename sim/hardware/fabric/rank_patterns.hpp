#pragma once

#include <cstdint>

#include "hardware/fabric/collective_times.hpp"
#include "hardware/fabric/fabric_graph.hpp"

namespace joulecast::hardware {

/// Who sends to whom among the nodes of a group. ring: to the next, the last to the first; chain: no wrap; tree: both directions of two binary
/// trees in which every node is a leaf of one (Sanders, Speck, Traeff 2009; NCCL's double tree), half the bytes in each; all_to_all: to each of
/// the others, in equal parts; pair: the first to the second.
enum class Pattern : std::uint8_t { ring, chain, tree, all_to_all, pair };

/// Nodes that a group touches.
std::int64_t nodes_of(const RankGroup& group);

/// The slowest link where each group sends one byte along each edge of its pattern (all_to_all: each node sends one byte), spread over the GPUs of
/// the group in a node; GPUs of equal place are peers. The whole fabric is taken to run such groups at once: as many as fit, one behind the
/// other, interleaved where node_stride is above 1.
LinkLoads::Slowest slowest_link(const FabricGraph& graph, const RankGroup& group, Pattern pattern);

}  // namespace joulecast::hardware
