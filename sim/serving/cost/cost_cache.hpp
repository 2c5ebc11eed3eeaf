#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "base/error.hpp"

namespace joulecast::serving {

/// A table of values that are worked out when first asked for, by any thread, without locks. The maker is a pure function: where two threads
/// make the same entry at once one of the two equal values stays and the other is deleted.
template <class T>
class CostCache {
 public:
  explicit CostCache(std::size_t size) : size_(size), entries_(std::make_unique<std::atomic<const T*>[]>(size)) {}
  CostCache(const CostCache&) = delete;
  CostCache& operator=(const CostCache&) = delete;
  ~CostCache() {
    for (std::size_t i = 0; i < size_; ++i) std::unique_ptr<const T>(entries_[i].load(std::memory_order_relaxed));
  }

  /// Entry `index` < size(), made by `make()` -> std::unique_ptr<const T> if it is not there. The reference lives as long as the cache.
  template <class Make>
  const T& get(std::size_t index, Make&& make) const {
    JOULECAST_CHECK(index < size_, "a cost was asked for outside its table");
    if (const T* found = entries_[index].load(std::memory_order_acquire)) return *found;
    std::unique_ptr<const T> made = make();
    const T* expected = nullptr;
    if (entries_[index].compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel, std::memory_order_acquire)) {
      return *made.release();
    }
    return *expected;
  }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::unique_ptr<std::atomic<const T*>[]> entries_;
};

}  // namespace joulecast::serving
