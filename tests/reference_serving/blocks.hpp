#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <utility>

namespace joulecast::reference {

/// The KV blocks of a replica, one by one: a queue of free ones, what each block holds, how many requests hold it.
class Blocks {
 public:
  /// Whose tokens (a request's number, or a shared node's with the top bit set) and the position among that one's blocks.
  using Content = std::pair<std::uint64_t, std::size_t>;

  explicit Blocks(std::int64_t count) {
    for (int block = 1; block < count; ++block) free_.push_back(block);
  }

  std::int64_t free() const { return static_cast<std::int64_t>(free_.size()); }
  bool is_held(int block) const { return holders_.contains(block); }

  int take_head() {
    const int block = free_.front();
    free_.pop_front();
    content_.erase(block);
    holders_[block] = 1;
    return block;
  }
  void hold(int block) {
    if (holders_[block]++ == 0) free_.remove(block);
  }
  void let_go(int block) {
    if (--holders_[block] > 0) return;
    holders_.erase(block);
    free_.push_back(block);
  }
  void name(int block, Content content) { content_[block] = content; }
  void forget(int block) { content_.erase(block); }
  /// Nobody finds the free blocks of `whose` any more.
  void forget_free(std::uint64_t whose) {
    std::erase_if(content_, [&](const auto& entry) { return entry.second.first == whose && !is_held(entry.first); });
  }
  std::optional<int> find(Content wanted) const {
    const auto found = std::find_if(content_.begin(), content_.end(), [&](const auto& entry) { return entry.second == wanted; });
    return found == content_.end() ? std::nullopt : std::optional(found->first);
  }

 private:
  std::list<int> free_;
  std::map<int, Content> content_;
  std::map<int, int> holders_;
};

}  // namespace joulecast::reference
