#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/time.hpp"
#include "engine/event.hpp"

namespace joulecast::engine {

/// What a declared port allows: messages of `from` to a set of targets with at least `least_delay`.
class PortRecord {
 public:
  PortRecord(EntityId from, std::span<const EntityId> targets, Span least_delay)
      : from_(from), least_delay_(least_delay), targets_(targets.begin(), targets.end()) {
    std::sort(targets_.begin(), targets_.end());
    targets_.erase(std::unique(targets_.begin(), targets_.end()), targets_.end());
    if (targets_.empty()) return;
    first_ = targets_.front();
    count_ = static_cast<EntityId>(targets_.size());
    contiguous_ = targets_.back() - first_ + 1 == count_;
    if (contiguous_) std::vector<EntityId>().swap(targets_);
  }

  EntityId from() const { return from_; }
  Span least_delay() const { return least_delay_; }
  bool reaches(EntityId target) const {
    if (contiguous_) return target - first_ < count_;
    return std::binary_search(targets_.begin(), targets_.end(), target);
  }
  std::size_t size() const { return count_; }
  /// Targets in id order.
  EntityId target(std::size_t i) const { return contiguous_ ? first_ + static_cast<EntityId>(i) : targets_[i]; }

 private:
  EntityId from_;
  EntityId first_ = 0;
  EntityId count_ = 0;
  bool contiguous_ = true;
  Span least_delay_;
  std::vector<EntityId> targets_;  ///< sorted; empty where they are a range of ids
};

}  // namespace joulecast::engine
