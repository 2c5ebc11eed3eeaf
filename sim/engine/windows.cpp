#include "engine/windows.hpp"

#include <algorithm>
#include <chrono>

#include "base/hash.hpp"
#include "engine/team.hpp"

namespace joulecast::engine {
namespace {

/// Ranks that had fewer events than this a window lately run on one thread: a team costs more than it saves there.
constexpr double kLeastEventsForTeam = 100;
/// Below so many messages one thread delivers them all.
constexpr std::size_t kLeastMessagesForTeam = 1000;
constexpr double kSecondsBetweenReports = 0.25;

Time later(Time t, Span d) { return t.ns > kForever.ns - d.ns ? kForever : t + d; }
Time grid_point_at_or_before(Time t, Span period) { return Time{t.ns - t.ns % period.ns}; }

double wall_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

Windows::Windows(World& world, const Topology& topology, std::vector<BoardGrid>& boards, std::vector<ControllerGrid>& controllers,
                 const RunOptions& options)
    : world_(world),
      topology_(topology),
      boards_(boards),
      controllers_(controllers),
      options_(options),
      recent_(topology.first_cell.size() - 1),
      due_(boards.size()) {
  if (!options.fingerprints) return;
  hashes_.resize(world.actors.size());
  next_fingerprint_ = Time{0} + options.fingerprint_period;
}

RunStats Windows::run() {
  for (EntityId e = 0; e < world_.actors.size(); ++e) {
    Context context(*world_.cells[world_.routes[e].cell], e, Time{0});
    world_.actors[e].entity->start(context);
  }
  for (const auto& cell : world_.cells) cell->settle();

  const bool bounded = options_.horizon < kForever;
  for (;;) {
    const Time first = first_event();
    if (first == kForever && !bounded) break;
    const Time begin = std::min(first, next_control());
    if (begin >= options_.horizon) break;
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
      stats_.stopped = true;
      stats_.end = begin;
      break;
    }
    enter(begin);
    run_window(end_of(begin));
    report_progress(begin);
  }

  if (!stats_.stopped) {
    stats_.end = options_.horizon;
    if (!bounded) {
      stats_.end = Time{0};
      for (const auto& cell : world_.cells) stats_.end = std::max(stats_.end, cell->last() + Span{1});
    }
  }
  if (options_.fingerprints) {
    take_fingerprints(stats_.end);
    if (stats_.fingerprints.empty() || stats_.fingerprints.back().time != stats_.end) add_fingerprints(stats_.end);
  }
  for (EntityId e = 0; e < world_.actors.size(); ++e) {
    Context context(*world_.cells[world_.routes[e].cell], e, stats_.end);
    world_.actors[e].entity->finish(context);
  }
  return std::move(stats_);
}

Time Windows::first_event() const {
  Time first = kForever;
  for (const Time t : world_.next) first = std::min(first, t);
  return first;
}

Time Windows::next_control() const {
  Time next = kForever;
  for (const ControllerGrid& grid : controllers_) next = std::min(next, grid.next);
  return next;
}

/// Turns boards, takes fingerprints and runs controllers of all grid points up to `begin`. Nothing happens between the last window and
/// `begin`, so of several grid points a board needs only the last.
void Windows::enter(Time begin) {
  for (BoardGrid& grid : boards_) {
    if (grid.next > begin) continue;
    const Time point = grid_point_at_or_before(begin, grid.period);
    if (grid.published != point) {
      for (std::size_t i = 0; i < grid.entities.size(); ++i) grid.board->publish(i, point);
    }
    grid.board->turn();
    grid.next = later(point, grid.period);
  }
  take_fingerprints(begin);
  for (ControllerGrid& grid : controllers_) {
    if (grid.next > begin) continue;
    if (grid.acting != nullptr) {
      Cell& cell = *world_.cells[world_.routes[grid.self].cell];
      Context context(cell, grid.self, begin);
      grid.acting->at_grid_point(context);
      cell.settle();
    } else {
      grid.controller->at_grid_point(begin);
    }
    grid.next = later(grid_point_at_or_before(begin, grid.period), grid.period);
    if (grid.acting != nullptr) grid.next = std::min(grid.next, grid.acting->next_point());
  }
}

Time Windows::end_of(Time begin) const {
  Time end = std::min({later(begin, topology_.window), next_control(), next_fingerprint_, options_.horizon});
  for (const BoardGrid& grid : boards_) end = std::min(end, grid.next);
  return end;
}

void Windows::run_window(Time end) {
  bool publishing = false;
  for (std::size_t b = 0; b < boards_.size(); ++b) {
    due_[b] = boards_[b].next == end;
    if (!due_[b]) continue;
    publishing = true;
    boards_[b].published = end;
  }
  uint128 limit = key_at(end);
  bool parallel = false;
  for (std::size_t rank = 0; rank < recent_.size(); ++rank) stats_.events += run_rank(rank, end, publishing, limit, parallel);
  ++stats_.windows;
  stats_.parallel_windows += parallel;
  if (limit == key_at(end)) return;
  for (const auto& cell : world_.cells) {
    if (cell->fault().exception && cell->fault().key == limit) std::rethrow_exception(cell->fault().exception);
  }
}

/// Runs the cells of a rank up to `limit`, and lowers it to the first event that threw: later ranks still handle what comes before.
std::uint64_t Windows::run_rank(std::size_t rank, Time end, bool publishing, uint128& limit, bool& parallel) {
  active_.clear();
  for (std::uint32_t c = topology_.first_cell[rank]; c < topology_.first_cell[rank + 1]; ++c) {
    if (world_.next[c] < end || (publishing && !world_.cells[c]->duties().empty())) active_.push_back(c);
  }
  if (active_.empty()) {
    recent_[rank] *= 0.5;
    return 0;
  }
  std::uint64_t before = 0;
  for (const std::uint32_t c : active_) before += world_.cells[c]->handled();

  const bool team = options_.threads > 1 && active_.size() > 1 && recent_[rank] >= kLeastEventsForTeam;
  const auto run_cell = [&](std::size_t i) {
    Cell& cell = *world_.cells[active_[i]];
    cell.run(limit, team);
    if (publishing) cell.publish(due_, end);
  };
  if (team) {
    const std::size_t chunk = std::max<std::size_t>(1, active_.size() / (16 * static_cast<std::size_t>(options_.threads)));
    const int members = run_team(options_.threads, active_.size(), chunk, run_cell);
    parallel = parallel || members > 1;
    deliver(members);
  } else {
    for (std::size_t i = 0; i < active_.size(); ++i) run_cell(i);
  }

  std::uint64_t after = 0;
  for (const std::uint32_t c : active_) {
    after += world_.cells[c]->handled();
    if (world_.cells[c]->fault().exception) limit = std::min(limit, world_.cells[c]->fault().key);
  }
  recent_[rank] = 0.5 * (recent_[rank] + static_cast<double>(after - before));
  return after - before;
}

/// Puts what waits in the outboxes of the active cells into its targets' queues. A queue's order is by key alone, so it does not matter who
/// puts what first.
void Windows::deliver(int parts) {
  std::size_t messages = 0;
  for (const std::uint32_t c : active_) messages += world_.cells[c]->outbox().size();
  if (messages == 0) return;
  const std::size_t shares = messages < kLeastMessagesForTeam ? 1 : static_cast<std::size_t>(parts);
  const auto deliver_share = [&](std::size_t share) {
    for (const std::uint32_t c : active_) {
      for (const Event& event : world_.cells[c]->outbox()) {
        const std::uint32_t to = world_.routes[event.target].cell;
        if (to % shares == share) world_.cells[to]->receive(event);
      }
    }
  };
  if (shares == 1) {
    deliver_share(0);
  } else {
    run_team(parts, shares, 1, deliver_share);
  }
  for (const std::uint32_t c : active_) world_.cells[c]->outbox().clear();
}

void Windows::take_fingerprints(Time until) {
  for (; next_fingerprint_ <= until && next_fingerprint_ < kForever; next_fingerprint_ = later(next_fingerprint_, options_.fingerprint_period)) {
    add_fingerprints(next_fingerprint_);
  }
}

void Windows::add_fingerprints(Time point) {
  for (EntityId e = 0; e < hashes_.size(); ++e) {
    hashes_[e] = mix(hashes_[e], world_.actors[e].entity->fingerprint(point));
    stats_.fingerprints.push_back({point, e, hashes_[e]});
  }
}

void Windows::report_progress(Time now) {
  if (!options_.progress) return;
  const double wall = wall_seconds();
  if (wall < next_progress_) return;
  next_progress_ = wall + kSecondsBetweenReports;
  options_.progress(now, stats_.events);
}

}  // namespace joulecast::engine
