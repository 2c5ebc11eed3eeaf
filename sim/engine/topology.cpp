#include "engine/topology.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/hash.hpp"
#include "engine/components.hpp"
#include "engine/simulation.hpp"

namespace joulecast::engine {
namespace {

enum class Edges { tight, all };

bool is_tight(const PortRecord& port) { return port.least_delay() < kShortestWindow; }

void merge_by(Grouping grouping, std::uint64_t seed, DisjointSets& cells, std::size_t entities) {
  if (grouping == Grouping::derived) return;
  std::vector<std::uint32_t> roots;
  for (std::uint32_t e = 0; e < entities; ++e) {
    if (cells.find(e) == e) roots.push_back(e);
  }
  const std::size_t count = grouping == Grouping::one_cell ? 1 : 1 + mix(seed, 0) % roots.size();
  std::vector<std::uint32_t> first(count, UINT32_MAX);
  for (const std::uint32_t root : roots) {
    std::uint32_t& representative = first[mix(seed, std::uint64_t{root} + 1) % count];
    if (representative == UINT32_MAX) representative = root;
    cells.unite(representative, root);
  }
}

/// Upward edges between cells, each once a port.
Graph upward_edges(std::span<const Level> levels, std::span<const PortRecord> ports, const std::vector<std::uint32_t>& cell_of, std::size_t cells,
                   Edges which) {
  Graph graph(cells);
  std::vector<std::size_t> seen(cells, SIZE_MAX);
  for (std::size_t p = 0; p < ports.size(); ++p) {
    const PortRecord& port = ports[p];
    if (which == Edges::tight && !is_tight(port)) continue;
    const std::uint32_t from = cell_of[port.from()];
    for (std::size_t i = 0; i < port.size(); ++i) {
      const EntityId target = port.target(i);
      const std::uint32_t to = cell_of[target];
      if (levels[target] <= levels[port.from()] || to == from || seen[to] == p) continue;
      seen[to] = p;
      graph[from].push_back(to);
    }
  }
  return graph;
}

/// Numbers the sets 0, 1, ... by their least member.
std::pair<std::vector<std::uint32_t>, std::size_t> numbered(DisjointSets& sets, std::size_t entities) {
  std::vector<std::uint32_t> number(entities);
  std::uint32_t count = 0;
  for (std::uint32_t e = 0; e < entities; ++e) number[e] = sets.find(e) == e ? count++ : number[sets.find(e)];
  return {std::move(number), count};
}

/// The length of the longest path to each cell along tight edges, and along loose ones that stand in no cycle.
std::vector<std::uint32_t> ranks_of(const Graph& tight, const Graph& all) {
  const std::vector<std::uint32_t> component = strong_components(all);
  Graph kept = tight;
  for (std::size_t from = 0; from < all.size(); ++from) {
    for (const std::uint32_t to : all[from]) {
      if (component[to] != component[from]) kept[from].push_back(to);
    }
  }
  std::vector<std::uint32_t> waits(all.size()), rank(all.size()), ready;
  for (const auto& targets : kept) {
    for (const std::uint32_t to : targets) ++waits[to];
  }
  for (std::uint32_t c = 0; c < kept.size(); ++c) {
    if (waits[c] == 0) ready.push_back(c);
  }
  for (std::size_t i = 0; i < ready.size(); ++i) {
    for (const std::uint32_t to : kept[ready[i]]) {
      rank[to] = std::max(rank[to], rank[ready[i]] + 1);
      if (--waits[to] == 0) ready.push_back(to);
    }
  }
  return rank;
}

}  // namespace

Topology make_topology(std::span<const Level> levels, std::span<const std::vector<EntityId>> groups, std::span<const PortRecord> ports,
                       Grouping grouping, std::uint64_t grouping_seed) {
  const std::size_t entities = levels.size();
  Topology topology;
  topology.first_cell.push_back(0);
  if (entities == 0) return topology;

  DisjointSets sets(entities);
  for (const auto& group : groups) {
    for (const EntityId member : group) sets.unite(group.front(), member);
  }
  merge_by(grouping, grouping_seed, sets, entities);
  for (const PortRecord& port : ports) {
    for (std::size_t i = 0; is_tight(port) && i < port.size(); ++i) {
      if (levels[port.target(i)] <= levels[port.from()]) sets.unite(port.from(), port.target(i));
    }
  }
  auto [cell_of, cells] = numbered(sets, entities);
  const std::vector<std::uint32_t> cycles = strong_components(upward_edges(levels, ports, cell_of, cells, Edges::tight));
  std::vector<EntityId> first_of(cells, UINT32_MAX);
  for (EntityId e = 0; e < entities; ++e) {
    EntityId& first = first_of[cycles[cell_of[e]]];
    if (first == UINT32_MAX) first = e;
    sets.unite(first, e);
  }
  std::tie(cell_of, cells) = numbered(sets, entities);

  const std::vector<std::uint32_t> rank =
      ranks_of(upward_edges(levels, ports, cell_of, cells, Edges::tight), upward_edges(levels, ports, cell_of, cells, Edges::all));
  std::vector<std::uint32_t> by_rank(cells), place(cells);
  for (std::uint32_t c = 0; c < cells; ++c) by_rank[c] = c;
  std::stable_sort(by_rank.begin(), by_rank.end(), [&](std::uint32_t a, std::uint32_t b) { return rank[a] < rank[b]; });
  for (std::uint32_t i = 0; i < cells; ++i) {
    place[by_rank[i]] = i;
    if (i > 0 && rank[by_rank[i]] != rank[by_rank[i - 1]]) topology.first_cell.push_back(i);
  }
  topology.first_cell.push_back(static_cast<std::uint32_t>(cells));

  for (const PortRecord& port : ports) {
    const std::uint32_t from = cell_of[port.from()];
    for (std::size_t i = 0; port.least_delay() < topology.window && i < port.size(); ++i) {
      const std::uint32_t to = cell_of[port.target(i)];
      if (to != from && rank[to] <= rank[from]) topology.window = port.least_delay();
    }
  }
  for (std::uint32_t& cell : cell_of) cell = place[cell];
  topology.cell_of = std::move(cell_of);
  return topology;
}

}  // namespace joulecast::engine
