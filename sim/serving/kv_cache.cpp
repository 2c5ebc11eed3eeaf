#include "serving/kv_cache.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace joulecast::serving {

void KvCache::allocate(std::int64_t blocks) {
  JOULECAST_CHECK(blocks <= free_, "more KV blocks asked for than are free");
  free_ -= blocks;
  while (blocks > 0) {
    Extent& head = queue_.front();
    const std::int64_t taken = std::min(head.blocks, blocks);
    head.blocks -= taken;
    blocks -= taken;
    if (head.blocks > 0) return;
    if (head.findable) extent_of_.erase(head.owner);
    queue_.pop_front();
    ++head_number_;
  }
}

void KvCache::release(std::int64_t blocks) {
  if (blocks == 0) return;
  free_ += blocks;
  if (!queue_.empty() && !queue_.back().findable) {
    queue_.back().blocks += blocks;
  } else {
    queue_.push_back({blocks, 0, false});
  }
}

void KvCache::release_findable(KvOwner owner, std::int64_t findable, std::int64_t rest) {
  release(rest);
  if (findable == 0) return;
  free_ += findable;
  const bool is_new = extent_of_.emplace(owner, head_number_ + queue_.size()).second;
  JOULECAST_CHECK(is_new, "an owner's KV blocks were freed twice");
  queue_.push_back({findable, owner, true});
}

std::int64_t KvCache::findable(KvOwner owner) const {
  const auto found = extent_of_.find(owner);
  return found == extent_of_.end() ? 0 : queue_[found->second - head_number_].blocks;
}

std::int64_t KvCache::take_findable(KvOwner owner) {
  const auto found = extent_of_.find(owner);
  if (found == extent_of_.end()) return 0;
  Extent& extent = queue_[found->second - head_number_];
  const std::int64_t blocks = extent.blocks;
  extent = {0, 0, false};
  extent_of_.erase(found);
  free_ -= blocks;
  return blocks;
}

void KvCache::forget(KvOwner owner) {
  const auto found = extent_of_.find(owner);
  if (found == extent_of_.end()) return;
  queue_[found->second - head_number_].findable = false;
  extent_of_.erase(found);
}

void KvCache::forget_all() {
  JOULECAST_CHECK(used() == 0, "KV blocks in use can't be forgotten");
  queue_.clear();
  extent_of_.clear();
  if (usable_ > 0) queue_.push_back({usable_, 0, false});
}

}  // namespace joulecast::serving
