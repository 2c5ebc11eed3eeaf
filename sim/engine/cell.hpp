#pragma once

// The inner loop of a run: what Context's functions do. Included by entity.hpp, so that they are inlined into entities.

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "engine/event.hpp"
#include "engine/heap.hpp"
#include "engine/ports.hpp"

namespace joulecast::engine {

class Board;
class Cell;
class Entity;

/// Where an entity stands; the same all through a run.
struct Route {
  std::uint32_t cell = 0;
  std::uint32_t level = 0;
};

/// What of an entity changes at its own events.
struct alignas(64) Actor {
  static constexpr std::uint16_t kInlineTimers = 4;

  Entity* entity = nullptr;
  std::uint64_t next_number = 0;                      ///< the entity's id (20 bits), its running number (40)
  std::array<std::uint64_t, kInlineTimers> timers{};  ///< the generation that is pending, 0 where none is
  std::unique_ptr<std::vector<std::uint64_t>> more_timers;

  std::uint64_t& timer(std::uint16_t slot) { return slot < kInlineTimers ? timers[slot] : timer_beyond(slot); }
  std::uint64_t& timer_beyond(std::uint16_t slot);
};

/// What all cells of a run share.
struct World {
  std::vector<Actor> actors;  ///< by entity
  std::vector<Route> routes;  ///< by entity
  std::vector<PortRecord> ports;
  std::vector<std::string> names;
  std::vector<std::unique_ptr<Cell>> cells;
  std::vector<Time> next;  ///< by cell: the time of its earliest event that is not stale, kForever where it has none
  Time horizon = kForever;
};

/// Entities that run one after another on one queue.
class alignas(128) Cell {
 public:
  /// The first exception of a window in this cell and the place in the order of events of the event that threw it.
  struct Fault {
    uint128 key = ~uint128{0};
    std::exception_ptr exception;
  };
  /// One slot of a board that an entity of this cell fills.
  struct Duty {
    Board* board;
    std::size_t board_index;
    std::size_t position;
  };

  Cell(World& world, std::uint32_t index) : world_(world), actors_(world.actors.data()), routes_(world.routes.data()), index_(index) {}

  Time horizon() const { return world_.horizon; }

  void send(EntityId self, Time now, std::uint32_t port, EntityId target, std::uint16_t kind, std::uint64_t payload, Span delay) {
    if (!may_send(self, now, port, target, delay)) [[unlikely]]
      refuse_send(self, now, port, target, delay);
    const Route route = routes_[target];
    const Event event{now + delay, order(actors_[self], route.level), target, kind, 0, payload};
    if (event.time >= world_.horizon) return;
    if (route.cell == index_) {
      put(event);
    } else if (concurrent_) {
      outbox_.push_back(event);
    } else {
      world_.cells[route.cell]->receive(event);
    }
  }
  Span least_delay(std::uint32_t port) const { return port < world_.ports.size() ? world_.ports[port].least_delay() : Span{0}; }

  void set_timer(EntityId self, Time now, std::uint16_t slot, Time at) {
    if (at < now) [[unlikely]]
      refuse_timer(self, now, slot, at);
    Actor& actor = actors_[self];
    std::uint64_t& pending = actor.timer(slot);
    stale_ += pending != 0;
    if (at >= world_.horizon) {
      pending = 0;
      return;
    }
    const std::uint64_t generation = actor.next_number;
    pending = generation;
    put({at, order(actor, routes_[self].level), self, slot, 1, generation});
  }
  void cancel_timer(EntityId self, std::uint16_t slot) {
    std::uint64_t& pending = actors_[self].timer(slot);
    stale_ += pending != 0;
    pending = 0;
  }

  /// Takes a message from another cell; neither cell is running then, or both are run by one thread.
  void receive(const Event& event) {
    heap_.push(event);
    if (event.time < world_.next[index_]) world_.next[index_] = event.time;
  }

  /// Handles all events whose keys are below `limit`. `concurrent`: other cells run at the same time, messages to them wait in the outbox.
  /// An exception is kept as the fault, and nothing after it is handled.
  void run(uint128 limit, bool concurrent);
  /// Fills the slots of boards that have a grid point at `point`; an exception is kept as a fault at that time.
  void publish(const std::vector<bool>& due, Time point);
  /// Forgets stale events that stand first; needed where timers were set outside of run().
  void settle();

  std::vector<Event>& outbox() { return outbox_; }
  std::vector<Duty>& duties() { return duties_; }
  const Fault& fault() const { return fault_; }
  std::uint64_t handled() const { return handled_; }
  /// The time of the last event handled.
  Time last() const { return last_; }
  /// Events in the queue, stale ones included.
  std::size_t pending() const { return heap_.size(); }

 private:
  static std::uint64_t order(Actor& actor, std::uint32_t level) { return std::uint64_t{level} << 60 | actor.next_number++; }

  /// The event that is being handled leaves the heap when the first new one takes its place, or when its handler is done.
  void put(const Event& event) {
    if (top_handled_) {
      top_handled_ = false;
      heap_.replace_top(event);
    } else {
      heap_.push(event);
    }
  }

  bool may_send(EntityId self, Time now, std::uint32_t port, EntityId target, Span delay) const {
    if (port >= world_.ports.size()) return false;
    const PortRecord& record = world_.ports[port];
    return record.from() == self && delay >= record.least_delay() && delay <= kForever - now && record.reaches(target);
  }
  bool is_stale(const Event& event) { return event.timer != 0 && actors_[event.target].timer(event.kind) != event.payload; }
  void purge();
  [[noreturn]] void refuse_send(EntityId self, Time now, std::uint32_t port, EntityId target, Span delay) const;
  [[noreturn]] void refuse_timer(EntityId self, Time now, std::uint16_t slot, Time at) const;

  static constexpr std::size_t kFewStale = 64;  ///< so many stale events may always stay in the heap; beyond, at most half of it

  World& world_;
  Actor* actors_;
  const Route* routes_;
  std::uint32_t index_;
  bool top_handled_ = false;
  bool concurrent_ = false;
  std::size_t stale_ = 0;  ///< events in the heap of timers that were moved or cancelled
  EventHeap heap_;
  std::uint64_t handled_ = 0;
  Time last_;
  std::vector<Event> outbox_;
  std::vector<Duty> duties_;
  Fault fault_;
};

}  // namespace joulecast::engine
