#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "serving/active_requests.hpp"
#include "serving/kv_cache.hpp"

namespace joulecast::serving {

/// Prompt blocks that the requests of a replica share, as vLLM V1 finds them by hash: a node of the trace's prefix tree stands for the KV blocks between its
/// parent's end and its own. A node that running requests hold is in nobody's way; one that nobody holds lies in the free-block queue until it is taken.
///
/// A node is found whole or not at all, and a request finds the nodes from the root on up to the first that is missing. Where two requests compute the same
/// node at the same time, only the first one's copy can be found, and the other keeps that node and those behind it to itself.
class PrefixCache {
 public:
  PrefixCache(KvCache& kv, std::int64_t block_size) : kv_(kv), block_size_(block_size) {}

  /// What of a request's prompt is there.
  struct Found {
    std::int32_t nodes = 0;
    std::int64_t blocks = 0;  ///< of these nodes
    std::int64_t held = 0;    ///< those of them that running requests hold: they need no free block
  };
  /// The last token of a prompt is always computed: at most the blocks before it count.
  Found find(const ActiveRequest& request);
  /// Makes the request a holder of what was found for it.
  void take(ActiveRequest& request, const Found& found);
  /// Lets others find the nodes of the request that are computed by now.
  void add_computed(ActiveRequest& request);
  /// Lets go of all the request's nodes, deepest first.
  void release(ActiveRequest& request);
  /// Blocks of the nodes that the request holds.
  std::int64_t blocks(const ActiveRequest& request) const { return request.shared_nodes == 0 ? 0 : end(request, request.shared_nodes); }

 private:
  /// Blocks up to the end of the path's first `nodes` nodes.
  std::int64_t end(const ActiveRequest& request, std::int32_t nodes) const {
    return std::int64_t{nodes} * request.prefixes->block_tokens() / block_size_;
  }
  /// Blocks that end with the path's node at `position`, counted from 0 below the root; none where a block spans several nodes.
  std::int64_t node_blocks(const ActiveRequest& request, std::int32_t position) const { return end(request, position + 1) - end(request, position); }
  /// The names of the path's first `to` nodes into `path_`.
  void walk(const ActiveRequest& request, std::int32_t to);

  KvCache& kv_;
  std::int64_t block_size_;
  std::unordered_map<KvOwner, std::int32_t> holders_;  ///< of each held node; never iterated
  std::vector<KvOwner> path_;
};

}  // namespace joulecast::serving
