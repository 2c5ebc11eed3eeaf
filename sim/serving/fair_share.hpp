#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace joulecast::serving {

/// Max-min fair rates of flows over links of given capacities (Bertsekas and Gallager, Data Networks, 2nd edition, 6.5.2: progressive filling). All flows
/// grow alike until a link is full; those on it stay, the others grow on. `flows` lists each flow's links, at least one, no link twice. Capacities are
/// above 0, rates in their unit. O(rounds * (flows + links)), a round a link that fills.
std::vector<double> fair_share(std::span<const double> capacities, std::span<const std::span<const std::size_t>> flows);

}  // namespace joulecast::serving
