#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/philox.hpp"
#include "base/time.hpp"
#include "engine/cell.hpp"
#include "engine/event.hpp"

namespace joulecast::engine {

/// A declared way for messages: from one entity to a set of targets with a least delay.
struct Port {
  std::uint32_t index = UINT32_MAX;
};

/// What an entity may do while it handles an event.
class Context {
 public:
  Context(Cell& cell, EntityId self, Time now) : cell_(cell), self_(self), now_(now) {}

  Time now() const { return now_; }
  EntityId self() const { return self_; }
  /// The end of the run: nothing happens at or after it.
  Time horizon() const { return cell_.horizon(); }

  /// Sends a message through a port of this entity. `delay` is at least the port's; a target outside the port's set is a Bug.
  void send(Port port, EntityId target, std::uint16_t kind, std::uint64_t payload, Span delay) {
    cell_.send(self_, now_, port.index, target, kind, payload, delay);
  }
  /// Sends with the port's least delay.
  void send(Port port, EntityId target, std::uint16_t kind, std::uint64_t payload) {
    cell_.send(self_, now_, port.index, target, kind, payload, cell_.least_delay(port.index));
  }

  /// Sets timer `slot` (small numbers from 0) to `at` >= now: an event {kind = slot, timer = 1}. A timer that is set again moves.
  void set_timer(std::uint16_t slot, Time at) { cell_.set_timer(self_, now_, slot, at); }
  void cancel_timer(std::uint16_t slot) { cell_.cancel_timer(self_, slot); }

 private:
  Cell& cell_;
  EntityId self_;
  Time now_;
};

/// Something with a state that changes at events. Entities know one another only through messages and views.
class Entity {
 public:
  virtual ~Entity() = default;
  /// Once, at time 0, before any event, in id order.
  virtual void start(Context&) {}
  virtual void on(const Event& event, Context& context) = 0;
  /// Once, when the run is over (horizon reached, drained or stopped), at the time of its end, in id order: closes what is open.
  virtual void finish(Context&) {}
  /// A hash of the state as of `now` (the same whether steps were merged or not), for fingerprints.
  virtual std::uint64_t fingerprint(Time now) const = 0;
};

/// An entity of which others may see a const struct that it makes itself; making it changes nothing.
template <class View>
class Viewed {
 public:
  virtual ~Viewed() = default;
  /// The state after everything that came before `now` in the order of events.
  virtual View view(Time now) const = 0;
};

/// What a policy reads: the views of several entities, by position.
template <class View>
class Views {
 public:
  virtual ~Views() = default;
  virtual std::size_t size() const = 0;
  virtual View at(std::size_t position, Time now) const = 0;
};

/// Views of this very instant; allowed inside a group only.
template <class View>
class InstantViews final : public Views<View> {
 public:
  explicit InstantViews(std::vector<const Viewed<View>*> entities) : entities_(std::move(entities)) {}
  std::size_t size() const override { return entities_.size(); }
  View at(std::size_t position, Time now) const override { return entities_[position]->view(now); }

 private:
  std::vector<const Viewed<View>*> entities_;
};

/// One slot a viewed entity that the engine fills at grid points, after all events before the point.
class Board {
 public:
  virtual ~Board() = default;
  virtual void publish(std::size_t position, Time grid_point) = 0;
  /// Makes what was published visible; called by one thread between windows.
  virtual void turn() = 0;
};

/// Views of the last grid point: load reports whose age is the policy's staleness. Before the first grid point, the state at time 0.
template <class View>
class GridViews final : public Views<View>, public Board {
 public:
  explicit GridViews(std::vector<const Viewed<View>*> entities) : entities_(std::move(entities)), shown_(entities_.size()), next_(entities_.size()) {
    for (std::size_t i = 0; i < entities_.size(); ++i) shown_[i] = next_[i] = entities_[i]->view(Time{0});
  }
  std::size_t size() const override { return entities_.size(); }
  View at(std::size_t position, Time) const override { return shown_[position]; }
  void publish(std::size_t position, Time grid_point) override { next_[position] = entities_[position]->view(grid_point); }
  void turn() override { shown_.swap(next_); }

 private:
  std::vector<const Viewed<View>*> entities_;
  std::vector<View> shown_, next_;
};

/// Runs at grid points of its own period, on one thread, before the events of that instant.
class Controller {
 public:
  virtual ~Controller() = default;
  virtual void at_grid_point(Time now) = 0;
};

/// A controller that acts: an entity of a level below all that it commands. What it sends at a grid point comes in the order of events as if one of
/// its own events there had sent it.
class ActingController {
 public:
  virtual ~ActingController() = default;
  virtual void at_grid_point(Context& context) = 0;
  /// When it has to be called besides its grid, after the call before; asked after every call. It keeps no run going that is otherwise done.
  virtual Time next_point() const { return kForever; }
};

}  // namespace joulecast::engine
