#include "engine/cell.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "engine/entity.hpp"

namespace joulecast::engine {

std::uint64_t& Actor::timer_beyond(std::uint16_t slot) {
  if (!more_timers) more_timers = std::make_unique<std::vector<std::uint64_t>>();
  const std::size_t at = slot - kInlineTimers;
  if (at >= more_timers->size()) more_timers->resize(at + 1);
  return (*more_timers)[at];
}

void Cell::run(uint128 limit, bool concurrent) {
  concurrent_ = concurrent;
  Event event;
  try {
    while (key_of(heap_.top()) < limit) {
      event = heap_.top();
      Actor& actor = actors_[event.target];
      if (event.timer != 0) {
        std::uint64_t& pending = actor.timer(event.kind);
        if (pending != event.payload) {
          heap_.pop();
          --stale_;
          continue;
        }
        pending = 0;
      }
      top_handled_ = true;
      Context context(*this, event.target, event.time);
      actor.entity->on(event, context);
      if (top_handled_) {
        top_handled_ = false;
        heap_.pop();
      }
      last_ = event.time;
      ++handled_;
      if (stale_ > kFewStale && 2 * stale_ > heap_.size()) purge();
    }
  } catch (...) {
    fault_ = {key_of(event), std::current_exception()};
    if (top_handled_) heap_.pop();
    top_handled_ = false;
  }
  settle();
  concurrent_ = false;
}

void Cell::settle() {
  while (!heap_.empty() && is_stale(heap_.top())) {
    heap_.pop();
    --stale_;
  }
  world_.next[index_] = heap_.top().time;
}

void Cell::purge() {
  heap_.purge([this](const Event& event) { return is_stale(event); });
  stale_ = 0;
}

void Cell::publish(const std::vector<bool>& due, Time point) {
  if (fault_.exception) return;
  try {
    for (const Duty& duty : duties_) {
      if (due[duty.board_index]) duty.board->publish(duty.position, point);
    }
  } catch (...) {
    fault_ = {key_at(point), std::current_exception()};
  }
}

void Cell::refuse_send(EntityId self, Time now, std::uint32_t port, EntityId target, Span delay) const {
  const std::string& from = world_.names[self];
  const std::string to = target < world_.names.size() ? world_.names[target] : fmt::format("entity {}, which does not exist", target);
  if (port >= world_.ports.size()) JOULECAST_BUG(fmt::format("'{}' sends to '{}' through port {}, which was never declared", from, to, port));
  const PortRecord& record = world_.ports[port];
  if (record.from() != self) {
    JOULECAST_BUG(fmt::format("'{}' sends to '{}' through a port of '{}'", from, to, world_.names[record.from()]));
  }
  if (!record.reaches(target)) JOULECAST_BUG(fmt::format("'{}' sends to '{}', which its port was not declared for", from, to));
  JOULECAST_BUG(fmt::format("'{}' sends to '{}' at {} ns with a delay of {} ns; the port's least is {} ns", from, to, now.ns, delay.ns,
                            record.least_delay().ns));
}

void Cell::refuse_timer(EntityId self, Time now, std::uint16_t slot, Time at) const {
  JOULECAST_BUG(fmt::format("'{}' sets timer {} at {} ns to {} ns, which is past", world_.names[self], slot, now.ns, at.ns));
}

}  // namespace joulecast::engine
