#include "traces/requests/prefix_tree.hpp"

#include <limits>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace joulecast::traces {

std::size_t PrefixTree::KeyHash::operator()(const Key& key) const { return mix(key.hash, key.parent); }

PrefixTree::Node PrefixTree::child(Node parent, std::uint64_t hash) {
  const auto [found, made] = children_.try_emplace({parent, hash}, static_cast<Node>(nodes_.size() + 1));
  if (made) {
    JOULECAST_CHECK(nodes_.size() < std::numeric_limits<Node>::max() - 1, "a prefix tree is full");
    nodes_.push_back({parent, depth(parent) + 1});
  }
  return found->second;
}

PrefixTree::Node PrefixTree::parent(Node node) const {
  const std::size_t at = index(node);
  const Node parent = nodes_[at].parent;
  return parent == 0 ? 0 : parent + (node - 1 - static_cast<Node>(at));
}

PrefixTree::Node PrefixTree::in_copy(Node node, std::uint64_t copy) const {
  if (node == 0) return 0;
  const std::uint64_t copies = std::numeric_limits<Node>::max() / nodes_.size();
  return static_cast<Node>(node + (copy % copies) * nodes_.size());
}

}  // namespace joulecast::traces
