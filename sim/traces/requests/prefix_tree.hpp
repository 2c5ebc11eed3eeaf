#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>

namespace joulecast::traces {

/// What the prompts of a trace share: a tree whose nodes are blocks of `block_tokens` prompt tokens. Two prompts share exactly the path from the
/// root to the deepest node that both pass. Node 0 is the root, the empty prompt.
///
/// A replayed trace may stand for several (rounds of a repetition, superposed copies), whose prompts share nothing: node + copy * size() - all but
/// the root - is the node of a further copy. Copies cost no memory; the tree of a trace does not grow during a run.
class PrefixTree {
 public:
  using Node = std::uint32_t;

  explicit PrefixTree(std::int32_t block_tokens) : block_tokens_(block_tokens) {}

  /// The node below `parent` (of copy 0) for a block's hash; made where there is none yet. References and nodes stay as they are.
  Node child(Node parent, std::uint64_t hash);

  /// The node one block shorter; the root for a node of the first block. Not for the root.
  Node parent(Node node) const;
  /// Blocks from the root to the node.
  std::int32_t depth(Node node) const { return node == 0 ? 0 : nodes_[index(node)].depth; }
  /// Tokens from the root to the node.
  std::int64_t tokens(Node node) const { return std::int64_t{depth(node)} * block_tokens_; }
  std::int32_t block_tokens() const { return block_tokens_; }
  /// Nodes of one copy without the root.
  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  /// The node of a further copy; where the numbers are used up, copy 0 comes again.
  Node in_copy(Node node, std::uint64_t copy) const;
  /// The node of copy 0.
  Node original(Node node) const { return node == 0 ? 0 : static_cast<Node>(index(node)) + 1; }

 private:
  struct Entry {
    Node parent;
    std::int32_t depth;
  };
  struct Key {
    Node parent;
    std::uint64_t hash;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  std::size_t index(Node node) const { return (node - 1) % nodes_.size(); }

  std::int32_t block_tokens_;
  std::deque<Entry> nodes_;
  std::unordered_map<Key, Node, KeyHash> children_;  ///< looked up, never iterated
};

}  // namespace joulecast::traces
