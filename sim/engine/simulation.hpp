#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "engine/entity.hpp"
#include "engine/fingerprints.hpp"

namespace joulecast::engine {

/// How entities are spread over cells; no choice changes a result.
enum class Grouping {
  derived,   ///< groups are cells, every other entity is a cell of its own
  one_cell,  ///< everything in one cell
  shuffled,  ///< groups merged at random by `grouping_seed` (tests)
};

struct RunOptions {
  Time horizon = kForever;  ///< nothing happens at or after it; kForever runs until no event is left
  int threads = 1;
  Grouping grouping = Grouping::derived;
  std::uint64_t grouping_seed = 0;
  bool fingerprints = false;
  Span fingerprint_period{1'000'000'000};
  const std::atomic<bool>* stop = nullptr;                       ///< looked at between windows; a stopped run ends at that window's start
  std::function<void(Time now, std::uint64_t events)> progress;  ///< called between windows, at most a few times a second
};

struct RunStats {
  Time end;  ///< the run is [0, end): the horizon, or 1 ns after the last event where there was none
  bool stopped = false;
  std::uint64_t events = 0;  ///< events handled; cancelled timers do not count
  std::uint64_t windows = 0;
  std::uint64_t parallel_windows = 0;  ///< windows that ran on more than one thread
  std::vector<Fingerprint> fingerprints;
};

/// The conservative, windowed, parallel event engine. Build it, then run it once.
class Simulation {
 public:
  Simulation();
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Adds an entity; names are unique. The returned reference of `add_new` lives as long as the simulation.
  EntityId add(std::string name, Level level, std::unique_ptr<Entity> entity);
  template <class E, class... Arguments>
  std::pair<EntityId, E*> add_new(std::string name, Level level, Arguments&&... arguments) {
    auto entity = std::make_unique<E>(std::forward<Arguments>(arguments)...);
    E* raw = entity.get();
    return {add(std::move(name), level, std::move(entity)), raw};
  }
  /// Declares that `from` may send to `targets` with at least `least_delay`: zero only to a higher level (a Bug else).
  Port connect(EntityId from, std::span<const EntityId> targets, Span least_delay);
  /// These entities see each other's instant views: one cell.
  void group(std::span<const EntityId> members);
  /// `board`'s position i shows entity `entities[i]`, filled at every multiple of `period`.
  void report(Board& board, std::span<const EntityId> entities, Span period);
  void control(Controller& controller, Span period);
  /// The same for one that sends messages as entity `self`.
  void control(EntityId self, ActingController& controller, Span period);
  const std::string& name(EntityId entity) const;

  /// Same bits for any number of threads and any grouping. Throws what an entity throws (the first in order of events).
  RunStats run(const RunOptions& options);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace joulecast::engine
