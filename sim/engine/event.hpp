#pragma once

#include <cstdint>

#include "base/time.hpp"

namespace joulecast::engine {

using EntityId = std::uint32_t;  ///< below 2^20
inline constexpr EntityId kMaxEntities = 1U << 20;

/// A zero-delay message goes to a higher level only, so everything that reaches a level at an instant exists before that level runs.
enum class Level : std::uint8_t { source = 0, router = 1, prefill = 2, transfer = 3, decode = 4, meter = 5 };

/// What happens, where and in which order: 32 bytes. Events are handled in the order of (time, order); `order` is the target's level (4 bits), the
/// sender (20) and the sender's running number (40), so the order is one and the same however entities are spread over queues.
struct Event {
  Time time;
  std::uint64_t order = 0;
  EntityId target = 0;
  std::uint16_t kind = 0;     ///< the receiver's own numbering; for a timer, its slot
  std::uint16_t timer = 0;    ///< 1 for a timer of the target's own, 0 for a message
  std::uint64_t payload = 0;  ///< a message's 8 bytes; for a timer, its generation

  friend bool operator<(const Event& a, const Event& b) { return a.time != b.time ? a.time < b.time : a.order < b.order; }
};
static_assert(sizeof(Event) == 32);

}  // namespace joulecast::engine
