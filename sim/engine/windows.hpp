#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/time.hpp"
#include "engine/cell.hpp"
#include "engine/simulation.hpp"
#include "engine/topology.hpp"

namespace joulecast::engine {

/// A board and the grid on which it is filled.
struct BoardGrid {
  Board* board;
  std::vector<EntityId> entities;  ///< by position
  Span period;
  Time next;           ///< the grid point at which it is turned next
  Time published{-1};  ///< the grid point that its unseen side holds
};

struct ControllerGrid {
  Controller* controller;    ///< or
  ActingController* acting;  ///< as entity `self`
  EntityId self;
  Span period;
  Time next;
};

/// One run, window by window. All events of a window come before its end, and nothing that a cell sends during it can reach, before that end, a
/// cell of the same or an earlier rank; so cells of a rank may run at the same time, and ranks one after another.
class Windows {
 public:
  Windows(World& world, const Topology& topology, std::vector<BoardGrid>& boards, std::vector<ControllerGrid>& controllers,
          const RunOptions& options);

  RunStats run();

 private:
  Time first_event() const;
  Time next_control() const;
  void enter(Time begin);
  Time end_of(Time begin) const;
  void run_window(Time end);
  std::uint64_t run_rank(std::size_t rank, Time end, bool publishing, uint128& limit, bool& parallel);
  void deliver(int parts);
  void take_fingerprints(Time until);
  void add_fingerprints(Time point);
  void report_progress(Time now);

  World& world_;
  const Topology& topology_;
  std::vector<BoardGrid>& boards_;
  std::vector<ControllerGrid>& controllers_;
  const RunOptions& options_;
  RunStats stats_;
  std::vector<double> recent_;         ///< by rank: events a window, smoothed
  std::vector<std::uint32_t> active_;  ///< cells of the rank that runs
  std::vector<bool> due_;              ///< boards that are filled at the window's end
  std::vector<std::uint64_t> hashes_;  ///< by entity
  Time next_fingerprint_ = kForever;
  double next_progress_ = 0;
};

}  // namespace joulecast::engine
