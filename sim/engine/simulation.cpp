#include "engine/simulation.hpp"

#include <fmt/format.h>

#include <unordered_set>

#include "base/error.hpp"
#include "engine/topology.hpp"
#include "engine/windows.hpp"

namespace joulecast::engine {

struct Simulation::Parts {
  World world;
  std::vector<std::unique_ptr<Entity>> entities;
  std::vector<Level> levels;
  std::unordered_set<std::string> taken_names;
  std::vector<std::vector<EntityId>> groups;
  std::vector<BoardGrid> boards;
  std::vector<ControllerGrid> controllers;
  bool has_run = false;

  void check_building() const { JOULECAST_CHECK(!has_run, "a simulation is built, then run once"); }
  void check_entity(EntityId entity) const {
    JOULECAST_CHECK(entity < entities.size(), fmt::format("there is no entity {}; {} were added", entity, entities.size()));
  }
  void spread(const Topology& topology);
};

Simulation::Simulation() : parts_(std::make_unique<Parts>()) {}
Simulation::~Simulation() = default;

EntityId Simulation::add(std::string name, Level level, std::unique_ptr<Entity> entity) {
  parts_->check_building();
  JOULECAST_CHECK(entity != nullptr, "an entity is missing");
  JOULECAST_CHECK(parts_->entities.size() < kMaxEntities, fmt::format("a simulation holds {} entities at most", kMaxEntities));
  JOULECAST_CHECK(parts_->taken_names.insert(name).second, fmt::format("two entities are named '{}'", name));
  parts_->world.names.push_back(std::move(name));
  parts_->levels.push_back(level);
  parts_->entities.push_back(std::move(entity));
  return static_cast<EntityId>(parts_->entities.size() - 1);
}

Port Simulation::connect(EntityId from, std::span<const EntityId> targets, Span least_delay) {
  parts_->check_building();
  parts_->check_entity(from);
  for (const EntityId target : targets) {
    parts_->check_entity(target);
    const bool upward = parts_->levels[target] > parts_->levels[from];
    if (least_delay.ns > 0 || (least_delay.ns == 0 && upward)) continue;
    JOULECAST_BUG(
        fmt::format("a port of '{}' (level {}) to '{}' (level {}) with a least delay of {} ns: zero is for a higher level only, others take 1 ns",
                    name(from), static_cast<int>(parts_->levels[from]), name(target), static_cast<int>(parts_->levels[target]), least_delay.ns));
  }
  parts_->world.ports.emplace_back(from, targets, least_delay);
  return {static_cast<std::uint32_t>(parts_->world.ports.size() - 1)};
}

void Simulation::group(std::span<const EntityId> members) {
  parts_->check_building();
  for (const EntityId member : members) parts_->check_entity(member);
  if (!members.empty()) parts_->groups.emplace_back(members.begin(), members.end());
}

void Simulation::report(Board& board, std::span<const EntityId> entities, Span period) {
  parts_->check_building();
  for (const EntityId entity : entities) parts_->check_entity(entity);
  JOULECAST_CHECK(period.ns > 0, "a board's period is above 0");
  parts_->boards.push_back({&board, {entities.begin(), entities.end()}, period, Time{0} + period});
}

void Simulation::control(Controller& controller, Span period) {
  parts_->check_building();
  JOULECAST_CHECK(period.ns > 0, "a controller's period is above 0");
  parts_->controllers.push_back({&controller, nullptr, 0, period, Time{0} + period});
}

void Simulation::control(EntityId self, ActingController& controller, Span period) {
  parts_->check_building();
  parts_->check_entity(self);
  JOULECAST_CHECK(period.ns > 0, "a controller's period is above 0");
  parts_->controllers.push_back({nullptr, &controller, self, period, Time{0} + period});
}

const std::string& Simulation::name(EntityId entity) const {
  parts_->check_entity(entity);
  return parts_->world.names[entity];
}

void Simulation::Parts::spread(const Topology& topology) {
  world.actors.resize(entities.size());
  world.routes.resize(entities.size());
  for (EntityId e = 0; e < entities.size(); ++e) {
    world.actors[e].entity = entities[e].get();
    world.actors[e].next_number = std::uint64_t{e} << 40 | 1;
    world.routes[e] = {topology.cell_of[e], static_cast<std::uint32_t>(levels[e])};
  }
  const std::uint32_t cells = topology.first_cell.back();
  world.next.assign(cells, kForever);
  for (std::uint32_t c = 0; c < cells; ++c) world.cells.push_back(std::make_unique<Cell>(world, c));
  for (std::size_t b = 0; b < boards.size(); ++b) {
    for (std::size_t i = 0; i < boards[b].entities.size(); ++i) {
      world.cells[topology.cell_of[boards[b].entities[i]]]->duties().push_back({boards[b].board, b, i});
    }
  }
}

RunStats Simulation::run(const RunOptions& options) {
  parts_->check_building();
  JOULECAST_CHECK(options.horizon.ns >= 0, "the horizon is not before 0");
  JOULECAST_CHECK(!options.fingerprints || options.fingerprint_period.ns > 0, "the period of fingerprints is above 0");
  parts_->has_run = true;
  parts_->world.horizon = options.horizon;
  const Topology topology = make_topology(parts_->levels, parts_->groups, parts_->world.ports, options.grouping, options.grouping_seed);
  parts_->spread(topology);
  return Windows(parts_->world, topology, parts_->boards, parts_->controllers, options).run();
}

}  // namespace joulecast::engine
