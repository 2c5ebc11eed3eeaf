#include "serving/prefix_cache.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace joulecast::serving {

namespace {

/// Sets the names of shared nodes apart from those of requests.
constexpr KvOwner kNode = KvOwner{1} << 63;
constexpr KvOwner kTraffic = ~KvOwner{0xffffffff};

}  // namespace

void PrefixCache::walk(const ActiveRequest& request, std::int32_t to) {
  const traces::PrefixTree& tree = *request.prefixes;
  path_.resize(static_cast<std::size_t>(to));
  traces::PrefixTree::Node node = request.record->facts.prefix;
  for (std::int32_t depth = tree.depth(node); depth > 0; --depth) {
    if (depth <= to) path_[static_cast<std::size_t>(depth - 1)] = kNode | (request.owner & kTraffic) | node;
    if (depth > 1) node = tree.parent(node);
  }
}

PrefixCache::Found PrefixCache::find(const ActiveRequest& request) {
  Found found;
  if (request.prefixes == nullptr || request.record->facts.prefix == 0) return found;
  const std::int32_t depth = request.prefixes->depth(request.record->facts.prefix);
  walk(request, depth);
  const std::int64_t most = (request.prompt - 1) / block_size_;
  while (found.nodes < depth) {
    const std::int64_t after = end(request, found.nodes + 1);
    const KvOwner key = path_[static_cast<std::size_t>(found.nodes)];
    const std::int64_t blocks = after - found.blocks;
    if (after > most) break;
    const bool held = blocks > 0 && holders_.contains(key);
    if (!held && kv_.findable(key) < blocks) break;
    if (held) found.held += blocks;
    found.blocks = after;
    ++found.nodes;
  }
  return found;
}

void PrefixCache::take(ActiveRequest& request, const Found& found) {
  JOULECAST_CHECK(request.shared_nodes == 0, "a request takes a prefix twice");
  request.adds_nodes = request.prefixes != nullptr && request.record->facts.prefix != 0;
  if (found.nodes == 0) return;
  walk(request, found.nodes);
  for (std::int32_t node = 0; node < found.nodes; ++node) {
    if (node_blocks(request, node) == 0) continue;
    const KvOwner key = path_[static_cast<std::size_t>(node)];
    if (++holders_[key] == 1) kv_.take_findable(key);
  }
  request.shared_nodes = found.nodes;
}

void PrefixCache::add_computed(ActiveRequest& request) {
  if (!request.adds_nodes) return;
  const std::int32_t depth = request.prefixes->depth(request.record->facts.prefix);
  std::int32_t reached = request.shared_nodes;
  while (reached < depth && end(request, reached + 1) * block_size_ <= request.computed) ++reached;
  if (reached == request.shared_nodes) return;
  walk(request, reached);
  for (; request.shared_nodes < reached; ++request.shared_nodes) {
    if (node_blocks(request, request.shared_nodes) == 0) continue;
    const KvOwner key = path_[static_cast<std::size_t>(request.shared_nodes)];
    if (holders_.contains(key)) {
      request.adds_nodes = false;
      return;
    }
    kv_.forget(key);
    holders_[key] = 1;
  }
}

void PrefixCache::release(ActiveRequest& request) {
  if (request.shared_nodes == 0) return;
  walk(request, request.shared_nodes);
  for (std::int32_t node = request.shared_nodes - 1; node >= 0; --node) {
    if (node_blocks(request, node) == 0) continue;
    const auto held = holders_.find(path_[static_cast<std::size_t>(node)]);
    if (--held->second > 0) continue;
    kv_.release_findable(held->first, node_blocks(request, node), 0);
    holders_.erase(held);
  }
  request.shared_nodes = 0;
}

}  // namespace joulecast::serving
