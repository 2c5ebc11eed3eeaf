#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/time.hpp"
#include "engine/event.hpp"
#include "engine/ports.hpp"

namespace joulecast::engine {

enum class Grouping;

/// Messages between cells with less delay than this would make windows too short to be worth it: such cells are one.
inline constexpr Span kShortestWindow{20'000};
inline constexpr Span kLongestWindow{1'000'000'000};

/// How entities are spread over cells and in which order the cells of a window run.
struct Topology {
  std::vector<std::uint32_t> cell_of;     ///< by entity; cells are numbered by rank, then by their lowest entity
  std::vector<std::uint32_t> first_cell;  ///< rank r is the cells first_cell[r] .. first_cell[r + 1] - 1
  /// The longest window: no message reaches a cell of the same or an earlier rank sooner.
  Span window = kLongestWindow;
};

/// Cells are the groups (and what `grouping` merges further); two cells are also merged where an upward edge without a usable delay would
/// otherwise stand in a cycle. Ranks are the levels of what remains: a cell comes after all that may send to it upwards.
Topology make_topology(std::span<const Level> levels, std::span<const std::vector<EntityId>> groups, std::span<const PortRecord> ports,
                       Grouping grouping, std::uint64_t grouping_seed);

}  // namespace joulecast::engine
