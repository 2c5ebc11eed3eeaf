#include "engine/components.hpp"

#include <algorithm>
#include <numeric>

namespace joulecast::engine {

DisjointSets::DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }

std::uint32_t DisjointSets::find(std::uint32_t member) {
  while (parent_[member] != member) {
    parent_[member] = parent_[parent_[member]];
    member = parent_[member];
  }
  return member;
}

void DisjointSets::unite(std::uint32_t a, std::uint32_t b) {
  a = find(a);
  b = find(b);
  parent_[std::max(a, b)] = std::min(a, b);
}

std::vector<std::uint32_t> strong_components(const Graph& graph) {
  constexpr std::uint32_t kNone = UINT32_MAX;
  const std::size_t count = graph.size();
  std::vector<std::uint32_t> component(count, kNone), number(count, kNone), low(count), open;
  std::vector<std::pair<std::uint32_t, std::size_t>> path;  // node, its next edge
  std::uint32_t numbers = 0, components = 0;
  for (std::uint32_t root = 0; root < count; ++root) {
    if (number[root] != kNone) continue;
    path.emplace_back(root, 0);
    while (!path.empty()) {
      const std::uint32_t node = path.back().first;
      if (path.back().second == 0) {
        number[node] = low[node] = numbers++;
        open.push_back(node);
      }
      if (path.back().second < graph[node].size()) {
        const std::uint32_t next = graph[node][path.back().second++];
        if (number[next] == kNone) {
          path.emplace_back(next, 0);
        } else if (component[next] == kNone) {
          low[node] = std::min(low[node], number[next]);
        }
        continue;
      }
      if (low[node] == number[node]) {
        std::uint32_t member = kNone;
        do {
          member = open.back();
          open.pop_back();
          component[member] = components;
        } while (member != node);
        ++components;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[node]);
    }
  }
  return component;
}

}  // namespace joulecast::engine
