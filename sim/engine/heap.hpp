#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "base/fixed.hpp"
#include "engine/event.hpp"

namespace joulecast::engine {

__extension__ using uint128 = unsigned __int128;

/// An event's place in the order of events, as one number. Times are never negative.
inline uint128 key_of(const Event& event) { return static_cast<uint128>(static_cast<std::uint64_t>(event.time.ns)) << 64 | event.order; }
inline constexpr uint128 key_at(Time time) { return static_cast<uint128>(static_cast<std::uint64_t>(time.ns)) << 64; }

/// Memory that begins at a multiple of two cache lines.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{128};
  LineAllocator() = default;
  template <class U>
  explicit LineAllocator(const LineAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kAlignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, kAlignment); }
  friend bool operator==(LineAllocator, LineAllocator) { return true; }
};

/// A 4-ary min-heap of events. The four children of a node fill two whole cache lines; slots beyond the last event hold a key greater than any
/// other, so the least child is found without a branch on the outcome of a comparison (it is random, the branch would be mispredicted).
/// As keys are unique, what comes out does not depend on the order in which events were put in.
class EventHeap {
 public:
  EventHeap() { clear(); }

  bool empty() const { return end_ == kRoot; }
  std::size_t size() const { return end_ - kRoot; }
  /// The least event; of an empty heap, one that is greater than any other.
  const Event& top() const { return slots_[kRoot]; }

  void push(const Event& event) {
    if (end_ + 4 >= slots_.size()) grow();
    sift_up(end_++, event);
  }

  /// Takes the least event away; the heap is not empty.
  void pop() {
    const Event last = slots_[--end_];
    slots_[end_] = kLast;
    Event* const slots = slots_.data();
    std::size_t hole = kRoot;
    for (std::size_t child = first_child(hole); child < end_; child = first_child(hole)) {
      prefetch_children(slots, child);
      const std::size_t least = child + least_of_four(slots + child);
      slots[hole] = slots[least];
      hole = least;
    }
    if (hole != end_) sift_up(hole, last);
  }

  /// pop() and push(event) in one pass; the heap is not empty.
  void replace_top(const Event& event) {
    Event* const slots = slots_.data();
    const uint128 key = key_of(event);
    std::size_t hole = kRoot;
    for (std::size_t child = first_child(hole); child < end_; child = first_child(hole)) {
      prefetch_children(slots, child);
      const std::size_t least = child + least_of_four(slots + child);
      if (key < key_of(slots[least])) break;
      slots[hole] = slots[least];
      hole = least;
    }
    slots[hole] = event;
  }

  /// Takes away every event for which `stale(event)` holds.
  template <class Stale>
  void purge(Stale stale) {
    std::size_t kept = kRoot;
    const std::size_t end = end_;
    end_ = kRoot;
    for (std::size_t i = kRoot; i < end; ++i) {
      if (!stale(slots_[i])) slots_[kept++] = slots_[i];
    }
    for (std::size_t i = kept; i < end; ++i) slots_[i] = kLast;
    for (std::size_t i = kRoot; i < kept; ++i) sift_up(end_++, Event(slots_[i]));
  }

  void clear() {
    slots_.assign(kRoot + 13, kLast);
    end_ = kRoot;
  }

 private:
  static constexpr std::size_t kRoot = 3;  ///< so that groups of children begin at multiples of 4
  static constexpr Event kLast{kForever, UINT64_MAX, 0, 0, 0, 0};

  static constexpr std::size_t first_child(std::size_t slot) { return 4 * slot - 8; }
  static constexpr std::size_t parent(std::size_t slot) { return slot / 4 + 2; }

  /// Asks for the children of all of a group of four, before it is known which of them is the least.
  static void prefetch_children(const Event* slots, std::size_t group) {
    const Event* const children = slots + first_child(group);
    for (std::size_t i = 0; i < 16; i += 4) __builtin_prefetch(children + i);
  }

  /// Which of four events is the least. Times alone decide in all but a few cases, and one-word comparisons are the shortest chain.
  static std::size_t least_of_four(const Event* child) {
    const auto time = [child](int i) { return child[i].time.ns; };
    const std::int64_t left = std::min(time(0), time(1)), right = std::min(time(2), time(3));
    const int ties = (time(0) == time(1)) + (time(2) == time(3)) + (left == right);
    if (ties != 0) [[unlikely]]
      return least_of_ties(child);
    const std::size_t a = opaque(time(1) < time(0)), b = 2 + opaque(time(3) < time(2));
    return a ^ ((a ^ b) & (0 - opaque(right < left)));
  }

  static std::size_t least_of_ties(const Event* child) {
    std::size_t least = 0;
    for (std::size_t i = 1; i < 4; ++i) {
      if (key_of(child[i]) < key_of(child[least])) least = i;
    }
    return least;
  }

  /// 0 or 1, so that the compiler cannot make a branch of it.
  static std::size_t opaque(bool outcome) {
    std::size_t number = outcome;
    asm("" : "+r"(number));
    return number;
  }

  void sift_up(std::size_t hole, const Event& event) {
    Event* const slots = slots_.data();
    const uint128 key = key_of(event);
    while (hole != kRoot) {
      const std::size_t above = parent(hole);
      if (!(key < key_of(slots[above]))) break;
      slots[hole] = slots[above];
      hole = above;
    }
    slots[hole] = event;
  }

  void grow() { slots_.resize(2 * slots_.size(), kLast); }

  std::vector<Event, LineAllocator<Event>> slots_;
  std::size_t end_ = kRoot;
};

}  // namespace joulecast::engine
