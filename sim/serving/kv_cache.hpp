#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>

namespace joulecast::serving {

/// Whose tokens a block's content is: a request's, or those of a node that requests share (prefix_cache.hpp).
using KvOwner = std::uint64_t;

/// The KV blocks of one replica as vLLM V1's free-block queue keeps them: freed blocks go to the tail, an allocation takes the head, and what a
/// free block holds can be found again until it is taken. Blocks are counted, never held one by one: the queue is a list of extents, and an extent
/// that can be found is always the first blocks of its owner, because a request's blocks are freed last block first. Every call is O(1) amortised.
class KvCache {
 public:
  explicit KvCache(std::int64_t usable_blocks) : usable_(usable_blocks), free_(usable_blocks) {
    if (usable_blocks > 0) queue_.push_back({usable_blocks, 0, false});
  }

  std::int64_t usable() const { return usable_; }
  std::int64_t free() const { return free_; }
  std::int64_t used() const { return usable_ - free_; }

  /// Takes blocks from the head of the queue, whatever they held; a Bug if there are fewer.
  void allocate(std::int64_t blocks);
  /// Frees blocks whose content nobody can ask for.
  void release(std::int64_t blocks);
  /// Frees `findable` full blocks of `owner`, its first ones, and `rest` further blocks of it that can not be found. The owner must have nothing
  /// findable yet.
  void release_findable(KvOwner owner, std::int64_t findable, std::int64_t rest);
  /// How many first blocks of `owner` are still in the queue.
  std::int64_t findable(KvOwner owner) const;
  /// Takes the owner's findable blocks out of the queue and says how many there were.
  std::int64_t take_findable(KvOwner owner);
  /// Leaves the owner's blocks where they are; nobody finds them any more.
  void forget(KvOwner owner);
  /// The same for everything; nothing may be in use.
  void forget_all();

 private:
  struct Extent {
    std::int64_t blocks;
    KvOwner owner;
    bool findable;
  };

  std::int64_t usable_;
  std::int64_t free_;
  std::deque<Extent> queue_;                              ///< head first; an extent that was taken out stays with 0 blocks until the head passes it
  std::uint64_t head_number_ = 0;                         ///< running number of queue_.front()
  std::unordered_map<KvOwner, std::uint64_t> extent_of_;  ///< running number of an owner's extent; never iterated
};

}  // namespace joulecast::serving
