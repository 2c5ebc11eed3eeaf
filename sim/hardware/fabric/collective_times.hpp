#pragma once

#include <cstdint>
#include <string_view>

namespace joulecast::hardware {

/// Collective operations of NCCL, and a message between two ranks.
enum class Collective : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, send };

/// How the ranks of a collective lie: `ranks` of them, `ranks_per_node` in each node they touch, and `groups_per_node` collectives of the same
/// kind at the same time through the NICs of one node (the rings of a schedule that share links). The nodes of a group are `node_stride` apart,
/// the groups between them send at the same time (data parallelism outside the pipeline: stride = nodes of a pipeline).
struct RankGroup {
  std::int64_t ranks = 1;
  std::int64_t ranks_per_node = 1;
  std::int64_t groups_per_node = 1;
  std::int64_t node_stride = 1;
};

/// Seconds of collectives; 0 where nothing moves (one rank, no bytes). `bytes` is the buffer of one rank as nccl-tests counts it: the whole
/// vector of an all-reduce and a broadcast, the gathered vector of an all-gather, the vector before a reduce-scatter, all that a rank sends in an
/// all-to-all.
class CollectiveTimes {
 public:
  virtual ~CollectiveTimes() = default;
  virtual double seconds(Collective collective, double bytes, const RankGroup& group) const = 0;
};

}  // namespace joulecast::hardware
